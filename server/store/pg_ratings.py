"""How people stand, in PostgreSQL: the table, the statements, the part of the journal over them.

A row is stored only as the one that follows, whoever else writes at the same time.
"""
# ruff: noqa: S608  # statements are joined of constants only; what is said is always a parameter

import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

import asyncpg

from bluebear.server.store.pg_fence import FENCE
from bluebear.server.store.pg_rows import Row
from bluebear.server.store.rating_rows import LAST_SIGN
from bluebear.server.store.store import RatingStore
from bluebear.server.store.types import Append, Ranked, RatingKey, RatingRow, StreamId

TABLES: Final = """
CREATE TABLE rating (
    person text COLLATE "C" NOT NULL, game text COLLATE "C" NOT NULL, seats bigint NOT NULL,
    seq bigint NOT NULL, score bigint, body bytea NOT NULL, PRIMARY KEY (person, game, seats));
CREATE INDEX rating_listed ON rating (game, seats, score DESC, person)
    WHERE score IS NOT NULL;

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

_SET: Final = f"""
WITH {FENCE},
gone AS (DELETE FROM rating USING fence RETURNING 1),
come AS (
    INSERT INTO rating (person, game, seats, seq, score, body)
    SELECT person, game, seats, seq, score, decode(body, 'hex')
    FROM fence, jsonb_to_recordset($3::jsonb) AS given(
        person text, game text, seats bigint, seq bigint, score bigint, body text)
    WHERE (SELECT count(*) FROM gone) >= 0)
SELECT EXISTS (SELECT FROM fence)"""

_NO_STREAM: Final = StreamId("")
_T = TypeVar("_T")
_Connection = Any  # Any: asyncpg's, whose record class is its own


async def stored_seqs(connection: _Connection, batch: Sequence[Append]) -> dict[RatingKey, int]:
    """How often the ratings that a batch speaks of have changed, by key."""
    keys = [row.key for append in batch for row in append.ratings]
    if not keys:
        return {}
    found = await connection.fetch(_SEQS, *map(list, zip(*keys, strict=True)))
    return {(row["person"], row["game"], row["seats"]): row["seq"] for row in found}


def packed(rows: Iterable[tuple[StreamId, RatingRow]]) -> str:
    """Rows as statements take them, each with the stream of its entry, in the order in which all
    writers lock them.
    """
    return json.dumps(
        [
            {
                "stream": stream,
                "person": row.person,
                "game": row.game,
                "seats": row.seats,
                "seq": row.seq,
                "score": row.score,
                "body": row.body.hex(),
            }
            for stream, row in sorted(rows, key=lambda each: (each[1].key, each[1].seq))
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
    async def _say(self, what: str, statement: str, *given: object) -> None:
        """Run one writing statement, given the writer and his generation first. Raises `NotSaved`.

        It gives whether that still holds.
        """

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

    async def set_ratings(self, rows: Sequence[RatingRow]) -> None:
        """See `RatingStore.set_ratings`."""
        await self._say("ratings", _SET, packed((_NO_STREAM, row) for row in rows))

    async def ratings_after(self, key: RatingKey | None, limit: int) -> list[RatingRow]:
        """See `WholeStore.ratings_after`."""
        first = key or ("", "", 0)
        found = await self._read(lambda connection: connection.fetch(_AFTER, *first, limit))
        return list(map(_row, found))

    async def streams(self, prefix: str, after: str, limit: int) -> list[StreamId]:
        """See `RatingStore.streams`."""
        found = await self._read(
            lambda connection: connection.fetch(_STREAMS, after, prefix, prefix + LAST_SIGN, limit)
        )
        return [StreamId(row["stream"]) for row in found]
