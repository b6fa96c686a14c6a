"""What spectators are shown: a game some moves late (option `watchdelay`), or one player's hand.

With `watchdelay` they see the room as it was after an older entry, and go on from entry to entry as
members do, only later: as long as a game runs, its newest moves and whatever came after the first
of those are kept back. What was taken back is kept back as long as what it led to, and hidden moves
of which only the mover learns count for nothing. When the game is over all is shown. Only entries
decide what is shown, so a room that is loaded shows what it showed before: its snapshot is of the
room as spectators see it, and the entries behind that are folded again.

A player may let a spectator see with the eyes of the player's seat, for some minutes. All members
are told, the record has a mark, and the spectator plays no other seat of this game afterwards.
Rated games have none of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.limits import DELAYED_ENTRIES
from bluebear.server.room import events
from bluebear.server.room.act import RoomAct
from bluebear.server.room.fold_context import Folded, Step, quiet_seat
from bluebear.server.room.options import watch_delay
from bluebear.server.room.state import Chair, Peek, Room, Table

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
    if peeked is not None and step.person in peeked:
        raise NotAllowed("has_peeked")


class Passage(NamedTuple):
    """The way that an entry has taken a room."""

    before: Room
    folded: Folded


class Release(NamedTuple):
    """What spectators are shown at once: the entries one after the other.

    `whole`: they are too many for that, or one is missing; then they are shown the room as it is.
    """

    passages: Sequence[Passage] = ()
    whole: bool = False

    @property
    def reseats(self) -> bool:
        """Whether the seats are others by it."""
        ways = ((old.table.seats, folded.room.table.seats) for old, folded in self.passages)
        return self.whole or any(old is not new for old, new in ways)


class _Stretch:
    """A move that is kept back, and all that followed it before the next one.

    `steps` counts the moves that stood in the record before it; `room` is the room at its end.
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.room: Room | None = None
        self.passages: Sequence[Passage] = ()
        self.whole = False

    def put(self, passages: Sequence[Passage], *, whole: bool) -> None:
        """More entries that belong to it."""
        joined = (*self.passages, *passages)
        self.whole = self.whole or whole or len(joined) > DELAYED_ENTRIES
        self.passages = () if self.whole else joined


class Delay:
    """What spectators of one room do not see yet; owned by whoever folds its entries.

    `room` is the newest that they may see; None: they see what everybody sees.
    """

    def __init__(self, room: Room | None) -> None:
        self.room: Room | None = None
        self._kept_back: list[_Stretch] = []
        self.is_on = False
        """Whether spectators see the game that is being played some moves late."""
        self._moves, self._newest = 0, room
        if room is not None and _goes_on(room):
            self._begin(room)

    def add(self, before: Room | None, folded: Folded) -> Release | None:
        """Take an entry; what spectators see now. None: the entry itself, as everybody does."""
        room = folded.room
        if before is None or not self._moves:
            if room.game is not None and (before is None or before.game is None):
                self._begin(room)
            return None
        passage, missed = Passage(before, folded), before is not self._newest
        self._newest = room
        if not _goes_on(room):
            return self._end(passage, missed=missed)
        if quiet_seat(before, room) is None and not self._keep_back(passage, missed=missed):
            return Release((passage,), missed)
        return self._let_go(before, room)

    def _begin(self, room: Room) -> None:
        self._moves = watch_delay(room.table)
        self.is_on = self._moves > 0
        self._newest = room if self._moves else None

    def _keep_back(self, passage: Passage, *, missed: bool) -> bool:
        """Put an entry behind what it belongs to; False: before the first move nothing is late."""
        kept, (before, folded) = self._kept_back, passage
        steps = folded.room.steps
        undone = [each for each in kept if each.steps >= steps]
        del kept[len(kept) - len(undone) :]
        if steps > before.steps or (undone and not kept):
            kept.append(_Stretch(min(steps, before.steps)))
        for each in undone:
            kept[-1].put(each.passages, whole=each.whole)
        if kept:
            kept[-1].put((passage,), whole=missed)
        return bool(kept)

    def _let_go(self, before: Room, room: Room) -> Release:
        """Show what lies behind the newest moves."""
        kept = self._kept_back
        if not kept:
            return Release()
        kept[-1].room = room
        late = max(0, len(kept) - self._moves)
        shown, self._kept_back = kept[:late], kept[late:]
        self.room = shown[-1].room if shown else self.room or before
        return _joined(shown)

    def _end(self, passage: Passage, *, missed: bool) -> Release:
        """The game is over: all is shown."""
        last = _Stretch(0)
        last.put((passage,), whole=missed or passage.folded.room.game is None)
        shown, self._kept_back = [*self._kept_back, last], []
        self.room, self._moves, self.is_on = None, 0, False
        return _joined(shown)


def _joined(stretches: Sequence[_Stretch]) -> Release:
    whole = any(each.whole for each in stretches)
    passages = tuple(passage for each in stretches for passage in each.passages)
    if whole or len(passages) > DELAYED_ENTRIES:
        return Release(whole=True)
    return Release(passages)


def _goes_on(room: Room) -> bool:
    """Whether a game is being played that is not over."""
    return room.game is not None and room.table.ending is None
