"""Ratings: a person's row in a game, and the lists, each a walk through its index."""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection

from bluebear.server.store.schema import RATING, Statement, columns, insert
from bluebear.server.store.types import Ranked, RatingKey, RatingRow

_KEY: Final = "WHERE person = ?1 AND game = ?2 AND seats = ?3"


def _rows(rest: str, lock: str = "") -> Statement:
    text = f"SELECT person, game, seats, seq, score, body FROM rating {rest}"  # noqa: S608  # of texts below
    return Statement(text, lock=lock)


_READ: Final = _rows(_KEY)
_READ_LOCKED: Final = _rows(_KEY, lock=" FOR UPDATE")
_DELETE: Final = Statement(f"DELETE FROM rating {_KEY}")  # noqa: S608  # of constants only
_OF: Final = _rows("WHERE person = ?1 ORDER BY game, seats LIMIT ?2")
_AFTER: Final = _rows("""
WHERE (person, game, seats) > (?1, ?2, ?3) ORDER BY person, game, seats LIMIT ?4""")
_RANKED: Final = Statement("""
SELECT rating.person, game, seats, rating.seq, score, rating.body, coalesce(name, '')
FROM rating LEFT JOIN person ON person.id = rating.person
WHERE game = ?1 AND seats = ?2 AND score IS NOT NULL
ORDER BY score DESC, rating.person LIMIT ?4 OFFSET ?3""")
_BETTER: Final = Statement("""
SELECT count(*) FROM (
    SELECT 1 FROM rating WHERE game = ?1 AND seats = ?2 AND score > ?3 LIMIT ?4) AS better""")
_DELETE_ALL: Final = Statement("DELETE FROM rating")


def read(connection: Connection, key: RatingKey) -> RatingRow | None:
    """A person's rating in a game."""
    return read_each(connection, [key]).get(key)


def read_each(
    connection: Connection, keys: Sequence[RatingKey], *, for_update: bool = False
) -> dict[RatingKey, RatingRow]:
    """The ratings with these keys; locked until the transaction ends, where that is wanted."""
    statement = _READ_LOCKED if for_update else _READ
    rows = [RatingRow(*row) for key in keys for row in statement.fetch(connection, *key)]
    return {row.key: row for row in rows}


def read_of(connection: Connection, person: str, limit: int) -> list[RatingRow]:
    """Up to `limit` rows of one person, by game and seats."""
    return [RatingRow(*row) for row in _OF.fetch(connection, person, limit)]


def after(connection: Connection, key: RatingKey | None, limit: int) -> list[RatingRow]:
    """Up to `limit` ratings whose keys come after this one, by key; None: from the first."""
    return [RatingRow(*row) for row in _AFTER.fetch(connection, *(key or ("", "", 0)), limit)]


def ranked(connection: Connection, game: str, seats: int, first: int, count: int) -> list[Ranked]:
    """Rows of a list: from the `first`-th (from 0) the next `count`, the best first.

    Equal scores are ordered by person.
    """
    rows = _RANKED.fetch(connection, game, seats, first, count)
    return [Ranked(RatingRow(*row), name) for *row, name in rows]


def better(connection: Connection, game: str, seats: int, score: int, most: int) -> int:
    """How many on a list have a higher score; counted up to `most`."""
    [(count,)] = _BETTER.fetch(connection, game, seats, score, most)
    return int(count)


def write(connection: Connection, rows: Iterable[RatingRow]) -> None:
    """Store rows in place of those with their keys.

    What was locked before is deleted and inserted; of two writers that have found no row, one
    conflicts with the other.
    """
    every = sorted(rows, key=lambda row: row.key)
    _DELETE.many(connection, [row.key for row in every])
    insert(connection, RATING, map(columns, every))


def replace_all(connection: Connection, rows: Sequence[RatingRow]) -> None:
    """Store rows in place of all that there are."""
    _DELETE_ALL.fetch(connection)
    write(connection, rows)
