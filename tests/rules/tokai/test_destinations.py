"""Where a trip goes: section 6."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.data.map_data import PointId, RegionId
from bluebear.rules.tokai.rules.events import DestinationSet, HalfLost, HomeRegion, RolledSteps
from bluebear.rules.tokai.rules.network import DESTINATIONS
from bluebear.rules.tokai.rules.state import Phase
from tests.rules.tokai.scene import (
    JA,
    A,
    B,
    dice,
    events_of,
    extra_half_of_a,
    lines,
    names,
    play,
    refusal,
    sentence,
    traveller,
    turn_of_a,
    typed,
)

NORTH = (4, 4, 1)
"""Odd 8."""
EAST = (3, 4, 5)
"""Odd 7."""
FREE = (3, 4, 2)
"""Even 7, in the table of East."""
INUYAMA = (3, 3, 1)
"""Odd 6, in the table of North."""


@pytest.mark.rule("tokai 6.1", "tokai 6.3", "tokai 5.1")
def test_a_seat_without_destination_rolls_region_and_city_before_it_rolls_for_steps() -> None:
    table, events = turn_of_a(traveller("inuyama"), *EAST, 5, 4, 3, 2, 2)
    assert names(events) == [
        "BoughtNothing",
        "TurnBegan",
        "RolledRegion",
        "RolledCity",
        "DestinationSet",
        "RolledSteps",
    ]
    assert table.seats[A].destination == "akaike"
    assert (table.phase, table.roll) == (Phase.MOVE, 4)


@pytest.mark.rule("tokai 6.1")
def test_a_seat_in_transit_keeps_its_destination() -> None:
    table, events = turn_of_a(traveller("inuyama", to="nagoya"), 2, 2)
    assert names(events) == ["BoughtNothing", "TurnBegan", "RolledSteps"]
    assert table.seats[A].destination == "nagoya"


@pytest.mark.rule("tokai 6.2", "tokai 6.6")
def test_in_the_players_region_one_names_any_of_the_nine() -> None:
    """X-06."""
    table, events = turn_of_a(traveller("inuyama"), *NORTH)
    assert events_of(events, HomeRegion) == [HomeRegion(A, RegionId("north"))]
    assert table.phase is Phase.REGION
    assert lines(table, A) == [
        "/region central",
        "/region chita",
        "/region east",
        "/region mie",
        "/region mikawa",
        "/region mino",
        "/region north",
        "/region south",
        "/region west",
    ]
    assert typed(table, A, "/地域 三河") == ["/region mikawa"]
    assert refusal(table, A, "/dest gifu").code == "now_region"


@pytest.mark.rule("tokai 6.4")
def test_the_city_where_one_is_costs_the_half() -> None:
    """X-07."""
    table, _ = turn_of_a(traveller("inuyama", cash=9), *NORTH)
    table, events = play(table, A, "/region north", dice(*INUYAMA, *EAST, 5, 4, 3, 2, 2))
    assert events_of(events, HalfLost) == [HalfLost(A, PointId("inuyama"))]
    assert names(events).index("TurnBegan") > names(events).index("HalfLost")
    assert table.active == B
    assert (table.seats[A].destination, table.seats[A].cash) == (None, 9)


@pytest.mark.rule("tokai 6.4", "tokai 12.4")
def test_a_lost_turn_counts_and_the_next_one_begins_with_a_region_roll() -> None:
    lost, _ = turn_of_a(traveller("inuyama"), *NORTH)
    lost, _ = play(lost, A, "/region north", dice(*INUYAMA, *EAST, 5, 4, 3, 6, 5))
    assert (lost.active, lost.turns) == (B, 12)
    again, events = turn_of_a(lost.seats[A], *EAST, 5, 4, 3, 2, 2)
    assert names(events)[2] == "RolledRegion"
    assert again.seats[A].destination == "akaike"


@pytest.mark.rule("tokai 6.4")
def test_a_lost_extra_half_leaves_the_fare_of_the_normal_one_due() -> None:
    table, events = extra_half_of_a(
        traveller("inuyama", cash=9), *NORTH, dues=[(0, 1), (Seat(2), 5)]
    )
    table, events = play(table, A, "/region north", dice(*INUYAMA, 2, 3))
    assert names(events)[-5:] == ["HalfLost", "PaidBank", "PaidOwner", "TurnBegan", "RolledSteps"]
    assert table.seats[A].cash == 3
    assert table.seats[B].cash == 55


@pytest.mark.rule("tokai 6.3")
def test_free_denotes_any_destination_but_the_one_where_one_is() -> None:
    table, _ = turn_of_a(traveller("inuyama"), *EAST, *FREE)
    assert table.phase is Phase.DEST
    assert len(lines(table, A)) == len(DESTINATIONS) - 1
    assert refusal(table, A, "/dest inuyama").code == "already_there"
    table, events = play(table, A, "/dest toyohashi", dice(1, 2))
    assert events_of(events, DestinationSet, RolledSteps) == [
        DestinationSet(A, PointId("inuyama"), PointId("toyohashi"), table.seats[A].payoff),
        RolledSteps(A, (1, 2), 3),
    ]


@pytest.mark.rule("tokai 6.5")
def test_the_payoff_is_fixed_with_the_destination() -> None:
    table, _ = turn_of_a(traveller("inuyama"), *EAST, *FREE)
    table, events = play(table, A, "/dest nagoya", dice(1, 2))
    (event,) = events_of(events, DestinationSet)
    assert sentence(event) == "Seat 1 travels from Inuyama to Nagoya, which will pay 10,000 yen."
    assert sentence(event, JA).endswith("10,000円の収益です。")
    assert table.seats[A].payoff == 10
