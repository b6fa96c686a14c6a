"""Lines on their way: those that wait or are in flight, and those that may be stored already."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from typing import Final, Protocol

from msgspec import Struct

from bluebear.protocol import Done, Error, RoomNumber, Version
from bluebear.server.commands.acts import Enter, Unprepared, Write
from bluebear.server.limits import DISK_RETRY_SECONDS, ROOM_QUEUE, ROOM_QUEUE_PER_PERSON
from bluebear.server.observe import log
from bluebear.server.room.fold_context import Folded
from bluebear.server.room.state import Actor
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.timers import Deadline
from bluebear.server.runtime import Tasks
from bluebear.server.store import Deposed, Entry, JournalError, Store, Summary, streams


class RepeatedRooms(Protocol):
    """The rooms of lines that may be repeated: the registry, or the edge that has links to it."""

    def number_of(self, client: Connection, room: str) -> RoomNumber | None:
        """The number that a room has for a connection; None if it is no member."""

    def version_of(self, client: Connection, room: str, version: int) -> Version | None:
        """A version of a room as a client counts; None where that is not known here."""

    def enter(self, client: Connection, act: Enter, say_id: str) -> None:
        """Bring a connection into a room."""


class Deduplicator:
    """Finds the answer to a line that was sent before. Owned by the registry.

    `go_in` says that a line led into its room (it made the room, or spent an invite): if its answer
    got lost, its sender is not in the room yet, and enters.
    """

    def __init__(self, journal: Store, tasks: Tasks, rooms: RepeatedRooms) -> None:
        self._journal = journal
        self._start = tasks.start
        self._rooms = rooms

    def look_up(self, client: Connection, say_id: str, otherwise: Error, *, go_in: bool) -> None:
        """Look up whether a line was stored: it would be refused, or its fate is unknown."""
        self._start(self._look_up(client, say_id, otherwise, go_in=go_in))

    async def _look_up(
        self, client: Connection, say_id: str, otherwise: Error, *, go_in: bool
    ) -> None:
        try:
            entry = await self._journal.read(streams.find, client.actor.text, say_id)
        except JournalError as problem:
            log(logging.ERROR, "line not looked up", why=str(problem))
            if client.is_disconnected or isinstance(problem, Deposed):
                return
            await asyncio.sleep(DISK_RETRY_SECONDS)
            self.look_up(client, say_id, otherwise, go_in=go_in)
            return
        if entry is None:
            client.answer(otherwise)
        else:
            self.again(client, say_id, *entry, go_in=go_in)

    def again(self, client: Connection, say_id: str, stream: str, seq: int, *, go_in: bool) -> None:
        """Answer a line that is entry `seq` of a stream already."""
        number = self._rooms.number_of(client, stream)
        if number is None and go_in:
            self._rooms.enter(client, Enter(stream), say_id)
        else:
            version = self._rooms.version_of(client, stream, seq)
            client.answer(Done(id=say_id, room=number, version=version))


ROW_BYTES: Final = 32
"""What an entry's place takes beside its body: its stream and number, and where they are found."""


class PendingLine(Struct, eq=False):
    """A line that has no reply yet: typed text, a `write` that is decided, or a `deadline`, which
    becomes an act when its turn comes.

    `enters`: its sender comes into the room when its entry is written. `over` is set when it has
    its reply, whatever that is; `next` is submitted then. `prepared` is what the line needs beyond
    the room, once that was awaited.
    """

    actor: Actor
    client: Connection | None = None
    say: str = ""
    text: str = ""
    at: int | None = None
    write: Write | None = None
    deadline: Deadline | None = None
    enters: bool = False
    over: asyncio.Event | None = None
    next: PendingLine | None = None
    prepared: Unprepared | None = None


class PendingEntry(Struct, eq=False):
    """A line that was judged: what it means, what that makes of the room, and its new row.

    It waits for the journal's answer.
    """

    line: PendingLine
    act: Write
    entry: Entry
    folded: Folded
    summary: Summary | None


class LineQueue:
    """Waiting lines in order, bounded for each person and for the room; owned by a room actor.

    Acts of the clock and the server are not counted: there are few, and none may be lost.
    """

    def __init__(self) -> None:
        self.lines: deque[PendingLine] = deque()
        """The lines that wait, the oldest first."""
        self._waiting: Counter[str] = Counter()

    def put(self, line: PendingLine) -> bool:
        """Let a line wait; False if too many do."""
        if line.client is not None:
            actor = line.actor.text
            if len(self.lines) >= ROOM_QUEUE or self._waiting[actor] >= ROOM_QUEUE_PER_PERSON:
                return False
            self._waiting[actor] += 1
        self.lines.append(line)
        return True

    def pop(self) -> PendingLine:
        """The oldest line."""
        line = self.lines.popleft()
        if line.client is not None:
            left = self._waiting[line.actor.text] - 1
            if left > 0:
                self._waiting[line.actor.text] = left
            else:
                del self._waiting[line.actor.text]
        return line

    def pop_all(self) -> list[PendingLine]:
        """All lines that wait; none does afterwards."""
        lines = list(self.lines)
        self.lines.clear()
        self._waiting.clear()
        return lines

    def twin_of(self, line: PendingLine, in_flight: PendingLine | None) -> PendingLine | None:
        """The same line, sent again before it was answered: its newest sender gets the answer."""
        if not line.say or line.enters or not (in_flight or self.lines):
            return None
        pending = self.lines if in_flight is None else (in_flight, *self.lines)
        same = (each for each in pending if each.say == line.say and each.actor == line.actor)
        return next((each for each in same if not each.enters), None)
