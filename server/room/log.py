"""The log's tail, and that its length tells nothing of what one seat alone was told."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from bluebear.rules.core.visibility import Event, Visibility
from bluebear.server.journal import Entry
from bluebear.server.limits import LOG_LINES
from bluebear.server.room.state import Logged, Older, Room

_sight_of: Final = attrgetter("sight")


def is_private(events: tuple[Event, ...]) -> bool:
    """Whether nothing of what was told is for everybody."""
    return Visibility.PUBLIC not in map(_sight_of, map(type, events))


def with_told(
    room: Room, entry: Entry, events: tuple[Event, ...]
) -> tuple[tuple[Logged, ...], Older]:
    """A room's log, and what stands behind it, with what an entry told."""
    if not events:
        return room.log, room.older
    log = (*room.log[-(LOG_LINES - 1) :], Logged(entry.seq, entry.at, events))
    older = room.older
    if older.private or is_private(events):
        older = _older(room, log)
    return log, older


def _older(room: Room, log: tuple[Logged, ...]) -> Older:
    """As many entries for everybody from before the log as it has private ones."""
    private = sum(is_private(logged.events) for logged in log)
    dropped = room.log[: len(room.log) + 1 - len(log)]
    public = (*room.older.logged, *(each for each in dropped if not is_private(each.events)))
    return Older(public[-private:] if private else (), private)


def logged_for(room: Room) -> Iterator[Logged]:
    """The tail of the log, oldest first, with what private entries have pushed out of it.

    Who is told the private ones, too, is shown a little more than others.
    """
    yield from room.older.logged
    yield from room.log
