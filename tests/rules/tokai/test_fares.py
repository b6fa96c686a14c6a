"""What riding costs: section 11."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from bluebear.rules.core.visibility import Event, Seat
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.events import PaidBank, PaidOwner, ThroughEnded
from bluebear.rules.tokai.rules.fares import give_tickets, tally
from bluebear.rules.tokai.rules.state import Phase, State
from tests.rules.tokai.scene import (
    JA,
    A,
    B,
    C,
    dice,
    events_of,
    names,
    owed,
    play,
    sentence,
    sound,
    table,
    traveller,
)


def dues_of(
    start: str,
    ride: str,
    roll: int,
    *,
    to: str = "toyohashi",
    owners: Mapping[str, Seat] | None = None,
    through: Sequence[str] = (),
) -> dict[int, int]:
    """What A owes after a ride from a station, by payee; an extra half keeps it unpaid."""
    rider = traveller(start, to=to, cash=30, through=through)
    made = table(rider, seats=3, roll=roll, owners=owners, granted=True)
    made, _ = play(made, A, f"/go {ride}")
    return owed(made)


@pytest.mark.rule("tokai 11.1")
def test_the_fare_is_paid_once_at_the_end_of_the_turn() -> None:
    made = table(traveller("nagoya", to="tsu", cash=20), roll=3, granted=True)
    made, events = play(made, A, "/go jr_kansai kanie", dice(2))
    assert "PaidBank" not in names(events)
    assert made.seats[A].cash == 20
    made, events = play(made, A, "/go jr_kansai yatomi", dice(1, 2))
    assert events_of(events, PaidBank) == [PaidBank(A, 1)]
    assert made.seats[A].cash == 19


@pytest.mark.rule("tokai 11.2")
@pytest.mark.parametrize(
    ("line", "owner", "through", "dues"),
    [
        ("jr_tokaido", None, (), {0: 1}),
        ("jr_tokaido", A, (), {0: 1}),
        ("jr_tokaido", B, (), {2: 5}),
        ("jr_tokaido", B, ("jr_tokaido",), {2: 1}),
        ("jr_shinkansen", None, (), {0: 6}),
        ("jr_shinkansen", A, (), {0: 2}),
        ("jr_shinkansen", B, (), {2: 10}),
        ("jr_shinkansen", B, ("jr_shinkansen",), {2: 1}),
    ],
)
def test_every_class_of_line_has_its_rate(
    line: str, owner: Seat | None, through: Sequence[str], dues: dict[int, int]
) -> None:
    owners = {} if owner is None else {line: owner}
    steps = 1 if line == "jr_shinkansen" else 12
    ride = f"{line} mikawa_anjo"
    assert dues_of("nagoya", ride, steps, to="tsu", owners=owners, through=through) == dues


@pytest.mark.rule("tokai 11.3")
def test_each_payee_gets_the_dearest_rate_once() -> None:
    owners = {"jr_tokaido": B, "subway_meijo": B}
    assert dues_of("nagoya", "jr_tokaido kanayama subway_meijo temma_cho", 5, owners=owners) == {
        B: 5
    }


@pytest.mark.rule("tokai 11.3")
def test_the_players_and_unowned_lines_cost_1000_yen_together() -> None:
    owners = {"jr_tokaido": A}
    assert dues_of("nagoya", "jr_tokaido kanayama subway_meijo temma_cho", 5, owners=owners) == {
        0: 1
    }


@pytest.mark.rule("tokai 11.3")
def test_a_line_ridden_in_both_halves_costs_once() -> None:
    """X-30."""
    made = table(
        traveller("nagoya", to="tsu", cash=20), roll=3, granted=True, owners={"jr_kansai": B}
    )
    made, _ = play(made, A, "/go jr_kansai kanie", dice(2))
    made, events = play(made, A, "/go jr_kansai yatomi", dice(1, 2))
    assert events_of(events, PaidOwner) == [PaidOwner(A, B, 5)]


@pytest.mark.rule("tokai 11.4")
def test_all_payees_are_paid_in_the_order_of_the_route() -> None:
    owners = {"jr_tokaido": B, "subway_meijo": C}
    rider = traveller("nagoya", to="toyohashi", cash=30)
    made = table(rider, seats=3, roll=7, owners=owners)
    ride = "/go jr_tokaido kanayama subway_meijo horita meitetsu_main moto_kasadera"
    made, events = play(made, A, ride, dice(1, 2))
    assert events_of(events, PaidBank, PaidOwner) == [
        PaidOwner(A, B, 5),
        PaidOwner(A, C, 5),
        PaidBank(A, 1),
    ]
    assert [made.seats[seat].cash for seat in (A, B, C)] == [19, 25, 25]


@pytest.mark.rule("tokai 11.5")
def test_a_rate_is_settled_when_the_line_is_ridden() -> None:
    """The Shinkansen is bought between the halves: the first ride still costs 6,000 yen."""
    made = table(
        traveller("gifu_hashima", to="nagoya", cash=60),
        roll=2,
        granted=True,
    )
    made, _ = play(made, A, "/go jr_shinkansen nagoya")
    made, _ = play(made, A, "/buy jr_shinkansen", dice(2, 4, 2, 2, 3, 2, 2))  # Mikawa, Toyohashi
    assert owed(made) == {0: 6}
    made, _ = play(made, A, "/go jr_shinkansen toyohashi")
    assert owed(made) == {0: 6}


@pytest.mark.rule("tokai 11.6", "tokai 9.5")
def test_a_line_bought_under_a_pawn_gives_it_a_through_ticket_wherever_it_stands() -> None:
    """X-17 and X-40: at an interchange, at an end, on a skipped stop."""
    for trail, line in {
        ("kamimaezu",): "subway_tsurumai",
        ("akaike",): "subway_tsurumai",
        ("narumi", "arimatsu"): "meitetsu_main",
    }.items():
        other = traveller(*trail, to="toyohashi")
        made = table(traveller("nagoya", cash=60), other, phase=Phase.BUY)
        made, _ = play(made, A, f"/buy {line}", dice(1, 2))
        assert made.seats[B].through == (line,)


@pytest.mark.rule("tokai 11.7")
def test_a_through_ticket_lasts_over_turns_and_arrivals_while_one_stays_on_the_line() -> None:
    """X-24, X-25."""
    owners = {"meitetsu_inuyama": B}
    rider = traveller("nagoya", to="inuyama", through=("meitetsu_inuyama",), cash=30)
    made = table(rider, roll=9, owners=owners)
    made, events = play(made, A, "/go meitetsu_inuyama hotei", dice(1, 2))
    assert events_of(events, PaidOwner) == [PaidOwner(A, B, 1)]
    assert made.seats[A].through == ("meitetsu_inuyama",)
    rider = made.seats[A]
    made, events = play(table(rider, roll=12, owners=owners), A, "/go meitetsu_inuyama inuyama")
    assert made.phase is Phase.BUY
    assert made.seats[A].through == ("meitetsu_inuyama",)


@pytest.mark.rule("tokai 11.7")
def test_the_first_step_on_another_line_ends_it_for_good() -> None:
    """X-26."""
    owners = {"meitetsu_inuyama": B}
    rider = traveller("inuyama", to="gifu", through=("meitetsu_inuyama",), cash=30)
    made = table(rider, roll=7, owners=owners)
    made, events = play(
        made,
        A,
        "/go meitetsu_inuyama unuma jr_takayama naka meitetsu_inuyama tejikara",
        dice(1, 2),
    )
    assert events_of(events, PaidOwner, PaidBank) == [PaidOwner(A, B, 5), PaidBank(A, 1)]
    assert events_of(events, ThroughEnded) == [ThroughEnded(A, (LineId("meitetsu_inuyama"),))]
    assert made.seats[A].through == ()


@pytest.mark.rule("tokai 11.9")
def test_the_first_step_keeps_one_of_several_through_tickets() -> None:
    """X-27."""
    owners = {"meitetsu_inuyama": B, "subway_sakuradori": C}
    contents = ("meitetsu_inuyama", "subway_sakuradori")
    rider = traveller("nagoya", to="toyohashi", through=contents, cash=30)
    made = table(rider, seats=3, roll=2, owners=owners)
    made, events = play(made, A, "/go subway_sakuradori marunouchi", dice(1, 2))
    assert events_of(events, PaidOwner) == [PaidOwner(A, C, 1)]
    assert made.seats[A].through == ("subway_sakuradori",)
    assert sentence(events_of(events, ThroughEnded)[0], JA) == (
        "席1は名鉄犬山・各務原線を外れ、通し切符を失いました(11.7)。"
    )


@pytest.mark.rule("tokai 11.9")
def test_another_line_on_the_same_stretch_is_another_line() -> None:
    """X-42."""
    rider = traveller("nagoya", to="gifu", through=("meitetsu_inuyama",))
    made = table(rider, roll=2, owners={"meitetsu_inuyama": B})
    made, _ = play(made, A, "/go meitetsu_main biwajima", dice(1, 2))
    assert made.seats[A].through == ()


@pytest.mark.rule("tokai 11.10")
def test_a_line_that_becomes_unowned_ends_its_through_tickets() -> None:
    """X-43, the first half."""
    made = table(
        traveller("nagoya", cash=0),
        traveller("kozoji", to="nagoya", through=("aichi_loop",)),
        phase=Phase.SELL,
        dues=[(int(B), 5)],
        owners={"aichi_loop": A},
    )
    made, _ = play(made, A, "/sell aichi_loop bank", dice(1, 2))
    assert made.seats[B].through == ()
    events: list[Event] = []
    draft = GAME.tree.draft(made)
    give_tickets(draft, LineId("aichi_loop"), A, events.append)
    assert draft.seats[B].through == ("aichi_loop",)


@pytest.mark.rule("tokai 11.11")
def test_what_was_earned_in_the_turn_pays_its_fare() -> None:
    """X-29: begin with nothing, earn 10,000, owe 6,000, keep 4,000."""
    owners = {"jr_taita": B}
    rider = traveller("kani", "mino_kawai", "mino_ota", "sakahogi", to="ogaki", cash=0)
    made = table(rider, roll=12, owners=owners, dues=[(int(B), 5)])
    made, events = play(
        made,
        A,
        "/go jr_takayama gifu jr_tokaido ogaki",
    )
    assert made.seats[A].cash == 10
    made, events = play(made, A, "/buy none", dice(1, 2))
    assert events_of(events, PaidOwner, PaidBank) == [PaidOwner(A, B, 5), PaidBank(A, 1)]
    assert made.seats[A].cash == 4


@pytest.mark.rule("tokai 11.12")
def test_the_running_fare_counts_legs_that_are_not_final() -> None:
    made = table(traveller("nagoya", to="toyohashi"), roll=5, owners={"jr_tokaido": B})
    made, _ = play(made, A, "/go jr_tokaido kanayama")
    assert [(due.payee, due.amount) for due in tally(made).dues] == [(B, 5)]
    made, _ = play(made, A, "/back")
    assert tally(made).dues == ()
    assert PointId("nagoya") == made.seats[A].at


@pytest.mark.rule("tokai 11.1")
def test_who_does_not_move_pays_nothing() -> None:
    made: State = table(traveller("nagoya"), phase=Phase.REGION)
    made, events = play(sound(made), A, "/region central", dice(3, 3, 1, 1, 2))
    assert names(events) == ["RegionNamed", "RolledCity", "HalfLost", "TurnBegan", "RolledSteps"]
    assert made.seats[A].cash == 20
