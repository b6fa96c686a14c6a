"""The course of a game: from the set-up to the first turn, from turn to turn, to the end."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.game import Rash
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.itc import at_once, discarding, jams, setting_up
from bluebear.rules.itc.course_events import GameOver, TooManyCards, TurnBegan
from bluebear.rules.itc.data import LIMITS
from bluebear.rules.itc.desk import Desk
from bluebear.rules.itc.moves import Discard, End, Stone
from bluebear.rules.itc.points import pays_transport
from bluebear.rules.itc.state import NO_GOODS, Phase, Table, new_turn, seat_after
from bluebear.rules.itc.tracks import settle

_END: Final = End()
_RASH_END: Final = Rash(_END)


def place_first(desk: Desk, move: Stone) -> None:
    """A stone of the set-up; after the last one the first turn begins (Rule: itc 6.4, 6.6)."""
    if setting_up.place_first(desk, move):
        desk.table.round = 1
        _begin(desk, desk.table.first)


def _begin(desk: Desk, seat: Seat) -> None:
    """A turn up to the choice of dice (Rule: itc 7.4)."""
    table, duties = desk.table, jams.duties_of(desk.table, seat)
    desk.seat = seat
    table.phase, table.turn = Phase.DICE, new_turn(seat, duties)
    desk.tell(TurnBegan(seat, table.round))
    jams.tell_duties(desk, duties)
    at_once.draw(desk)


def ending(table: Table) -> End | Rash:
    """The end of the turn, rash where it costs loads that could still be saved (Rule: itc 9.4)."""
    rash = pays_transport(table.turn) and jams.rescuers(table)
    return _RASH_END if rash else _END


def no_end(table: Table, move: End) -> None:
    """Nothing forbids to end a turn in which dice were used (Rule: itc 7.1)."""


def end(desk: Desk, move: End) -> None:
    """The end of a turn: jams, lost neutral cards, fresh goods, the hand limit.

    Rule: itc 7.5, 8.6, 9.4, 11.3, 12.8.
    """
    jams.judge(desk)
    for card in desk.table.turn.stranded:
        jams.lose_goods(desk, card)
    settle(desk.table, desk.seat)
    fresh = [place for place, store in desk.table.places.items() if any(store.fresh)]
    for place in fresh:
        desk.table.places[place] = but(desk.table.places[place], fresh=NO_GOODS)
    if not discarding.is_over_limit(desk.trader):
        _next(desk)
        return
    desk.table.phase, desk.table.turn = Phase.DISCARDING, new_turn(desk.seat)
    desk.tell(TooManyCards(desk.seat, desk.trader.cards - LIMITS.hand))


def discard(desk: Desk, move: Discard) -> None:
    """A card is discarded; with few enough the next turn begins (Rule: itc 11.3)."""
    discarding.discard(desk, move)
    if not discarding.is_over_limit(desk.trader):
        _next(desk)


def _next(desk: Desk) -> None:
    """The next turn, round, or the end (Rule: itc 7.3, 13.1, 13.3)."""
    table = desk.table
    seat = seat_after(desk.seat, 1, len(table.seats))
    if seat == table.first:
        if table.last or table.round == table.max_rounds:
            _finish(desk)
            return
        table.round += 1
    _begin(desk, seat)


def _finish(desk: Desk) -> None:
    table = desk.table
    best = max(trader.money for trader in table.seats.values())
    winner = tuple(seat for seat, trader in table.seats.items() if trader.money == best)
    table.phase, table.turn = Phase.OVER, new_turn(desk.seat)
    desk.tell(GameOver(winner, best))
