"""What riding costs, and who is paid: rates, dues, tickets (Rule: tokai 11.2, 11.3, 11.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from bluebear.rules.core.game import Emit
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.events import ThroughGot
from bluebear.rules.tokai.rules.network import BIT, CONSTANTS, LINE_AT, LINES, POINT_AT, POINTS_ON
from bluebear.rules.tokai.rules.state import BANK, Due, State

_FARE: Final = CONSTANTS.fare


class Tally(NamedTuple):
    """What a turn costs so far, and the through tickets that are left."""

    dues: tuple[Due, ...]
    through: tuple[LineId, ...]


def rate_of(
    owners: Mapping[LineId, Seat], seat: Seat, line: LineId, *, through_fare: int | None = None
) -> Due:
    """What a seat pays for a line in a turn, and who gets it (Rule: tokai 11.2).

    `through_fare` is what a Shinkansen costs with the seat's through ticket. None without a ticket;
    for other lines only that there is one counts.
    """
    owner = owners.get(line)
    shinkansen = LINES[LINE_AT[line]].shinkansen
    if owner is None:
        return Due(BANK, _FARE.shinkansen_unowned if shinkansen else _FARE.unowned)
    if owner == seat:
        return Due(BANK, _FARE.shinkansen_own if shinkansen else _FARE.own)
    if through_fare is not None:
        return Due(owner, through_fare if shinkansen else _FARE.through)
    return Due(owner, _FARE.shinkansen_other if shinkansen else _FARE.other)


def tally(table: State) -> Tally:
    """The turn of the active seat so far, with the legs that are not committed."""
    dues, through = table.dues, table.mover.through
    for leg in table.legs:
        dues, through = ridden(table, Tally(dues, through), leg.line)
    return Tally(dues, through)


def ridden(table: State, before: Tally, line: LineId) -> Tally:
    """The tally of the active seat after riding a line.

    A payee gets the dearest rate of the turn, once (Rule: tokai 11.3), settled when the line is
    ridden (Rule: tokai 11.5); every other line's through ticket ends (Rule: tokai 11.7).
    """
    has_ticket = line in before.through
    through_fare = table.through if has_ticket else None
    rate = rate_of(table.owners, table.active, line, through_fare=through_fare)
    return Tally(charged(before.dues, rate), (line,) if has_ticket else ())


def charged(dues: tuple[Due, ...], rate: Due) -> tuple[Due, ...]:
    """The dues with a rate; a new payee is paid last (Rule: tokai 14.1.1)."""
    for at, due in enumerate(dues):
        if due.payee == rate.payee:
            if due.amount >= rate.amount:
                return dues
            return (*dues[:at], rate, *dues[at + 1 :])
    return (*dues, rate)


def due_to(dues: Iterable[Due], payee: int) -> int:
    return next((due.amount for due in dues if due.payee == payee), 0)


def is_on(point: PointId, line: LineId) -> bool:
    """Whether a point lies on a line, its ends and interchanges included."""
    return bool(POINTS_ON[LINE_AT[line]] & BIT[POINT_AT[point]])


def give_tickets(table: State, line: LineId, owner: Seat, emit: Emit) -> None:
    """Through tickets for the other pawns on a line that was just bought (Rule: tokai 11.6)."""
    for seat, traveller in table.seats.items():
        if seat != owner and traveller.at is not None and is_on(traveller.at, line):
            table.seats[seat].through = tuple(sorted({*traveller.through, line}))
            emit(ThroughGot(seat, line, owner))


def end_tickets(table: State, lines: Iterable[LineId]) -> None:
    """Drop all through tickets for lines that are unowned again (Rule: tokai 11.10)."""
    ended = frozenset(lines)
    for seat, traveller in table.seats.items():
        if not ended.isdisjoint(traveller.through):
            left = tuple(line for line in traveller.through if line not in ended)
            table.seats[seat].through = left
