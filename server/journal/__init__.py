"""The journal: every accepted line and system act, stored before anybody hears of it.

`Journal` is the contract of entries, `Store` that of the rows beside them; `SqliteJournal` keeps
both in a file, `PostgresJournal` in a database. `Nodes` says who of several processes over one
store lives, and which room is whose. `GroupWriter` gathers the entries of all rooms into commits.
May import the standard library, msgpack, asyncpg,
`bluebear.server.faults` and `bluebear.server.observe`. Start reading at `base.py`.
"""

from bluebear.server.journal.backup import Copied
from bluebear.server.journal.base import (
    Answer,
    Deposed,
    Duplicate,
    Fenced,
    Journal,
    JournalError,
    NotOpened,
    NotRead,
    NotSaved,
    Outrun,
    Taken,
    Written,
)
from bluebear.server.journal.entry import (
    RECORD_PREFIX,
    Append,
    Entry,
    Json,
    Outgoing,
    PersonRow,
    Place,
    RatingKey,
    RatingRow,
    Snapshot,
    StreamId,
    Summary,
    pack,
    person_stream,
    unpack,
)
from bluebear.server.journal.head import Behind
from bluebear.server.journal.nodes import Nodes
from bluebear.server.journal.sqlite import SqliteJournal
from bluebear.server.journal.store import RESTING, Page, Ranked, Store, WholeStore, Window
from bluebear.server.journal.writer import Done, GroupWriter

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
