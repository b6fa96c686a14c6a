"""People's rows: how a person is looked up by id, by name and by token; and how they are stored."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection

from bluebear.server.store.schema import PERSON, TOKEN, Statement, columns, insert
from bluebear.server.store.types import PersonRow


def _where(condition: str) -> Statement:
    return Statement(f"""
SELECT id, seq, name, coalesce(key, ''), human, CAST(tokens AS text), used, kept, body FROM person
WHERE {condition}""")  # noqa: S608  # of conditions below


_BY_ID: Final = _where("id = ?1")
_BY_KEY: Final = _where("key = ?1")
_BY_TOKEN: Final = _where("id = (SELECT person FROM token WHERE hash = ?1)")
# No `OR` of both: PostgreSQL would read all people for that.
_HOLDERS: Final = _where("""
id IN (SELECT id FROM person WHERE key IN (SELECT value FROM json_each(?1))
    UNION SELECT person FROM token WHERE hash IN (SELECT value FROM json_each(?2)))""")
_FORGET: Final = (
    Statement("DELETE FROM token WHERE person = ?1"),
    Statement("DELETE FROM person WHERE id = ?1"),
)


def person(connection: Connection, of: str) -> PersonRow | None:
    """A person by their id."""
    return _first(_BY_ID.fetch(connection, of))


def named(connection: Connection, key: str) -> PersonRow | None:
    """The person whose name has this unique shape."""
    return _first(_BY_KEY.fetch(connection, key))


def of_token(connection: Connection, hashed: str) -> PersonRow | None:
    """The person who has a token with this hash."""
    return _first(_BY_TOKEN.fetch(connection, hashed))


def holders(connection: Connection, keys: Sequence[str], tokens: Sequence[str]) -> list[PersonRow]:
    """The people who have any of these names or tokens."""
    rows = _HOLDERS.fetch(connection, json.dumps(keys), json.dumps(tokens))
    return [_person(*row) for row in rows]


def _first(rows: Sequence[Any]) -> PersonRow | None:  # Any: as below
    return _person(*rows[0]) if rows else None


def _person(*columns: Any) -> PersonRow:  # Any: the values of columns
    of, seq, name, key, human, tokens, used, permanent, body = columns
    listed = tuple(json.loads(tokens))
    return PersonRow(of, seq, name, key, bool(human), listed, used, bool(permanent), body)


def write(connection: Connection, rows: Mapping[str, PersonRow | None]) -> None:
    """Store people as they are from now on, by id; None: the row is deleted."""
    # All are deleted first: within one commit a key or a token may pass from one to another.
    for statement in _FORGET:
        statement.many(connection, [(each,) for each in rows])
    stored = [row for row in rows.values() if row is not None]
    insert(connection, PERSON, ({**columns(row), "key": row.key or None} for row in stored))
    tokens = ({"hash": token, "person": row.id} for row in stored for token in row.tokens)
    insert(connection, TOKEN, tokens)
