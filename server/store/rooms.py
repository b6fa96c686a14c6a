"""Rooms' rows: how rooms are looked up, windows of the lobby, and how rows are written.

Every look-up uses an index. A window walks through an index alone until it knows which rooms it
shows: what is newer than `since` is shown whatever its phase, what is older only while it is
played.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection

from bluebear.server.store.schema import (
    INVITE,
    ROOM,
    SEAT,
    Statement,
    columns,
    insert,
    upsert,
)
from bluebear.server.store.types import RESTING, Page, StreamId, Summary, Window

TOUCHED_AT_ONCE: Final = 64
"""Rooms touched in one commit, about 5 ms: entries of other rooms need not wait for all."""

_NEWEST_FIRST: Final = "room.at DESC, stream"
_OLDEST_FIRST: Final = "room.at, stream DESC"
_NEW: Final = "shelf IS NOT NULL AND at >= ?1"
_PLAYED: Final = "shelf = 0 AND at >= ?1"
_OLD: Final = "shelf = 0 AND at < ?1"

_COLUMNS: Final = """
room.stream, seq, body, deadline, shelf, game, phase, free, room.at, CAST(people AS text),
CAST(invites AS text)"""


def _rows(rest: str) -> Statement:
    return Statement(f"SELECT {_COLUMNS} FROM room {rest}")  # noqa: S608  # of texts below


# A number that no room has costs what one costs that a room has: another room's row is read.
_ROOM_OR_NEXT: Final = _rows("""
WHERE stream = coalesce(
    (SELECT min(stream) FROM room WHERE stream >= ?1), (SELECT min(stream) FROM room))""")
_OF_STREAMS: Final = _rows("WHERE stream IN (SELECT value FROM json_each(?1))")
_OF_INVITE: Final = _rows("""
JOIN invite ON invite.room = room.stream WHERE hash = ?1 ORDER BY room.stream LIMIT 1""")
_ROOMS_OF: Final = _rows("""
JOIN (
    SELECT at AS newest, room FROM seat WHERE person = ?1 AND resting = 0
    UNION ALL SELECT at, room FROM seat WHERE person = ?1 AND resting = 1 AND at >= ?2
    ORDER BY newest DESC, room LIMIT ?3) AS shown
ON shown.room = room.stream ORDER BY room.at DESC, room.stream""")
_DUE: Final = Statement("""
SELECT stream FROM room WHERE deadline IS NOT NULL AND deadline <= ?1
ORDER BY deadline, stream LIMIT ?2""")
_EARLIER: Final = Statement(
    """
SELECT stream FROM room WHERE stream IN (SELECT value FROM json_each(?1)) AND at < ?2
ORDER BY stream""",
    lock=" FOR UPDATE",
)
_TOUCH: Final = (
    Statement("UPDATE room SET at = ?2 WHERE stream IN (SELECT value FROM json_each(?1))"),
    Statement("UPDATE seat SET at = ?2 WHERE room IN (SELECT value FROM json_each(?1))"),
)
_UNSEAT: Final = Statement("DELETE FROM seat WHERE room = ?1")
_UNINVITE: Final = Statement("DELETE FROM invite WHERE room = ?1")


def room(connection: Connection, stream: StreamId) -> Summary | None:
    """One room's row, closed ones too."""
    for nearest in map(_summary, _ROOM_OR_NEXT.fetch(connection, stream)):
        return nearest if nearest.stream == stream else None
    return None


def of_streams(connection: Connection, streams: Iterable[StreamId]) -> list[Summary]:
    """The rows of these rooms, closed ones too."""
    return [_summary(row) for row in _OF_STREAMS.fetch(connection, json.dumps(list(streams)))]


def of_invite(connection: Connection, hashed: str) -> Summary | None:
    """The room whose valid invite has this hash."""
    return next(map(_summary, _OF_INVITE.fetch(connection, hashed)), None)


def rooms_of(connection: Connection, person: str, since: int, limit: int) -> list[Summary]:
    """Up to `limit` rooms where a person sits or is host, newest first; no closed ones."""
    return [_summary(row) for row in _ROOMS_OF.fetch(connection, person, since, limit)]


def due(connection: Connection, now: int, limit: int) -> list[StreamId]:
    """Up to `limit` rooms whose deadline is not after `now`, soonest first."""
    return [StreamId(stream) for (stream,) in _DUE.fetch(connection, now, limit)]


def window(connection: Connection, wanted: Window) -> Page:
    """A page of the lobby, and how many rooms all pages have."""
    first, total = wanted.page * wanted.size, 0
    rows: list[Summary] = []
    # The walks through indexes that find its rooms, one after the other.
    played, listed = [(_PLAYED, 0)], [(_NEW, wanted.since), (_OLD, wanted.since)]
    for walk, since in played if wanted.running else listed:
        length, *pages = _walk(walk, game=bool(wanted.game), free=wanted.free)
        given = (since, wanted.game) if wanted.game else (since,)
        [(there,)] = length.fetch(connection, *given)
        passed = max(0, first - total)
        shown = min(first + wanted.size - total, there) - passed
        if shown > 0:
            # From the nearer end: what is passed over costs as much as what is shown.
            behind = there - passed - shown
            page = pages[behind < passed]
            rows += map(_summary, page.fetch(connection, *given, shown, min(passed, behind)))
        total += there
    return Page(tuple(rows), total)


@cache
def _walk(where: str, *, game: bool, free: bool) -> tuple[Statement, ...]:
    """The number of rooms of a walk, and some of them, counted from its beginning and its end."""
    where += f"{' AND game = ?2' if game else ''}{' AND free > 0' if free else ''}"
    shown, passed = ("?3", "?4") if game else ("?2", "?3")
    inner = "JOIN (SELECT stream AS id FROM room WHERE", where, "ORDER BY"
    outer = "LIMIT", shown, "OFFSET", passed, ") AS shown ON id = stream ORDER BY", _NEWEST_FIRST
    pages = (_rows(" ".join((*inner, order, *outer))) for order in (_NEWEST_FIRST, _OLDEST_FIRST))
    count = "SELECT count(*) FROM room WHERE", where
    return Statement(" ".join(count)), *pages


# Writing.


def write(connection: Connection, rows: Iterable[Summary]) -> None:
    """Store rows of rooms in place of those that there are."""
    now = sorted(rows, key=lambda row: row.stream)
    # At first, since that locks the rooms.
    upsert(connection, ROOM, map(_columns, now))
    for statement in (_UNSEAT, _UNINVITE):
        statement.many(connection, [(row.stream,) for row in now])
    insert(connection, SEAT, (each for row in now for each in _seats(row)))
    invites = ({"hash": each, "room": row.stream} for row in now for each in sorted({*row.invites}))
    insert(connection, INVITE, invites)


def touch(connection: Connection, streams: Sequence[StreamId], at: int) -> None:
    """Set the rows' `at` where it is earlier: rooms with members stay open."""
    rows = _EARLIER.fetch(connection, json.dumps(list(streams)), at)
    earlier = json.dumps([stream for (stream,) in rows])
    for statement in _TOUCH:
        statement.fetch(connection, earlier, at)


def _seats(row: Summary) -> Iterable[Mapping[str, str | int]]:
    resting = int(row.phase in RESTING)
    for each in sorted({*row.people}):
        yield {"person": each, "resting": resting, "at": row.at, "room": row.stream}


def _summary(columns: Any) -> Summary:  # Any: a row of the result
    stream, seq, body, deadline, shelf, *rest, people, invites = columns
    lists = (tuple(json.loads(each)) for each in (people, invites))
    return Summary(stream, seq, bytes(body), deadline, shelf is not None, *rest, *lists)


def _columns(row: Summary) -> Mapping[str, Any]:  # Any: the values of columns
    values = columns(row)
    return {**values, "shelf": int(row.phase in RESTING) if values.pop("listed") else None}
