"""Dice: choosing, rolling, using; what the red die draws."""

from __future__ import annotations

from itertools import combinations

import pytest

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import but, require
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.tables import SIDES
from bluebear.rules.itc.data.terms import DICE, Die, Route, TCard
from bluebear.rules.itc.rules.events import DrewTransports, Rolled, TransportsReturned, Used
from bluebear.rules.itc.rules.state import Phase, State
from tests.rules.itc.example import (
    A,
    B,
    cards_at,
    lines,
    next_turn,
    pick_transports,
    play_lines,
    refused,
    rolled,
    say,
    table,
)
from tests.rules.scripted_chance import ScriptedChance


def before_rolling(*hand: int) -> State:
    return but(table(die=None, points=0, hands={A: hand}), phase=Phase.DICE)


@pytest.mark.rule("itc 8.1")
def test_two_of_three_dice_are_rolled_together() -> None:
    start = before_rolling()
    pairs = [f"{one} {other}" for one, other in combinations(("blue", "green", "red"), 2)]
    assert lines(start, "dice") == pairs
    after, events = play_lines(start, "/dice blue green", draws=[3, 7])
    assert dict(after.turn.dice.items()) == {Die.BLUE: 4, Die.GREEN: 8}
    assert events == [Rolled(A, Die.BLUE, 4), Rolled(A, Die.GREEN, 8)]
    assert after.phase is Phase.ROLLED


@pytest.mark.rule("itc 8.1")
@pytest.mark.parametrize("line", ["/dice blue", "/dice blue green red"])
def test_one_die_or_three_are_refused(line: str) -> None:
    assert refused(before_rolling(), line, "8.1") == "two_dice"


@pytest.mark.rule("itc 8.1")
def test_one_die_is_used_and_the_other_does_nothing() -> None:
    start = rolled(table(), blue=4, green=7)
    assert lines(start, "use") == ["blue", "green"]
    assert refused(start, "/use red", "8.1") == "die_not_rolled"
    after, events = play_lines(start, "/use blue")
    assert (after.turn.used, after.turn.points) == (Die.BLUE, 4)
    assert events == [Used(A, Die.BLUE, 4)]


@pytest.mark.rule("itc 8.1", "itc 7.4")
def test_a_turn_moves_in_order() -> None:
    start = before_rolling(195)
    assert refused(start, "/load 195 grey 1", "8.1") == "roll_first"
    assert refused(start, "/end", "8.1") == "roll_first"
    lying = say(start, "/dice blue red", draws=[0, 0])
    assert refused(lying, "/load 195 grey 1", "8.1") == "choose_first"
    assert refused(say(lying, "/use blue"), "/dice blue red", "7.4") == "not_at_this_point"


@pytest.mark.rule("itc 1.5")
def test_blue_and_red_have_six_sides_and_green_has_eight() -> None:
    assert [SIDES[die] for die in DICE] == [6, 8, 6]


@pytest.mark.rule("itc 8.2")
def test_blue_pays_for_transport_only() -> None:
    start = table(die=Die.BLUE, points=2, hands={A: [195]}, loads={Route.RED: {11: "A100"}})
    assert lines(start, "load")
    assert lines(start, "move")
    for line in ("/stone asia", "/sell asia black", "/attack"):
        assert refused(start, line, "8.2") == "blue_is_transport"
    assert say(start, "/move 100 straight", "/load 195 red 1").turn.points == 0


@pytest.mark.rule("itc 8.3")
def test_green_pays_for_stones_sales_and_attacks_only() -> None:
    start = table(die=Die.GREEN, points=2, hands={A: [195]}, loads={Route.RED: {11: "A100"}})
    for line in ("/load 195 red 1", "/move 100 straight"):
        assert refused(start, line, "8.3") == "green_is_inland"
    assert say(start, "/stone asia", "/attack").turn.points == 0


@pytest.mark.rule("itc 8.2", "itc 8.3", "itc 8.4")
@pytest.mark.parametrize(
    ("die", "line", "rule"),
    [
        (Die.BLUE, "/load 195 red 1", "8.2"),
        (Die.GREEN, "/stone asia", "8.3"),
        (Die.RED, "/stone asia", "8.4"),
    ],
)
def test_without_points_nothing_is_bought(die: Die, line: str, rule: str) -> None:
    start = table(die=die, points=0, hands={A: [195]})
    assert refused(start, line, rule) == "no_points"


@pytest.mark.rule("itc 7.1")
def test_points_that_are_left_are_lost() -> None:
    after = next_turn(table(die=Die.RED, points=5))
    assert (after.turn.seat, after.turn.points, after.turn.used) == (B, 0, None)


@pytest.mark.rule("itc 8.4", "itc 8.8", "itc 16.4")
def test_red_draws_into_the_hand() -> None:
    start = rolled(table(hands={A: [150]}), red=2, blue=1)
    after, events = play_lines(start, "/use red", draws=pick_transports(start, 300, 100))
    assert after.seats[A].hand == (100, 150, 300)
    assert DrewTransports(A, 2, (TCard(100), TCard(300))) in events
    assert (after.turn.used, after.turn.points) == (Die.RED, 4)


@pytest.mark.rule("itc 8.5")
def test_what_red_has_drawn_can_be_loaded_at_once() -> None:
    start = rolled(table(), red=1, blue=1)
    after = say(start, "/use red", "/load 195 grey 2", draws=pick_transports(start, 195))
    assert cards_at(after, Route.GREY, 12) == (195,)


@pytest.mark.rule("itc 8.7")
def test_an_empty_pile_is_made_of_the_discards() -> None:
    full = table()
    used = but(full, transport_pile=(), used_transports=_used(require(full.transport_pile)))
    start = rolled(used, red=1, blue=1)
    after, events = play_lines(start, "/use red", draws=[len(require(full.transport_pile)) - 1])
    assert events[0] == TransportsReturned(93)
    assert after.seats[A].hand == (300,)
    assert len(after.used_transports) == 0


@pytest.mark.rule("itc 8.4")
def test_of_piles_that_run_out_only_what_is_there_is_drawn_and_paid() -> None:
    full = table(2)
    hand = tuple(card for card in require(full.transport_pile) if card not in (100, 101))
    start = but(
        rolled(full, red=4, blue=1),
        transport_pile=(TCard(100),),
        used_transports=_used((TCard(101),)),
        seats=full.seats.put(B, but(full.seats[B], hand=hand, transports=len(hand))),
    )
    made = GAME.play(start, A, GAME.grammar.parse("/use red"), ScriptedChance(0, 0))
    assert made.state.seats[A].hand == (100, 101)
    assert made.state.turn.points == 6 - 2


def _used(cards: tuple[TCard, ...]) -> Keyed[TCard, bool]:
    return Keyed(dict.fromkeys(cards, True))
