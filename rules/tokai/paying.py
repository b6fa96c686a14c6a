"""The end of a turn: the fare, bankruptcy, who is out, and whether the game is over.

Rule: tokai 11, 12, 13, 14.1.
"""

from __future__ import annotations

from bluebear.rules.core.game import Tell
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.course import Next
from bluebear.rules.tokai.ending_events import (
    GameOver,
    LastLineSold,
    LeftAlone,
    LimitReached,
    LinesReturned,
    Stranded,
    WentBankrupt,
)
from bluebear.rules.tokai.fares import end_tickets
from bluebear.rules.tokai.money_events import PaidBank, PaidOwner, Short
from bluebear.rules.tokai.scoring import assets
from bluebear.rules.tokai.state import BANK, Ending, Phase, Table, clockwise


def settle(table: Table, tell: Tell) -> Next:
    """The fare of the whole turn: paid, or a line must be sold, or the seat is bankrupt.

    Rule: tokai 11.1, 11.2.1, 11.2.7.
    """
    seat, cash, owed = table.active, table.mover.cash, table.owed
    if cash >= owed:
        _pay(table, tell)
    elif table.lines_of(seat):
        tell(Short(seat, cash, owed))
        table.phase = Phase.SELL
        return Next.DECISION
    else:
        _pay(table, tell)
        tell(WentBankrupt(seat, owed - cash))
        _drop_out(table, tell)
    return Next.TURN_END


def _pay(table: Table, tell: Tell) -> None:
    """Pay all dues in the order of the route until the money ends (Rule: tokai 14.1.1)."""
    seat, mover = table.active, table.mover
    for due in table.dues:
        amount = min(due.amount, mover.cash)
        if not amount:
            break
        mover.cash -= amount
        if due.payee == BANK:
            tell(PaidBank(seat, amount))
        else:
            other = Seat(due.payee)
            table.seats[other].cash += amount
            tell(PaidOwner(seat, other, amount))
    table.dues = ()


def strand(table: Table, tell: Tell) -> Next:
    """Forced onto a point for the second time: out, and no fare is paid (Rule: tokai 13.1)."""
    tell(Stranded(table.active, table.roll))
    table.dues = ()
    _drop_out(table, tell)
    return Next.TURN_END


def _drop_out(table: Table, tell: Tell) -> None:
    """The active seat is out; its properties and its cash go to the bank (Rule: tokai 13.1)."""
    seat, gone = table.active, table.mover
    lines = table.lines_of(seat)
    if lines:
        tell(LinesReturned(seat, lines))
    gone.cash, gone.express, gone.trail = 0, False, ()
    gone.destination, gone.payoff, gone.through = None, 0, ()
    for line in lines:
        del table.owners[line]
    end_tickets(table, lines)
    table.fallen = (*table.fallen, seat)
    table.granted, table.roll, table.legs = False, 0, ()


def last_line(table: Table, tell: Tell) -> Next:
    """The last unowned line is bought: the game is over at once, or after this fare.

    Rule: tokai 12.1, 17.1.
    """
    if table.settlelast:
        table.closing = True
        return Next.SETTLE
    return _end(table, Ending.LAST_LINE, tell)


def end_turn(table: Table, tell: Tell) -> Next:
    """The next living seat's turn, unless the game is over (Rule: tokai 12.3, 12.4)."""
    table.turns += 1
    table.extra, table.granted, table.roll, table.legs, table.dues = False, False, 0, (), ()
    if len(table.living) == 1:
        return _end(table, Ending.ALONE, tell)
    if table.closing:
        return _end(table, Ending.LAST_LINE, tell)
    if table.turnlimit and table.turns >= table.turnlimit:
        return _end(table, Ending.TURN_LIMIT, tell)
    following = clockwise(table.active, len(table.seats))[1:]
    table.active = next(seat for seat in following if seat not in table.fallen)
    return Next.TURN


def _end(table: Table, ending: Ending, tell: Tell) -> Next:
    """The game is over (Rule: tokai 12.2)."""
    table.phase, table.ending = Phase.OVER, ending
    table.extra, table.granted, table.roll, table.dues = False, False, 0, ()
    match ending:
        case Ending.LAST_LINE:
            tell(LastLineSold(table.active))
        case Ending.ALONE:
            tell(LeftAlone(table.living[0]))
        case Ending.TURN_LIMIT:
            tell(LimitReached(table.turns))
    worth = {seat: assets(table, seat) for seat in table.living}
    best = max(worth.values())
    tell(GameOver(tuple(seat for seat in worth if worth[seat] == best), best))
    return Next.DECISION
