"""The outbox: messages to the outside, stored with their entries until they are settled."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection

from bluebear.server.store.schema import OUTBOX, Statement, columns, upsert
from bluebear.server.store.types import Outgoing

_CLAIMABLE: Final = Statement(
    """
SELECT id, due, body FROM outbox WHERE due <= ?1
AND (sender IS NULL OR sender = ?3 OR sender NOT IN (SELECT id FROM node WHERE state <> 'dead'))
ORDER BY due, id LIMIT ?2""",
    lock=" FOR UPDATE SKIP LOCKED",
)
_CLAIM: Final = Statement("""
UPDATE outbox SET sender = ?2 WHERE id IN (SELECT value FROM json_each(?1))""")
_REMOVE: Final = Statement("DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?1))")


def claim(connection: Connection, node: str, now: int, limit: int) -> list[Outgoing]:
    """Up to `limit` messages that are due, soonest first, for who sends them: no other node does
    as long as this one lives.
    """
    due = [Outgoing(*row) for row in _CLAIMABLE.fetch(connection, now, limit, node)]
    if due:
        _CLAIM.fetch(connection, json.dumps([each.id for each in due]), node)
    return due


def put(connection: Connection, outgoing: Iterable[Outgoing]) -> None:
    """Store messages, in place of those with their ids; no node sends them yet."""
    rows = {each.id: each for each in outgoing}.values()
    upsert(connection, OUTBOX, [{**columns(each), "sender": None} for each in rows])


def settle(connection: Connection, sent: Sequence[str], later: Sequence[Outgoing]) -> None:
    """Remove what was sent, by id, and put off the rest."""
    if sent:
        _REMOVE.fetch(connection, json.dumps(list(sent)))
    put(connection, later)
