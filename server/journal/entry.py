"""What the journal stores: entries, the rows that are true with them, and snapshots.

An entry is one accepted line or one system act. Its text form in a file is the msgpack array
[actor, client id, lines, facts, time, digest]; stream and number are its address and stand
beside it. What the bodies of summaries and snapshots say is their writer's business: here they
are bytes. What a row is found by stands beside its body, in fields of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NewType, TypeAlias

import msgpack
import msgspec
from msgspec import Struct

StreamId = NewType("StreamId", str)
"""Names one sequence of entries: a room's id, or what `person_stream` makes of a person's."""

INTEGER_MAX: Final = 2**63 - 1
"""What a column of a row holds; also the least is that far from 0."""

RECORD_PREFIX: Final = "record:"
"""Begins the streams of records, which follow with the id of their game."""


def person_stream(person: str) -> StreamId:
    """The stream of what belongs to one person and to no room."""
    return StreamId(f"person:{person}")


Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"
"""What facts are made of. Sequences come back from a file as lists."""


class Entry(Struct, frozen=True):
    """One accepted line or system act of a stream, as it is kept for ever.

    `seq` counts from 1 without a gap and is the version of the room. `actor` is "p:PERSONID",
    "clock" or "server". `client_id` is what the client called its line ("" for none); together
    with the actor it is never stored twice. `facts` holds what was derived from fresh bits or
    from secrets, and must not be changed. `at` is in milliseconds; `digest` is hex, or "".
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

    `body` is the writer's own encoding; `deadline` is when the room next wants to be woken, in
    milliseconds of the same time as `Entry.at`, as is `at`: when something last happened in it.
    By the other fields rooms are looked for: `people` are the ids of those who sit or are host,
    `invites` the hashes of invites that are still good.
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
    """Who somebody is, without reading his stream, as of its entry `seq` (0: there is none yet).

    `key` is the unique shape of the name, `tokens` the hashes of whatever he comes back with; each
    belongs to one person, and the key "" to nobody. `used` is when one of them was last used, in
    milliseconds. A name that is `kept` never goes to somebody else, however long ago that was.
    `body` is all else that is true of him, in the writer's own encoding.
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
        """Whether the name may go to somebody else, since no token was used since then."""
        return not self.kept and self.used < before


RatingKey: TypeAlias = tuple[str, str, int]
"""Whose rating in what: a person, a game, a number of seats."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """How somebody stands in one game with so many seats, after the `seq`-th change of this row.

    By `score` the rows of a list are ordered, the best first; None: he is on no list. `body` is all
    else, in the writer's own encoding.
    """

    person: str
    game: str
    seats: int
    seq: int
    score: int | None
    body: bytes

    @property
    def key(self) -> RatingKey:
        """By which it is found."""
        return self.person, self.game, self.seats


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The folded state of a stream after entry `seq`, in its writer's own encoding."""

    stream: StreamId
    seq: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Outgoing:
    """Something that is to be sent to the world, at `due` (milliseconds) or later.

    `body` is its writer's own encoding; `id` is the same however often it is tried.
    """

    id: str
    due: int
    body: bytes


class Append(Struct, frozen=True):
    """An entry on its way into the journal, with the rows that become true with it.

    `stale_before`: whose tokens were last used before (milliseconds) gives his name up to `person`,
    unless it is kept, and his row goes. `ratings` are each one change further than what is stored.
    Raises ValueError when a row speaks of another stream or another entry.
    """

    entry: Entry
    summary: Summary | None = None
    person: PersonRow | None = None
    stale_before: int = 0
    outgoing: tuple[Outgoing, ...] = ()
    ratings: tuple[RatingRow, ...] = ()

    def __post_init__(self) -> None:
        entry, summary, person = self.entry, self.summary, self.person
        if summary is not None and (summary.seq != entry.seq or summary.stream != entry.stream):
            raise ValueError(
                f"a summary of {summary.stream} {summary.seq}"
                f" beside entry {entry.stream} {entry.seq}"
            )
        if person is not None and (
            person.seq != entry.seq or person_stream(person.id) != entry.stream
        ):
            raise ValueError(
                f"a row of {person_stream(person.id)} {person.seq}"
                f" beside entry {entry.stream} {entry.seq}"
            )


Place: TypeAlias = tuple[StreamId, int]
"""Where an entry stands: its stream and its number there."""


def pack(entry: Entry) -> bytes:
    """The entry's bytes, without its place. Raises what msgspec raises for foreign facts."""
    return _pack((entry.actor, entry.client_id, entry.lines, entry.facts, entry.at, entry.digest))


_pack: Final = msgspec.msgpack.Encoder().encode


def unpack(stream: StreamId, seq: int, body: bytes) -> Entry:
    """The entry that `pack` made these bytes of, at its place."""
    actor, client_id, lines, facts, at, digest = msgpack.unpackb(body)
    return Entry(stream, seq, actor, client_id, tuple(lines), facts, at, digest)


def check_rows(append: Append) -> None:
    """Raise ValueError or OverflowError when a column cannot hold what a row says."""
    summary, person = append.summary, append.person
    if summary is not None:
        _check((summary.game, summary.phase, *summary.people, *summary.invites))
        _check((), summary.free, summary.at, summary.deadline or 0)
    if person is not None:
        _check((person.id, person.name, person.key, *person.tokens), person.used)
    for rating in append.ratings:
        _check((rating.person, rating.game), rating.seats, rating.seq, rating.score or 0)


def _check(texts: Sequence[str], *numbers: int) -> None:
    "".join(texts).encode()  # a lone surrogate has no bytes
    if any(abs(number) > INTEGER_MAX for number in numbers):
        raise OverflowError(f"one of {numbers} is too large")
