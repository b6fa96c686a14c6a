"""What spectators are shown of a game that they are to see some moves late: option `watchdelay`.

They see the room as it was after an older entry, and go on from entry to entry as everybody does,
only later: as long as a game runs, its newest moves and whatever came after the first of those are
kept back. What was taken back is kept back as long as what it led to, and hidden moves that nobody
else learns of count for nothing. When the game is over all is shown.

Only entries decide what is shown, so a room that is loaded shows what it showed before: its
snapshot is of the room as spectators see it, and the entries behind that are folded again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bluebear.server.limits import DELAYED_ENTRIES
from bluebear.server.room.changes import Folded
from bluebear.server.room.options import watch_delay
from bluebear.server.room.quiet import quiet_seat
from bluebear.server.room.state import Room


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
        self._moves, self._newest = 0, room
        if room is not None and _goes_on(room):
            self._begin(room)

    @property
    def is_on(self) -> bool:
        """Whether spectators see the game that is being played some moves late."""
        return self._moves > 0

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
        self.room, self._moves = None, 0
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
