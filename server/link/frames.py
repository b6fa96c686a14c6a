"""What edges and engines say to each other.

A *place* is one connection in one room, or on its way into one: its number is the edge's, and is
used once. Whatever an engine says to a place goes to its connection unread; what comes for a place
that is no more is dropped, so an engine that has lost a room can show nothing of it to anybody.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from bluebear.rules.core.phrases import Lang
from bluebear.server.commands.needs import Offers, RoomLine, Sources
from bluebear.server.people.account import Lists, Scope

VERSION: Final = 1
"""Of these messages: two processes that do not agree on it do not link."""


class _Frame(Struct, array_like=True, frozen=True, tag=True):
    """Base of all frames."""


# To begin with, both ways.


class Hello(_Frame, frozen=True):
    """Who links: the id of his node, and fresh bytes that the other is to prove the secret with."""

    version: int
    node: str
    nonce: bytes


class Proof(_Frame, frozen=True):
    """The proof of the secret."""

    mac: bytes


class Ping(_Frame, frozen=True):
    """Somebody is there. Who has heard nothing for long takes the link for cut."""


# From an edge to an engine.


class Who(Struct, array_like=True, frozen=True):
    """Who is at a place."""

    person: str
    name: str
    human: bool
    lang: Lang
    wants: frozenset[str]
    codec: str
    scopes: frozenset[Scope] | None
    operator: bool
    silent_until: int
    resumed: bool
    lists: Lists
    account: bool = False
    owner: str = ""
    offered_until: int = 0
    network: str = ""


class Known(_Frame, frozen=True):
    """A place, with the number that its room will have for it; or that somebody has changed."""

    place: int
    number: int
    who: Who


class Line(_Frame, frozen=True):
    """A typed line of a place."""

    place: int
    say: str
    text: str
    at: int | None


class Enter(_Frame, frozen=True):
    """A place goes into a room."""

    place: int
    say: str
    room: str
    invite: str
    password: str


class Make(_Frame, frozen=True):
    """A place makes a room: the act as bytes."""

    place: int
    say: str
    act: bytes


class Attach(_Frame, frozen=True):
    """A place is in a room: it was let in already. `away` is how many ms ago it was at an engine
    that had the room; None: it was at none.
    """

    place: int
    room: str
    away: int | None = None


class Leave(_Frame, frozen=True):
    """A place is no more; `went`: he has gone out of the room himself."""

    place: int
    went: bool = False


class Sync(_Frame, frozen=True):
    """A place wants a new snapshot."""

    place: int


class Relabel(_Frame, frozen=True):
    """A place has changed its language."""

    place: int


class Question(_Frame, frozen=True):
    """A question of a place about its room, as the client's frame has it."""

    place: int
    ask: bytes


class Rename(_Frame, frozen=True):
    """Somebody in a room is called otherwise."""

    room: str
    person: str
    name: str


class NoteAccount(_Frame, frozen=True):
    """Somebody in a room has an account from now on."""

    room: str
    person: str


class Call(_Frame, frozen=True):
    """Something that is answered under this number: `what` with its plain arguments."""

    number: int
    what: str
    args: bytes


class Told(_Frame, frozen=True):
    """The answer to a call; `refusal` instead where it was refused."""

    number: int
    body: bytes = b""
    refusal: bytes = b""


# From an engine to an edge.


class Push(_Frame, frozen=True):
    """A frame for the connections of some places."""

    places: list[int]
    frame: bytes


class Done(_Frame, frozen=True):
    """A line of a place is answered as done; `rides` says that a frame has told it already."""

    place: int
    say: str
    version: int | None
    inside: bool
    rides: bool


class Wrong(_Frame, frozen=True):
    """A line of a place is answered by an error, as a frame of the protocol."""

    place: int
    error: bytes


class Answered(_Frame, frozen=True):
    """A question of a place is answered."""

    place: int
    id: str


class Refused(_Frame, frozen=True):
    """A line of a place is refused, and the edge counts that."""

    place: int
    say: str
    refusal: bytes


class Entered(_Frame, frozen=True):
    """A place is in a room from now on."""

    place: int
    room: str


class Left(_Frame, frozen=True):
    """A place is in its room no longer."""

    place: int


class Made(_Frame, frozen=True):
    """What has become of a place that made a room: whether there is one."""

    place: int
    there: bool


class Perform(_Frame, frozen=True):
    """A line of a place is an act that the edge carries out; `version` is the room's by now."""

    place: int
    say: str
    act: bytes
    version: int | None


class Close(_Frame, frozen=True):
    """The connection of a place is to be closed."""

    place: int
    code: int
    reason: str


class Elsewhere(_Frame, frozen=True):
    """The room of a place is not this engine's: look again whose it is, and go there."""

    place: int
    room: str


class Moved(_Frame, frozen=True):
    """A room is another engine's from now on: all its places go there."""

    room: str


class Farewell(_Frame, frozen=True):
    """Who says this ends, and has said all: both ways. He is not called any more."""


class Changed(_Frame, frozen=True):
    """A row in the list of rooms has changed."""


class Invited(_Frame, frozen=True):
    """Somebody was invited by somebody into a room."""

    guest: str
    host: str
    room: str


class QueryArgs(Struct, array_like=True, frozen=True):
    """A query of a feature, by the name of its class; `place` is that of its sender, 0: of none."""

    name: str
    room: str
    place: int
    query: Any  # Any: a class of the feature's own


class FetchArgs(Struct, array_like=True, frozen=True):
    """What an engine asks an edge to look up, for whom."""

    sources: Sources
    person: str


Frame: TypeAlias = (
    Hello
    | Proof
    | Ping
    | Known
    | Line
    | Enter
    | Make
    | Attach
    | Leave
    | Sync
    | Relabel
    | Question
    | Rename
    | NoteAccount
    | Call
    | Told
    | Push
    | Done
    | Wrong
    | Answered
    | Refused
    | Entered
    | Left
    | Made
    | Perform
    | Close
    | Elsewhere
    | Moved
    | Farewell
    | Changed
    | Invited
)

ToPlace: TypeAlias = Done | Wrong | Refused | Entered | Left | Made | Perform | Close | Elsewhere
"""What is said to one place."""

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(list[Frame])
_RAW: Final = msgspec.msgpack.Decoder(list[msgspec.Raw])
_ONE: Final[msgspec.msgpack.Decoder[Frame]] = msgspec.msgpack.Decoder(Frame)
_OFFERS: Final = msgspec.msgpack.Decoder(Offers)
_FETCH: Final = msgspec.msgpack.Decoder(FetchArgs)
_LINES: Final = msgspec.msgpack.Decoder(dict[str, RoomLine])


def packed(frames: list[Frame]) -> bytes:
    """What was gathered, as bytes."""
    return _ENCODER.encode(frames)


def unpacked(body: bytes) -> list[Frame]:
    """The frames of some bytes. Raises msgspec.DecodeError for what is none.

    Of a later version's frames the fields that are more than known are left unread.
    """
    return _DECODER.decode(body)


def known_among(body: bytes) -> tuple[list[Frame], int]:
    """The frames of some bytes, without those that this version does not know, and how many those
    are: during an upgrade two versions speak to each other.

    Raises msgspec.DecodeError for what is no list of values.
    """
    pieces, known = _RAW.decode(body), []
    for each in pieces:
        with suppress(msgspec.ValidationError):
            known.append(_ONE.decode(each))
    return known, len(pieces) - len(known)


def offers_of(body: bytes) -> Offers:
    """What an edge has looked up."""
    return _OFFERS.decode(body)


def fetch_of(body: bytes) -> FetchArgs:
    """What an engine wants looked up."""
    return _FETCH.decode(body)


def lines_of(body: bytes) -> dict[str, RoomLine]:
    """The lines of rooms in memory, by id."""
    return _LINES.decode(body)


def pack(value: object) -> bytes:
    """A value of ours as the arguments or the answer of a call."""
    return _ENCODER.encode(value)
