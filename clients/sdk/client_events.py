"""What a client can hear, as values: one class for each thing that happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NewType, TypeAlias

from bluebear.protocol import Asked, Branch, Logged, RoomNumber, Version

RoomId = NewType("RoomId", str)
"""A room's name, the same on every connection."""

Seat = NewType("Seat", int)
"""A place at a table, numbered from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What became of a line: `ok`, or refused with a code and a sentence.

    `not_in_room` with another sentence than the server has for it says why we could not come back
    to the room after a lost connection: then the line may have taken effect before.
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
    """From where to where the line is wrong, in code points."""
    offers: Literal["line", "word", "range"] | None = None
    """What the candidates are: whole lines, words for that place, or bounds."""


@dataclass(frozen=True, slots=True)
class Welcomed:
    """The server knows us; `again` after a connection that was lost."""

    name: str
    again: bool


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is gone; the client comes back by itself after so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Entered:
    """A room is mirrored from now on; `log` has its newest sentences."""

    room: RoomId
    version: Version
    log: tuple[Logged, ...]


@dataclass(frozen=True, slots=True)
class Synced:
    """A room that was mirrored is whole again: after a gap, a reconnection, new eyes."""

    room: RoomId
    version: Version
    log: tuple[Logged, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """We are no longer in a room; the text says why."""

    room: RoomId
    text: str


@dataclass(frozen=True, slots=True)
class Updated:
    """A room went one version on; `done` is the id of our line, if it was ours."""

    room: RoomId
    version: Version
    text: tuple[str, ...]
    events: tuple[Branch, ...]
    done: str | None


@dataclass(frozen=True, slots=True)
class YourTurn:
    """Seats of ours have a decision to make that they had not before."""

    room: RoomId
    version: Version
    seats: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class YourMove:
    """The lines that are legal for a seat of ours (for those who want `moves`)."""

    room: RoomId
    version: Version
    seat: Seat
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Present:
    """Who is in a room, and which seated ones are not."""

    room: RoomId
    here: tuple[str, ...]
    away: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Noted:
    """Words to us alone; `name` is who said them, `said` what, where a person did.

    Of an invitation `said` is the line that goes there; of another language (`lang`) its code.
    """

    room: RoomId | None
    code: str
    text: str
    name: str | None = None
    said: str | None = None


@dataclass(frozen=True, slots=True)
class Replied:
    """A line was answered; what it caused has happened before."""

    reply: Reply


@dataclass(frozen=True, slots=True)
class Answered:
    """A question was answered."""

    id: str
    what: Asked
    body: Branch


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """A question was refused."""

    reply: Reply


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """The list of rooms is another one."""


@dataclass(frozen=True, slots=True)
class GameKnown:
    """The unchanging data of a game have come."""

    key: str
    hash: str


@dataclass(frozen=True, slots=True)
class SeatWanted:
    """A seat waits for a house bot, which is to wait so long before each move."""

    room: RoomId
    seat: Seat
    strategy: str
    ticket: str
    pace_ms: int = 0


@dataclass(frozen=True, slots=True)
class HintWanted:
    """A seat would like to know what we would play (only the house's bots are asked).

    Without lines: question `number` need not be answered any more, whatever it was.
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
    """Somebody asks where a finished game turned (only the house's bots are asked)."""

    number: int
    record: str


@dataclass(frozen=True, slots=True)
class Farewell:
    """The server is about to close; it is back after `retry_ms`, if that is given."""

    why: str
    text: str
    retry_ms: int | None


@dataclass(frozen=True, slots=True)
class Missed:
    """Nobody listened for long: so many happenings were dropped. The views are up to date."""

    count: int


@dataclass(frozen=True, slots=True)
class Slowed:
    """We said too much at once; the client waits, and then repeats what is unanswered."""


@dataclass(frozen=True, slots=True)
class NeedSync:
    """A room does not fit any more; the client asks for a snapshot by itself."""

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
    | Answered
    | NotAnswered
    | LobbyChanged
    | GameKnown
    | SeatWanted
    | HintWanted
    | AnalysisWanted
    | Farewell
    | Missed
    | Slowed
    | NeedSync
)
