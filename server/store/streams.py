"""Entries and snapshots: what is read and written of streams."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from bluebear.server.store import people, ratings
from bluebear.server.store.judge import AppendState, packed
from bluebear.server.store.schema import SNAPSHOT, Statement, columns, upsert
from bluebear.server.store.types import (
    Append,
    Entry,
    EntryKey,
    Snapshot,
    StreamId,
    unpack,
)

SNAPSHOTS_STORED: Final = 2
"""Per stream: a reader who cannot use the newest one has another to fall back to."""

LAST_SIGN: Final = chr(0x10FFFF)
"""No stream's name has it: what begins with a prefix comes before the prefix and this."""

_LOAD: Final = Statement("SELECT seq, body FROM entry WHERE stream = ?1 AND seq > ?2 ORDER BY seq")
_BODY: Final = Statement("SELECT body FROM entry WHERE stream = ?1 AND seq = ?2")
_HEAD: Final = Statement("SELECT seq FROM entry WHERE stream = ?1 ORDER BY seq DESC LIMIT 1")
_BY_CLIENT_ID: Final = Statement(
    "SELECT stream, seq FROM entry WHERE actor = ?1 AND client_id = ?2"
)

_NEWEST: Final = Statement(
    "SELECT seq, body FROM snapshot WHERE stream = ?1 ORDER BY seq DESC LIMIT 1"
)
_OLDER: Final = Statement("""
DELETE FROM snapshot WHERE stream = ?1
AND seq NOT IN (SELECT seq FROM snapshot WHERE stream = ?1 ORDER BY seq DESC LIMIT ?2)""")
_STREAMS: Final = Statement("""
SELECT stream FROM entry WHERE seq = 1 AND stream > ?1 AND stream >= ?2 AND stream < ?3
ORDER BY stream LIMIT ?4""")


def load(connection: Connection, stream: StreamId, after: int = 0) -> list[Entry]:
    """The entries of a stream with a number above `after`. Raises ValueError for foreign bytes."""
    rows = _LOAD.fetch(connection, stream, after)
    return [unpack(stream, seq, body) for seq, body in rows]


def is_stored(connection: Connection, append: Append) -> bool:
    """Whether the very entry is stored, and not another one under its number."""
    rows = _BODY.fetch(connection, append.entry.stream, append.entry.seq)
    return bool(rows) and bytes(rows[0][0]) == packed(append)


def head(connection: Connection, stream: StreamId) -> int:
    """The newest number of a stream; 0: it has no entry."""
    rows = _HEAD.fetch(connection, stream)
    return int(rows[0][0]) if rows else 0


def find(connection: Connection, actor: str, client_id: str) -> EntryKey | None:
    """The entry of an actor with this client id; None if there is none."""
    rows = _BY_CLIENT_ID.fetch(connection, actor, client_id) if client_id else ()
    return (StreamId(rows[0][0]), rows[0][1]) if rows else None


def names(connection: Connection, prefix: str, after: str, limit: int) -> list[StreamId]:
    """Up to `limit` streams whose names begin with a prefix and come after `after`, in order."""
    rows = _STREAMS.fetch(connection, after, prefix, prefix + LAST_SIGN, limit)
    return [StreamId(name) for (name,) in rows]


def snapshot(connection: Connection, stream: StreamId) -> Snapshot | None:
    """The newest snapshot of a stream."""
    rows = _NEWEST.fetch(connection, stream)
    return Snapshot(stream, rows[0][0], bytes(rows[0][1])) if rows else None


def save_snapshot(connection: Connection, made: Snapshot) -> None:
    """Store a snapshot and delete those that are too old. Raises ValueError for one of no entry."""
    newest = head(connection, made.stream)
    if not 0 < made.seq <= newest:
        raise ValueError(f"a snapshot at {made.seq}, but the newest is {newest}")
    upsert(connection, SNAPSHOT, [columns(made)])
    _OLDER.fetch(connection, made.stream, SNAPSHOTS_STORED)


def add_rows(connection: Connection, batch: Sequence[Append], state: AppendState) -> None:
    """Look up the stored people and ratings of a batch, into `state`."""
    claims = [append.person for append in batch if append.person is not None]
    if claims:
        keys = [claim.key for claim in claims if claim.key]
        tokens = [token for claim in claims for token in claim.tokens]
        for row in people.holders(connection, keys, tokens):
            if row.key:
                state.by_key[row.key] = row
            state.by_token.update(dict.fromkeys(row.tokens, row))
    keys_of = sorted({row.key for append in batch for row in append.ratings})
    stored = ratings.read_each(connection, keys_of, for_update=True)
    state.ratings = {key: rating.seq for key, rating in stored.items()}
