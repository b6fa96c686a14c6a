"""The contract of a journal: what is answered `Written` is never lost and never doubled.

Implementations: `sqlite.SqliteJournal` for one process, `postgres.PostgresJournal` for several;
both are also a `store.Store` of what rooms and people are found by. Rooms do not call `append`
themselves: `writer.GroupWriter` gathers what they submit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from bluebear.server.journal.entry import Append, Entry, Place, Snapshot, StreamId, Summary


class JournalError(Exception):
    """The journal could not do what it was asked to. Its text is for logs, not for people."""


class NotOpened(JournalError):
    """The journal cannot be opened.

    `code` is stable and names the sentence to show:

    - journal_in_use: another process has it open,
    - journal_newer: a newer BlueBear wrote it,
    - journal_older: a BlueBear from before 0.1.0 wrote it,
    - journal_foreign: it is no journal,
    - no_journal: there is no such file,
    - journal_behind: it is older than what was last written there,
    - journal_unusable: the disk or the file does not allow it.
    """

    def __init__(self, code: str, detail: str, missing: int = 0, at: int = 0) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.missing = missing
        """Of journal_behind: how many entries are missing at least."""
        self.at = at
        """When the newest of them was saved, in milliseconds."""

    @property
    def is_of_another_version(self) -> bool:
        """Whether this program does not read what another version has written there."""
        return self.code in ("journal_newer", "journal_older")


class NotRead(JournalError):
    """The journal's file could not be read."""


class NotSaved(JournalError):
    """An entry or a snapshot is not in the journal; nobody may act as if it were.

    For an entry it is an answer among others (`Journal.append` returns it, so that the other
    entries of the batch get theirs). `certain` is false in one case: the commit failed and then
    the file could not be read back either. Then the entry may turn out to be there, and who
    appends it again learns it by a `Duplicate` or a `Fenced`.
    """

    def __init__(self, reason: str, *, certain: bool = True) -> None:
        super().__init__(reason)
        self.certain = certain


class Deposed(NotSaved):
    """Another process has taken over: the store is not written by this one any more.

    Nothing that it sends is stored from now on: it gives up all that it owns.
    """


@dataclass(frozen=True, slots=True)
class Written:
    """The entry is stored and synced as number `seq` of its stream."""

    seq: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The actor has used this client id before: that entry stands at `stream`, `seq`."""

    stream: StreamId
    seq: int


@dataclass(frozen=True, slots=True)
class Fenced:
    """The entry's number does not follow `head`, the newest number of its stream (0: none)."""

    head: int


@dataclass(frozen=True, slots=True)
class Taken:
    """The name's key belongs to `person`, who has been here lately; nothing of it is stored."""

    person: str


@dataclass(frozen=True, slots=True)
class Outrun:
    """A rating of `person` that comes with the entry does not follow the one that is stored, since
    another game of his was quicker; nothing of the entry is stored.
    """

    person: str


Answer: TypeAlias = Written | Duplicate | Fenced | Taken | Outrun | NotSaved
"""What one entry of a batch gets.

A repeated client id is recognised before a wrong number, and that before a rating that was outrun
or a name that is taken.
"""


class Journal(Protocol):
    """Streams of entries with one owner; every call waits its turn, none is done halfway."""

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Store the entries in one synced commit and answer each, in the batch's order.

        One entry never fails its batch. Several entries of one stream may come in one batch when
        they follow each other. The rows of the written entries are stored with them.
        """

    async def load(self, stream: StreamId, after: int = 0) -> list[Entry]:
        """The entries of the stream with a number above `after`, in order. Raises `NotRead`."""

    async def snapshot(self, stream: StreamId) -> Snapshot | None:
        """The newest snapshot of the stream. Raises `NotRead`."""

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot; the newest two of a stream are kept.

        Two, so that a reader who finds the newest one unusable has one to fall back to. Raises
        ValueError when the stream has no entry `snapshot.seq` yet, `NotSaved` when the disk fails.
        """

    async def summaries(self) -> list[Summary]:
        """The newest summary of every stream that has one, by stream. Raises `NotRead`.

        All of them: for tests.
        """

    async def find(self, actor: str, client_id: str) -> Place | None:
        """Where the entry stands that this actor called `client_id`. Raises `NotRead`."""

    async def close(self) -> None:
        """Finish what is under way and let go of the file. May be called again."""
