"""Worked examples of jams. Seats: A yellow, B blue, C red, D green."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.rules.itc.data.tables import CARDS
from bluebear.rules.itc.data.terms import Place, Route, TCard
from bluebear.rules.itc.rules.state import State
from tests.rules.itc.example import (
    A,
    B,
    C,
    D,
    cards_at,
    lines,
    money,
    next_turn,
    pick_transports,
    say,
    table,
    with_dice,
)

MARKET = Place.MARKET


def jam(mover: Seat) -> State:
    """Rows 3 and 2 of the red route are full as in the example; a seat has begun its turn."""
    before = table(
        4,
        loads={
            Route.RED: {
                31: "A100", 32: "B102", 33: "B103",
                21: "A110", 22: "C115", 23: "D120",
            }
        },
        stones={MARKET: (0, 0, 0, 1)},
        mover=Seat((mover - 2) % 4 + 1),
    )  # fmt: skip
    return next_turn(before)


def lost(before: State, after: State) -> set[int]:
    """The cards that were on the red route and are discarded."""
    cards = {card for load in before.routes[Route.RED].values() for card in load.cards}
    return {int(card) for card in cards if card in after.used_transports}


@pytest.mark.rule("itc 9.2", "itc 9.4")
def test_x5_blue_moves_neither_and_loses_both() -> None:
    turn = jam(B)
    assert dict(turn.turn.duties.items()) == {Route.RED: (3,)}
    after = next_turn(with_dice(turn, "blue", 4))
    assert lost(turn, after) == {102, 103}
    assert after.seats[B].stock == turn.seats[B].stock + 2
    goods = sum(len(CARDS[TCard(card)].goods) for card in (102, 103))
    assert sum(after.places[MARKET].goods) == goods
    assert money(after, B) == money(after, D) == 0


@pytest.mark.rule("itc 9.3")
@pytest.mark.parametrize("card", [102, 103])
def test_x5_blue_moves_either_one_and_loses_nothing(card: int) -> None:
    turn = jam(B)
    moved = say(with_dice(turn, "blue", 4), f"/move {card} straight", seat=B)
    assert len(moved.turn.duties) == 0
    assert lost(turn, next_turn(moved)) == set()


@pytest.mark.rule("itc 9.4")
def test_x6_red_cannot_leave_its_row_and_loses_nothing() -> None:
    turn = jam(C)
    assert dict(turn.turn.duties.items()) == {Route.RED: (2,)}
    acting = with_dice(turn, "blue", 4)
    assert lines(acting, "move", C) == []
    assert lost(turn, next_turn(acting)) == set()


@pytest.mark.rule("itc 9.4")
def test_x7_yellow_blocks_two_rows_and_has_to_move_both() -> None:
    turn = jam(A)
    assert dict(turn.turn.duties.items()) == {Route.RED: (2, 3)}
    acting = with_dice(turn, "blue", 4)
    both = say(acting, "/move 100 straight", "/move 110 straight")
    assert lost(turn, next_turn(both)) == set()


@pytest.mark.rule("itc 9.4")
def test_x7_yellow_moves_only_the_first_and_loses_the_second() -> None:
    turn = jam(A)
    first = say(with_dice(turn, "blue", 4), "/move 100 straight")
    assert lost(turn, next_turn(first)) == {110}


@pytest.mark.rule("itc 9.4")
def test_x7_yellow_moves_neither_and_loses_both() -> None:
    turn = jam(A)
    assert lost(turn, next_turn(with_dice(turn, "blue", 4))) == {100, 110}


@pytest.mark.rule("itc 9.3", "itc 8.5")
def test_x8_a_neutral_advance_opens_the_row() -> None:
    before = table(loads={Route.GREY: {31: "A103", 32: "n1"}}, mover=B)
    turn = next_turn(before)
    assert dict(turn.turn.duties.items()) == {Route.GREY: (3,)}
    acting = say(turn, "/dice green red", draws=[0, 0])
    acting = say(acting, "/use red", draws=pick_transports(acting, 5))
    assert cards_at(acting, Route.GREY, 42) == (1,)
    assert len(acting.turn.duties) == 0
    assert 103 not in next_turn(acting).used_transports


@pytest.mark.rule("itc 9.4")
def test_x9_the_wrong_die_is_no_excuse() -> None:
    turn = jam(B)
    assert lost(turn, next_turn(with_dice(turn, "green", 8))) == {102, 103}


@pytest.mark.rule("itc 9.5", "itc 12.8")
def test_the_loser_of_a_jam_does_not_sell_its_goods_in_that_turn() -> None:
    after = next_turn(with_dice(jam(D), "green", 2))
    assert after.turn.seat == A
    assert money(after, D) == 0
