"""Jams beyond the worked examples, and what is asked before a turn ends that costs loads."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import but
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import ACard, Die, Place, Route, TCard
from bluebear.rules.itc.rules.events import DutyNoted, JamLost, PilesMerged, Uncovered, WentToMarket
from bluebear.rules.itc.rules.moves import End
from bluebear.rules.itc.rules.state import Space, State, Under
from tests.rules.itc.example import A, B, C, next_turn, pick_action, play_lines, say, table

FULL = {31: "A100", 32: "B102", 33: "n02"}


def turn_of_a(loads: dict[int, str], *, die: Die = Die.RED, points: int = 6) -> State:
    """A's turn with the duties given by A's rows; the die is chosen."""
    before = table(3, loads={Route.RED: loads}, mover=C)
    made = next_turn(before, "13")
    return but(made, phase=before.phase, turn=but(made.turn, used=die, points=points))


@pytest.mark.rule("itc 9.2")
def test_the_full_rows_with_the_players_cards_are_noted_when_the_turn_begins() -> None:
    before = table(loads={Route.RED: FULL, Route.GREY: {11: "B103", 12: "n01"}}, mover=B)
    after, events = play_lines(before, "/end", seat=B, draws=[pick_action(before, "13")])
    assert [event for event in events if isinstance(event, DutyNoted)] == [
        DutyNoted(A, Route.RED, 3)
    ]
    assert dict(after.turn.duties.items()) == {Route.RED: (3,)}


@pytest.mark.rule("itc 9.6")
def test_a_row_that_fills_up_during_the_turn_is_no_duty() -> None:
    start = turn_of_a({31: "A100", 32: "B102", 23: "A103"})
    assert len(start.turn.duties) == 0
    full = say(start, "/move 103 straight")
    after = next_turn(full)
    assert Space(31) in after.routes[Route.RED]
    assert dict(after.turn.duties.items()) == {Route.RED: (3,)}, "it is B's duty now"


@pytest.mark.rule("itc 9.6")
def test_a_row_of_neutral_cards_and_the_rest_is_no_players_business() -> None:
    start = turn_of_a({31: "B100", 32: "B102", 33: "n02"})
    assert len(start.turn.duties) == 0


@pytest.mark.rule("itc 9.3")
def test_an_obstacle_does_the_duty_too() -> None:
    before = table(loads={Route.RED: FULL}, kept={A: ["7"]}, mover=B)
    start = next_turn(before, "13")
    assert dict(start.turn.duties.items()) == {Route.RED: (3,)}
    after = say(start, "/obstacle 102 straight")
    assert len(after.turn.duties) == 0


@pytest.mark.rule("itc 9.3")
def test_a_duty_that_is_done_stays_done_when_the_row_fills_again() -> None:
    start = turn_of_a({**FULL, 21: "A103"})
    after = say(start, "/move 100 straight", "/move 103 straight")
    assert len(after.turn.duties) == 0
    assert Space(31) in next_turn(after).routes[Route.RED]


@pytest.mark.rule("itc 9.4")
def test_a_load_in_the_top_row_could_always_have_landed() -> None:
    start = turn_of_a({61: "A100", 62: "B102", 63: "n02"}, die=Die.GREEN)
    after, events = play_lines(start, "/end", draws=[pick_action(start, "1")])
    assert JamLost(A, TCard(100), Route.RED, 6) in events
    assert Space(61) not in after.routes[Route.RED]
    assert Space(62) in after.routes[Route.RED]


@pytest.mark.rule("itc 9.4")
def test_a_load_behind_one_of_the_player_that_can_leave_could_leave_too() -> None:
    ahead = {41: "A103", 42: "C195", 43: "n05"}
    start = turn_of_a({**FULL, **ahead}, die=Die.GREEN)
    assert dict(start.turn.duties.items()) == {Route.RED: (3, 4)}
    _, events = play_lines(start, "/end", draws=[pick_action(start, "1")])
    lost = [event.card for event in events if isinstance(event, JamLost)]
    assert lost == [100, 103]


@pytest.mark.rule("itc 9.4")
def test_a_load_behind_the_rest_only_is_not_lost() -> None:
    ahead = {41: "C103", 42: "C195", 43: "n05"}
    start = turn_of_a({**FULL, **ahead}, die=Die.GREEN)
    assert Space(31) in next_turn(start).routes[Route.RED]


@pytest.mark.rule("itc 9.4", "itc 11.2")
def test_what_is_lost_passes_to_the_grey_market_and_the_discards() -> None:
    start = turn_of_a({31: "A100?", 32: "B102", 33: "n02"})
    after, events = play_lines(start, "/end", draws=[pick_action(start, "2")])
    assert Uncovered(A, TCard(100), Under.SMUGGLING) in events
    assert [event.card for event in events if isinstance(event, WentToMarket)] == [100]
    assert after.places[Place.MARKET].goods == (1, 0, 0, 1, 1, 0)
    assert TCard(100) in after.used_transports
    assert after.used_actions[ACard("1")] == 1
    assert after.seats[A].stock == 40
    assert after.seats[A].money == 0
    assert not any(isinstance(event, PilesMerged) for event in events)


@pytest.mark.rule("itc 9.4", "itc 11.7")
def test_a_pair_is_lost_as_one() -> None:
    start = turn_of_a({31: "A100+102", 32: "B103", 33: "n02"})
    after, events = play_lines(start, "/end", draws=[pick_action(start, "2")])
    assert [event.card for event in events if isinstance(event, JamLost)] == [100, 102]
    assert after.seats[A].stock == 40


@pytest.mark.rule("itc 9.4")
@pytest.mark.parametrize(
    ("die", "points", "rash"),
    [
        (Die.RED, 1, True),
        (Die.RED, 0, False),
        (Die.GREEN, 3, False),
    ],
)
def test_ending_a_turn_is_rash_where_a_point_would_save_the_load(
    die: Die, points: int, rash: bool
) -> None:
    start = turn_of_a(FULL, die=die, points=points)
    assert GAME.is_rash(start, A, End()) == rash
    assert GAME.plain(start, A)
    assert not GAME.is_rash(start, A, GAME.fallback(start, A))


def test_who_has_no_time_moves_a_load_that_he_would_lose() -> None:
    start = turn_of_a(FULL)
    assert GAME.grammar.format(GAME.fallback(start, A)) == "/move 100 straight"
    top = turn_of_a({61: "A100", 62: "B102", 63: "n02"})
    assert GAME.grammar.format(GAME.fallback(top, A)) == "/land 100 africa"


def test_ending_a_turn_is_plain_where_the_load_cannot_leave() -> None:
    start = turn_of_a({**FULL, 41: "C103", 42: "C195", 43: "n05"})
    assert not GAME.is_rash(start, A, End())


@pytest.mark.rule("itc 9.4")
def test_ending_a_turn_is_rash_where_two_points_would_save_the_load() -> None:
    """A's 103 is in the way of 100, and its own way is free; its row is not full."""
    ahead = {41: "A103", 42: "C195"}
    for points, rash in ((2, True), (1, False)):
        start = turn_of_a({**FULL, **ahead, 32: "B102", 33: "n02"}, points=points)
        assert dict(start.turn.duties.items()) == {Route.RED: (3,)}
        assert GAME.is_rash(start, A, End()) == rash
    start = turn_of_a({**FULL, **ahead}, points=2)
    first = GAME.fallback(start, A)
    assert GAME.grammar.format(first) == "/move 103 straight"
    second = GAME.fallback(say(start, "/move 103 straight"), A)
    assert GAME.grammar.format(second) == "/move 100 straight"


@pytest.mark.rule("itc 9.4", "itc 15.7")
def test_ending_a_turn_is_plain_where_the_load_waits_for_blue_points() -> None:
    """An express load that moves by blue points only, with red ones: nothing saves it now."""
    start = but(turn_of_a({**FULL, 31: "A100x"}), express_blue=True)
    assert not GAME.is_rash(start, A, End())
    assert GAME.fallback(start, A) == End()
    blue = but(start, turn=but(start.turn, used=Die.BLUE))
    assert GAME.is_rash(blue, A, End())
    assert GAME.grammar.format(GAME.fallback(blue, A)) == "/move 100 straight"
