"""What is said of a line that leaves something out and fits nothing; what is done out of time."""

from __future__ import annotations

import pytest

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import Die, Place, Route
from bluebear.rules.itc.rules.state import Phase, State
from tests.rules.itc.example import NA, A, B, rolled, table


def answer(state: State, line: str, seat: Seat = A) -> NotAllowed | None:
    """What a person's line is refused with before anything is filled in."""
    verb, _, rest = line.partition(" ")
    eyes = frozenset((seat,))
    try:
        GAME.text(GAME.seen(state, eyes), eyes).expand(seat, verb, rest)
    except NotAllowed as refusal:
        return refusal
    return None


def loading(**more: object) -> State:
    return table(hands={A: [170, 195]}, die=Die.BLUE, **more)  # type: ignore[arg-type]  # as given


REASONS = {
    "load 170 red": (loading(), "wrong_route", "4.7"),
    "load 170 blue smuggling": (loading(), "no_actions", "11.1"),
    "load 170 mega 195": (loading(kept={A: ["18"]}), "wrong_route", "4.7"),
    "load": (loading(points=0), "no_points", "8.2"),
    "move 170": (table(loads={Route.BLUE: {51: "A170"}}, die=Die.BLUE), "lands_next", "9.8"),
    "move": (table(loads={Route.BLUE: {11: "A170"}}), "green_is_inland", "8.3"),
    "land": (table(loads={Route.BLUE: {11: "A170"}}, die=Die.BLUE), "not_at_top", "9.8"),
    "obstacle": (
        table(loads={Route.BLUE: {11: "A170"}}, kept={A: ["7"]}),
        "in_first_row",
        "11.17",
    ),
    "sell asia": (table(stones={Place.ASIA: (1, 0)}), "nothing_to_sell", "14.2"),
    "stone": (table(points=0), "no_points", "8.3"),
    "mega 170": (loading(), "no_actions", "11.1"),
    "transfer 2": (table(stones={NA: (0, 1)}), "no_actions", "11.1"),
}


@pytest.mark.rule("itc 17.2")
@pytest.mark.parametrize("line", REASONS)
def test_what_stands_against_it_is_reported(line: str) -> None:
    state, code, rule = REASONS[line]
    refusal = answer(state, line)
    assert refusal is not None
    assert (refusal.code, refusal.rule) == (code, rule)


@pytest.mark.rule("itc 17.2")
def test_a_line_that_fits_several_moves_is_left_to_the_question_which() -> None:
    assert answer(loading(), "load 170") is None
    assert answer(loading(), "load") is None


def test_out_of_turn_and_out_of_terms_nothing_is_guessed() -> None:
    assert answer(loading(), "load 170 red", B) is None
    assert answer(loading(), "load 999") is None
    assert answer(table(die=Die.BLUE), "land") is None
    assert answer(table(), "discard") is None


def fallback(state: State) -> str:
    return GAME.grammar.format(GAME.fallback(state, A))


def test_out_of_time_no_action_card_is_played() -> None:
    retained = {A: ["11-asia", "12-asia", "4", "6", "13"]}
    dice = but(table(kept=retained, die=None, points=0), phase=Phase.DICE)
    assert fallback(dice) == "/dice blue green"
    assert fallback(rolled(table(kept=retained), blue=1, red=6)) == "/use blue"
    assert fallback(table(kept=retained)) == "/end"


@pytest.mark.rule("itc 9.4")
def test_out_of_time_a_jam_is_opened() -> None:
    state = table(
        loads={Route.GREY: {11: "A285", 12: "B300"}, Route.BLUE: {11: "A170"}}, die=Die.RED
    )
    rows: tuple[int, ...] = (1,)
    jammed = but(state, turn=but(state.turn, duties=Keyed({Route.GREY: rows})))
    assert fallback(jammed) == "/move 285 straight"
