"""The rows beside the log, by which rooms are found: tables, and statements over them.

A row is written in the transaction of the entry that it comes with, so what is read here needs
no memory of what came before. No move of a game brings a row along. Every look-up goes through
an index; a window walks through `lobby` alone until it knows which rooms it shows, and sums
stand in `tally`.

Synchronous, on whatever thread owns the connection.
"""
# ruff: noqa: S608  # statements are joined of constants only; what is said is always a parameter

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgpack

from bluebear.server.store import person_rows
from bluebear.server.store.types import RESTING, Page, StreamId, Summary, Window

TABLES: Final = (
    """CREATE TABLE room (
        stream TEXT PRIMARY KEY, seq INTEGER NOT NULL, deadline INTEGER, listed INTEGER NOT NULL,
        game TEXT NOT NULL, phase TEXT NOT NULL, shelf INTEGER, free INTEGER NOT NULL,
        at INTEGER NOT NULL, people BLOB NOT NULL, invites BLOB NOT NULL, body BLOB NOT NULL)""",
    # Shelf: what is not listed has none, 1 is for what rests, 0 for what does not. The indexes have
    # all that a window asks for, so that only the rows that it shows are read.
    """CREATE INDEX lobby ON room (at DESC, stream, shelf, free, game, phase)
        WHERE shelf IS NOT NULL""",
    """CREATE INDEX lobby_of_game ON room (game, at DESC, stream, shelf, free, phase)
        WHERE shelf IS NOT NULL""",
    """CREATE INDEX lobby_playing ON room (shelf, at DESC, stream, free, game, phase)
        WHERE shelf = 0""",
    "CREATE INDEX due ON room (deadline, stream) WHERE deadline IS NOT NULL",
    # What is open and how new it is stands here too: a bot has sat in a hundred thousand rooms.
    """CREATE TABLE seat (
        person TEXT NOT NULL, resting INTEGER NOT NULL, at INTEGER NOT NULL, room TEXT NOT NULL,
        PRIMARY KEY (person, resting, at DESC, room)) WITHOUT ROWID""",
    """CREATE TABLE invite (
        hash TEXT NOT NULL, room TEXT NOT NULL, PRIMARY KEY (hash, room)) WITHOUT ROWID""",
    *person_rows.TABLES,
    "CREATE TABLE tally (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID",
)

_ROOM: Final = (
    "room.stream, room.seq, room.body, room.deadline, room.listed, room.game, room.phase,"
    " room.free, room.at, room.people, room.invites"
)

_ROOM_OR_NEXT: Final = (
    f"SELECT {_ROOM} FROM room WHERE stream = coalesce("
    "(SELECT min(stream) FROM room WHERE stream >= ?), (SELECT min(stream) FROM room))"
)

_Found = tuple[Any, ...]  # Any: a row as sqlite3 gives it


# Rooms.


def read_room(connection: sqlite3.Connection, stream: StreamId) -> Summary | None:
    """One room's row.

    A number that no room has costs what one costs that a room has: another room's row is read.
    """
    found = connection.execute(_ROOM_OR_NEXT, (stream,)).fetchone()
    nearest = None if found is None else _summary(found)
    return nearest if nearest is not None and nearest.stream == stream else None


def read_rooms(connection: sqlite3.Connection) -> list[Summary]:
    """All rooms' rows, by stream."""
    return [
        _summary(found) for found in connection.execute(f"SELECT {_ROOM} FROM room ORDER BY stream")
    ]


def read_room_of_invite(connection: sqlite3.Connection, hashed: str) -> Summary | None:
    """The room of an invite."""
    found = connection.execute(
        f"SELECT {_ROOM} FROM invite JOIN room ON room.stream = invite.room"
        " WHERE invite.hash = ? ORDER BY invite.room LIMIT 1",
        (hashed,),
    ).fetchone()
    return None if found is None else _summary(found)


def read_rooms_of(
    connection: sqlite3.Connection, person: str, since: int, limit: int
) -> list[Summary]:
    """The newest of somebody's rooms that are open."""
    own = "SELECT at, room FROM seat WHERE person = :person AND resting"
    statement = (
        f"SELECT {_ROOM} FROM ({own} = 0 UNION ALL {own} = 1 AND at >= :since"
        " ORDER BY 1 DESC, 2 LIMIT :limit) AS own JOIN room ON room.stream = own.room"
        " ORDER BY room.at DESC, room.stream"
    )
    wanted = {"person": person, "since": since, "limit": limit}
    return [_summary(found) for found in connection.execute(statement, wanted)]


def read_window(connection: sqlite3.Connection, window: Window) -> Page:
    """A page of the lobby, and how many rooms there are on all of them."""
    wanted: dict[str, str | int] = {"since": window.since, "game": window.game}
    wanted |= {f"phase{number}": phase for number, phase in enumerate(window.phases)}
    first = window.page * window.size
    total = 0
    rows: list[Summary] = []
    for walk in _walks(window):
        (length,) = connection.execute(f"SELECT count(*) {walk}", wanted).fetchone()
        passed = max(0, first - total)
        shown = min(first + window.size - total, length) - passed
        if shown > 0:
            rows += _read_part(connection, walk, wanted, (passed, shown, length))
        total += length
    return Page(tuple(rows), total)


def _walks(window: Window) -> list[str]:
    """The walks through the indexes that find a window's rooms, one behind the other.

    What is newer than `since` is shown whatever it does; what is older only if it is played.
    """
    named = ", ".join(f":phase{number}" for number in range(len(window.phases)))
    conditions = (
        " AND game = :game" * bool(window.game)
        + f" AND phase IN ({named})" * bool(window.phases)
        + " AND free > 0" * window.free
    )
    playing = f"FROM room INDEXED BY lobby_playing WHERE shelf = 0{conditions}"
    rests = {phase in RESTING for phase in window.phases} or {False, True}
    if True not in rests:
        return [playing]
    index = "lobby_of_game" if window.game else "lobby"
    new = f"FROM room INDEXED BY {index} WHERE shelf IS NOT NULL AND at >= :since{conditions}"
    return [new, f"{playing} AND at < :since"] if False in rests else [new]


def _read_part(
    connection: sqlite3.Connection,
    walk: str,
    wanted: Mapping[str, str | int],
    part: tuple[int, int, int],
) -> Iterator[Summary]:
    """Rooms of a walk: how many are passed over, how many shown, and how many there are."""
    passed, shown, length = part
    behind = length - passed - shown
    # From the nearer end: what is passed over costs as much as what is shown.
    order, offset = ("at DESC, stream", passed) if passed <= behind else ("at, stream DESC", behind)
    return map(
        _summary,
        connection.execute(
            f"SELECT {_ROOM} FROM (SELECT rowid AS number {walk}"
            f" ORDER BY {order} LIMIT :shown OFFSET :offset) AS part"
            " JOIN room ON room.rowid = part.number ORDER BY room.at DESC, room.stream",
            {**wanted, "shown": shown, "offset": offset},
        ),
    )


def read_due(connection: sqlite3.Connection, now: int, limit: int) -> list[StreamId]:
    """The rooms whose deadline is over, soonest first."""
    return [
        StreamId(stream)
        for (stream,) in connection.execute(
            "SELECT stream FROM room WHERE deadline <= ? ORDER BY deadline, stream LIMIT ?",
            (now, limit),
        )
    ]


def read_tally(connection: sqlite3.Connection) -> dict[str, int]:
    """How many rooms and people there are."""
    sums = connection.execute("SELECT name, number FROM tally WHERE number != 0")
    return {"rooms": 0, "people": 0} | dict(sums)


def write_rooms(connection: sqlite3.Connection, rooms: Iterable[Summary]) -> None:
    """Store rows of rooms, in place of those that are there. Inside a transaction."""
    sums: Counter[str] = Counter()
    for row in rooms:
        old = read_room(connection, row.stream)
        if old is not None:
            _count(sums, old, -1)
        _count(sums, row, 1)
        _write_room(connection, old, row)
    add(connection, sums)


def _write_room(connection: sqlite3.Connection, old: Summary | None, row: Summary) -> None:
    seats, invites = _seats(row), {(hashed, row.stream) for hashed in row.invites}
    seats_before = set() if old is None else _seats(old)
    invites_before = set() if old is None else {(hashed, row.stream) for hashed in old.invites}
    connection.executemany(
        "DELETE FROM seat WHERE person = ? AND resting = ? AND at = ? AND room = ?",
        sorted(seats_before - seats),
    )
    connection.executemany(
        "DELETE FROM invite WHERE hash = ? AND room = ?", sorted(invites_before - invites)
    )
    connection.execute(
        "INSERT INTO room (stream, seq, deadline, listed, game, phase, shelf, free, at,"
        " people, invites, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, deadline = excluded.deadline,"
        " listed = excluded.listed, game = excluded.game, phase = excluded.phase,"
        " shelf = excluded.shelf, free = excluded.free, at = excluded.at,"
        " people = excluded.people, invites = excluded.invites, body = excluded.body",
        (
            *(row.stream, row.seq, row.deadline, row.listed, row.game, row.phase),
            *(row.phase in RESTING if row.listed else None, row.free, row.at),
            *(msgpack.packb(row.people), msgpack.packb(row.invites), row.body),
        ),
    )
    connection.executemany(
        "INSERT INTO seat (person, resting, at, room) VALUES (?, ?, ?, ?)",
        sorted(seats - seats_before),
    )
    connection.executemany(
        "INSERT INTO invite (hash, room) VALUES (?, ?)", sorted(invites - invites_before)
    )


def touch(connection: sqlite3.Connection, streams: Sequence[StreamId], at: int) -> None:
    """Set the rows' `at` where it is earlier. Inside a transaction."""
    for stream in streams:
        old = read_room(connection, stream)
        if old is None or old.at >= at:
            continue
        connection.executemany(
            "UPDATE seat SET at = ? WHERE person = ? AND resting = ? AND at = ? AND room = ?",
            [(at, *seat) for seat in sorted(_seats(old))],
        )
        connection.execute("UPDATE room SET at = ? WHERE stream = ?", (at, stream))


def _summary(found: _Found) -> Summary:
    stream, seq, body, deadline, listed, game, phase, free, at, people, invites = found
    return Summary(
        *(stream, seq, body, deadline, bool(listed), game, phase, free, at),
        people=tuple(msgpack.unpackb(people)),
        invites=tuple(msgpack.unpackb(invites)),
    )


def _seats(row: Summary) -> set[tuple[str, bool, int, StreamId]]:
    return {(person, row.phase in RESTING, row.at, row.stream) for person in row.people}


def _count(sums: Counter[str], row: Summary, change: int) -> None:
    sums["rooms"] += change
    if row.listed:
        sums[f"listed.{row.phase}"] += change


def add(connection: sqlite3.Connection, sums: Mapping[str, int]) -> None:
    """Change the sums in `tally` by so much. Inside a transaction."""
    connection.executemany(
        "INSERT INTO tally (name, number) VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET number = number + excluded.number",
        sorted((name, change) for name, change in sums.items() if change),
    )
