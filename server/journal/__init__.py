"""The journal: every accepted line and system act, stored before anybody hears of it.

`Journal` is the contract, `MemoryJournal` keeps it in memory. May import the standard library,
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

__all__ = [
    "PEOPLE",
    "Answer",
    "Append",
    "Duplicate",
    "Entry",
    "Fenced",
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
    "StreamId",
    "Summary",
    "Written",
    "pack",
    "unpack",
]
