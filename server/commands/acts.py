"""The acts that a line can be interpreted as: a closed set of values."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Final, Self

from msgspec import Struct, field, to_builtins

from bluebear.protocol import Branch
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.texts import WIDTH, permille
from bluebear.server.room.fold_context import RoomAct
from bluebear.server.room.reducer import Played
from bluebear.server.room.state import Origin
from bluebear.server.store import Json, RatingRow

NO_FACTS: Final[Mapping[str, Json]] = {}


class Write(Struct, frozen=True):
    """An entry for the room: canonical lines and facts.

    `note` is sent to the speaker alone after the entry is written. `act` and `played` spare the
    parsing of `lines`: the act of the first line, its only move, or the start of a fork.
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
        played: Origin | None = None,
    ) -> Self:
        """The entry of an act; `moves` are the lines after its line."""
        return cls((act.line, *moves), facts, act=act, played=played)


class RecordSection(Struct, frozen=True):
    """What a feature stores in the commit of a game's record: facts of the entry, and rows.

    `announce` returns the entry that notifies the room after the record is stored.
    """

    facts: Mapping[str, Json]
    rows: Sequence[RatingRow]
    announce: Callable[[], Coroutine[Any, Any, Write | None]]


@dataclass(frozen=True, slots=True)
class Tell:
    """A note for the speaker, of the kind `code`.

    `figures` returns its data for clients that send a query; None if there is only text.
    """

    code: str
    text: str
    figures: Callable[[], object] | None = dataclass_field(default=None, compare=False)

    def body(self) -> Branch:
        """The same as the body of the message `answer`."""
        body: Branch = {"code": self.code, "text": self.text}
        if self.figures is None:
            return body
        return {**body, "data": to_builtins(self.figures(), enc_hook=permille)}


ANSWERED: Final = Tell("", "")
"""The result of a server command that replies to its line itself."""

ANSWER_OFFER: Final = "@offer"
"""Instead of a command: passes the sender's yes or no to the features that offered something."""


class RunCommand(Struct, frozen=True):
    """A server command, which runs on the node of its sender.

    `given` has its arguments by name, `text` is the line, `width` the width of the reply in
    columns. `ask` is the id of the query that it replies to, "" for a line.
    """

    command: str
    given: Mapping[str, Any]  # Any: values of each kind of argument
    text: str = ""
    width: int = WIDTH
    ask: str = ""


class Enter(Struct, frozen=True):
    """Enter a room. `invite` is the hash of an invite; `password` is checked first."""

    room: str
    invite: str = ""
    password: str = ""


class NewRoom(Struct, frozen=True):
    """A room to be made, which its maker enters. `fork`: the beginning of a finished game.

    `guests` (names by id) are admitted and notified. `lesson`: the room is for this lesson of the
    game, which continues after the lines `typed`.
    """

    game: str
    privacy: str
    password: str
    fork: str = ""
    guests: Mapping[str, str] = field(default_factory=dict)
    lesson: str = ""
    typed: tuple[str, ...] = ()


class GoLobby(Struct, frozen=True):
    """Leave the room, for the room `to` or the lobby (""); `text` is the line."""

    text: str = ""
    to: str = ""


class SetLang(Struct, frozen=True):
    """Change the language of all texts to the speaker."""

    lang: Lang


Act = Write | Tell | RunCommand | Enter | GoLobby | SetLang


class Unprepared(Struct, frozen=True):
    """A room command whose `prepare` must be awaited before it is interpreted."""

    command: str
    given: dict[str, Any]  # Any: values of each kind of argument
    confirmed: bool
    rest: str


Interpretation = Act | Unprepared
"""The act of a line, or a command that must be prepared first."""
