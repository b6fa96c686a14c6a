"""Looking into a hand: a player lets a spectator see with the eyes of his seat, for some minutes.

Everybody at the table is told, the record has a mark, and whoever was let look plays no other seat
of this game afterwards. Nobody who sits looks, and rated games have none of it.
"""

from __future__ import annotations

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.room import events
from bluebear.server.room.act import RoomAct
from bluebear.server.room.state import Chair, Peek, Room, Table
from bluebear.server.room.step import Step

_MINUTE_MS = 60_000


def peek_of(chair: Chair, now: int) -> Peek | None:
    """Who may look into a hand at this moment."""
    peek = chair.peek
    return peek if peek is not None and now < peek.until else None


def may_peek(room: Room, seat: Seat, person: str, now: int) -> bool:
    """Whether somebody may see with the eyes of a seat that is not his."""
    peek = peek_of(room.seats[seat], now) if seat in room.seats else None
    return peek is not None and peek.person == person and room.seat_of(person) is None


def check_peeks(table: Table) -> None:
    """NotAllowed (peek_rated) where nobody may look into hands."""
    if table.rated:
        raise NotAllowed("peek_rated")


class AllowPeek(RoomAct, frozen=True):
    """The actor lets somebody look into his hand; 0 minutes end that. Fact: `whom`."""

    head = "/allowpeek"
    minutes: int
    name: str

    def fold(self, step: Step) -> None:
        seat = step.seat()
        if not self.minutes:
            chair = step.chair(seat)
            if chair.peek is None or fold(chair.peek.name) != fold(self.name):
                raise NotAllowed("no_peek", given=self.name)
            end_peek(step, seat)
            return
        check_peeks(step.current)
        whom = step.fact("whom")
        if step.seat_of(whom) is not None:
            raise NotAllowed("peek_seated", given=self.name)
        chair = step.chair(seat)
        until = step.now + self.minutes * _MINUTE_MS
        chair.peek = Peek(name=self.name, until=until, person=whom)
        known = step.current.peeked or Keyed()
        step.table.peeked = Keyed({**require(known), whom: self.name})
        step.record(f"@peek {seat} {self.minutes} {self.name}")
        step.tell(events.PeekAllowed(seat, chair.name, self.name, self.minutes))


class PeekOver(RoomAct, frozen=True):
    """The time is over for which somebody may look into a hand."""

    head = "@peekover"
    seat: Seat

    def fold(self, step: Step) -> None:
        if step.chair(self.seat).peek is None:
            raise NotAllowed("stale")
        end_peek(step, self.seat)


def end_peek(step: Step, seat: Seat) -> None:
    """Nobody looks into a hand any more; nothing where nobody did."""
    chair = step.chair(seat)
    if chair.peek is not None:
        name, chair.peek = chair.peek.name, None
        step.tell(events.PeekEnded(seat, chair.name, name))


def end_peeks_of(step: Step, person: str) -> None:
    """Somebody looks into no hand any more."""
    for seat, chair in list(step.current.seats.items()):
        if chair.peek is not None and chair.peek.person == person:
            end_peek(step, seat)


def check_has_not_peeked(step: Step) -> None:
    """NotAllowed (has_peeked) for who knows a hand of this game that is not his."""
    peeked = step.current.peeked
    if peeked is not None and step.actor.person in peeked:
        raise NotAllowed("has_peeked")
