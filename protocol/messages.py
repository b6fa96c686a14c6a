"""All messages of the protocol.

Messages are plain frozen values. They are checked when they are decoded (`codec`), not when a
program creates them. The JSON Schema, the documentation and the order of fields in positional
frames are made from these classes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, NewType, TypeAlias, TypeVar, dataclass_transform

from pydantic import ConfigDict, Field, Strict, with_config
from pydantic_core import CoreSchema
from pydantic_core.core_schema import dict_schema, str_schema

from bluebear.protocol.limits import (
    AGENT_MAX,
    ASK_ARGUMENTS_MAX,
    ASK_KEY_MAX,
    ENTRY_PASSWORD_MAX,
    INTEGER_MAX,
    LANGS_MAX,
    NAME_MAX,
    SAY_ID_MAX,
    SAY_TEXT_MAX,
    TOKEN_MAX,
)
from bluebear.rules.core.merge_patch import Branch

RoomNumber = NewType("RoomNumber", int)
"""A room in the frames of one connection: a small number, given by the frame `room`."""

Version = NewType("Version", int)
"""The number of a room's newest entry."""

Lang: TypeAlias = Literal["ja", "en"]
Want: TypeAlias = Literal["events", "text", "moves", "short", "ascii", "linear", "moved"]
QueryKind: TypeAlias = Literal[
    "game",
    "catalogue",
    "complete",
    "history",
    "record",
    "replay",
    "analysis",
    "query",
    "rooms",
    "lobby",
    "undo",
    "ping",
]

SAY_ID_PATTERN: Final = rf"^[!-~]{{1,{SAY_ID_MAX}}}$"


class _AnyObject:
    """Checks only that a tree is an object: decoding has checked its content."""

    @staticmethod
    def __get_pydantic_core_schema__(source: object, handler: object) -> CoreSchema:
        return dict_schema(str_schema(strict=True), strict=True)


_Int: TypeAlias = Annotated[int, Strict(), Field(ge=-INTEGER_MAX, le=INTEGER_MAX)]
_Count: TypeAlias = Annotated[int, Strict(), Field(ge=0, le=INTEGER_MAX)]
_Number: TypeAlias = Annotated[RoomNumber, Strict(), Field(ge=1, le=INTEGER_MAX)]
_Version: TypeAlias = Annotated[Version, Strict(), Field(ge=0, le=INTEGER_MAX)]
_Sum: TypeAlias = Annotated[int, Strict(), Field(ge=0, le=2**32 - 1)]
_Bool: TypeAlias = Annotated[bool, Strict()]
_Text: TypeAlias = Annotated[str, Strict()]
_SayId: TypeAlias = Annotated[str, Strict(), Field(pattern=SAY_ID_PATTERN)]
_Branch: TypeAlias = Annotated[Branch, _AnyObject]
_Argument: TypeAlias = Annotated[str, Strict(), Field(max_length=SAY_TEXT_MAX)] | _Int

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def _message(kind: type[_T]) -> type[_T]:
    """A frozen value with these fields and no others."""
    made = dataclass(frozen=True, slots=True, kw_only=True)(kind)
    return with_config(ConfigDict(extra="forbid"))(made)


# From the client.


@_message
class Hello:
    """The first frame: who you are and what you want to receive."""

    type: Literal["hello"] = "hello"
    protocol: Annotated[
        tuple[_Count, _Count],
        Field(description="lowest and highest protocol version that you speak"),
    ] = (1, 1)
    name: Annotated[
        Annotated[str, Strict(), Field(max_length=NAME_MAX)] | None,
        Field(description="the name you would like as a guest"),
    ] = None
    token: Annotated[
        Annotated[str, Strict(), Field(max_length=TOKEN_MAX)] | None,
        Field(description="the token of an earlier `welcome`: you are the same person again"),
    ] = None
    password: Annotated[
        Annotated[str, Strict(), Field(max_length=ENTRY_PASSWORD_MAX)] | None,
        Field(description="what a server asks newcomers for that lets in only who knows it"),
    ] = None
    langs: Annotated[
        tuple[Lang, ...],
        Field(min_length=1, max_length=LANGS_MAX, description="languages, the best first"),
    ]
    wants: Annotated[
        frozenset[Want],
        Field(
            description="`events` as data, `text` as sentences, `moves` as legal lines, "
            "`short` for short keys (2), `ascii` for boards without box characters, "
            "`linear` for boards that are read aloud, `moved` for who follows a `moved`"
        ),
    ] = frozenset()
    bot: Annotated[_Bool, Field(description="a program plays; bots have no vote")] = False
    agent: Annotated[
        str, Strict(), Field(max_length=AGENT_MAX, description="name and version of your program")
    ] = ""
    beside: Annotated[
        _Bool, Field(description="beside a connection that you have: the token stays the same")
    ] = False


@_message
class Say:
    """One typed line: a move, a command or talk."""

    type: Literal["say"] = "say"
    id: Annotated[_SayId, Field(description="chosen by you, never used twice by one person")]
    text: Annotated[str, Strict(), Field(max_length=SAY_TEXT_MAX, description="the line")]
    room: Annotated[_Number | None, Field(description="absent: the lobby")] = None
    at: Annotated[
        _Version | None,
        Field(description="the version you saw; a move is `stale` when your seat moved on since"),
    ] = None


@_message
class Ask:
    """A query, which changes nothing; the answer has the same `id`."""

    type: Literal["ask"] = "ask"
    id: Annotated[_SayId, Field(description="chosen by you")]
    room: Annotated[_Number | None, Field(description="absent: the lobby")] = None
    what: Annotated[QueryKind, Field(description="what is asked for")]
    args: Annotated[
        Mapping[Annotated[str, Strict(), Field(max_length=ASK_KEY_MAX)], _Argument],
        Field(max_length=ASK_ARGUMENTS_MAX, description="arguments by name"),
    ] = field(default_factory=dict)


@_message
class Sync:
    """Asks for a snapshot, because a version or a check sum does not fit."""

    type: Literal["sync"] = "sync"
    room: Annotated[_Number, Field(description="which room")]


# From the server.


@_message
class Welcome:
    """The answer to `hello`."""

    type: Literal["welcome"] = "welcome"
    protocol: Annotated[_Count, Field(description="the protocol version of this connection")]
    person: Annotated[_Text, Field(description="who you are: opaque, stays the same")]
    name: Annotated[_Text, Field(description="your name")]
    token: Annotated[_Text, Field(description="keep it: the next `hello` is you again")]
    lang: Annotated[Lang, Field(description="the language of all sentences to you")]
    server: Annotated[_Text, Field(description="name and version of the server")]
    now: Annotated[_Count, Field(description="the server's clock, ms since 1970")]
    nodes: Annotated[
        tuple[_Text, ...], Field(description="addresses of nodes, that of this one first")
    ] = ()


@_message
class Logged:
    """One sentence of a room's log."""

    version: Annotated[_Version, Field(description="the version that it tells of")]
    at: Annotated[_Count, Field(description="when, ms since 1970")]
    text: Annotated[_Text, Field(description="the sentence")]
    event: Annotated[
        _Branch | None,
        Field(description="what it tells of, as data, for those who want `events`"),
    ] = None


@_message
class Room:
    """A snapshot: the whole view of a room at a version. It replaces the view that you had."""

    type: Literal["room"] = "room"
    room: Annotated[_Number, Field(description="its number in the frames of this connection")]
    id: Annotated[_Text, Field(description="its name, as `/room` takes it")]
    game: Annotated[_Text, Field(description="key of the game")]
    hash: Annotated[_Text, Field(description="of the `game` message that belongs to it")]
    version: Annotated[_Version, Field(description="the version shown")]
    view: Annotated[_Branch, Field(description="the tree `{room, game}` as you may see it")]
    sum: Annotated[_Sum, Field(description="check sum of `view`")]
    eyes: Annotated[
        tuple[_Count, ...], Field(description="seats whose secrets you see; empty: a spectator")
    ] = ()
    log: Annotated[
        tuple[Logged, ...], Field(description="the newest sentences, for those who want `text`")
    ] = ()


@_message
class Update:
    """One step of a room, from the version before to `version`."""

    type: Literal["update"] = "update"
    room: Annotated[_Number, Field(description="which room")]
    version: Annotated[_Version, Field(description="the version after it")]
    patch: Annotated[_Branch | None, Field(description="merge patch that everybody gets")] = None
    own: Annotated[
        _Branch | None, Field(description="merge patch of what only you see; after `patch`")
    ] = None
    done: Annotated[_SayId | None, Field(description="`id` of your `say` that did this")] = None
    sum: Annotated[_Sum | None, Field(description="check sum of the view after it")] = None
    events: Annotated[
        tuple[_Branch, ...] | None,
        Field(description="what happened, each with its name under `event`"),
    ] = None
    text: Annotated[tuple[_Text, ...] | None, Field(description="what happened, in sentences")] = (
        None
    )


@_message
class Presence:
    """Who is in a room at this moment; always complete, not in the view."""

    type: Literal["presence"] = "presence"
    room: Annotated[_Number, Field(description="which room")]
    here: Annotated[tuple[_Text, ...], Field(description="names of those connected")] = ()
    away: Annotated[tuple[_Text, ...], Field(description="names of seated ones who are not")] = ()


@_message
class Moves:
    """The lines that are legal for a seat of yours, for those who want `moves`.

    They come when the seat begins to be to move, and again when what it sees of the game changes.
    """

    type: Literal["moves"] = "moves"
    room: Annotated[_Number, Field(description="which room")]
    version: Annotated[_Version, Field(description="legal in this version")]
    seat: Annotated[_Count, Field(description="for this seat")]
    lines: Annotated[tuple[_Text, ...], Field(description="each can be said as it stands")] = ()


@_message
class Game:
    """Data that does not change while a game is played: maps, cards, options, grammar."""

    type: Literal["game"] = "game"
    key: Annotated[_Text, Field(description="key of the game")]
    hash: Annotated[_Text, Field(description="of `body`: equal hash, equal body; keep it")]
    body: Annotated[_Branch, Field(description="the data")]


@_message
class Moved:
    """A room lives at another address: go there, and say again there what is unanswered."""

    type: Literal["moved"] = "moved"
    name: Annotated[_Text, Field(description="name of the room, as `/room` takes it")]
    url: Annotated[_Text, Field(description="where it is, against the address of this connection")]
    id: Annotated[_SayId | None, Field(description="of your line that led there")] = None
    room: Annotated[_Number | None, Field(description="its number here, which is void now")] = None


@_message
class Answer:
    """The answer to `ask`."""

    type: Literal["answer"] = "answer"
    id: Annotated[_SayId, Field(description="of the `ask`")]
    what: Annotated[QueryKind, Field(description="what was asked for")]
    body: Annotated[_Branch, Field(description="the answer")]


@_message
class Note:
    """A text to you alone, without a version of the room."""

    type: Literal["note"] = "note"
    code: Annotated[_Text, Field(description="what kind of note")]
    text: Annotated[_Text, Field(description="the words; may have several lines")]
    room: Annotated[_Number | None, Field(description="which room; absent: the lobby")] = None
    name: Annotated[_Text | None, Field(description="who says it, where a person does")] = None
    said: Annotated[
        _Text | None,
        Field(
            description="what was said, without the name; of `invited` the line that goes there, "
            "of `hint` the best line, of `coach` places by lines, of `lang` the language"
        ),
    ] = None


@_message
class Done:
    """Your line took effect (when no `update` of yours carries `done`)."""

    type: Literal["done"] = "done"
    id: Annotated[_SayId, Field(description="of your `say`")]
    room: Annotated[_Number | None, Field(description="the room it was for")] = None
    version: Annotated[
        _Version | None, Field(description="in which it took effect; absent: nothing is kept")
    ] = None


@_message
class Error:
    """A refusal: nothing has changed."""

    type: Literal["error"] = "error"
    code: Annotated[_Text, Field(description="the stable code, see 7")]
    text: Annotated[_Text, Field(description="the same as a sentence")]
    id: Annotated[_SayId | None, Field(description="of your message, if it had one")] = None
    rule: Annotated[_Text | None, Field(description="paragraph of the game's rules")] = None
    candidates: Annotated[
        tuple[_Text, ...], Field(description="lines or words that you may have meant")
    ] = ()
    retry_ms: Annotated[
        _Count | None, Field(description="say it again after this time; absent: no use in it")
    ] = None
    start: Annotated[
        _Count | None,
        Field(description="where in the line the wrong word begins, in code points"),
    ] = None
    end: Annotated[
        _Count | None,
        Field(description="where it ends; both at the line's end if a word is missing"),
    ] = None
    offers: Annotated[
        Literal["line", "word", "range"] | None,
        Field(
            description="what `candidates` are: whole lines, words for that place, or bounds "
            "to read"
        ),
    ] = None


@_message
class Lobby:
    """A page of the list of rooms: the whole page, or the changes since the version before.

    The tree has `rooms` by id, their `order`, `page` of `pages`, and `total` rooms.
    """

    type: Literal["lobby"] = "lobby"
    version: Annotated[_Version, Field(description="the version after it")]
    full: Annotated[_Bool, Field(description="true: forget what you had, then apply")] = False
    patch: Annotated[_Branch, Field(description="merge patch")]


@_message
class Bye:
    """The server closes the connection after this frame."""

    type: Literal["bye"] = "bye"
    why: Annotated[_Text, Field(description="the reason, for programs")]
    text: Annotated[_Text, Field(description="the same as a sentence")]
    retry_ms: Annotated[
        _Count | None, Field(description="come back after this time; absent: do not")
    ] = None


@_message
class Wanted:
    """A seat waits for a bot (only to house bots)."""

    type: Literal["wanted"] = "wanted"
    room: Annotated[_Text, Field(description="name of the room, as `/room` takes it")]
    seat: Annotated[_Count, Field(description="which seat")]
    strategy: Annotated[_Text, Field(description="how to play")]
    ticket: Annotated[_Text, Field(description="admits the bot to the seat")]
    pace_ms: Annotated[
        _Count | None, Field(description="how long to wait before each move: a person's seat")
    ] = None


@_message
class Think:
    """A request for a hint to a seat or for an analysis (only to house bots).

    The reply to a hint is the line `/thought NUMBER` and a JSON object. An analysis is requested
    by its `record`; the reply is lines `/analysed NUMBER SIGN PART` with parts of a JSON object,
    the sign is `.` for the last part, else `+`. Without lines and record the request is cancelled.
    """

    type: Literal["think"] = "think"
    number: Annotated[_Count, Field(description="which question")]
    room: Annotated[_Text, Field(description="name of the room")] = ""
    game: Annotated[_Text, Field(description="key of the game")] = ""
    rules: Annotated[_Count | None, Field(description="version of its rules")] = None
    seat: Annotated[_Count, Field(description="who asks")] = 0
    view: Annotated[_Branch, Field(description="the game as the seat sees it")] = field(
        default_factory=dict
    )
    lines: Annotated[tuple[_Text, ...], Field(description="its legal lines")] = ()
    record: Annotated[
        _Text | None, Field(description="the record of the game that is to be analysed")
    ] = None


ClientMessage: TypeAlias = Hello | Say | Ask | Sync
ServerMessage: TypeAlias = (
    Welcome
    | Room
    | Update
    | Presence
    | Moves
    | Game
    | Moved
    | Answer
    | Note
    | Done
    | Error
    | Lobby
    | Bye
    | Wanted
    | Think
)
Message: TypeAlias = ClientMessage | ServerMessage

POSITIONAL: Final[Mapping[int, type[Say] | type[Update] | type[Done]]] = {
    1: Say,
    2: Update,
    3: Done,
}
"""The frequent messages: in msgpack an array, this number first, then the fields in order."""
