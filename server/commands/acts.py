"""What a line amounts to, once it is understood: the closed set of acts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Final, Literal, Self

from msgspec import Struct, field

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.phrases import Lang
from bluebear.server.commands.needs import Wanted
from bluebear.server.journal import Json
from bluebear.server.people.account import Scope
from bluebear.server.people.lists import Kind, Other
from bluebear.server.room.act import RoomAct
from bluebear.server.room.direct import Played
from bluebear.server.room.state import Origin

NO_FACTS: Final[Mapping[str, Json]] = {}


class Write(Struct, frozen=True):
    """An entry for the room: canonical lines and facts.

    `secret` is a password that must be hashed first; its hash becomes the fact `hash`. `note` is
    told to the speaker alone, once the entry is written. `act` is what the first line says, where
    it is no move and no talk; `played` is the move that the only line is, where it was read as one,
    or where a new room's game begins.
    """

    lines: tuple[str, ...]
    facts: Mapping[str, Json] = field(default_factory=dict)
    secret: str = ""
    note: str = ""
    act: RoomAct | None = None
    played: Played | Origin | None = None

    @classmethod
    def of(
        cls,
        act: RoomAct,
        facts: Mapping[str, Json] = NO_FACTS,
        *,
        moves: Sequence[str] = (),
        secret: str = "",
        note: str = "",
        played: Origin | None = None,
    ) -> Self:
        """An act as an entry. `moves` are the lines that follow its own."""
        return cls((act.line, *moves), facts, secret, note, act, played)


@dataclass(frozen=True, slots=True)
class Tell:
    """An unversioned answer to the speaker; `code` says what it is.

    `figures` makes the same as data, for whoever asks for that; None where words are all of it.
    """

    code: str
    text: str
    figures: Callable[[], Shaped | None] | None = dataclass_field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Whisper:
    """Words to one person, by id; within one room if `here`."""

    person: str
    name: str
    text: str
    here: bool


@dataclass(frozen=True, slots=True)
class Call:
    """Words to everybody in the lobby, in each language; `code` says how they are meant.

    `room` is the room that is praised, "" for none; `said` are the speaker's own words.
    """

    code: str
    texts: Mapping[Lang, str]
    room: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Nudge:
    """A sound for people who are in the room."""

    people: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskPeek:
    """The speaker would like to look into somebody's hand."""

    person: str
    name: str


@dataclass(frozen=True, slots=True)
class GoAway:
    """From now on the speaker will not answer, until he types something."""

    text: str


@dataclass(frozen=True, slots=True)
class Enter:
    """Go into a room. `invite` is the hash that admits; `password` is checked first."""

    room: str
    invite: str = ""
    password: str = ""


@dataclass(frozen=True, slots=True)
class NewRoom:
    """Make a room and go there. `fork` is the beginning of another game, which goes on there.

    `guests` may come in, too, and are told: names by id.
    """

    game: str
    privacy: str
    password: str
    fork: str = ""
    guests: Mapping[str, str] = dataclass_field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ForkGame:
    """Make a room in which a finished game goes on from after one of its moves."""

    game_id: str
    move: int


@dataclass(frozen=True, slots=True)
class GoLobby:
    """Leave the room that the line was said in."""


@dataclass(frozen=True, slots=True)
class SetLang:
    """From now on everything to the speaker is in this language."""

    lang: Lang


@dataclass(frozen=True, slots=True)
class SetName:
    """Change the speaker's name."""

    name: str


@dataclass(frozen=True, slots=True)
class LogOut:
    """The speaker goes, and what let him in is void: from here, or from everywhere."""

    everywhere: bool


@dataclass(frozen=True, slots=True)
class KeepOnList:
    """Somebody else stands on one of the speaker's lists from now on, or no longer."""

    kind: Kind
    other: Other
    on: bool


@dataclass(frozen=True, slots=True)
class MakeWish:
    """The speaker wants to play a game, with so many people; with programs, too, if `bots`."""

    game: str
    least: int
    most: int
    bots: bool


@dataclass(frozen=True, slots=True)
class Unwish:
    """One wish of the speaker is gone, or all of them ("")."""

    game: str


@dataclass(frozen=True, slots=True)
class AnswerWish:
    """Whether the speaker plays the game that he is offered."""

    yes: bool


@dataclass(frozen=True, slots=True)
class ShowWishes:
    """Who waits for which game."""


@dataclass(frozen=True, slots=True)
class FetchRecord:
    """The record of the room's game, or of a finished one by its id."""

    game_id: str


@dataclass(frozen=True, slots=True)
class Register:
    """The speaker keeps his name, and comes in with it and a password from anywhere."""

    password: str


@dataclass(frozen=True, slots=True)
class LogIn:
    """The speaker is somebody known."""

    name: str
    password: str


@dataclass(frozen=True, slots=True)
class MakeBot:
    """A bot of the speaker, with a token; "" is a name of the server's choice."""

    name: str
    scopes: tuple[Scope, ...]


@dataclass(frozen=True, slots=True)
class ListBots:
    """The speaker's bots."""


@dataclass(frozen=True, slots=True)
class RevokeBot:
    """The token of a bot of the speaker's is void."""

    name: str


@dataclass(frozen=True, slots=True)
class SetVacation:
    """Take so many days off from now on; 0 ends it, None asks how it stands."""

    days: int | None


@dataclass(frozen=True, slots=True)
class SetHook:
    """Be told of turns at an address; "" asks how it stands, "off" ends it."""

    url: str


OwnAct = SetVacation | SetHook
"""What somebody sets for himself."""


@dataclass(frozen=True, slots=True)
class LookBack:
    """A position or the minutes of a game: of the room's, or of another by its id.

    `move` is a number, or one of "next", "back", "first", "last"; "" where none was given.
    """

    what: Literal["history", "replay", "minutes"]
    game_id: str = ""
    move: str = ""


@dataclass(frozen=True, slots=True)
class Analyse:
    """Where a finished game was won and lost: the one named, or the one just played or replayed."""

    game_id: str = ""


@dataclass(frozen=True, slots=True)
class Announce:
    """An operator's words to everybody who is connected."""

    text: str


@dataclass(frozen=True, slots=True)
class LockDown:
    """Nobody new comes in and no rooms are made, or that is over; `text` is why."""

    on: bool
    text: str


@dataclass(frozen=True, slots=True)
class Sanction:
    """Somebody may not talk, or not come in, for so long; 0 ms ends it, and then `person` is ""."""

    kind: Literal["silence", "banish"]
    person: str
    name: str
    lasts_ms: int
    text: str


@dataclass(frozen=True, slots=True)
class ShowAudit:
    """A page of the operators' log, from 1, the newest first."""

    page: int


@dataclass(frozen=True, slots=True)
class ShowServer:
    """How the server is doing."""


@dataclass(frozen=True, slots=True)
class SaveAll:
    """Snapshots of all rooms in memory."""


@dataclass(frozen=True, slots=True)
class BackUp:
    """A copy of the journal."""


OperatorAct = Announce | LockDown | Sanction | ShowAudit | ShowServer | SaveAll | BackUp
"""What operators of the server do."""

AccountAct = Register | LogIn | LogOut | MakeBot | ListBots | RevokeBot
"""What somebody does about who he is."""

TalkAct = Whisper | Call | Nudge | AskPeek | GoAway
"""Talk that is no entry of a room."""

WishAct = MakeWish | Unwish | AnswerWish | ShowWishes
"""What somebody does about wishes for a game."""

Act = (
    Write
    | Tell
    | TalkAct
    | Enter
    | NewRoom
    | ForkGame
    | GoLobby
    | SetLang
    | SetName
    | KeepOnList
    | WishAct
    | FetchRecord
    | LookBack
    | Analyse
    | AccountAct
    | OwnAct
    | OperatorAct
)

Meant = Act | Wanted
"""What a line amounts to; or what must be looked up before that can be said."""
