"""From the journal to a room, its row and its record, and back; the number of a new room."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Container, Iterator, Mapping
from operator import attrgetter, is_not
from typing import Any, Final, TypedDict

import msgpack
import msgspec
from msgspec import Struct

from bluebear.rules.core.game import Game
from bluebear.rules.core.record import RULE_OFF, parse_record
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import require
from bluebear.server.commands.acts import NewRoom
from bluebear.server.commands.scene import RoomLine
from bluebear.server.people.people import needs_store
from bluebear.server.room.creation import Pins, new_game_facts, origins
from bluebear.server.room.fold_context import Games, game_of
from bluebear.server.room.options import choice, option_of, seats_of
from bluebear.server.room.snapshot import (
    ANOTHER_DIGEST,
    LoadedRoom,
    checking,
    code_of,
    dump_room,
    follow,
    load_room,
)
from bluebear.server.room.state import Origin, Privacy, Room, Table, by_days, waking_deadline
from bluebear.server.rooms.connection import Connection
from bluebear.server.runtime import count, log
from bluebear.server.store import (
    RECORD_PREFIX,
    Entry,
    JournalError,
    Json,
    Snapshot,
    Store,
    StreamId,
    Summary,
    rooms,
    streams,
)

_NUMBERS: Final = 900_000
_FIRST_NUMBER: Final = 100_000
_NUMBER_TRIES: Final = 64
"""Random numbers tried before the server counts as full: it is, where so many are taken."""

_MOVES_IN_A_ROW: Final = 20
"""Moves of one room played again before others have their turn: about 2 ms."""


async def read_room(journal: Store, games: Games, room_id: str) -> LoadedRoom | None:
    """Fold a room from its newest usable snapshot; None if there is no such room.

    Where this server's rules are not those by which it was played, the room is held.

    Raises NotRead, and NotAllowed (version_gap) for a game that this server does not have.
    """
    stream = StreamId(room_id)
    newest = await journal.read(streams.snapshot, stream)
    room = None
    if newest is not None:
        try:
            room = load_room(newest.body, games)
        except ValueError as problem:
            log(logging.WARNING, "snapshot not usable", room=room_id, why=repr(problem))
            count("snapshots.unusable")
    difference = ""
    if room is not None and newest is not None:
        difference = await _checked(room, games, code_of(newest.body))
    after = 0 if room is None else room.version
    loaded = follow(room, await journal.read(streams.load, stream, after), games, difference)
    if loaded is not None and loaded.problem:
        version = loaded.room.version
        log(logging.ERROR, "room held", room=room_id, version=version, why=loaded.problem)
        count("rooms.held")
        if loaded.problem == ANOTHER_DIGEST:
            count("digests.different")
    return loaded


async def _checked(room: Room, games: Games, code: str) -> str:
    """Why a room must be held that other code has left, its game being played again from its
    record, with turns for the others; empty: it need not.
    """
    game = game_of(games, room)
    if game is None or game.code == code:
        return ""
    for number, why in enumerate(checking(room, games)):
        if why:
            return why
        if number % _MOVES_IN_A_ROW == 0:
            await asyncio.sleep(0)
    return ""


async def play_beginning(games: Games, text: str) -> Origin:
    """Where a fork begins that goes on from this beginning of a game, with turns for the others.

    Raises NotAllowed (version_gap): the server has no such game, or other rules for it.
    """
    record = parse_record(text)
    made: Origin | None = None
    for position in origins(games, record):
        made = position
        await asyncio.sleep(0)
    if made is None:
        raise NotAllowed("version_gap", given=record.head.game)
    return made


async def keep_room(journal: Store, games: Games, room: Room) -> None:
    """Save a snapshot of a room; without it loading takes longer, and nothing is lost."""
    stream = StreamId(room.table.id)
    try:
        await journal.write(
            streams.save_snapshot, Snapshot(stream, room.version, dump_room(room, games))
        )
    except JournalError as problem:
        log(logging.WARNING, "no snapshot", stream=stream, why=str(problem))
        count("snapshots.not_saved")


async def read_record(journal: Store, game_id: str) -> Entry | None:
    """The stored record of a finished game: an entry whose only line is the record's text.

    Raises NotAllowed (not_saved).
    """
    with needs_store(logging.ERROR, "record not loaded"):
        entries = await journal.read(streams.load, StreamId(RECORD_PREFIX + game_id))
    return entries[0] if entries else None


class FinishedGame(Struct, frozen=True):
    """A game that is over: its record, where it was played, what can be said without playing it.

    `at` is when it was kept, in ms; `times` are those of the record's lines, where they are known;
    `lines` counts these, `steps` those that a replay shows.
    """

    id: str
    text: str
    room: str
    private: bool
    at: int
    game: str
    names: tuple[str, ...]
    lines: int
    steps: int
    times: tuple[int, ...]


async def read_finished(journal: Store, game_id: str) -> FinishedGame | None:
    """A finished game by its id. Raises NotAllowed (not_saved)."""
    entry = await read_record(journal, game_id)
    if entry is None:
        return None
    facts = entry.facts
    text = entry.lines[0]
    head, played, *_ = text.split(f"\n{RULE_OFF}\n")
    header = parse_record(f"{head}\n{RULE_OFF}\n").head
    lines = played.splitlines()
    times = facts.get("times")
    return FinishedGame(
        id=game_id,
        text=text,
        room=str(facts.get("room", "")),
        private=bool(facts.get("private")),
        at=entry.at,
        game=header.game,
        names=header.names,
        lines=len(lines),
        steps=sum(line[:1] != "=" for line in lines),
        times=tuple(map(int, times)) if isinstance(times, list) else (),
    )


async def free_number(in_memory: Container[str], store: Store, fresh: bytes) -> str:
    """Six digits that no room ever had; random, so that rooms are not found by counting.

    Raises NotAllowed: not_saved, full_server.
    """
    start = int.from_bytes(fresh[-8:], "big")
    for step in range(_NUMBER_TRIES):
        number = str(_FIRST_NUMBER + (start + step * 7919) % _NUMBERS)
        with needs_store(logging.ERROR, "room not looked up", room=number):
            free = await store.read(rooms.room, StreamId(number)) is None
        # Looked at again: another room may have taken it while the disk was asked.
        if free and number not in in_memory:
            return number
    raise NotAllowed("full_server")


def making_facts(
    client: Connection, act: NewRoom, fresh: bytes, hashed: str, pins: Pins
) -> dict[str, Json]:
    """What the entry says of its maker, the first game and its chance; `hashed` is the password."""
    facts: dict[str, Json] = {
        **new_game_facts(fresh),
        "name": client.name,
        "kind": "human" if client.human else "bot",
    }
    if hashed:
        facts["hash"] = hashed
    pinned = pins.of(act.game)
    if pinned:
        facts["options"] = dict(pinned)
    if act.fork:
        facts.update(fork=act.fork, guests=dict(act.guests))
    if act.lesson:
        facts.update(lesson=act.lesson, typed=act.typed)
    return facts


_shown: Final = attrgetter(
    *("phase", "seats", "host", "options", "votes"),
    *("invites", "admitted", "banned", "locked", "privacy"),
)
"""The fields of a table that a summary speaks of."""

_NOT_STORED: Final = frozenset(("id", "awake", "watchers"))
_ROW: Final = tuple(each for each in RoomLine.__struct_fields__ if each not in _NOT_STORED)
"""A summary's body holds the fields of a room line in this order."""


class LobbyRow(TypedDict):
    """A room as the list has it. See `RoomLine` for what the fields say."""

    game: str
    phase: str
    seats: list[str]
    free: int
    locked: bool
    clock: str
    options: dict[str, str]
    watchers: int
    made: int


class RoomLink(LobbyRow):
    """What a room says of itself before one enters."""

    id: str


def needs_summary(old: Room | None, new: Room) -> bool:
    """Whether an entry that has changed the table has changed anything that the summary tells."""
    if old is None:
        return True
    before, after = old.table, new.table
    if by_days(after) and (before.turn != after.turn or _dues(old) != _dues(new)):
        return True
    return any(map(is_not, _shown(before), _shown(after)))


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
    clock, names, persons, deadlines = choice(table, "clock"), [], [], []
    for chair in table.seats.values():
        names.append(chair.name)
        persons.append(chair.person or "")
        deadlines.append(chair.deadline or 0)
    return RoomLine(
        id=StreamId(table.id),
        game=table.game,
        phase=table.phase.value,
        listed=table.privacy is Privacy.PUBLIC,
        private=table.privacy is Privacy.PRIVATE,
        locked=table.locked,
        names=tuple(names),
        persons=tuple(persons),
        turn=tuple(map(room.name_of, table.turn)),
        free=max(0, most - len(table.seats)) if table.phase == "open" else 0,
        host_person=require(table.host_person),
        admitted=frozenset(require(table.admitted)),
        banned=frozenset(require(table.banned)),
        invites=frozenset(require(table.invites)),
        watch=choice(table, "watch"),
        at=room.at,
        awake=awake,
        # By days: when the time of each seat is up; 0 where it is not to move.
        deadlines=tuple(deadlines) if by_days(table) else (),
        clock="" if clock == "off" else clock,
        options=tuple(_unusual(table, game)),
        made=room.made,
        watchers=watchers,
    )


def _unusual(table: Table, game: Game[Any] | None) -> Iterator[tuple[str, str]]:
    """The options of a table, without its clock, that are not as usual."""
    for name, value in table.options.items():
        option = option_of(name, game)
        if option is not None and name != "clock" and value != option.write(option.default):
            yield name, value


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
    row = dict(zip(_ROW, msgpack.unpackb(summary.body), strict=True))
    # Rooms with people in them are touched without an entry, so the row knows better.
    at = max(row["at"], summary.at)
    return msgspec.convert({**row, "id": summary.stream, "at": at}, RoomLine)


def about_room(line: RoomLine) -> RoomLink:
    """A room as a link to it shows it."""
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


class NotLeaseHolder(NotAllowed):
    """The room belongs to another node: clients that want something of it go there."""

    def __init__(self, room: str) -> None:
        super().__init__("not_saved")
        self.room = room


class RoomLeases:
    """Which rooms are this node's: all of a store, where it is the only one.

    The registry asks before it loads a room, and says when it lets go of one.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def claim(self, room: str) -> bytes:
        """The room is this node's from now on; what its owner before has handed along, if any.

        Raises NotLeaseHolder, and NotAllowed (not_saved).
        """
        return b""

    async def claim_new(self, room: str) -> None:
        """The same for a room that is about to be made."""

    async def release(self, room: str) -> None:
        """The room has left memory."""

    async def address_of(self, room: str) -> str:
        """Where the node is that has a room; "" while that may be this one soon.

        Raises NotAllowed (not_saved).
        """
        return ""

    def away_ms(self, room: str) -> int | None:
        """How long ago a node that was killed had a room, if that was just now."""
        return None

    async def due(self, now: int, limit: int) -> list[str]:
        """Up to `limit` rooms of this node whose deadline is not after `now`, in ms.

        Raises JournalError.
        """
        return [str(room) for room in await self._store.read(rooms.due, now, limit)]
