"""Lines on their way: those that wait, and those that are in flight."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from typing import Final

from msgspec import Struct

from bluebear.server.commands.acts import Unprepared, Write
from bluebear.server.limits import ROOM_QUEUE, ROOM_QUEUE_PER_PERSON
from bluebear.server.room.fold_context import Folded
from bluebear.server.room.state import Actor
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.timers import Deadline
from bluebear.server.store import Entry, Summary

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
