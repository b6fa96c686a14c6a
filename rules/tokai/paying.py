"""The end of a turn: the fare, bankruptcy, who is out, and whether the game is over.

Rule: tokai 11, 12, 13, 14.1.
"""

from __future__ import annotations

from rules.core.keyed import Keyed
from rules.core.vision import Event, Seat, but
from rules.tokai.course import Going, Next
from rules.tokai.ending_events import (
    GameOver,
    LastLineSold,
    LeftAlone,
    LimitReached,
    LinesReturned,
    Stranded,
    WentBankrupt,
)
from rules.tokai.fares import end_tickets
from rules.tokai.money_events import PaidBank, PaidOwner, Short
from rules.tokai.scoring import assets
from rules.tokai.state import BANK, Ending, Phase, Table, clockwise


def settle(table: Table, events: list[Event]) -> Going:
    """The fare of the whole turn: paid, or a line must be sold, or the seat is bankrupt.

    Rule: tokai 11.1, 11.2.1, 11.2.7.
    """
    seat, mover, owed = table.active, table.mover, table.owed
    if mover.cash >= owed:
        return Going(_paid(table, events), Next.TURN_END)
    if table.lines_of(seat):
        events.append(Short(seat, mover.cash, owed))
        return Going(but(table, phase=Phase.SELL), Next.DECISION)
    missing = owed - mover.cash
    table = _paid(table, events)
    events.append(WentBankrupt(seat, missing))
    return Going(_out(table, events), Next.TURN_END)


def _paid(table: Table, events: list[Event]) -> Table:
    """All dues paid in the order of the route until the money ends (Rule: tokai 14.1.1)."""
    seat, seats, cash = table.active, table.seats, table.mover.cash
    for due in table.dues:
        amount = min(due.amount, cash)
        if not amount:
            break
        cash -= amount
        if due.payee == BANK:
            events.append(PaidBank(seat, amount))
        else:
            other = Seat(due.payee)
            events.append(PaidOwner(seat, other, amount))
            seats = seats.put(other, but(seats[other], cash=seats[other].cash + amount))
    seats = seats.put(seat, but(table.mover, cash=cash))
    return but(table, seats=seats, dues=())


def strand(table: Table, events: list[Event]) -> Going:
    """Forced onto a point for the second time: out, and no fare is paid (Rule: tokai 13.1)."""
    events.append(Stranded(table.active, table.roll))
    return Going(_out(but(table, dues=()), events), Next.TURN_END)


def _out(table: Table, events: list[Event]) -> Table:
    """The active seat is out; its properties and its cash go to the bank (Rule: tokai 13.1)."""
    seat = table.active
    lines = table.lines_of(seat)
    if lines:
        events.append(LinesReturned(seat, lines))
    gone = but(table.mover, cash=0, express=False, trail=(), destination=None, payoff=0, through=())
    return but(
        table,
        seats=end_tickets(table.seats.put(seat, gone), lines),
        owners=Keyed({line: owner for line, owner in table.owners.items() if owner != seat}),
        fallen=(*table.fallen, seat),
        granted=False,
        roll=0,
        legs=(),
    )


def last_line(table: Table, events: list[Event]) -> Going:
    """The last unowned line is bought: the game is over at once, or after this fare.

    Rule: tokai 12.1, 17.1.
    """
    if table.settlelast:
        return Going(but(table, closing=True), Next.SETTLE)
    return Going(_over(table, Ending.LAST_LINE, events), Next.DECISION)


def end_turn(table: Table, events: list[Event]) -> Going:
    """The next living seat's turn, unless the game is over (Rule: tokai 12.3, 12.4)."""
    table = but(table, turns=table.turns + 1, extra=False, granted=False, roll=0, legs=(), dues=())
    if len(table.living) == 1:
        return Going(_over(table, Ending.ALONE, events), Next.DECISION)
    if table.closing:
        return Going(_over(table, Ending.LAST_LINE, events), Next.DECISION)
    if table.turnlimit and table.turns >= table.turnlimit:
        return Going(_over(table, Ending.TURN_LIMIT, events), Next.DECISION)
    following = clockwise(table.active, len(table.seats))[1:]
    active = next(seat for seat in following if seat not in table.fallen)
    return Going(but(table, active=active), Next.TURN)


def _over(table: Table, ending: Ending, events: list[Event]) -> Table:
    table = but(table, phase=Phase.OVER, ending=ending, extra=False, granted=False, roll=0, dues=())
    match ending:
        case Ending.LAST_LINE:
            events.append(LastLineSold(table.active))
        case Ending.ALONE:
            events.append(LeftAlone(table.living[0]))
        case Ending.TURN_LIMIT:
            events.append(LimitReached(table.turns))
    worth = {seat: assets(table, seat) for seat in table.living}
    best = max(worth.values())
    events.append(GameOver(tuple(seat for seat in worth if worth[seat] == best), best))
    return table
