"""What stands in a room's row: all that others need to know of it without loading it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from operator import attrgetter, is_not
from typing import Any, Final, TypedDict

import msgpack

from bluebear.rules.core.game import Game
from bluebear.rules.core.visibility import require
from bluebear.server.commands.needs import RoomLine
from bluebear.server.journal import StreamId, Summary
from bluebear.server.room.clocks import waking_deadline
from bluebear.server.room.creation import seats_of
from bluebear.server.room.options import by_days, choice, option_of
from bluebear.server.room.state import Phase, Privacy, Room, Table

RESTING: Final = (Phase.OPEN.value, Phase.OVER.value, Phase.FROZEN.value)
"""Phases in which a room is closed when nobody has come for long."""

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

_NOT_KEPT: Final = frozenset(("id", "awake", "watchers"))
_ROW: Final = tuple(field.name for field in fields(RoomLine) if field.name not in _NOT_KEPT)
"""A summary's body holds the fields of a room line in this order."""

_SHAPES: Final[Mapping[str, Callable[[Any], Any]]] = {  # Any: what msgpack has made of a field
    "names": tuple,
    "persons": tuple,
    "turn": tuple,
    "deadlines": tuple,
    "options": lambda pairs: tuple((name, value) for name, value in pairs),
    "admitted": frozenset,
    "banned": frozenset,
    "invites": frozenset,
}


class LobbyRow(TypedDict):
    """A room as the list has it. See `RoomLine` for what the fields say; the page's type of it is
    made from this one.
    """

    game: str
    phase: str
    seats: list[str]
    free: int
    locked: bool
    clock: str
    options: dict[str, str]
    watchers: int
    made: int


def _same(value: Any) -> Any:  # Any: what msgpack has made of a field
    return value


def needs_summary(old: Room | None, new: Room) -> bool:
    """Whether an entry has changed anything that the summary tells."""
    if old is None:
        return True
    before, after = old.table, new.table
    if before is after:
        return False
    if by_days(after) and (before.turn != after.turn or _dues(old) != _dues(new)):
        return True
    return any(map(is_not, _told(before), _told(after)))


def _dues(room: Room) -> tuple[int | None, ...]:
    """When anything of a room is due: by that it is found while it sleeps."""
    return waking_deadline(room), *(chair.deadline for chair in room.seats.values())


def room_line(
    room: Room, games: Mapping[str, Game[Any]], *, awake: bool = False, watchers: int = 0
) -> RoomLine:
    """A room as others see it from outside."""
    table = room.table
    game = games.get(table.game)
    most = 0 if game is None else seats_of(table, game.info)[1]
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
        host_person=require(table.host_person),
        admitted=frozenset(require(table.admitted)),
        banned=frozenset(require(table.banned)),
        invites=frozenset(require(table.invites)),
        watch=choice(table, "watch"),
        at=room.at,
        awake=awake,
        deadlines=_deadlines(table),
        clock=_clock(table),
        options=tuple(_unusual(table, game)),
        made=room.made,
        watchers=watchers,
    )


def _clock(table: Table) -> str:
    """The value of the option `clock`; empty where there is none."""
    value = choice(table, "clock")
    return "" if value == "off" else value


def _unusual(table: Table, game: Game[Any] | None) -> Iterator[tuple[str, str]]:
    """The options of a table, without its clock, that are not as usual."""
    for name, value in table.options.items():
        option = option_of(name, game)
        if option is not None and name != "clock" and value != option.write(option.default):
            yield name, value


def _deadlines(table: Table) -> tuple[int, ...]:
    """When the time of each seat is up, by days; 0 where it is not to move; else nothing."""
    if not by_days(table):
        return ()
    return tuple(chair.deadline or 0 for chair in table.seats.values())


def summary_of(room: Room, line: RoomLine) -> Summary:
    """The row of a room."""
    return row_of(line, room.version, waking_deadline(room))


def row_of(line: RoomLine, seq: int, deadline: int | None) -> Summary:
    """The row that a room line makes, as of entry `seq`."""
    body = [getattr(line, name) for name in _ROW]
    packed: bytes = msgpack.packb([sorted(e) if isinstance(e, frozenset) else e for e in body])
    return Summary(
        stream=line.id,
        seq=seq,
        body=packed,
        deadline=deadline,
        listed=line.listed,
        game=line.game,
        phase=line.phase,
        free=line.free,
        at=line.at,
        people=tuple(sorted({*filter(None, line.persons), line.host_person})),
        invites=tuple(sorted(line.invites)),
    )


def line_of(summary: Summary) -> RoomLine:
    """The room line of a row."""
    row: list[Any] = msgpack.unpackb(summary.body)  # Any: our own row, as `row_of` made it
    row_fields = dict(zip(_ROW, row, strict=True))
    line = RoomLine(
        id=summary.stream,
        **{name: _SHAPES.get(name, _same)(value) for name, value in row_fields.items()},
    )
    # Rooms with people in them are touched without an entry, so the row knows better.
    return replace(line, at=max(line.at, summary.at))


def about_room(line: RoomLine) -> dict[str, Any]:  # Any: a plain tree
    """What a room says of itself before one enters."""
    return {"id": str(line.id), **lobby_row(line)}


def lobby_row(line: RoomLine) -> LobbyRow:
    """A room as the list has it."""
    return {
        "game": line.game,
        "phase": line.phase,
        "seats": list(line.names),
        "free": line.free,
        "locked": line.locked,
        "clock": line.clock,
        "options": dict(line.options),
        "watchers": line.watchers,
        "made": line.made,
    }
