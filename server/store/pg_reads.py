"""What is read from PostgreSQL: entries, snapshots, rooms and people."""
# ruff: noqa: S608  # statements are joined of constants only; what is said is always a parameter

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from bluebear.server.store import pg_ratings, pg_rows
from bluebear.server.store.judge import packed
from bluebear.server.store.pg_link import Connection
from bluebear.server.store.types import (
    Append,
    Entry,
    NotSaved,
    Page,
    PersonRow,
    Place,
    Snapshot,
    StreamId,
    Summary,
    Window,
    unpack,
)

_T = TypeVar("_T")


class PostgresReads:
    """The reading half of a `Store`; a subclass says on which connection, and when."""

    async def _read(self, read: Callable[[Connection], Awaitable[_T]]) -> _T:
        """What is read there, nothing being in flight whose end is unknown. Raises NotRead."""
        raise NotImplementedError

    async def load(self, stream: StreamId, after: int = 0) -> list[Entry]:
        """See `Journal.load`."""
        found = await self._read(
            lambda connection: connection.fetch(
                "SELECT seq, body FROM entry WHERE stream = $1 AND seq > $2 ORDER BY seq",
                *(stream, after),
            )
        )
        return [unpack(stream, row["seq"], bytes(row["body"])) for row in found]

    async def find(self, actor: str, client_id: str) -> Place | None:
        """See `Journal.find`."""
        found = await self._read(
            lambda connection: connection.fetchrow(
                "SELECT stream, seq FROM entry"
                " WHERE actor = $1 AND client_id = $2 AND client_id <> ''",
                *(actor, client_id),
            )
        )
        return None if found is None else (StreamId(found["stream"]), found["seq"])

    async def snapshot(self, stream: StreamId) -> Snapshot | None:
        """See `Journal.snapshot`."""
        found = await self._read(
            lambda connection: connection.fetchrow(
                "SELECT seq, body FROM snapshot WHERE stream = $1 ORDER BY seq DESC LIMIT 1",
                stream,
            )
        )
        return None if found is None else Snapshot(stream, found["seq"], bytes(found["body"]))

    # Rooms.

    async def summaries(self) -> list[Summary]:
        """See `Journal.summaries`."""
        statement = f"SELECT {pg_rows.ROOM} FROM room ORDER BY stream"
        found = await self._read(lambda connection: connection.fetch(statement))
        return list(map(pg_rows.summary, found))

    async def room(self, stream: StreamId) -> Summary | None:
        """See `Store.room`."""
        nearest = await self._room(pg_rows.ROOM_OR_NEXT, stream)
        return nearest if nearest is not None and nearest.stream == stream else None

    async def room_of_invite(self, hashed: str) -> Summary | None:
        """See `Store.room_of_invite`."""
        return await self._room(pg_rows.ROOM_OF_INVITE, hashed)

    async def _room(self, statement: str, given: str) -> Summary | None:
        found = await self._read(lambda connection: connection.fetchrow(statement, given))
        return None if found is None else pg_rows.summary(found)

    async def rooms_of(self, person: str, *, since: int, limit: int) -> list[Summary]:
        """See `Store.rooms_of`."""
        found = await self._read(
            lambda connection: connection.fetch(pg_rows.ROOMS_OF, person, since, limit)
        )
        return list(map(pg_rows.summary, found))

    async def window(self, window: Window) -> Page:
        """See `Store.window`."""
        count, page, given = pg_rows.window_statements(window)

        async def read(connection: Connection) -> Page:
            total = await connection.fetchval(count, *given)
            first = window.page * window.size
            found = await connection.fetch(page, *given, window.size, first)
            return Page(tuple(map(pg_rows.summary, found)), total)

        return await self._read(read)

    async def due(self, now: int, limit: int) -> list[StreamId]:
        """See `Store.due`."""
        found = await self._read(lambda connection: connection.fetch(pg_rows.DUE, now, limit))
        return [StreamId(row["stream"]) for row in found]

    async def counts(self) -> Mapping[str, int]:
        """See `Store.counts`."""
        statement = "SELECT name, number FROM tally WHERE number <> 0"
        found = await self._read(lambda connection: connection.fetch(statement))
        return {"rooms": 0, "people": 0} | {row["name"]: row["number"] for row in found}

    # People.

    async def person(self, person: str) -> PersonRow | None:
        """See `Store.person`."""
        return await self._person("id = $1", person)

    async def person_named(self, key: str) -> PersonRow | None:
        """See `Store.person_named`."""
        return await self._person("key = $1 AND key <> ''", key)

    async def person_of_token(self, hashed: str) -> PersonRow | None:
        """See `Store.person_of_token`."""
        return await self._person("id = (SELECT person FROM token WHERE hash = $1)", hashed)

    async def people_after(self, person: str, limit: int) -> list[PersonRow]:
        """See `WholeStore.people_after`."""
        statement = f"SELECT {pg_rows.PERSON} FROM person WHERE id > $1 ORDER BY id LIMIT $2"
        found = await self._read(lambda connection: connection.fetch(statement, person, limit))
        return list(map(pg_rows.person, found))

    async def _person(self, whose: str, value: str) -> PersonRow | None:
        statement = f"SELECT {pg_rows.PERSON} FROM person WHERE {whose}"
        found = await self._read(lambda connection: connection.fetchrow(statement, value))
        return None if found is None else pg_rows.person(found)


async def stored(connection: Connection, batch: Sequence[Append]) -> pg_rows.Stored:
    """What is stored of all that a batch speaks of."""
    known = pg_rows.Stored()
    entries = [append.entry for append in batch]
    for row in await connection.fetch(pg_rows.HEADS, list({each.stream for each in entries})):
        known.heads[row["stream"]] = row["head"] or 0
    said = [each for each in entries if each.client_id]
    if said:
        actors, called = [each.actor for each in said], [each.client_id for each in said]
        for row in await connection.fetch(pg_rows.PLACES, actors, called):
            place = StreamId(row["stream"]), row["seq"]
            known.places[row["actor"], row["client_id"]] = place
    keys, tokens = pg_rows.claims_of(batch)
    if keys or tokens:
        for row in await connection.fetch(pg_rows.HOLDERS, keys, tokens):
            found = pg_rows.person(row)
            if found.key:
                known.by_key[found.key] = found
            known.by_token.update(dict.fromkeys(found.tokens, found))
    known.ratings = await pg_ratings.stored_seqs(connection, batch)
    return known


async def are_there(connection: Connection, batch: Sequence[Append]) -> list[bool]:
    """Of each entry, whether it is stored: it, and not another one at its place."""
    bodies = [packed(append) for append in batch]
    entries = [append.entry for append in batch]
    found = await connection.fetch(
        "SELECT coalesce(entry.body = given.body, false) AS is_there"
        " FROM unnest($1::text[], $2::bigint[], $3::bytea[])"
        " WITH ORDINALITY AS given(stream, seq, body, number)"
        " LEFT JOIN entry ON entry.stream = given.stream AND entry.seq = given.seq"
        " ORDER BY number",
        [entry.stream for entry in entries],
        [entry.seq for entry in entries],
        [None if isinstance(body, NotSaved) else body for body in bodies],
    )
    return [row["is_there"] for row in found]
