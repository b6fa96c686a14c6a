"""The journal: every accepted line and system act, stored before anybody hears of it.

`Journal` is the contract; `SqliteJournal` keeps it in a file, `MemoryJournal` in memory.
`GroupWriter` gathers the entries of all rooms into commits. May import the standard library,
msgpack and `server.faults`. Start reading at `base.py`.
"""

from server.journal.base import (
    Answer,
    Duplicate,
    Fenced,
    Journal,
    JournalError,
    NotOpened,
    NotRead,
    NotSaved,
    Written,
)
from server.journal.entry import (
    PEOPLE,
    Append,
    Entry,
    Json,
    Place,
    Snapshot,
    StreamId,
    Summary,
    pack,
    unpack,
)
from server.journal.memory import Latency, MemoryJournal
from server.journal.sqlite import SqliteJournal
from server.journal.writer import Done, GroupWriter

__all__ = [
    "PEOPLE",
    "Answer",
    "Append",
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
    "NotOpened",
    "NotRead",
    "NotSaved",
    "Place",
    "Snapshot",
    "SqliteJournal",
    "StreamId",
    "Summary",
    "Written",
    "pack",
    "unpack",
]
