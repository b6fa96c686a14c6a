"""Lines on their way through a room, and those that wait while an entry is in flight."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from bluebear.server.commands.acts import Unprepared, Write
from bluebear.server.commands.needs import Found
from bluebear.server.journal import Entry, Summary
from bluebear.server.limits import ROOM_QUEUE, ROOM_QUEUE_PER_PERSON
from bluebear.server.room.act import Actor
from bluebear.server.room.fold_context import Folded
from bluebear.server.rooms.members import MemberConnection

ROW_BYTES: Final = 32
"""What an entry's place takes beside its body: its stream and number, and where they are found."""


class PendingLine(Struct, eq=False):
    """A line that is not answered yet: typed text, or an act that `make` gives when it is judged.

    `then` is called when its entry is written, `over` when it is answered, whatever the answer.
    `found` and `prepared` are what the line needs beyond the room, once that was awaited.
    """

    actor: Actor
    client: MemberConnection | None = None
    say: str = ""
    text: str = ""
    at: int | None = None
    make: Callable[[], Write] | None = None
    then: Callable[[], None] | None = None
    over: Callable[[], None] | None = None
    found: Found | None = None
    prepared: Unprepared | None = None

    @property
    def is_of_house_bot(self) -> bool:
        """Whether a house bot has sent it."""
        return self.client is not None and self.client.is_house


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

    def __len__(self) -> int:
        return len(self.lines)

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
        if not line.say or line.make is not None or not (in_flight or self.lines):
            return None
        pending = self.lines if in_flight is None else (in_flight, *self.lines)
        same = (each for each in pending if each.say == line.say and each.actor == line.actor)
        return next((each for each in same if each.make is None), None)
