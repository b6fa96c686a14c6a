"""What spectators see: a game some moves late (option `watchdelay`), or a player's hand (peeks).

With `watchdelay`, spectators of a running game see the room as of an older entry: the newest moves
and all entries after the first of them are delayed. An undone move is delayed as long as the moves
that replace it; quiet moves do not count as moves. The end of the game shows everything. Only
entries decide what is shown, so a loaded room shows what it showed before: its snapshot is the room
that spectators see, and later entries are folded again.

A player may let a spectator see their hand for some minutes. All members are notified, the record
has a mark, and that spectator may take no other seat in this game. Rated games have no peeks.
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
from bluebear.server.room.fold_context import Folded, RoomAct, Step, quiet_seat
from bluebear.server.room.options import watch_delay
from bluebear.server.room.state import Chair, Peek, Room, Table

_MINUTE_MS = 60_000


def peek_of(chair: Chair, now: int) -> Peek | None:
    """The peek that is valid at `now` (ms); None if there is none."""
    peek = chair.peek
    return peek if peek is not None and now < peek.until else None


def may_peek(room: Room, seat: Seat, person: str, now: int) -> bool:
    """Whether a spectator may see a seat's hand at `now` (ms)."""
    peek = peek_of(room.seats[seat], now) if seat in room.seats else None
    return peek is not None and peek.person == person and room.seat_of(person) is None


def check_peeks(table: Table) -> None:
    """Raise NotAllowed (peek_rated) in a rated game."""
    if table.rated:
        raise NotAllowed("peek_rated")


class AllowPeek(RoomAct, frozen=True):
    """Let a spectator see the actor's hand; 0 minutes end that. Fact: `whom`, their id."""

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
        person = step.fact("whom")
        if step.seat_of(person) is not None:
            raise NotAllowed("peek_seated", given=self.name)
        chair = step.chair(seat)
        until = step.now + self.minutes * _MINUTE_MS
        chair.peek = Peek(name=self.name, until=until, person=person)
        peeked = step.current.peeked or Keyed()
        step.table.peeked = Keyed({**require(peeked), person: self.name})
        step.record(f"@peek {seat} {self.minutes} {self.name}")
        step.tell(events.PeekAllowed(seat, chair.name, self.name, self.minutes))


class PeekOver(RoomAct, frozen=True):
    """The time of a peek is over."""

    head = "@peekover"
    seat: Seat

    def fold(self, step: Step) -> None:
        if step.chair(self.seat).peek is None:
            raise NotAllowed("stale")
        end_peek(step, self.seat)


def end_peek(step: Step, seat: Seat) -> None:
    """End the peek into a seat's hand, if there is one."""
    chair = step.chair(seat)
    if chair.peek is not None:
        name, chair.peek = chair.peek.name, None
        step.tell(events.PeekEnded(seat, chair.name, name))


def end_peeks_of(step: Step, person: str) -> None:
    """End all peeks of a person."""
    for seat, chair in list(step.current.seats.items()):
        if chair.peek is not None and chair.peek.person == person:
            end_peek(step, seat)


def check_has_not_peeked(step: Step) -> None:
    """Raise NotAllowed (has_peeked) if the actor has seen a hand of this game by a peek."""
    peeked = step.current.peeked
    if peeked is not None and step.person in peeked:
        raise NotAllowed("has_peeked")


class Transition(NamedTuple):
    """The room before an entry, and the result of its fold."""

    before: Room
    folded: Folded


class DelayedBatch(NamedTuple):
    """The entries that spectators are shown next, in order.

    `is_reset`: the entries are too many, or one is missing; show the present room instead.
    """

    transitions: Sequence[Transition] = ()
    is_reset: bool = False

    @property
    def reseats(self) -> bool:
        """Whether the batch changes the seats."""
        pairs = ((old.table.seats, folded.room.table.seats) for old, folded in self.transitions)
        return self.is_reset or any(old is not new for old, new in pairs)


class _DelayedMove:
    """A delayed move, and the entries after it up to the next move.

    `steps` counts the moves in the record before it; `room` is the room after its last entry.
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.room: Room | None = None
        self.transitions: Sequence[Transition] = ()
        self.is_reset = False

    def put(self, transitions: Sequence[Transition], *, is_reset: bool) -> None:
        """Append entries; `is_reset`: one is missing."""
        joined = (*self.transitions, *transitions)
        self.is_reset = self.is_reset or is_reset or len(joined) > DELAYED_ENTRIES
        self.transitions = () if self.is_reset else joined


class Delay:
    """The entries of one room that spectators do not see yet; owned by its room actor.

    `room` is the newest room that spectators see; None: they see what all members see.
    """

    def __init__(self, room: Room | None) -> None:
        self.room: Room | None = None
        self._delayed: list[_DelayedMove] = []
        self.is_on = False
        """Whether spectators see the running game some moves late."""
        self._moves, self._newest = 0, room
        if room is not None and _is_running(room):
            self._begin(room)

    def add(self, before: Room | None, folded: Folded) -> DelayedBatch | None:
        """Add an entry. Returns what spectators are shown now; None: this entry, without delay."""
        room = folded.room
        if before is None or not self._moves:
            if room.game is not None and (before is None or before.game is None):
                self._begin(room)
            return None
        transition, missed = Transition(before, folded), before is not self._newest
        self._newest = room
        if not _is_running(room):
            return self._end(transition, missed=missed)
        if quiet_seat(before, room) is None and not self._hold_back(transition, missed=missed):
            return DelayedBatch((transition,), missed)
        return self._release(before, room)

    def _begin(self, room: Room) -> None:
        self._moves = watch_delay(room.table)
        self.is_on = self._moves > 0
        self._newest = room if self._moves else None

    def _hold_back(self, transition: Transition, *, missed: bool) -> bool:
        """Delay an entry with the move before it. False: there is no move, so it is not delayed."""
        delayed, (before, folded) = self._delayed, transition
        steps = folded.room.steps
        undone = [each for each in delayed if each.steps >= steps]
        del delayed[len(delayed) - len(undone) :]
        if steps > before.steps or (undone and not delayed):
            delayed.append(_DelayedMove(min(steps, before.steps)))
        for each in undone:
            delayed[-1].put(each.transitions, is_reset=each.is_reset)
        if delayed:
            delayed[-1].put((transition,), is_reset=missed)
        return bool(delayed)

    def _release(self, before: Room, room: Room) -> DelayedBatch:
        """Release all but the newest moves."""
        delayed = self._delayed
        if not delayed:
            return DelayedBatch()
        delayed[-1].room = room
        late = max(0, len(delayed) - self._moves)
        shown, self._delayed = delayed[:late], delayed[late:]
        self.room = shown[-1].room if shown else self.room or before
        return _joined(shown)

    def _end(self, transition: Transition, *, missed: bool) -> DelayedBatch:
        """Release all entries after the game."""
        last = _DelayedMove(0)
        last.put((transition,), is_reset=missed or transition.folded.room.game is None)
        shown, self._delayed = [*self._delayed, last], []
        self.room, self._moves, self.is_on = None, 0, False
        return _joined(shown)


def _joined(moves: Sequence[_DelayedMove]) -> DelayedBatch:
    transitions = tuple(transition for each in moves for transition in each.transitions)
    if any(each.is_reset for each in moves) or len(transitions) > DELAYED_ENTRIES:
        return DelayedBatch(is_reset=True)
    return DelayedBatch(transitions)


def _is_running(room: Room) -> bool:
    """Whether a game was started that is not over."""
    return room.game is not None and room.table.ending is None
