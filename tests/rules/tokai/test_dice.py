"""Dice and extra halves: sections 7.1 and 10."""

from __future__ import annotations

import pytest

from bluebear.rules.tokai.rules.events import ExtraGranted, RolledExtra, RolledSteps
from bluebear.rules.tokai.rules.state import Phase
from tests.rules.tokai.scene import (
    A,
    B,
    dice,
    events_of,
    extra_half_of_a,
    names,
    owed,
    play,
    table,
    traveller,
    turn_of_a,
)

BOUND = traveller("inuyama", to="tsu")
WITH_TICKET = traveller("inuyama", to="tsu", express=True)


@pytest.mark.rule("tokai 7.1.1")
def test_a_normal_half_is_the_sum_of_the_white_dice() -> None:
    made, events = turn_of_a(BOUND, 3, 4)
    assert events_of(events, RolledSteps) == [RolledSteps(A, (3, 4), 7)]
    assert (made.roll, made.granted, made.extra) == (7, False, False)


@pytest.mark.rule("tokai 7.1.1", "tokai 10.1")
def test_an_extra_half_is_the_coloured_die_alone() -> None:
    made, events = extra_half_of_a(BOUND, 4)
    assert events_of(events, RolledExtra) == [RolledExtra(A, 4)]
    assert (made.roll, made.extra) == (4, True)


@pytest.mark.rule("tokai 7.1.2")
@pytest.mark.parametrize(
    ("faces", "ticket", "granted"),
    [
        ((6, 6), False, True),
        ((5, 5), False, False),
        ((1, 1), True, True),
        ((6, 6), True, True),
        ((5, 6), True, False),
    ],
)
def test_who_gets_an_extra_half(faces: tuple[int, int], ticket: bool, granted: bool) -> None:
    """X-08."""
    made, events = turn_of_a(WITH_TICKET if ticket else BOUND, *faces)
    assert len(events_of(events, ExtraGranted)) == granted
    assert made.granted is granted


@pytest.mark.rule("tokai 7.1.3")
def test_an_extra_half_grants_none() -> None:
    made, events = extra_half_of_a(WITH_TICKET, 6)
    assert not events_of(events, ExtraGranted)
    made, events = play(made, A, "/go tsu", dice(1, 2))
    assert made.active == B


@pytest.mark.rule("tokai 7.1.3")
def test_a_double_six_with_a_ticket_grants_one_extra_half() -> None:
    made, _ = turn_of_a(WITH_TICKET, 6, 6)
    made, events = play(made, A, "/go tsu", dice(2))
    assert names(events)[-1] == "RolledExtra"
    made, _ = play(made, A, "/go tsu")
    assert made.active == B


@pytest.mark.rule("tokai 7.1.4")
def test_a_ticket_bought_after_the_roll_grants_nothing_for_it() -> None:
    """X-41."""
    made = table(traveller("inuyama", to="konan", cash=10), roll=8)
    made, _ = play(made, A, "/go konan")
    assert made.phase is Phase.BUY
    made, events = play(made, A, "/buy express", dice(1, 2))
    assert made.active == B
    assert made.seats[A].express
    assert "RolledExtra" not in names(events)


@pytest.mark.rule("tokai 7.1.4", "tokai 7.2.2.1")
def test_a_ticket_bought_in_the_normal_half_skips_stops_in_the_extra_one() -> None:
    made = table(traveller("nagoya", cash=30), phase=Phase.BUY, granted=True)
    toyohashi = (2, 4, 2, 2, 3, 2)  # mikawa; even 5: toyohashi
    made, _ = play(made, A, "/buy express", dice(*toyohashi, 6))
    made, _ = play(made, A, "/go meitetsu_main chiryu", dice(1, 2))
    assert made.seats[A].at == "chiryu"


@pytest.mark.rule("tokai 10.1", "tokai 6.1")
def test_an_extra_half_begins_with_a_destination_if_there_is_none() -> None:
    made, events = extra_half_of_a(traveller("inuyama"), 3, 4, 5, 5, 4, 3, 2)
    assert names(events)[1:] == ["RolledRegion", "RolledCity", "DestinationSet", "RolledExtra"]
    assert made.seats[A].destination == "akaike"


@pytest.mark.rule("tokai 10.1", "tokai 8.1", "tokai 9.1", "tokai 11.1")
def test_two_arrivals_in_a_turn_are_two_payoffs_two_purchases_and_one_fare() -> None:
    """X-39."""
    made = table(traveller("nagoya", to="sakae", cash=10), roll=12, granted=True)
    made, events = play(made, A, "/go subway_higashiyama sakae")
    assert made.seats[A].cash == 14
    made, _ = play(made, A, "/buy linimo", dice(1, 1, 2))  # even 2: Central, where Sakae is
    made, _ = play(made, A, "/region central", dice(3, 3, 1, 2))  # odd 6: Nagoya
    made, events = play(made, A, "/go subway_higashiyama nagoya")
    assert (made.seats[A].cash, owed(made)) == (10, {0: 1})
    made, events = play(made, A, "/buy subway_kamiiida", dice(1, 2))
    assert names(events) == ["Bought", "PaidBank", "TurnBegan", "RolledSteps"]
    assert made.seats[A].cash == 4
    assert made.lines_of(A) == ("linimo", "subway_kamiiida")
