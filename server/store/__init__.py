"""The store: every accepted line and system act, and the rows by which rooms and people are found.

`Store` is what callers have; `SqliteStore` is one in a file, `PostgresStore` one in a database.
`Nodes` tells which of several processes over one store live, and which room is whose. `GroupWriter`
gathers the entries of all rooms into commits. May import the standard library, msgpack, SQLAlchemy,
asyncpg, `bluebear.server.store.faults` and `bluebear.server.runtime`. Start reading at `types.py`.
"""

from pathlib import Path

from bluebear.server.store.backup import JOURNAL, Copied
from bluebear.server.store.group_writer import Done, GroupWriter, NoWriter, Writer
from bluebear.server.store.head import Behind
from bluebear.server.store.leases import Nodes
from bluebear.server.store.sqlite import SqliteStore
from bluebear.server.store.store import Store
from bluebear.server.store.types import (
    RECORD_PREFIX,
    RESTING,
    Answer,
    Append,
    Deposed,
    Duplicate,
    Entry,
    EntryKey,
    Fenced,
    JournalError,
    Json,
    NotOpened,
    NotRead,
    NotSaved,
    Outgoing,
    Outrun,
    Page,
    PersonRow,
    Ranked,
    RatingKey,
    RatingRow,
    Snapshot,
    StreamId,
    Summary,
    Taken,
    Window,
    Written,
    pack,
    person_stream,
    unpack,
)

__all__ = [
    "RECORD_PREFIX",
    "RESTING",
    "Answer",
    "Append",
    "Behind",
    "Copied",
    "Deposed",
    "Done",
    "Duplicate",
    "Entry",
    "EntryKey",
    "Fenced",
    "GroupWriter",
    "JournalError",
    "Json",
    "NoWriter",
    "Nodes",
    "NotOpened",
    "NotRead",
    "NotSaved",
    "Outgoing",
    "Outrun",
    "Page",
    "PersonRow",
    "Ranked",
    "RatingKey",
    "RatingRow",
    "Snapshot",
    "SqliteStore",
    "Store",
    "StreamId",
    "Summary",
    "Taken",
    "Window",
    "Writer",
    "Written",
    "open_store",
    "pack",
    "person_stream",
    "unpack",
]


async def open_store(data: Path, url: str, *, accept_older: bool = False) -> Store:
    """The store of the database at `url`, or, where that is "", of a data folder.

    Raises NotOpened.
    """
    if not url:
        return SqliteStore(data / JOURNAL, accept_older=accept_older)
    # Its driver is loaded only where it is wanted.
    from bluebear.server.store.postgres import PostgresStore  # noqa: PLC0415

    database = PostgresStore(url)
    await database.open()
    return database
