"""What the journal stores: entries, with the summary of a room and its snapshots.

An entry is one accepted line or one system act. Its text form in a file is the msgpack array
[actor, client id, lines, facts, time, digest]; stream and number are its address and stand
beside it. What summaries and snapshots say is their writer's business: here they are bytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NewType, TypeAlias

import msgpack
import msgspec
from msgspec import Struct

StreamId = NewType("StreamId", str)
"""Names one sequence of entries: a room's id, or `PEOPLE`."""

PEOPLE: Final = StreamId("people")
"""The stream of names and tokens, which belong to no room."""

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
    """What a server must know of a stream without loading it, as of entry `seq`.

    `body` is the writer's own encoding; `deadline` is when the stream next wants to be woken, in
    milliseconds of the same time as `Entry.at`.
    """

    stream: StreamId
    seq: int
    body: bytes
    deadline: int | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The folded state of a stream after entry `seq`, in its writer's own encoding."""

    stream: StreamId
    seq: int
    body: bytes


class Append(Struct, frozen=True):
    """An entry on its way into the journal, with the summary that becomes true with it.

    Raises ValueError when the summary speaks of another stream or another entry.
    """

    entry: Entry
    summary: Summary | None = None

    def __post_init__(self) -> None:
        summary = self.summary
        if summary is not None and (
            summary.seq != self.entry.seq or summary.stream != self.entry.stream
        ):
            raise ValueError(
                f"a summary of {summary.stream} {summary.seq}"
                f" beside entry {self.entry.stream} {self.entry.seq}"
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
