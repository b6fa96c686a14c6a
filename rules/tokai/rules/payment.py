"""The end of a turn: the fare, bankruptcy, the end of the game and the ranks."""

from __future__ import annotations

from bluebear.rules.core.game import Emit, Result, ScoreLine, Standing, leaders, ranking
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.rules import events
from bluebear.rules.tokai.rules.fares import end_tickets
from bluebear.rules.tokai.rules.setup import price_of
from bluebear.rules.tokai.rules.state import BANK, Ending, Next, Phase, State, clockwise

# What each seat is worth, and the ranks at the end (Rule: tokai 12.2, 12.3).


def worth_of_lines(table: State, seat: Seat) -> int:
    """The lines of a seat at face (Rule: tokai 12.2)."""
    return sum(map(price_of, table.lines_of(seat)))


def assets(table: State, seat: Seat) -> int:
    """Cash and lines; express tickets count nothing (Rule: tokai 12.2)."""
    return table.seats[seat].cash + worth_of_lines(table, seat)


def result(table: State) -> Result | None:
    """Places by assets, those who are out last (Rule: tokai 12.2, 12.3)."""
    if table.phase is not Phase.OVER:
        return None
    worth = {seat: assets(table, seat) for seat in table.living}
    below = [
        Standing(seat, len(table.seats) - number, 0) for number, seat in enumerate(table.fallen)
    ]
    standings = tuple(sorted((*ranking(worth), *below), key=lambda each: each.seat))
    breakdown = tuple(
        ScoreLine(seat, key, points, "12.2")
        for seat in table.seats
        for key, points in (
            ("cash", table.seats[seat].cash),
            ("lines", worth_of_lines(table, seat)),
        )
    )
    return Result(standings, breakdown)


# The end of a turn: the fare, bankruptcy, who is out, and whether the game is over.
#
# Rule: tokai 11, 12, 13, 14.1.


def settle(table: State, emit: Emit) -> Next:
    """The fare of the turn is paid, or a line must be sold (Rule: tokai 11.1, 11.2.1, 11.2.7)."""
    seat, cash, owed = table.active, table.mover.cash, table.owed
    if cash < owed and table.lines_of(seat):
        emit(events.Short(seat, cash, owed))
        table.phase = Phase.SELL
        return Next.DECISION
    _pay(table, emit)
    if cash < owed:
        emit(events.WentBankrupt(seat, owed - cash))
        _drop_out(table, emit)
    return Next.TURN_END


def _pay(table: State, emit: Emit) -> None:
    """Pay all dues in the order of the route until the money ends (Rule: tokai 14.1.1)."""
    seat, mover = table.active, table.mover
    for due in table.dues:
        amount = min(due.amount, mover.cash)
        if not amount:
            break
        mover.cash -= amount
        if due.payee == BANK:
            emit(events.PaidBank(seat, amount))
        else:
            other = Seat(due.payee)
            table.seats[other].cash += amount
            emit(events.PaidOwner(seat, other, amount))
    table.dues = ()


def strand(table: State, emit: Emit) -> Next:
    """Forced onto a point for the second time: out, and no fare is paid (Rule: tokai 13.1)."""
    emit(events.Stranded(table.active, table.roll))
    table.dues = ()
    _drop_out(table, emit)
    return Next.TURN_END


def _drop_out(table: State, emit: Emit) -> None:
    """The active seat is out; its properties and its cash go to the bank (Rule: tokai 13.1)."""
    seat, loser = table.active, table.mover
    lines = table.lines_of(seat)
    if lines:
        emit(events.LinesReturned(seat, lines))
    loser.cash, loser.express, loser.trail = 0, False, ()
    loser.destination, loser.payoff, loser.through = None, 0, ()
    for line in lines:
        del table.owners[line]
    end_tickets(table, lines)
    table.fallen = (*table.fallen, seat)
    table.granted, table.roll, table.legs = False, 0, ()


def last_line(table: State, emit: Emit) -> Next:
    """With the last unowned line the game is over, or after this fare (Rule: tokai 12.1, 17.1)."""
    if table.settlelast:
        table.closing = True
        return Next.SETTLE
    return _end(table, Ending.LAST_LINE, emit)


def end_turn(table: State, emit: Emit) -> Next:
    """The next living seat's turn, unless the game is over (Rule: tokai 12.3, 12.4)."""
    table.turns += 1
    table.extra, table.granted, table.roll, table.legs, table.dues = False, False, 0, (), ()
    if len(table.living) == 1:
        return _end(table, Ending.ALONE, emit)
    if table.closing:
        return _end(table, Ending.LAST_LINE, emit)
    if table.turnlimit and table.turns >= table.turnlimit:
        return _end(table, Ending.TURN_LIMIT, emit)
    following = clockwise(table.active, len(table.seats))[1:]
    table.active = next(seat for seat in following if seat not in table.fallen)
    return Next.TURN


def _end(table: State, ending: Ending, emit: Emit) -> Next:
    """The game is over (Rule: tokai 12.2)."""
    table.phase, table.ending = Phase.OVER, ending
    table.extra, table.granted, table.roll, table.dues = False, False, 0, ()
    match ending:
        case Ending.LAST_LINE:
            emit(events.LastLineSold(table.active))
        case Ending.ALONE:
            emit(events.LeftAlone(table.living[0]))
        case Ending.TURN_LIMIT:
            emit(events.LimitReached(table.turns))
    worth = {seat: assets(table, seat) for seat in table.living}
    first = leaders(worth)
    emit(events.GameOver(first, worth[first[0]]))
    return Next.DECISION
