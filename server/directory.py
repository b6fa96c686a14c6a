"""What the server knows of every room without loading it, kept in the rooms' summary rows.

The lobby is a projection of this: a tree of the listed rooms, sent as snapshot and patches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from operator import attrgetter, is_not
from typing import Any, Final

import msgpack

from protocol import Branch, diff
from rules.core.game import Game
from rules.core.vision import held
from server.commands.scene import RoomLine
from server.journal import StreamId, Summary
from server.room.clocks import next_deadline
from server.room.options import choice
from server.room.state import Privacy, Room

_TOLD: Final = (
    "phase",
    "seats",
    "host",
    "options",
    "invites",
    "admitted",
    "banned",
    "locked",
    "privacy",
    "votes",
)
"""The fields of a table that a summary speaks of."""

_told: Final = attrgetter(*_TOLD)

_ROW: Final = tuple(field.name for field in fields(RoomLine) if field.name != "id")
"""A summary row holds the fields of a room line in this order."""

_SHAPES: Final[Mapping[str, Callable[[Any], Any]]] = {  # Any: what msgpack has made of a field
    "names": tuple,
    "persons": tuple,
    "turn": tuple,
    "admitted": frozenset,
    "banned": frozenset,
    "invites": frozenset,
}


def _same(value: Any) -> Any:  # Any: what msgpack has made of a field
    return value


def needs_summary(old: Room | None, new: Room) -> bool:
    """Whether an entry has changed anything that the summary tells."""
    if old is None:
        return True
    before, after = old.table, new.table
    if before is after:
        return False
    return any(map(is_not, _told(before), _told(after)))


def room_line(room: Room, games: Mapping[str, Game[Any]]) -> RoomLine:
    """A room as the directory keeps it."""
    table = room.table
    game = games.get(table.game)
    most = 0 if game is None else game.info.max_seats
    return RoomLine(
        id=StreamId(table.id),
        game=table.game,
        phase=table.phase.value,
        listed=table.privacy is Privacy.PUBLIC,
        private=table.privacy is Privacy.PRIVATE,
        locked=table.locked,
        names=tuple(chair.name for chair in table.seats.values()),
        persons=tuple(chair.person or "" for chair in table.seats.values()),
        turn=tuple(room.name_of(seat) for seat in table.turn),
        free=max(0, most - len(table.seats)) if table.phase == "open" else 0,
        host_person=held(table.host_person),
        admitted=frozenset(held(table.admitted)),
        banned=frozenset(held(table.banned)),
        invites=frozenset(held(table.invites)),
        watch=choice(table, "watch"),
        at=room.at,
    )


def summary_of(room: Room, line: RoomLine) -> Summary:
    """The summary row of a room."""
    row = [getattr(line, name) for name in _ROW]
    body: bytes = msgpack.packb([sorted(e) if isinstance(e, frozenset) else e for e in row])
    return Summary(line.id, room.version, body, next_deadline(room))


def line_of(summary: Summary) -> RoomLine:
    """The room line of a summary row."""
    row: list[Any] = msgpack.unpackb(summary.body)  # Any: our own row, as `summary_of` made it
    row_fields = dict(zip(_ROW, row, strict=True))
    return RoomLine(
        id=summary.stream,
        **{name: _SHAPES.get(name, _same)(value) for name, value in row_fields.items()},
    )


class Directory:
    """All rooms that are not closed; owned by the app. `changed` is called when the lobby is."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._lines: dict[str, RoomLine] = {}
        self._numbers: set[str] = set()
        self._invites: dict[str, str] = {}
        self._changed = changed

    def put(self, line: RoomLine) -> None:
        """A room is new or has changed."""
        before = self._lines.get(line.id)
        if before is not None:
            for hashed in before.invites - line.invites:
                self._invites.pop(hashed, None)
        for hashed in line.invites:
            self._invites[hashed] = line.id
        self._lines[line.id] = line
        self._numbers.add(line.id)
        if line.listed or (before is not None and before.listed):
            self._changed()

    def drop(self, room: str) -> None:
        """A room is closed."""
        line = self._lines.pop(room, None)
        if line is None:
            return
        for hashed in line.invites:
            self._invites.pop(hashed, None)
        if line.listed:
            self._changed()

    def had(self, room: str) -> bool:
        """Whether there is or was a room of this id; its entries are still there."""
        return room in self._numbers

    def get(self, room: str) -> RoomLine | None:
        """One room by its id."""
        return self._lines.get(room)

    def of_invite(self, hashed: str) -> RoomLine | None:
        """The room that an invite leads into."""
        room = self._invites.get(hashed)
        return None if room is None else self._lines[room]

    def __iter__(self) -> Iterator[RoomLine]:
        """All rooms, newest first."""
        return iter(sorted(self._lines.values(), key=lambda line: (-line.at, line.id)))

    def tree(self) -> Branch:
        """What the lobby shows: the listed rooms."""
        return {
            "rooms": {
                line.id: {
                    "game": line.game,
                    "phase": line.phase,
                    "seats": list(line.names),
                    "free": line.free,
                    "locked": line.locked,
                }
                for line in self._lines.values()
                if line.listed
            }
        }


class LobbyFeed:
    """Versions of the lobby's tree, and the patch from the last one sent; owned by the app."""

    def __init__(self) -> None:
        self.version = 0
        self.sent: Branch = {"rooms": {}}

    def step(self, tree: Branch) -> Branch | None:
        """The patch to a new tree; None if nothing changed."""
        patch = diff(self.sent, tree)
        if not patch:
            return None
        self.version += 1
        self.sent = tree
        return patch
