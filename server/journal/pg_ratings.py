"""How people stand, in PostgreSQL: the table, the statements, the part of the journal over them.

The table came later than the others and is made where it is missing: an earlier server passes it
over. A row is stored only as the one that follows, whoever else writes at the same time.
"""
# ruff: noqa: S608  # statements are joined of constants only; what is said is always a parameter

import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

import asyncpg

from server.journal.entry import Append, RatingKey, RatingRow, StreamId
from server.journal.pg_rows import Row
from server.journal.rating_rows import LAST_SIGN
from server.journal.store import Ranked, RatingStore

SCHEMA: Final = """
CREATE TABLE rating (
    person text COLLATE "C" NOT NULL, game text COLLATE "C" NOT NULL, seats bigint NOT NULL,
    seq bigint NOT NULL, score bigint, body bytea NOT NULL, PRIMARY KEY (person, game, seats));
CREATE INDEX rating_listed ON rating (game, seats, score DESC, person) WHERE score IS NOT NULL;

CREATE FUNCTION put_ratings(rows jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    each jsonb;
BEGIN
    FOR each IN SELECT * FROM jsonb_array_elements(rows) LOOP
        INSERT INTO rating VALUES (
            each->>'person', each->>'game', (each->>'seats')::bigint, (each->>'seq')::bigint,
            (each->>'score')::bigint, decode(each->>'body', 'hex'))
        ON CONFLICT (person, game, seats) DO UPDATE
            SET seq = excluded.seq, score = excluded.score, body = excluded.body
            WHERE rating.seq = excluded.seq - 1;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the rating of % was changed by another', each->>'person';
        END IF;
    END LOOP;
    RETURN true;
END $$;

CREATE FUNCTION set_ratings(mine bigint, rows jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM node WHERE id = 'engine' AND generation = mine FOR SHARE;
    IF NOT FOUND THEN RETURN false; END IF;
    DELETE FROM rating;
    RETURN put_ratings(rows);
END $$;
"""

_COLUMNS: Final = "rating.person, game, seats, rating.seq, score, rating.body"
_BY_KEY: Final = f"SELECT {_COLUMNS} FROM rating WHERE person = $1 AND game = $2 AND seats = $3"
_OF_ONE: Final = f"SELECT {_COLUMNS} FROM rating WHERE person = $1 ORDER BY game, seats LIMIT $2"
_AFTER: Final = (
    f"SELECT {_COLUMNS} FROM rating WHERE (person, game, seats) > ($1, $2, $3)"
    " ORDER BY person, game, seats LIMIT $4"
)
_RANKED: Final = (
    f"SELECT {_COLUMNS}, coalesce(person.name, '') AS name"
    " FROM rating LEFT JOIN person ON person.id = rating.person"
    " WHERE game = $1 AND seats = $2 AND score IS NOT NULL"
    " ORDER BY score DESC, rating.person LIMIT $3 OFFSET $4"
)
_BETTER: Final = (
    "SELECT count(*) FROM (SELECT 1 FROM rating"
    " WHERE game = $1 AND seats = $2 AND score > $3 LIMIT $4) AS found"
)
_STREAMS: Final = (
    "SELECT DISTINCT stream FROM entry WHERE stream > $1 AND stream >= $2 AND stream < $3"
    " ORDER BY stream LIMIT $4"
)
_SEQS: Final = (
    "SELECT person, game, seats, seq FROM rating"
    " JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS wanted(who, what, many)"
    " ON person = who AND game = what AND seats = many"
)

_T = TypeVar("_T")
_Connection = Any  # Any: asyncpg's, whose record class is its own


async def prepare(connection: _Connection) -> None:
    """Make the table where it is missing. Inside a transaction."""
    if await connection.fetchval("SELECT to_regclass('rating')") is None:
        await connection.execute(SCHEMA)


async def stored_seqs(connection: _Connection, batch: Sequence[Append]) -> dict[RatingKey, int]:
    """How often the ratings that a batch speaks of have changed, by key."""
    keys = [row.key for append in batch for row in append.ratings]
    if not keys:
        return {}
    found = await connection.fetch(_SEQS, *map(list, zip(*keys, strict=True)))
    return {(row["person"], row["game"], row["seats"]): row["seq"] for row in found}


def packed(rows: Iterable[RatingRow]) -> str:
    """Rows as `put_ratings` takes them, in the order in which all writers lock them."""
    return json.dumps(
        [
            {
                "person": row.person,
                "game": row.game,
                "seats": row.seats,
                "seq": row.seq,
                "score": row.score,
                "body": row.body.hex(),
            }
            for row in sorted(rows, key=lambda row: row.key)
        ]
    )


def _row(found: Row) -> RatingRow:
    return RatingRow(
        *(found["person"], found["game"], found["seats"], found["seq"], found["score"]),
        bytes(found["body"]),
    )


class PostgresRatings(RatingStore, ABC):
    """A `RatingStore`; the journal says how a database is read and changed."""

    @abstractmethod
    async def _read(
        self,
        read: "Callable[[asyncpg.Connection[Any]], Awaitable[_T]]",  # Any: the record class
    ) -> _T:
        """Read something. Raises `NotRead`."""

    @abstractmethod
    async def _change_all(self, what: str, statement: str, *given: object) -> None:
        """Run one writing statement, given the owner's generation first. Raises `NotSaved`."""

    async def rating(self, key: RatingKey) -> RatingRow | None:
        """See `RatingStore.rating`."""
        found = await self._read(lambda connection: connection.fetchrow(_BY_KEY, *key))
        return None if found is None else _row(found)

    async def ratings_of(self, person: str, limit: int) -> list[RatingRow]:
        """See `RatingStore.ratings_of`."""
        found = await self._read(lambda connection: connection.fetch(_OF_ONE, person, limit))
        return list(map(_row, found))

    async def ranked(self, game: str, seats: int, first: int, count: int) -> list[Ranked]:
        """See `RatingStore.ranked`."""
        found = await self._read(
            lambda connection: connection.fetch(_RANKED, game, seats, count, first)
        )
        return [Ranked(_row(row), row["name"]) for row in found]

    async def better(self, game: str, seats: int, score: int, most: int) -> int:
        """See `RatingStore.better`."""
        count: int = await self._read(
            lambda connection: connection.fetchval(_BETTER, game, seats, score, most)
        )
        return count

    async def ratings_after(self, key: RatingKey, limit: int) -> list[RatingRow]:
        """See `RatingStore.ratings_after`."""
        found = await self._read(lambda connection: connection.fetch(_AFTER, *key, limit))
        return list(map(_row, found))

    async def set_ratings(self, rows: Sequence[RatingRow]) -> None:
        """See `RatingStore.set_ratings`."""
        await self._change_all("ratings", "SELECT set_ratings($1, $2)", packed(rows))

    async def streams(self, prefix: str, after: str, limit: int) -> list[StreamId]:
        """See `RatingStore.streams`."""
        found = await self._read(
            lambda connection: connection.fetch(_STREAMS, after, prefix, prefix + LAST_SIGN, limit)
        )
        return [StreamId(row["stream"]) for row in found]
