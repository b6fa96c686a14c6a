"""The members of a room, and what they see of one version: views, check sums, the log, snapshots.

Members who see the same and want the same are one audience: all of them get the same bytes. Who
is present is no state: it is never journaled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypedDict

from msgspec import Struct, to_builtins

from bluebear.protocol import (
    Branch,
    Codec,
    Keys,
    Logged,
    Presence,
    RoomNumber,
    Version,
    canonical,
    crc_of_members,
)
from bluebear.protocol import Game as GameData
from bluebear.protocol import Room as Snapshot
from bluebear.rules.core.event_text import event_view
from bluebear.rules.core.game import Game
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.phrases import LANGS, SUMMARY, Lang, Phrase, Phrases
from bluebear.rules.core.slots import Slot, SlotForm, fold
from bluebear.rules.core.visibility import SPECTATOR, Eyes, require
from bluebear.server.limits import DISCONNECTED_SECONDS, LET_IN_MAX
from bluebear.server.room.events import Said
from bluebear.server.room.fold_context import logged_for
from bluebear.server.room.hosting import is_barred
from bluebear.server.room.options import (
    GENERAL,
    GameEntry,
    OptionForm,
    ValueName,
    entry_of,
    form_of,
)
from bluebear.server.room.state import TABLE, Room, versions_for, voting_seats
from bluebear.server.room.state import Logged as LoggedEvents
from bluebear.server.rooms.connection import Connection
from bluebear.server.runtime import body_hash, token_hash
from bluebear.server.sentences import SERVER, event_line


@lru_cache
def keys_of(game: Game[Any]) -> Keys:  # Any: each game has a state class of its own
    """The table of a game; a name that stands in several places has one number."""
    schemas = (game.tree.view_schema(), TABLE.view_schema())
    names = (name for schema in schemas for name in _names(schema))
    return Keys(list(dict.fromkeys(("room", "game", *names))))


def _names(schema: Shaped) -> Iterator[str]:
    """The properties that a schema names, from the root on."""
    for name, below in schema.get("properties", {}).items():
        yield name
        yield from _names(below)
    for key in ("additionalProperties", "items", "prefixItems", "oneOf"):
        parts = schema.get(key) or ()
        for below in (parts,) if isinstance(parts, dict) else parts:
            yield from _names(below)


_GAMES_MAX: Final = 64
"""Games whose data are kept, however many servers are made of them in one process."""


class VerbForm(TypedDict):
    """A verb of a game; `names`: what else may be typed for it."""

    verb: str
    names: list[str]
    slots: list[SlotForm]


class GameBody(GameEntry):
    """What never changes about a game. `general` are the options of every room, `words` the names
    of values by slot, or another slot that has the same; `scores`, `slots` and `fields` the names
    of parts of a score, of slots, of fields of the view; `board` the addresses of the board that a
    package brings, `view` the JSON Schema of the views, `keys` their short keys.
    """

    rules: int
    credits: list[str]
    summary: dict[str, str]
    bots: list[str]
    options: list[OptionForm]
    general: list[OptionForm]
    verbs: list[VerbForm]
    words: dict[str, dict[str, ValueName] | str]
    scores: dict[str, Phrase]
    slots: dict[str, Phrase]
    fields: dict[str, Phrase]
    board: list[str]
    static: dict[str, Any]  # Any: as the game declares it
    view: dict[str, Any]  # Any: a JSON Schema is a tree of many shapes
    keys: list[str]


def game_body(game: Game[Any]) -> GameBody:  # Any: each game has a state class of its own
    """What never changes about a game."""
    info, phrases = game.info, game.phrases
    return {
        **entry_of(info),
        "rules": info.rules,
        "credits": list(info.credits),
        "summary": {la: phrases.say(SUMMARY, la) for la in LANGS if SUMMARY in phrases},
        "bots": list(game.players),
        "options": [form_of(option, phrases) for option in info.options.values()],
        "general": [form_of(option, SERVER) for option in GENERAL.values()],
        "verbs": [
            {
                "verb": verb.name,
                "names": [*verb.names, *verb.short],
                "slots": [slot.describe() for slot in verb.slots],
            }
            for verb in game.grammar.verbs.values()
        ],
        "words": value_names(game),
        "scores": _labels(phrases, "score."),
        "slots": _labels(phrases, "slot."),
        "fields": _labels(phrases, "field."),
        "board": list(board_files(game)),
        "static": game.static,
        "view": game.tree.view_schema(),
        "keys": list(keys_of(game).names),
    }


def value_names(game: Game[Any]) -> dict[str, dict[str, ValueName] | str]:  # Any: as above
    """The names of values by slot and canonical text, without those that say nothing more.

    A slot with the same names as an earlier slot has the name of that slot instead.
    """
    by_slot: dict[str, dict[str, ValueName]] = {}
    for slot in (slot for item in game.grammar.items for slot in item.slots):
        values = by_slot.setdefault(slot.name, {})
        for value in slot.values():
            if value not in values and (names := _value_name(slot, value, game.phrases)):
                values[value] = names
    made: dict[str, dict[str, ValueName] | str] = {}
    for name, values in by_slot.items():
        if values:
            made[name] = next((other for other, each in made.items() if each == values), values)
    return made


def _value_name(slot: Slot, value: str, phrases: Phrases) -> ValueName | None:
    en, ja = (phrases.label(slot.name, value, lang) for lang in LANGS)
    folded = {fold(each) for each in (value, en, ja)}
    if names := list(dict.fromkeys(n for n in slot.names(value) if fold(n) not in folded)):
        return {"en": en, "ja": ja, "names": names}
    return {"en": en, "ja": ja} if len(folded) > 1 else None


def _labels(phrases: Phrases, prefix: str) -> dict[str, Phrase]:
    """The phrases of a prefix in each language: what parts of a score, slots, fields are called."""
    keys = [key for key in phrases if key.startswith(prefix)]
    return {key.removeprefix(prefix): require(phrases.find(key)) for key in keys}


def board_files(*games: Game[Any]) -> dict[str, bytes]:  # Any: as above
    """What packages draw their tables with, by addresses which change with the content."""
    return {
        f"/boards/{game.info.key}.{token_hash(text)[:16]}.{name.rpartition('.')[2]}": text.encode()
        for game in games
        for name, text in game.board.items()
    }


@lru_cache(maxsize=_GAMES_MAX)
def data_of(game: Game[Any]) -> GameData:  # Any: as above
    """The unchanging data of a game, with the hash of its body."""
    body: Branch = to_builtins(game_body(game))
    return GameData(key=game.info.key, hash=body_hash(body), body=body)


@lru_cache(maxsize=2 * _GAMES_MAX)
def frame_of(game: Game[Any], codec: Codec) -> bytes:  # Any: as above
    """The frame of the same: it may be as large as all else that a client gets."""
    return codec.encode(data_of(game))


_AUDIENCES: Final = 1024
"""Remembered audiences; members of a forgotten one get frames of their own, made anew."""

AnyGame = Game[Any] | None  # Any: each game has a state class of its own


class Audience(Struct, frozen=True, eq=False):
    """What the frames of some members have in common: all of them get the same bytes.

    Made by `audience`, so that equal ones are one and the same: they are looked up by identity
    for every member and entry.
    """

    codec: Codec
    number: RoomNumber
    eyes: Eyes
    lang: Lang | None
    """None: wants no text."""
    events: bool
    common: Audience | None
    """Members that want the same, and see what all see; None: this group is that one."""


@lru_cache(_AUDIENCES)
def audience(
    codec: Codec, number: RoomNumber, eyes: Eyes, lang: Lang | None, *, events: bool
) -> Audience:
    """The audience of those who see and want the same."""
    common = audience(codec, number, SPECTATOR, lang, events=events) if eyes else None
    return Audience(codec, number, eyes, lang, events, common)


def snapshot(
    sights: VersionViews,
    audience: Audience,
    *,
    game_hash: str,
    unheard: frozenset[str] = frozenset(),
) -> Snapshot:
    """All that a member sees, with the end of the log if it wants sentences.

    `unheard` has the names of people whose talk it does not receive.
    """
    room = sights.room
    return Snapshot(
        room=audience.number,
        id=room.table.id,
        game=room.table.game,
        hash=game_hash,
        version=Version(room.version_for(audience.eyes)),
        view=sights.view(audience.eyes),
        sum=sights.sum(audience.eyes),
        eyes=tuple(sorted(audience.eyes)),
        log=sights.log(audience, unheard),
    )


class VersionViews:
    """What members see of one version: views, checksums, the log in sentences.

    What several members have in common is made once, and never changed.
    """

    def __init__(self, room: Room, game: AnyGame, sentences: LogSentences | None = None) -> None:
        self.room = room
        self.game = game
        self.sentences = LogSentences() if sentences is None else sentences
        """What is known of the log from versions before."""
        self._tree = None if game is None or room.game is None else game.tree
        self._table = TABLE.view(room.table)
        self._packed_table = b""
        self._views: dict[Eyes, Shaped] = {}
        self._sums: dict[Eyes, int] = {}
        self.packed: dict[tuple[Audience, frozenset[str]], bytes] = {}
        """Snapshots by audience, and by the names of people whose talk it does not receive."""

    def view(self, eyes: Eyes) -> Shaped:
        """The tree `{room, game}`, without `game` before the start."""
        cached = self._views.get(eyes)
        if cached is None:
            cached = self._views[eyes] = {"room": self._table}
            if self._tree is not None:
                cached["game"] = self._tree.view(self.room.game, eyes)
        return cached

    def sum(self, eyes: Eyes) -> int:
        """The check sum of the view of these eyes, as `crc(view)` has it."""
        cached = self._sums.get(eyes)
        if cached is None:
            self._packed_table = self._packed_table or canonical(self._table)
            texts = {"room": self._packed_table}
            if self._tree is not None:
                texts["game"] = canonical(self.view(eyes)["game"])
            cached = self._sums[eyes] = crc_of_members(texts)
        return cached

    def log(self, audience: Audience, unheard: frozenset[str]) -> tuple[Logged, ...]:
        """The tail of the log in sentences, for those who want any, without some people's words."""
        if audience.lang is None:
            return ()
        room, seen = self.room, versions_for(self.room, audience.eyes)
        return tuple(
            Logged(version=Version(seen(logged.version)), at=logged.at, text=text, event=event)
            for logged, lines in self.sentences.lines(room, self.game, audience)
            for name, text, event in lines
            if name not in unheard
        )


class SentLine(NamedTuple):
    """What one audience learns of an event."""

    name: str
    """Who has said it; "" if it is no talk."""
    text: str
    event: Shaped | None


class LogSentences:
    """The tail of a room's log in sentences, for each kind of reader.

    A sentence is the same in later versions, so each version makes only the new ones: sentences
    are nine tenths of a snapshot.
    """

    def __init__(self) -> None:
        self._made: dict[
            tuple[AnyGame, Eyes, Lang, bool], dict[int, tuple[LoggedEvents, tuple[SentLine, ...]]]
        ] = {}
        """By game, reader and version."""

    def lines(
        self, room: Room, game: AnyGame, audience: Audience
    ) -> Iterable[tuple[LoggedEvents, tuple[SentLine, ...]]]:
        """What the log tells an audience that wants text, oldest first."""
        assert audience.lang is not None
        key = game, audience.eyes, audience.lang, audience.events
        before = self._made.get(key, {})
        now = self._made[key] = {}
        for logged in logged_for(room):
            made = before.get(logged.version)
            if made is None or made[0] is not logged:
                made = logged, tuple(_sent_lines(logged, audience, game))
            now[logged.version] = made
        return now.values()


def _sent_lines(logged: LoggedEvents, audience: Audience, game: AnyGame) -> Iterator[SentLine]:
    assert audience.lang is not None
    for event in logged.events:
        line = event_line(event, audience.eyes, audience.lang, game, logged.name_of)
        if line is not None:
            view = event_view(event, audience.eyes) if audience.events else None
            yield SentLine(event.name if isinstance(event, Said) else "", line, view)


class Member(Struct):
    """One connection in a room: its number for the room and what it sees."""

    client: Connection
    audience: Audience
    knows_keys: bool = False
    """Whether it has been sent the table of its short keys."""
    shown_at: int = 0
    """The room's version when it was last sent a snapshot, maybe of an older one."""


def eyes_of(client: Connection, room: Room) -> Eyes:
    """The seats whose secrets a connection may see."""
    if client.house_seat is not None:
        chair = room.seats.get(client.house_seat)
        plays = chair is not None and chair.bot is not None
        return frozenset((client.house_seat,)) if plays else SPECTATOR
    seat = room.seat_of(client.person)
    return SPECTATOR if seat is None else frozenset((seat,))


def audience_of(client: Connection, codec: Codec, number: RoomNumber, eyes: Eyes) -> Audience:
    """What a connection's frames are made for."""
    wants_text = "text" in client.wants
    return audience(
        codec, number, eyes, client.lang if wants_text else None, events="events" in client.wants
    )


class Members:
    """The members of one room; owned by its live room."""

    def __init__(self) -> None:
        self.members: dict[Connection, Member] = {}
        self.here: dict[str, str] = {}
        self.absent_since: dict[str, float] = {}
        self._lost: dict[str, tuple[str, float]] = {}
        """By person: the name, and when the connection was lost; the earliest first."""

    def put(self, client: Connection, codec: Codec, number: RoomNumber, room: Room) -> Member:
        """A connection comes in; `codec` is that of its views."""
        member = Member(client, audience_of(client, codec, number, eyes_of(client, room)))
        self.members[client] = member
        if not client.is_house:
            self.here[client.person] = client.name
            self.absent_since.pop(client.person, None)
            self._lost.pop(client.person, None)
        return member

    def drop(self, client: Connection, now: float) -> None:
        """A connection goes; the person is gone with the last one."""
        member = self.members.pop(client, None)
        if member is None or client.is_house:
            return
        if not any(other.person == client.person for other in self.members):
            name = self.here.pop(client.person, client.name)
            self.absent_since[client.person] = now
            if client.is_disconnected:
                self._lost[client.person] = (name, now)
                if len(self._lost) > LET_IN_MAX:
                    del self._lost[next(iter(self._lost))]

    def lately(self, now: float) -> Mapping[str, str]:
        """Who lost the connection so recently that they may come back: names by id."""
        if not self._lost:
            return {}
        for person, (_, since) in list(self._lost.items()):
            if now - since < DISCONNECTED_SECONDS:
                break
            del self._lost[person]
        return {person: name for person, (name, _) in self._lost.items()}

    def sent_out(self, person: str) -> None:
        """A person is not expected back any more."""
        self._lost.pop(person, None)

    def expelled(self, room: Room, person: str) -> list[Connection]:
        """The connections that have to leave a room with a person who is sent out of it."""
        return [
            client
            for client in self.members
            if (client.person == person and not client.is_house)
            or is_barred(room, client.person, client.owner)
        ]

    def rename(self, person: str, name: str) -> None:
        """A person who is here has another name."""
        if person in self.here:
            self.here[person] = name

    def presence(self, number: RoomNumber, room: Room) -> Presence:
        """Who is here and which seated people are not."""
        owners: Mapping[str, str] = {
            chair.person: chair.name for chair in room.seats.values() if chair.person is not None
        }
        away = [name for person, name in owners.items() if person not in self.here]
        return Presence(
            room=number, here=tuple(sorted(self.here.values())), away=tuple(sorted(away))
        )

    def voters(self, room: Room) -> list[int]:
        """The seats of the humans who are here: who votes."""
        return voting_seats(room, self.here)

    @property
    def awake(self) -> bool:
        """Whether any person is connected, house bots aside."""
        return bool(self.here)
