"""The lobby: the way into rooms, lists of rooms, and who is online where; help and language.

A room that a person may not know of is in none of their replies: its members look like people in
the lobby.
"""

from __future__ import annotations

import re
from math import inf
from typing import ClassVar, Final, cast

from msgspec import UNSET, Struct, UnsetType

from bluebear.protocol import Ask, Branch
from bluebear.rules.core.phrases import JOINED, LANGS, Lang
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import Choice
from bluebear.rules.core.text_layout import flowed
from bluebear.server.commands import answers
from bluebear.server.commands.acts import (
    ANSWERED,
    Act,
    Enter,
    GoLobby,
    NewRoom,
    RunCommand,
    SetLang,
    Tell,
)
from bluebear.server.commands.answers import Book, who
from bluebear.server.commands.command import Arguments, Command, Topic, anywhere, check_password
from bluebear.server.commands.native import help_text
from bluebear.server.commands.scene import ONLINE, ROOMS, Companion, RoomLine, Scene
from bluebear.server.features.feature import Context, Feature, Question
from bluebear.server.limits import LISTING_SIZE, ROOMS_PER_CONNECTION
from bluebear.server.lookups import GameLink
from bluebear.server.people.account import Scope
from bluebear.server.room.state import Phase
from bluebear.server.rooms.loading import RoomLink, about_room
from bluebear.server.runtime import token_hash
from bluebear.server.sentences import away_text, option_labels, say, span
from bluebear.server.store import Window

_NUMBER: Final = re.compile(r"#?(\d{1,9})")
_MINUTE_MS: Final = 60_000
_SHOWN_AGE_MS: Final = 60_000
"""From what age on a room's age is shown."""
_INDENT: Final = 10
"""Where a room that does not fit on its line goes on."""


def _who(scene: Scene, given: Arguments) -> Act:
    """Who is in the room; in the lobby, who is connected."""
    if scene.room is not None:
        return who(scene)
    return RunCommand("who", {}, width=scene.width)


def _list_free(scene: Scene, given: Arguments) -> Arguments:
    return {**given, "free": True}


def number_or_invite(given: str) -> tuple[str, str]:
    """The number of a room, or the hash of an invite token or link; the other one is ""."""
    number = _NUMBER.fullmatch(given)
    if number is not None:
        return number[1], ""
    return "", token_hash(given.rstrip("/").rsplit("/", 1)[-1])


def check_may_enter(room: RoomLine | None, invite: str, person: str, owner: str) -> RoomLine:
    """The room that was found, by its number or by an invite.

    NotAllowed (room_unknown) as well for a room that the person may not know of.
    """
    if room is None or room.bars(person, owner):
        raise NotAllowed("room_unknown")
    if not invite and not room.is_visible_to(person):
        raise NotAllowed("room_unknown")
    return room


def _new_room(scene: Scene, given: Arguments) -> Arguments:
    if "password" in given:
        check_password(given["password"])
    if not scene.pins.offers(given["game"]):
        raise NotAllowed("not_offered", given=given["game"], candidates=scene.pins.offered)
    return given


def _go_lobby(scene: Scene, given: Arguments) -> Act:
    """Leave the room; in the lobby, say where one is."""
    if scene.room is None:
        return Tell("lobby", say("answer.in_lobby", scene.speaker.lang))
    return GoLobby()


class OnlineRoom(Struct, frozen=True):
    """A room of a person who is online."""

    id: str
    game: str


class OnlinePerson(Struct, frozen=True):
    """A person who is online, rooms that one may know of, and with which words they are away."""

    name: str
    minutes: int
    rooms: tuple[OnlineRoom, ...]
    away: str | UnsetType = UNSET


class OnlinePeople(Struct, frozen=True):
    """Who is online, and how many more are."""

    people: tuple[OnlinePerson, ...]
    more: int


class MyRoom(RoomLink):
    """A room in which the person sits or is the host; `turn`: whether it is theirs. `due`: in a
    game by days, when their time, else that of another one, is up, ms since 1970; else 0.
    """

    turn: bool
    due: int


class Lobby(Feature):
    """Rooms and people as the commands of the lobby show them, and the way into rooms and out.

    Help, rules and language, anywhere.
    """

    name = "lobby"
    topic = Topic.ROOMS
    is_basic = True
    answers: ClassVar = {"wwho": OnlinePeople, "rules": Book, "rooms": MyRoom, "game": GameLink}
    commands = (
        Command(
            "help command?",
            anywhere(),
            lambda scene, given: help_text(scene, given.get("command", "")),
            ("ヘルプ", "助け"),
            ("?",),
        ),
        Command(
            "rules paragraph?",
            anywhere(),
            lambda scene, given: answers.rules(scene, given.get("paragraph", "")),
            ("ルール", "規則"),
        ),
        Command(
            "lang lang",
            anywhere(),
            # The choices are the languages: this only names their type.
            lambda scene, given: SetLang(next(lang for lang in LANGS if lang == given["lang"])),
            ("言語",),
            choices={
                "lang": (Choice("en", ("english", "英語")), Choice("ja", ("japanese", "日本語")))
            },
        ),
        Command("lobby", anywhere(), _go_lobby, names=("ロビー",), short=("manager",)),
    )

    # Rooms.

    @Command("room room password?", anywhere(), names=("部屋",), secret=True, offers=ROOMS)
    async def find_room(self, ctx: Context, room: str, password: str = "") -> Enter:
        """`/room`: enter the room of a number, an invite token or an invite link."""
        look_ups, connection = self.services.look_ups, ctx.connection
        number, invite = number_or_invite(room)
        if number:
            line = await look_ups.room(number, connection.person)
        else:
            line = await look_ups.room_of_invite(invite)
        line = check_may_enter(line, invite, connection.person, connection.owner)
        return Enter(line.id, invite, password)

    @Command(
        "newroom game privacy? password?",
        anywhere(),
        _new_room,
        ("新部屋", "部屋作成"),
        secret=True,
        given_scope=Scope.HOST,
        choices={
            "privacy": (
                Choice("public", ("公開",)),
                Choice("unlisted", ("限定公開",)),
                Choice("private", ("非公開", "招待制")),
            )
        },
    )
    async def new_room(
        self, ctx: Context, game: str, privacy: str = "public", password: str = ""
    ) -> Tell:
        """`/newroom`: make a room and enter it. Raises NotAllowed (too_many_rooms_at_once)."""
        if len(ctx.connection.rooms) >= ROOMS_PER_CONNECTION:
            raise NotAllowed("too_many_rooms_at_once")
        room = NewRoom(game, privacy, password)
        await self.services.making.make(ctx.connection, room, ctx.say_id)
        return ANSWERED

    @Question("rooms")
    async def rooms_of_person(self, ctx: Context, query: Ask) -> Branch:
        """The rooms in which the person has a seat or is the host, in the order of `/myrooms`.

        `due`: when the time of the person, else of another one to move is up, in ms since 1970; 0
        in games that are not by days.
        """
        person = ctx.connection.person
        rooms: list[MyRoom] = [
            {**about_room(room), "turn": room.is_turn_of(person), "due": _due(room, person)}
            for room in await self._rooms_of(person)
        ]
        return cast(Branch, {"rooms": rooms})

    @Command("listroom game? page?", anywhere(), names=("部屋一覧",), is_query=True)
    @Command("listfree game page?", anywhere(), _list_free, ("空席一覧",), is_query=True)
    async def list_rooms(
        self, ctx: Context, game: str = "", page: int = 1, *, free: bool = False
    ) -> Tell:
        """A page of the rooms that all may know of, newest first; of one game ("": all), or those
        with free seats only.
        """
        window = Window(game, free=free, page=page - 1)
        rooms, total = await self.services.look_ups.list_rooms(window)
        if not total:
            return Tell("listroom", say("answer.no_rooms", ctx.lang))
        lines = [line for room in rooms for line in self._listed(ctx, room)]
        if total > len(rooms):
            pages = -(-total // LISTING_SIZE)
            lines.append(say("answer.room_page", ctx.lang, page=page, pages=pages, count=total))
        return Tell("listroom", "\n".join(lines))

    def _listed(self, ctx: Context, room: RoomLine) -> list[str]:
        """A room of the list, with what is not as usual: clock, options, spectators, age."""
        lang, game = ctx.lang, self.services.games.get(room.game)
        age = self.services.clock.now() - room.made
        unusual = (*((("clock", room.clock),) if room.clock else ()), *room.options)
        notes = ["=".join(option_labels(name, value, lang, game)) for name, value in unusual]
        if room.watchers:
            notes.append(say("answer.watchers", lang, count=room.watchers))
        if room.made and age >= _SHOWN_AGE_MS:
            notes.append(say("answer.room_age", lang, time=span(age, lang)))
        return flowed(_with_notes(self._room_text(ctx, room), notes, lang), ctx.width, _INDENT)

    def _room_text(self, ctx: Context, room: RoomLine) -> str:
        """A room on one line; running games have `**`."""
        lang, game = ctx.lang, self.services.games.get(room.game)
        name = room.game if game is None else game.info.name(lang)
        running = room.phase in (Phase.PLAYING, Phase.PAUSED)
        mark = "**" if running else "  "
        number = "" if room.private else room.id
        lock = say("mark.locked", lang) if room.locked else ""
        seats = ", ".join(room.names) + (f" +{room.free}" if room.free else "")
        asleep = running and not room.awake
        phase = say("mark.asleep", lang) if asleep else say(f"phase.{room.phase}", lang)
        return f"{mark} {number:>6} {name} [{seats}] {phase} {lock}".rstrip()

    # Who is online.

    @Command("who", anywhere(), _who, names=("誰", "メンバー"), is_query=True)
    async def online(self, ctx: Context) -> Tell:
        """`/who` in the lobby: the people who are connected."""
        look_ups, lang = self.services.look_ups, ctx.lang
        names = tuple(name for _, name in await look_ups.online())
        line = say("answer.online", lang, names=names)
        more = await look_ups.count_online() - len(names)
        if more > 0:
            line = f"{line} {say('answer.and_more', lang, count=more)}"
        return Tell("who", line)

    @Command("wwho", anywhere(), names=("全員",), is_query=True, topic=Topic.PEOPLE)
    async def everyone(self, ctx: Context) -> Tell:
        """`/wwho`: as data, `people` with their minutes here, and how many `more` there are."""
        look_ups = self.services.look_ups
        company = await look_ups.company([person for person, _ in await look_ups.online()])
        shown = [(each, each.rooms_shown_to(ctx.connection.person, ctx.room)) for each in company]
        lines = [
            " ".join([self._companion(ctx, each), *(room.id for room in rooms)])
            for each, rooms in shown
        ]
        more = max(0, await look_ups.count_online() - len(lines))
        if more:
            lines.append(say("answer.and_more", ctx.lang, count=more))
        people = tuple(
            OnlinePerson(
                each.name,
                self._minutes(each),
                tuple(OnlineRoom(room.id, room.game) for room in rooms),
                UNSET if each.away is None else each.away,
            )
            for each, rooms in shown
        )
        return Tell("wwho", "\n".join(lines), lambda: OnlinePeople(people, more))

    @Command(
        "whereis name",
        anywhere(),
        names=("どこ",),
        offers=ONLINE,
        is_query=True,
        topic=Topic.PEOPLE,
    )
    async def whereis(self, ctx: Context, name: str) -> Tell:
        """`/whereis`. Raises NotAllowed (no_such_person)."""
        companion = await self._find(ctx, name)
        rooms = [
            self._room_text(ctx, room)
            for room in companion.rooms_shown_to(ctx.connection.person, ctx.room)
        ]
        return Tell("whereis", "\n".join([self._companion(ctx, companion), *rooms]))

    @Command("hook name", anywhere(), names=("合流",), offers=ONLINE, topic=Topic.PEOPLE)
    async def hook(self, ctx: Context, name: str) -> Enter:
        """`/hook`. Raises NotAllowed: no_such_person, nowhere_to_go."""
        companion = await self._find(ctx, name)
        for room in companion.rooms_shown_to(ctx.connection.person, ctx.room):
            if room.id != ctx.room:
                return Enter(room.id)
        raise NotAllowed("nowhere_to_go", given=companion.name)

    async def _find(self, ctx: Context, name: str) -> Companion:
        look_ups, sender = self.services.look_ups, ctx.connection.person
        person, _ = await look_ups.find_connected(name)
        with_rooms = not await look_ups.keeps_off(person, sender)
        for companion in await look_ups.company([person], with_rooms=with_rooms):
            return companion
        raise NotAllowed("no_such_person", given=name)

    def _minutes(self, companion: Companion) -> int:
        return max(0, self.services.clock.now() - companion.since) // _MINUTE_MS

    def _companion(self, ctx: Context, companion: Companion) -> str:
        """A person with the minutes that they have been here, and whether they are away."""
        lang, name = ctx.lang, companion.name
        line = say("answer.online_since", lang, name=name, minutes=self._minutes(companion))
        return line if companion.away is None else f"{line} {away_text(lang, name, companion.away)}"

    # The sender's rooms.

    @Command("myrooms", anywhere(), names=("自分の部屋",), is_query=True)
    async def my_rooms(self, ctx: Context) -> Tell:
        """`/myrooms`: those where it is the sender's turn, by the time left; then the newest."""
        rooms = await self._rooms_of(ctx.connection.person)
        lines = [self._room_of_sender(ctx, room) for room in rooms]
        return Tell("myrooms", "\n".join(lines) or say("answer.no_own_rooms", ctx.lang))

    async def _rooms_of(self, person: str) -> list[RoomLine]:
        rooms = await self.services.look_ups.my_rooms(person)
        return sorted(rooms, key=lambda room: _urgency(room, person))

    def _room_of_sender(self, ctx: Context, room: RoomLine) -> str:
        lang, person = ctx.lang, ctx.connection.person
        notes = []
        if room.private:
            notes.append(say("answer.room_number", lang, number=room.id))
        if room.is_turn_of(person):
            notes.append(say("answer.your_turn", lang))
        elif room.turn:
            notes.append(say("answer.turn_of", lang, names=room.turn))
        due = _due(room, person)
        if due:
            time = span(due - self.services.clock.now(), lang)
            notes.append(say("answer.time_left", lang, time=time))
        return _with_notes(self._room_text(ctx, room), notes, lang)


def _with_notes(line: str, notes: list[str], lang: Lang) -> str:
    return f"{line}  {JOINED[lang].join(notes)}" if notes else line


def _due(room: RoomLine, person: str) -> int:
    """When the time of a person is up, else of another one who is to move; 0: no such time."""
    if room.phase != Phase.PLAYING:
        return 0
    times = dict(zip(room.persons, room.deadlines, strict=False))
    return times.get(person) or min((each for each in room.deadlines if each), default=0)


def _urgency(room: RoomLine, person: str) -> tuple[bool, float]:
    to_move = room.is_turn_of(person)
    return not to_move, (_due(room, person) or inf) if to_move else 0
