"""Liar's Dice, paragraph by paragraph."""

from __future__ import annotations

from typing import Final

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.event_text import event_view
from bluebear.rules.core.game import Outcome
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat
from liars_dice import GAME
from liars_dice.table import Bid, Cup, Doubt, Table
from tests.rules.scripted_chance import ScriptedChance

A, B, C = (Seat(number) for number in (1, 2, 3))
LAST: Final = Bid(2, 5)


def table(*cups: tuple[int, ...], bid: Bid | None = None, wild: bool = True) -> Table:
    """A's turn, after the last seat's bid, if there is one."""
    seats = {Seat(seat): Cup(len(dice), dice) for seat, dice in enumerate(cups, start=1)}
    sent = Bid(0, 0) if bid is None else bid
    return Table(
        Keyed(seats), A, bidder=Seat(len(cups)), count=sent.count, face=sent.face, wild=wild
    )


def play(state: Table, seat: Seat, move: Move) -> Outcome[Table]:
    return GAME.play(state, seat, move, FastChance(1))


def refused(state: Table, seat: Seat, move: Move) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        play(state, seat, move)
    return caught.value


def left(state: Table) -> list[int]:
    """How many dice each seat has."""
    return [cup.count for cup in state.seats.values()]


@pytest.mark.rule("liars_dice 1.1")
def test_all_players_roll_in_secret() -> None:
    made = GAME.setup(GAME.info.complete({"dice": 2}), 2, ScriptedChance(4, 0, 2, 2))
    assert [cup.dice for cup in made.state.seats.values()] == [(1, 5), (3, 3)]
    reported = [event_view(event, frozenset({A})) for event in made.events]
    assert [each for each in reported if each and "dice" in each][1:] == [
        {"event": "rolled", "seat": 1, "dice": [1, 5]}
    ]
    seen = GAME.seen(made.state, frozenset({A})).seats
    assert (seen[A].dice, seen[B].dice) == ((1, 5), None)


@pytest.mark.rule("liars_dice 1.2")
@pytest.mark.parametrize(("wild", "dice"), [(True, [1, 2]), (False, [2, 1])])
def test_ones_count_as_every_face_where_they_are_wild(wild: bool, dice: list[int]) -> None:
    doubted = table((1, 5), (2, 5), bid=Bid(3, 5), wild=wild)
    assert left(play(doubted, A, Doubt()).state) == dice


@pytest.mark.rule("liars_dice 2.1")
def test_seats_with_dice_bid_in_turn() -> None:
    state = GAME.setup(GAME.info.complete({}), 3, FastChance(1)).state
    assert GAME.to_move(state) == {A}
    assert GAME.to_move(play(state, A, Bid(1, 1)).state) == {B}
    assert GAME.to_move(play(table((2,), (), (3,)), A, Bid(1, 1)).state) == {C}
    refusal = refused(state, B, Bid(1, 1))
    assert (refusal.code, refusal.rule) == ("not_your_turn", "2.1")


@pytest.mark.rule("liars_dice 2.2")
def test_a_bid_is_higher_than_the_last() -> None:
    state = table((1, 2, 3), (4, 5, 6), bid=LAST)
    for higher in (Bid(2, 6), Bid(3, 1)):
        assert play(state, A, higher).to_move == {B}
    for lower in (Bid(2, 5), Bid(2, 4), Bid(1, 6)):
        assert refused(state, A, lower).rule == "2.2"


@pytest.mark.rule("liars_dice 2.3")
def test_no_player_bids_more_dice_than_there_are() -> None:
    state = table((1, 2), (3, 4))
    assert refused(state, A, Bid(5, 1)).rule == "2.3"
    assert play(state, A, Bid(4, 6)).to_move == {B}
    assert GAME.legal(table((1, 2), (3, 4), bid=Bid(4, 6)), A) == [Doubt()]


@pytest.mark.rule("liars_dice 3.1")
def test_only_a_bid_can_be_doubted() -> None:
    assert refused(table((1, 2), (3, 4)), A, Doubt()).rule == "3.1"
    assert Doubt() in GAME.legal(table((1, 2), (3, 4), bid=LAST), A)


@pytest.mark.rule("liars_dice 3.2")
@pytest.mark.parametrize(("rest", "dice"), [((5, 5), [1, 2]), ((5, 6), [1, 2]), ((6, 6), [2, 1])])
def test_a_doubt_costs_one_of_two_a_die(rest: tuple[int, ...], dice: list[int]) -> None:
    made = play(table((1, 2), rest, bid=LAST), A, Doubt())
    assert left(made.state) == dice
    shown = [event_view(event, frozenset()) for event in made.events]
    assert {"event": "shown", "seat": 2, "dice": list(rest)} in shown


@pytest.mark.rule("liars_dice 3.3")
def test_whoever_lost_a_die_begins_or_the_next_seat_does() -> None:
    lost = play(table((2, 3), (4,), (6,), bid=LAST), A, Doubt()).state
    assert (left(lost), lost.turn, lost.count) == ([2, 1, 0], A, 0)
    out = play(table((5,), (5, 6), (6,), bid=LAST), A, Doubt()).state
    assert (left(out), out.turn) == ([0, 2, 1], B)


@pytest.mark.rule("liars_dice 4.1", "liars_dice 4.2")
def test_the_last_one_with_dice_wins() -> None:
    end = play(table((5,), (5, 6), bid=LAST), A, Doubt()).state
    assert GAME.to_move(end) == frozenset()
    result = GAME.result(end)
    assert result is not None
    assert [(each.place, each.score) for each in result.standings] == [(2, 0), (1, 2)]
    assert refused(end, B, Bid(1, 1)).rule == "4.1"


def test_the_clock_makes_the_lowest_bid_or_doubts() -> None:
    assert GAME.fallback(table((1,), (2,)), A) == Bid(1, 1)
    assert GAME.fallback(table((1,), (2,), bid=Bid(1, 2)), A) == Doubt()


@pytest.mark.parametrize(
    ("bid", "move"), [(Bid(2, 6), Doubt()), (Bid(1, 2), Bid(1, 5)), (None, Bid(1, 5))]
)
def test_careful_reckons_with_its_dice(bid: Bid | None, move: Move) -> None:
    state = table((5, 5), (2,), bid=bid)
    eyes = frozenset({A})
    view = GAME.seen(state, eyes)
    assert GAME.bots["careful"](view, A, GAME.plain(state, A), FastChance(1)) == move
