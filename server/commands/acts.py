"""What a line amounts to, once it is understood: the closed set of acts."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Final, Self

from msgspec import Struct, field

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.texts import WIDTH
from bluebear.server.room.act import RoomAct
from bluebear.server.room.reducer import Played
from bluebear.server.room.state import Origin
from bluebear.server.store import Json, RatingRow

NO_FACTS: Final[Mapping[str, Json]] = {}


class Write(Struct, frozen=True):
    """An entry for the room: canonical lines and facts.

    `note` is told to the speaker alone, once the entry is written. `act` is what the first line
    says, where it is no move and no talk; `played` is the move that the only line is, where it was
    read as one, or where a new room's game begins.
    """

    lines: tuple[str, ...]
    facts: Mapping[str, Json] = field(default_factory=dict)
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
        note: str = "",
        played: Origin | None = None,
    ) -> Self:
        """An act as an entry. `moves` are the lines that follow its own."""
        return cls((act.line, *moves), facts, note, act, played)


@dataclass(frozen=True, slots=True)
class RecordSection:
    """What a feature stores in the commit of a game's record: facts of the entry, and rows.

    `announce` makes the entry by which the room is notified once the record is stored.
    """

    facts: Mapping[str, Json]
    rows: Sequence[RatingRow]
    announce: Callable[[], Coroutine[Any, Any, Write | None]]


@dataclass(frozen=True, slots=True)
class Tell:
    """An unversioned answer to the speaker; `code` says what it is.

    `figures` makes the same as data, for whoever asks for that; None where words are all of it.
    """

    code: str
    text: str
    figures: Callable[[], Shaped | None] | None = dataclass_field(default=None, compare=False)


ANSWERED: Final = Tell("", "")
"""What a server command returns whose line was answered already, or will be."""

ANSWER_OFFER: Final = "@offer"
"""Not a command: the features get the sender's yes or no to what they were offered."""


@dataclass(frozen=True, slots=True)
class RunCommand:
    """A server command, which runs where its sender is connected.

    `request` has its arguments, `text` is the line; the reply is made for a page of `width`. `ask`
    is the id of the query that it replies to, "" for a line.
    """

    command: str
    request: Any  # Any: the class that the command declares
    text: str = ""
    width: int = WIDTH
    ask: str = ""


@dataclass(frozen=True, slots=True)
class FindRoom:
    """Go into the room that a number, an invite token or an invite link names."""

    given: str
    password: str = ""


@dataclass(frozen=True, slots=True)
class Enter:
    """Go into a room. `invite` is the hash that admits; `password` is checked first."""

    room: str
    invite: str = ""
    password: str = ""


@dataclass(frozen=True, slots=True)
class NewRoom:
    """Make a room and go there. `fork` is the beginning of another game, which goes on there.

    `guests` may come in, too, and are told: names by id. `lesson`: it is a room of that lesson of
    the game, which goes on after the lines `typed`.
    """

    game: str
    privacy: str
    password: str
    fork: str = ""
    guests: Mapping[str, str] = dataclass_field(default_factory=dict)
    lesson: str = ""
    typed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoLobby:
    """Leave the room of the line, as `text` says. `to`: the room to return to."""

    text: str = ""
    to: str = ""


@dataclass(frozen=True, slots=True)
class SetLang:
    """From now on everything to the speaker is in this language."""

    lang: Lang


Act = Write | Tell | RunCommand | FindRoom | Enter | NewRoom | GoLobby | SetLang


@dataclass(frozen=True, slots=True)
class Unprepared:
    """A room command whose `prepare` is to be awaited before it is judged."""

    command: str
    given: Mapping[str, Any]  # Any: values of each kind of argument
    confirmed: bool
    rest: str


Meant = Act | Unprepared
"""What a line amounts to; or what must be awaited before that can be said."""
