"""What the store holds and answers: entries, the rows beside them, snapshots, replies, errors.

An entry is one accepted line or one system act. Its stored form is the msgpack array
[actor, client id, lines, facts, time, digest]; stream and number are its key and stand in columns
of their own. The bodies of rows and snapshots belong to their writers: here they are bytes. What a
row is looked up by stands beside its body, in fields of its own. Times are milliseconds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NewType, TypeAlias

import msgpack
import msgspec
from msgspec import Struct

from bluebear.server.limits import LISTING_SIZE

__all__ = ["Answer", "Append", "Deposed", "Duplicate", "Entry", "EntryKey", "Fenced"]
__all__ += ["INTEGER_MAX", "JournalError", "Json", "NotOpened", "NotRead", "NotSaved"]
__all__ += ["RECORD_PREFIX", "RESTING", "Outgoing", "Outrun", "Page", "PersonRow", "Ranked"]
__all__ += ["RatingKey", "RatingRow", "Snapshot", "StreamId", "Summary", "Taken", "Window"]
__all__ += ["Written", "check_rows", "pack", "person_stream", "unpack"]

StreamId = NewType("StreamId", str)
"""Names one sequence of entries: a room's id, or what `person_stream` returns for a person."""

INTEGER_MAX: Final = 2**63 - 1
"""The largest number that a column holds; the least is as far from 0."""

RECORD_PREFIX: Final = "record:"
"""The streams of records begin with it; the id of the game follows."""

RESTING: Final = ("open", "over", "frozen")
"""The phases of a room in which no game runs: such a room closes when no member comes for long."""


def person_stream(person: str) -> StreamId:
    """The stream of what belongs to one person and to no room."""
    return StreamId(f"person:{person}")


Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"
"""What facts consist of. Sequences are read back as lists."""


class Entry(Struct, frozen=True):
    """One accepted line or system act of a stream, stored permanently.

    `seq` counts from 1 without a gap and is the version of the room. `actor` is "p:PERSONID",
    "clock" or "server". `client_id` is the client's id of its line ("" for none); with the actor
    it is never stored twice. `facts` holds what was derived from fresh bits or from secrets, and
    must not be changed. `digest` is hex, or "".
    """

    stream: StreamId
    seq: int
    actor: str
    client_id: str
    lines: tuple[str, ...]
    facts: Mapping[str, Json]
    at: int
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """A room's row: what a server must know of it without loading it, as of entry `seq`.

    `deadline` is when the room next wants to be woken, `at` when something last happened in it.
    `people` are the ids of those who sit or are host, `invites` the hashes of valid invites.
    """

    stream: StreamId
    seq: int
    body: bytes
    deadline: int | None
    listed: bool = False
    game: str = ""
    phase: str = ""
    free: int = 0
    at: int = 0
    people: tuple[str, ...] = ()
    invites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person without reading their stream, as of its entry `seq` (0: there is none yet).

    `key` is the unique shape of the name ("": a name that need not be unique), `tokens` the hashes
    of their credentials; each belongs to one person. `used` is when a token was last used. A name
    that is `kept` never passes to another person.
    """

    id: str
    seq: int
    name: str
    key: str
    human: bool
    tokens: tuple[str, ...]
    used: int
    kept: bool = False
    body: bytes = b""

    def is_stale(self, before: int) -> bool:
        """Whether the name may pass to another person, since no token was used since then."""
        return not self.kept and self.used < before


RatingKey: TypeAlias = tuple[str, str, int]
"""A person, a game, a number of seats."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A person's rating in one game with so many seats, after the `seq`-th change of this row.

    Lists are ordered by `score`, the best first; None: on no list.
    """

    person: str
    game: str
    seats: int
    seq: int
    score: int | None
    body: bytes

    @property
    def key(self) -> RatingKey:
        """By which it is looked up."""
        return self.person, self.game, self.seats


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row of a list of ratings, and its person's current name ("": not registered)."""

    row: RatingRow
    name: str


class Window(Struct, frozen=True):
    """A page of the listed rooms, newest first (by `at` downwards, then by stream).

    `game` "" is any game; `running`: only rooms in which a game runs, `free`: with a free seat. A
    resting room whose `at` is before `since` is closed and not shown. `page` counts from 0.
    """

    game: str = ""
    running: bool = False
    free: bool = False
    since: int = 0
    page: int = 0
    size: int = LISTING_SIZE


@dataclass(frozen=True, slots=True)
class Page:
    """The rooms of a window's page, and how many rooms all its pages have."""

    rows: tuple[Summary, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The folded state of a stream after entry `seq`, in its writer's own encoding."""

    stream: StreamId
    seq: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to the outside, to be sent at `due` or later.

    `id` is the same however often it is tried.
    """

    id: str
    due: int
    body: bytes


class Append(Struct, frozen=True):
    """An entry to store, with the rows that become true with it.

    `stale_before`: a person whose tokens were all last used before gives their name up to
    `person`, unless it is kept, and their row is deleted. `ratings` are each one change further
    than what is stored. A row of another stream or another entry is refused when it is judged.
    """

    entry: Entry
    summary: Summary | None = None
    person: PersonRow | None = None
    stale_before: int = 0
    outgoing: tuple[Outgoing, ...] = ()
    ratings: tuple[RatingRow, ...] = ()

    @property
    def has_rows(self) -> bool:
        """Whether anything beside the entry is written with it."""
        return bool(self.summary or self.person or self.outgoing or self.ratings)


EntryKey: TypeAlias = tuple[StreamId, int]
"""The key of an entry: its stream and its number."""


def pack(entry: Entry) -> bytes:
    """The entry's bytes, without its key. Raises what msgspec raises for foreign facts."""
    return _pack((entry.actor, entry.client_id, entry.lines, entry.facts, entry.at, entry.digest))


_pack: Final = msgspec.msgpack.Encoder().encode


def unpack(stream: StreamId, seq: int, body: bytes) -> Entry:
    """The entry whose bytes `pack` returned. Raises ValueError for other bytes."""
    actor, client_id, lines, facts, at, digest = msgpack.unpackb(body)
    return Entry(stream, seq, actor, client_id, tuple(lines), facts, at, digest)


def check_rows(append: Append) -> None:
    """Raise ValueError or OverflowError when a column cannot hold what a row contains.

    Likewise for a row of another stream or another entry.
    """
    summary, person, entry = append.summary, append.person, append.entry
    if summary is not None:
        _check_key(entry, summary.stream, summary.seq)
        _check((summary.game, summary.phase, *summary.people, *summary.invites))
        _check((), summary.free, summary.at, summary.deadline or 0)
    if person is not None:
        _check_key(entry, person_stream(person.id), person.seq)
        _check((person.id, person.name, person.key, *person.tokens), person.used)
    for rating in append.ratings:
        _check((rating.person, rating.game), rating.seats, rating.seq, rating.score or 0)
    _check([each.id for each in append.outgoing], *(each.due for each in append.outgoing))


def _check_key(entry: Entry, stream: StreamId, seq: int) -> None:
    if (stream, seq) != (entry.stream, entry.seq):
        raise ValueError(f"a row of {stream} {seq} beside entry {entry.stream} {entry.seq}")


def _check(texts: Sequence[str], *numbers: int) -> None:
    "".join(texts).encode()  # a lone surrogate has no bytes
    if any(abs(number) > INTEGER_MAX for number in numbers):
        raise OverflowError(f"one of {numbers} is too large")


# What an entry is answered with.


class JournalError(Exception):
    """The store could not do what was requested. Its text is for logs, not for people."""

    @property
    def is_deposed(self) -> bool:
        """Whether this process may do nothing more, as another one has taken over."""
        return isinstance(self, Deposed) or isinstance(self.__cause__, Deposed)


class NotOpened(JournalError):
    """The store cannot be opened.

    `code` is stable and names the sentence to show:

    - in_use: a server runs on its folder,
    - journal_in_use: another process has it open,
    - node_lives: a node of this name lives,
    - journal_newer: a newer BlueBear wrote it,
    - journal_older: a BlueBear from before 0.1.0 wrote it,
    - journal_foreign: it is another program's,
    - no_journal: there is no such file,
    - journal_behind: it is older than what was last written there,
    - journal_unusable: the disk or the file does not allow it.

    Of journal_behind: `missing` is how many entries are missing at least, `at` when the newest of
    them was saved.
    """

    def __init__(self, code: str, detail: str, missing: int = 0, at: int = 0) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.missing = missing
        self.at = at

    @property
    def is_of_another_version(self) -> bool:
        """Whether this program does not read what another version has written there."""
        return self.code in ("journal_newer", "journal_older")


class NotRead(JournalError):
    """The store could not be read."""


class NotSaved(JournalError):
    """An entry or a row is not stored; nothing may act as if it were.

    For an entry it is an answer among others. `certain` is false in one case: the commit failed
    and then could not be read back either. Then the entry may turn out to be stored, and a client
    that repeats it learns so by a `Duplicate` or a `Fenced`.
    """

    def __init__(self, reason: str, *, certain: bool = True) -> None:
        super().__init__(reason)
        self.certain = certain


class Deposed(NotSaved):
    """Another process has taken over: nothing of this one is stored from now on."""


@dataclass(frozen=True, slots=True)
class Written:
    """The entry is stored and synced as number `seq` of its stream."""

    seq: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The actor has used this client id before: that entry is number `seq` of `stream`."""

    stream: StreamId
    seq: int


@dataclass(frozen=True, slots=True)
class Fenced:
    """The entry's number does not follow `head`, the newest number of its stream (0: none)."""

    head: int


@dataclass(frozen=True, slots=True)
class Taken:
    """The name's key belongs to `person`, who was here lately; nothing of the entry is stored."""

    person: str


@dataclass(frozen=True, slots=True)
class Outrun:
    """A rating of `person` does not follow the one that is stored, since another of their games
    ended first; nothing of the entry is stored.
    """

    person: str


Answer: TypeAlias = Written | Duplicate | Fenced | Taken | Outrun | NotSaved
"""What one entry of a batch gets.

A repeated client id is recognised before a wrong number, and that before a rating that was outrun
or a name that is taken.
"""
