"""People's rows: how a person is looked up by id, by name and by token; and how they are stored."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, bindparam, select

from bluebear.server.store.schema import PERSON, TOKEN, Statement, columns, insert
from bluebear.server.store.types import PersonRow

_BY_ID: Final = select(PERSON).where(PERSON.c.id == bindparam("value"))
_BY_KEY: Final = select(PERSON).where(PERSON.c.key == bindparam("value"))
_BY_TOKEN: Final = select(PERSON).where(
    PERSON.c.id
    == select(TOKEN.c.person).where(TOKEN.c.hash == bindparam("value")).scalar_subquery()
)
_AFTER: Final = (
    select(PERSON)
    .where(PERSON.c.id > bindparam("value"))
    .order_by(PERSON.c.id)
    .limit(bindparam("count"))
)
# No `OR` of both: PostgreSQL would read all people for that.
_HOLDERS_TEXT: Final = """
SELECT id, seq, name, coalesce(key, ''), human, CAST(tokens AS text), used, kept, body FROM person
WHERE id IN (SELECT id FROM person WHERE key IN (SELECT value FROM json_each(?1))
    UNION SELECT person FROM token WHERE hash IN (SELECT value FROM json_each(?2)))"""
_HOLDERS: Final = Statement(
    _HOLDERS_TEXT, postgres=_HOLDERS_TEXT.replace("json_each", "json_array_elements_text")
)
_FORGET: Final = (
    Statement("DELETE FROM token WHERE person = ?1"),
    Statement("DELETE FROM person WHERE id = ?1"),
)


def person(connection: Connection, of: str) -> PersonRow | None:
    """A person by their id."""
    return _one(connection, _BY_ID, of)


def named(connection: Connection, key: str) -> PersonRow | None:
    """The person whose name has this unique shape."""
    return _one(connection, _BY_KEY, key)


def of_token(connection: Connection, hashed: str) -> PersonRow | None:
    """The person who has a token with this hash."""
    return _one(connection, _BY_TOKEN, hashed)


def after(connection: Connection, of: str, limit: int) -> list[PersonRow]:
    """Up to `limit` people whose ids come after this one, by id."""
    return [PersonRow(*each) for each in connection.execute(_AFTER, {"value": of, "count": limit})]


def holders(connection: Connection, keys: Sequence[str], tokens: Sequence[str]) -> list[PersonRow]:
    """The people who have any of these names or tokens."""
    rows = _HOLDERS.fetch(connection, json.dumps(keys), json.dumps(tokens))
    return [_person(*row) for row in rows]


def _person(*columns: Any) -> PersonRow:  # Any: the values of columns
    of, seq, name, key, human, tokens, *rest = columns
    return PersonRow(of, seq, name, key, bool(human), tuple(json.loads(tokens)), *rest)


def write(connection: Connection, rows: Mapping[str, PersonRow | None]) -> None:
    """Store people as they are from now on, by id; None: the row is deleted."""
    # All are deleted first: within one commit a key or a token may pass from one to another.
    for statement in _FORGET:
        statement.many(connection, [(each,) for each in rows])
    stored = [row for row in rows.values() if row is not None]
    insert(connection, PERSON, ({**columns(row), "key": row.key or None} for row in stored))
    tokens = ({"hash": token, "person": row.id} for row in stored for token in row.tokens)
    insert(connection, TOKEN, tokens)


def _one(connection: Connection, statement: Any, value: str) -> PersonRow | None:
    row = connection.execute(statement, {"value": value}).first()
    return None if row is None else PersonRow(*row)
