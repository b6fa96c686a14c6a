"""The tables of the store, for both databases.

Text is ordered by its bytes in both. What is missing is NULL, never "". Lists are JSON. Conditions
of partial indexes compare numbers: SQLite never uses an index on `x` for the `x = 1` that
SQLAlchemy writes for a boolean.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    literal_column,
    select,
    text,
    tuple_,
)
from sqlalchemy.util import await_only

METADATA: Final = MetaData()


_TEXT: Final = Text().with_variant(Text(collation="C"), "postgresql")
_NUMBER: Final = BigInteger().with_variant(Integer(), "sqlite")


def _text(name: str, *, optional: bool = False, **more: Any) -> Column[str]:  # Any: as Column's
    return Column(name, _TEXT, nullable=optional, **more)


def _number(name: str, *, optional: bool = False, **more: Any) -> Column[int]:  # Any: as Column's
    return Column(name, _NUMBER, nullable=optional, **more)


def _body() -> Column[bytes]:
    return Column("body", LargeBinary, nullable=False)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False)


def _list(name: str) -> Column[tuple[str, ...]]:
    return Column(name, JSON, nullable=False)


def _table(name: str, key: str, *columns: Column[Any], rowid: bool = True) -> Table:
    """A table and its primary key; Any: the values of columns. SQLite may do without row ids."""
    return Table(
        name, METADATA, *columns, PrimaryKeyConstraint(*key.split()), sqlite_with_rowid=rowid
    )


def _index(name: str, *columns: Any, unique: bool = False, where: Any = None) -> None:
    """An index over columns or expressions of them, of which Any tells no more."""
    # Each database has an option for its condition; to name both here would load both dialects.
    Index(name, *columns, unique=unique, info={"where": where})


ENTRY: Final = _table(
    "entry",
    "stream seq",
    *(_text("stream"), _number("seq"), _text("actor"), _text("client_id", optional=True), _body()),
)
_index(
    "entry_client_id",
    *(ENTRY.c.actor, ENTRY.c.client_id),
    unique=True,
    where=ENTRY.c.client_id.is_not(None),
)

SNAPSHOT: Final = _table("snapshot", "stream seq", _text("stream"), _number("seq"), _body())

ROOM: Final = _table(
    "room",
    "stream",
    *(_text("stream"), _number("seq"), _body(), _number("deadline", optional=True)),
    # NULL: not listed; 0: a game runs; 1: resting.
    _number("shelf", optional=True),
    *(_text("game"), _text("phase"), _number("free"), _number("at")),
    *(_list("people"), _list("invites")),
)
_IS_LISTED: Final = ROOM.c.shelf.is_not(None)
# They have all that a window asks for, so that only the rows that it shows are read.
_index(
    "room_listed",
    *(ROOM.c.at.desc(), ROOM.c.stream, ROOM.c.shelf, ROOM.c.free, ROOM.c.game, ROOM.c.phase),
    where=_IS_LISTED,
)
_index(
    "room_listed_game",
    *(ROOM.c.game, ROOM.c.at.desc(), ROOM.c.stream, ROOM.c.shelf, ROOM.c.free, ROOM.c.phase),
    where=_IS_LISTED,
)
_index(
    "room_played",
    *(ROOM.c.shelf, ROOM.c.at.desc(), ROOM.c.stream, ROOM.c.free, ROOM.c.game, ROOM.c.phase),
    where=ROOM.c.shelf == literal_column("0"),
)
_index("room_due", ROOM.c.deadline, ROOM.c.stream, where=ROOM.c.deadline.is_not(None))

SEAT: Final = _table(
    "seat",
    "person resting at room",
    *(_text("person"), _number("resting"), _number("at"), _text("room")),
    rowid=False,
)
_index("seat_room", SEAT.c.room)

INVITE: Final = _table("invite", "hash room", _text("hash"), _text("room"), rowid=False)
_index("invite_room", INVITE.c.room)

PERSON: Final = _table(
    "person",
    "id",
    *(_text("id"), _number("seq"), _text("name"), _text("key", optional=True), _flag("human")),
    *(_list("tokens"), _number("used"), _flag("kept"), _body()),
)
_index("person_key", PERSON.c.key, unique=True)

TOKEN: Final = _table("token", "hash", _text("hash"), _text("person"), rowid=False)
_index("token_person", TOKEN.c.person)

RATING: Final = _table(
    "rating",
    "person game seats",
    *(_text("person"), _text("game"), _number("seats"), _number("seq")),
    *(_number("score", optional=True), _body()),
    rowid=False,
)
_index(
    "rating_listed",
    *(RATING.c.game, RATING.c.seats, RATING.c.score.desc(), RATING.c.person),
    where=RATING.c.score.is_not(None),
)

# `sender` is the node that sends it.
OUTBOX: Final = _table(
    "outbox", "id", _text("id"), _number("due"), _body(), _text("sender", optional=True)
)
_index("outbox_due", OUTBOX.c.due, OUTBOX.c.id)

STORED: Final = (ENTRY, SNAPSHOT, ROOM, SEAT, INVITE, PERSON, TOKEN, RATING, OUTBOX)
"""What stays when all nodes have ended."""

# Nodes: who writes with which generation, and which node owns which room.

ALONE: Final = "engine"
"""The row of a server that has the whole store. Its generation grows with each node that joins."""

NODE: Final = _table(
    "node",
    "id",
    *(_text("id"), _number("generation"), _text("name"), _text("address")),
    *(_text("version"), _text("state")),
    # The server that has the whole database, one after another under one id.
    _text("life", optional=True),
    # What it reports of itself every few seconds.
    _text("stats", optional=True),
)
_index("node_name", NODE.c.name, unique=True, where=text("state <> 'dead'"))

BEAT: Final = _table("beat", "node", _text("node"), _number("at"), _number("since"))

OWNER: Final = _table(
    "owner",
    "room",
    *(_text("room"), _text("node", optional=True), _number("epoch")),
    # What an owner hands along with a room that is not in the journal.
    Column("carried", LargeBinary, nullable=True),
)
_index("owner_node", OWNER.c.node)

ATTENDING: Final = _table(
    "attending",
    "person node",
    *(_text("person"), _text("node"), _number("since"), _text("away", optional=True)),
    _list("rooms"),
)
_index("attending_node", ATTENDING.c.node)

MATCH_REQUEST: Final = _table(
    "match_request",
    "person game",
    *(_text("person"), _text("game"), _number("least"), _number("most")),
    *(_flag("human"), _flag("bots"), _number("since"), _text("node", optional=True)),
    *(_number("disconnected", optional=True), _text("offer", optional=True)),
    *(_number("until", optional=True), _number("accepted", optional=True)),
    _text("room", optional=True),
)


# Statements over them, as texts that both databases read.

_VALUE: Final = re.compile(r"\?(\d+)")


class Statement:
    """A prepared text in both databases' spelling, with `?1, ?2`; only PostgreSQL has a `lock`.

    A list of texts is given as JSON, for `(SELECT value FROM json_each(?1))`.
    """

    def __init__(self, text: str, *, postgres: str | None = None, lock: str = "") -> None:
        spelled = (postgres or text).replace("json_each(", "json_array_elements_text(")
        self._sqlite, self._postgres = text, _VALUE.sub(r"$\1", spelled) + lock

    def fetch(self, connection: Connection, *given: object) -> Sequence[Any]:  # Any: driver's rows
        """Run it; all rows of its result."""
        driver: Any = connection.connection.driver_connection
        if connection.dialect.name == "sqlite":
            return list(driver.execute(self._sqlite, given))
        return list(call(driver, "fetch", self._postgres, *given))

    def many(self, connection: Connection, every: Sequence[Sequence[object]]) -> None:
        """Run it with each of these values."""
        driver: Any = connection.connection.driver_connection
        if every and connection.dialect.name == "sqlite":
            driver.executemany(self._sqlite, every)
        elif every:
            call(driver, "executemany", self._postgres, every)


def call(driver: Any, method: str, *given: object) -> Any:  # Any: asyncpg's
    """What a method of PostgreSQL's driver returns or raises, awaited in the greenlet."""
    try:
        return await_only(getattr(driver, method)(*given))
    except AttributeError as error:
        # The driver is in pieces where a timer has ended it between two of its steps.
        if driver.is_closed():
            from asyncpg import InterfaceError  # noqa: PLC0415  # which it belongs to

            raise InterfaceError("terminated") from error
        raise


def columns(row: Any) -> dict[str, Any]:  # Any: a row of `types`, whose fields are columns
    """The values of a row, by the names of its columns."""
    return {name: getattr(row, name) for name in row.__slots__}


def key_of(table: Table, row: Mapping[str, Any]) -> tuple[Any, ...]:  # Any: the values of columns
    """The primary key of a row."""
    return tuple(row[column.name] for column in table.primary_key)


def page(
    connection: Connection, table: Table, after: Sequence[Any], limit: int
) -> list[dict[str, Any]]:  # Any: the values of columns
    """Up to `limit` rows whose keys come after this one, by key; (): from the first."""
    keys = tuple(table.primary_key)
    rows = select(table).order_by(*keys).limit(limit)
    rows = rows.where(tuple_(*keys) > tuple_(*after)) if after else rows
    names = table.c.keys()
    return [dict(zip(names, row, strict=True)) for row in connection.execute(rows)]


def insert(connection: Connection, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert rows; Any: the values of columns."""
    _insert(table, replaces=False).many(connection, _values(table, rows))


def upsert(connection: Connection, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert rows, in place of those with their primary keys. Any: the values of columns."""
    _insert(table, replaces=True).many(connection, _values(table, rows))


def _values(table: Table, rows: Iterable[Mapping[str, Any]]) -> list[list[Any]]:  # Any: as above
    values = ([row[each.name] for each in table.c] for row in rows)
    return [[json.dumps(v) if isinstance(v, tuple | list) else v for v in each] for each in values]


@cache
def _insert(table: Table, *, replaces: bool) -> Statement:
    names = [column.name for column in table.c]
    keys = [column.name for column in table.primary_key]
    values = ", ".join(f"?{number}" for number in range(1, len(names) + 1))
    text = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({values})"  # noqa: S608  # of names
    rest = ", ".join(f"{name} = excluded.{name}" for name in names if name not in keys)
    change = f"UPDATE SET {rest}" if rest else "NOTHING"
    more = f" ON CONFLICT ({', '.join(keys)}) DO {change}" if replaces else ""
    return Statement(text + more)
