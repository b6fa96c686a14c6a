"""The outbox: messages to the outside, stored with their entries until they are settled."""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, delete, or_, select, update

from bluebear.server.store.schema import NODE, OUTBOX, columns, upsert
from bluebear.server.store.types import Outgoing

_DUE: Final = (
    select(OUTBOX.c.id, OUTBOX.c.due, OUTBOX.c.body)
    .where(OUTBOX.c.due <= bindparam("now"))
    .order_by(OUTBOX.c.due, OUTBOX.c.id)
    .limit(bindparam("count"))
)
_FREE_OR_CLAIMED: Final = or_(
    OUTBOX.c.sender.is_(None),
    OUTBOX.c.sender == bindparam("node"),
    OUTBOX.c.sender.not_in(select(NODE.c.id).where(NODE.c.state != "dead")),
)
_CLAIMABLE: Final = _DUE.where(_FREE_OR_CLAIMED).with_for_update(skip_locked=True)
_CLAIM: Final = (
    update(OUTBOX)
    .where(OUTBOX.c.id.in_(bindparam("ids", expanding=True)))
    .values(sender=bindparam("node"))
)
_REMOVE: Final = delete(OUTBOX).where(OUTBOX.c.id.in_(bindparam("ids", expanding=True)))


def read(connection: Connection, now: int, limit: int) -> list[Outgoing]:
    """Up to `limit` messages that are due, soonest first."""
    return [Outgoing(*row) for row in connection.execute(_DUE, {"now": now, "count": limit})]


def claim(connection: Connection, node: str, now: int, limit: int) -> list[Outgoing]:
    """Like `read`, for who sends them: no other node does as long as this one lives."""
    given = {"now": now, "count": limit, "node": node}
    due = [Outgoing(*row) for row in connection.execute(_CLAIMABLE, given)]
    if due:
        connection.execute(_CLAIM, {"node": node, "ids": [each.id for each in due]})
    return due


def put(connection: Connection, outgoing: Iterable[Outgoing]) -> None:
    """Store messages, in place of those with their ids; no node sends them yet."""
    rows = {each.id: each for each in outgoing}.values()
    upsert(connection, OUTBOX, [{**columns(each), "sender": None} for each in rows])


def settle(connection: Connection, sent: Sequence[str], later: Sequence[Outgoing]) -> None:
    """Remove what was sent, by id, and put off the rest."""
    if sent:
        connection.execute(_REMOVE, {"ids": list(sent)})
    put(connection, later)
