"""Ratings: a person's row in a game, and the lists, each a walk through its index."""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, delete, func, select, tuple_

from bluebear.server.store.schema import PERSON, RATING, Statement, columns, insert
from bluebear.server.store.types import Ranked, RatingKey, RatingRow

_KEY_TEXT: Final = "FROM rating WHERE person = ?1 AND game = ?2 AND seats = ?3"
_READ: Final = f"SELECT person, game, seats, seq, score, body {_KEY_TEXT}"  # of constants
_READ_FREE, _READ_LOCKED = Statement(_READ), Statement(_READ, lock=" FOR UPDATE")
_DELETE: Final = Statement(f"DELETE {_KEY_TEXT}")
_OF: Final = (
    select(RATING)
    .where(RATING.c.person == bindparam("of"))
    .order_by(RATING.c.game, RATING.c.seats)
    .limit(bindparam("count"))
)
_KEY: Final = tuple_(RATING.c.person, RATING.c.game, RATING.c.seats)
_AFTER: Final = (
    select(RATING)
    .where(tuple_(bindparam("of"), bindparam("in_game"), bindparam("at_seats")) < _KEY)
    .order_by(RATING.c.person, RATING.c.game, RATING.c.seats)
    .limit(bindparam("count"))
)
_IS_LISTED: Final = (
    RATING.c.game == bindparam("in_game"),
    RATING.c.seats == bindparam("at_seats"),
    RATING.c.score.is_not(None),
)
_RANKED: Final = (
    select(RATING, PERSON.c.name)
    .outerjoin(PERSON, PERSON.c.id == RATING.c.person)
    .where(*_IS_LISTED)
    .order_by(RATING.c.score.desc(), RATING.c.person)
    .limit(bindparam("count"))
    .offset(bindparam("first"))
)
_BETTER: Final = select(func.count()).select_from(
    select(RATING.c.person)
    .where(*_IS_LISTED, RATING.c.score > bindparam("than"))
    .limit(bindparam("most"))
    .subquery()
)


def read(connection: Connection, key: RatingKey) -> RatingRow | None:
    """A person's rating in a game."""
    return read_each(connection, [key]).get(key)


def read_each(
    connection: Connection, keys: Sequence[RatingKey], *, for_update: bool = False
) -> dict[RatingKey, RatingRow]:
    """The ratings with these keys; locked until the transaction ends, where that is wanted."""
    statement = _READ_LOCKED if for_update else _READ_FREE
    rows = [RatingRow(*row) for key in keys for row in statement.fetch(connection, *key)]
    return {row.key: row for row in rows}


def read_of(connection: Connection, person: str, limit: int) -> list[RatingRow]:
    """Up to `limit` rows of one person, by game and seats."""
    return [RatingRow(*row) for row in connection.execute(_OF, {"of": person, "count": limit})]


def after(connection: Connection, key: RatingKey | None, limit: int) -> list[RatingRow]:
    """Up to `limit` ratings whose keys come after this one, by key; None: from the first."""
    names = ("of", "in_game", "at_seats")
    given = {**dict(zip(names, key or ("", "", 0), strict=True)), "count": limit}
    return [RatingRow(*row) for row in connection.execute(_AFTER, given)]


def ranked(connection: Connection, game: str, seats: int, first: int, count: int) -> list[Ranked]:
    """Rows of a list: from the `first`-th (from 0) the next `count`, the best first.

    Equal scores are ordered by person.
    """
    given = {"in_game": game, "at_seats": seats, "first": first, "count": count}
    rows = connection.execute(_RANKED, given)
    return [Ranked(RatingRow(*row), name or "") for *row, name in rows]


def better(connection: Connection, game: str, seats: int, score: int, most: int) -> int:
    """How many on a list have a higher score; counted up to `most`."""
    given = {"in_game": game, "at_seats": seats, "than": score, "most": most}
    return connection.execute(_BETTER, given).scalar_one()


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
    connection.execute(delete(RATING))
    write(connection, rows)
