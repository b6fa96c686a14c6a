"""The journal: every accepted line and system act, stored before anybody hears of it.

`Journal` is the contract of entries, `Store` that of the rows beside them; `SqliteJournal` keeps
both in a file, `PostgresJournal` in a database. `Nodes` says who of several processes over one
store lives, and which room is whose. `GroupWriter` gathers the entries of all rooms into commits.
May import the standard library, msgpack, asyncpg,
`bluebear.server.faults` and `bluebear.server.observe`. Start reading at `base.py`.
"""

from bluebear.server.store.backup import Copied
from bluebear.server.store.group_writer import Done, GroupWriter
from bluebear.server.store.head import Behind
from bluebear.server.store.nodes import Nodes
from bluebear.server.store.sqlite import SqliteJournal
from bluebear.server.store.store import Journal, Store, WholeStore
from bluebear.server.store.types import (
    RECORD_PREFIX,
    RESTING,
    Answer,
    Append,
    Deposed,
    Duplicate,
    Entry,
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
    Place,
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
    "Fenced",
    "GroupWriter",
    "Journal",
    "JournalError",
    "Json",
    "Nodes",
    "NotOpened",
    "NotRead",
    "NotSaved",
    "Outgoing",
    "Outrun",
    "Page",
    "PersonRow",
    "Place",
    "Ranked",
    "RatingKey",
    "RatingRow",
    "Snapshot",
    "SqliteJournal",
    "Store",
    "StreamId",
    "Summary",
    "Taken",
    "WholeStore",
    "Window",
    "Written",
    "pack",
    "person_stream",
    "unpack",
]
