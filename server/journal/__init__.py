"""The journal: every accepted line and system act, stored before anybody hears of it.

`Journal` is the contract of entries, `Store` that of the rows beside them; `SqliteJournal` keeps
both in a file, `MemoryJournal` in memory. `GroupWriter` gathers the entries of all rooms into
commits. May import the standard library, msgpack, `server.faults` and `server.times`. Start reading
at `base.py`.
"""

from server.journal.backup import Copied
from server.journal.base import (
    Answer,
    Duplicate,
    Fenced,
    Journal,
    JournalError,
    NotOpened,
    NotRead,
    NotSaved,
    Taken,
    Written,
)
from server.journal.entry import (
    PEOPLE,
    Append,
    Entry,
    Json,
    Named,
    Outgoing,
    PersonRow,
    Place,
    Snapshot,
    StreamId,
    Summary,
    pack,
    person_stream,
    unpack,
)
from server.journal.head import Behind
from server.journal.memory import Latency, MemoryJournal
from server.journal.sqlite import SqliteJournal
from server.journal.store import RESTING, Page, Rekeying, Store, Window
from server.journal.writer import Done, GroupWriter

__all__ = [
    "PEOPLE",
    "RESTING",
    "Answer",
    "Append",
    "Behind",
    "Copied",
    "Done",
    "Duplicate",
    "Entry",
    "Fenced",
    "GroupWriter",
    "Journal",
    "JournalError",
    "Json",
    "Latency",
    "MemoryJournal",
    "Named",
    "NotOpened",
    "NotRead",
    "NotSaved",
    "Outgoing",
    "Page",
    "PersonRow",
    "Place",
    "Rekeying",
    "Snapshot",
    "SqliteJournal",
    "Store",
    "StreamId",
    "Summary",
    "Taken",
    "Window",
    "Written",
    "pack",
    "person_stream",
    "unpack",
]
