"""The events of a client: one class for each thing that happened.

`Answer` and `Bye` are the messages of the protocol.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NewType, TypeAlias

from bluebear.protocol import Answer, Branch, Bye, Logged, RoomNumber, Version

RoomId = NewType("RoomId", str)
"""A room's id, the same on every connection."""

Seat = NewType("Seat", int)
"""A seat at a table, numbered from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The server's reply to a line: `ok`, or a refusal with a code and a sentence.

    `not_in_room` with a text other than the server's means that the client could not rejoin the
    room after a lost connection; the line may have taken effect before.
    """

    id: str
    ok: bool
    room: RoomId | None = None
    version: Version | None = None
    code: str = ""
    text: str = ""
    rule: str | None = None
    candidates: tuple[str, ...] = ()
    place: tuple[int, int] | None = None
    """Start and end of the error in the line, in code points."""
    offers: Literal["line", "word", "range"] | None = None
    """The kind of the candidates: whole lines, words for `place`, or a range."""


@dataclass(frozen=True, slots=True)
class Welcomed:
    """The server accepted the hello; `again` is set after a lost connection."""

    name: str
    again: bool


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is lost; the client reconnects in `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Entered:
    """A room was joined; `log` has its newest sentences."""

    room: RoomId
    version: Version
    log: tuple[Logged, ...]


@dataclass(frozen=True, slots=True)
class Synced:
    """A mirrored room has a new snapshot: after a gap, a reconnection or a change of eyes."""

    room: RoomId
    version: Version
    log: tuple[Logged, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """The client is no longer in a room; the text says why."""

    room: RoomId
    text: str


@dataclass(frozen=True, slots=True)
class Updated:
    """A room advanced by one version; `done` is the id of this client's line that caused it."""

    room: RoomId
    version: Version
    text: tuple[str, ...]
    events: tuple[Branch, ...]
    done: str | None


@dataclass(frozen=True, slots=True)
class YourTurn:
    """Seats of this client have a new decision to make."""

    room: RoomId
    version: Version
    seats: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class YourMove:
    """The legal lines of one of this client's seats (requires `moves` in `wants`)."""

    room: RoomId
    version: Version
    seat: Seat
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Present:
    """The members of a room, and its seated players who are absent."""

    room: RoomId
    here: tuple[str, ...]
    away: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Noted:
    """A note to this client alone. `name` and `said` are its sender and text if a person sent it.

    An invitation has the line that joins the room in `said`, a note `lang` the new language.
    """

    room: RoomId | None
    code: str
    text: str
    name: str | None = None
    said: str | None = None


@dataclass(frozen=True, slots=True)
class Replied:
    """The reply to a line; events that the line caused come before it."""

    reply: Reply


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """A query was refused."""

    reply: Reply


@dataclass(frozen=True, slots=True)
class SeatWanted:
    """A seat needs a house bot; `seconds` is the pause before each of its moves."""

    room: RoomId
    seat: Seat
    strategy: str
    ticket: str
    pace_ms: int = 0


@dataclass(frozen=True, slots=True)
class HintWanted:
    """A request to a house bot: what would it play for a seat?

    Without lines, request `number` is cancelled, of whatever kind it was.
    """

    number: int
    room: RoomId
    game: str
    rules: int | None
    seat: Seat
    view: Branch
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnalysisWanted:
    """A request to a house bot: analyse a finished game for its turning points."""

    number: int
    record: str


@dataclass(frozen=True, slots=True)
class Missed:
    """So many events were dropped since the reader was too slow. The views are up to date."""

    count: int


@dataclass(frozen=True, slots=True)
class Slowed:
    """The client pauses sending for so many seconds, then repeats requests without a reply.

    The server takes no more just now, or a node was lost.
    """

    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class NeedSync:
    """A room is out of step; the client requests a snapshot by itself."""

    number: RoomNumber
    room: RoomId


Happening: TypeAlias = (
    Welcomed
    | Lost
    | Entered
    | Synced
    | Left
    | Updated
    | YourTurn
    | YourMove
    | Present
    | Noted
    | Replied
    | Answer
    | NotAnswered
    | SeatWanted
    | HintWanted
    | AnalysisWanted
    | Bye
    | Missed
    | Slowed
    | NeedSync
)
