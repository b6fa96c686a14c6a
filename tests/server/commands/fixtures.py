"""A small world without I/O: people, one room folded by the reducer, and lines said in it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from msgspec.structs import replace

from bluebear.rules import games
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import SPECTATOR, Event, Seat
from bluebear.server.commands.acts import (
    Act,
    Enter,
    RunCommand,
    Tell,
    Unprepared,
    Write,
)
from bluebear.server.commands.native import error_of
from bluebear.server.commands.resolve import carry_out, resolve
from bluebear.server.commands.scene import (
    Offers,
    RoomLine,
    Scene,
    Source,
    Sources,
    Speaker,
)
from bluebear.server.features import COMMANDS
from bluebear.server.features.lobby import check_may_enter, number_or_invite
from bluebear.server.lookups import check_may_make
from bluebear.server.people.account import Account, packed
from bluebear.server.people.names import name_key
from bluebear.server.people.passwords import Hashing
from bluebear.server.people.people import People
from bluebear.server.room.creation import new_game_facts
from bluebear.server.room.reducer import fold
from bluebear.server.room.state import Room
from bluebear.server.rooms.loading import room_line
from bluebear.server.sentences import event_lines
from bluebear.server.store import Entry, Json, PersonRow, StreamId

GAMES: Final = games(("bluebear.rules", "tests.games"))
"""Every game there is, the fixture games too."""

EVERYTHING: Final = frozenset(Source)
"""All that candidates may rest on."""

_START_MS: Final = 1_700_000_000_000


@dataclass(frozen=True, slots=True)
class LineResult:
    """What came of a line: the act or the refusal, and what its speaker reads."""

    act: Act | None
    refusal: Refusal | None
    text: str
    events: tuple[Event, ...] = ()

    @property
    def code(self) -> str:
        """The refusal's code; empty if the line was accepted."""
        return "" if self.refusal is None else self.refusal.code

    @property
    def candidates(self) -> tuple[str, ...]:
        """What the refusal offers instead."""
        return () if self.refusal is None else self.refusal.candidates

    @property
    def lines(self) -> tuple[str, ...]:
        """The canonical lines that were written."""
        return self.act.lines if isinstance(self.act, Write) else ()


@dataclass(slots=True)
class House:
    """One server in miniature: its people, its directory, and one room that is watched closely.

    Owned by the test that made it. A person's id is the name in small letters with "p-" before.
    """

    room: Room | None = None
    people: dict[str, Speaker] = field(default_factory=dict)
    inside: dict[str, str] = field(default_factory=dict)
    more_rooms: list[RoomLine] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    now: int = _START_MS
    made: int = 0
    hashed: list[str] = field(default_factory=list)
    """The passwords that commands had hashed."""

    # What commands look up.

    def rooms(self) -> Sequence[RoomLine]:
        of_seat = [] if self.room is None else [room_line(self.room, GAMES, awake=True)]
        return [*self.more_rooms, *of_seat]

    def offers(self, sources: Sources, person: str) -> Offers:
        """What candidates rest on, from the people and rooms in this fixture."""
        rooms = self.rooms()
        online = tuple((each.person, each.name) for each in self.people.values())
        return Offers(
            online=online if Source.ONLINE in sources else (),
            my_rooms=tuple(r for r in rooms if Source.MY_ROOMS in sources and r.of(person)),
            rooms=tuple(r for r in rooms if Source.LISTED in sources and r.listed),
        )

    def _enter(self, speaker: Speaker, act: RunCommand) -> Enter:
        number, invite = number_or_invite(act.given["room"])
        named = (r for r in self.rooms() if r.id == number or invite in r.invites)
        room = check_may_enter(next(named, None), invite, speaker.person, speaker.owner)
        return Enter(room.id, invite, act.given.get("password", ""))

    # People and lines.

    def meet(self, *names: str, lang: Lang = "en", human: bool = True) -> None:
        """A person connects, and is in the lobby."""
        for name in names:
            person = f"p-{name.casefold()}"
            self.people[name.casefold()] = Speaker(person, name, human, lang)

    def enter(self, *names: str, lang: Lang = "en", human: bool = True) -> None:
        """A person connects and joins the room."""
        self.meet(*names, lang=lang, human=human)
        for name in names:
            self.inside[f"p-{name.casefold()}"] = name

    def go(self, *names: str) -> None:
        """A person leaves the room and stays connected."""
        for name in names:
            del self.inside[f"p-{name.casefold()}"]

    def scene(self, name: str, sources: Sources = EVERYTHING) -> Scene:
        """The context that a person's line is interpreted in; `@2` is the house bot of seat 2."""
        if name.startswith("@"):
            seat = Seat(int(name[1:]))
            speaker = Speaker("", name, human=False, lang="en", house_seat=seat)
        else:
            speaker = self.people[name.casefold()]
        here = speaker.person in self.inside or speaker.house_seat is not None
        room = self.room if here else None
        return Scene(
            speaker=speaker,
            games=GAMES,
            now=self.now,
            fresh=self._fresh(),
            room=room,
            game=None if room is None else GAMES.get(room.table.game),
            here=dict(self.inside) if here else {},
            offers=self.offers(sources, speaker.person),
            public_url="http://bear.example",
        )

    def _fresh(self) -> bytes:
        self.made += 1
        return hashlib.sha512(b"%d" % self.made).digest()

    def say(self, name: str, text: str) -> LineResult:
        """A person sends a text; an accepted line is folded into the room."""
        scene = self.scene(name)
        try:
            act = resolve(scene, text)
            if isinstance(act, Unprepared):
                act = carry_out(scene, asyncio.run(self._prepared(act)))
            assert not isinstance(act, Unprepared), "what was awaited is enough"
            if isinstance(act, RunCommand) and act.command == "room":
                act = self._enter(scene.speaker, act)
            if isinstance(act, RunCommand) and act.command == "newroom":
                check_may_make(scene.speaker.person, scene.offers.my_rooms)
            events = self._write(scene, act) if isinstance(act, Write) else ()
        except Refusal as refusal:
            name_of = None if scene.room is None else scene.room.name_of
            label = error_of(refusal, "", scene.speaker.lang, scene.game, name_of).text
            return LineResult(None, refusal, label)
        return LineResult(act, None, self._reads(scene, act, events), events)

    async def _prepared(self, call: Unprepared) -> Unprepared:
        prepare = COMMANDS[call.command].prepare
        if prepare is None:
            return call
        people, hashing = cast("People", self), cast("Hashing", self)
        return replace(call, given=await prepare(people, hashing, "", call.given))

    async def find(self, name: str) -> PersonRow | None:
        """The row of a person, as `People.find` returns it."""
        key = name_key(name)
        rows = (
            PersonRow(each.person, 1, each.name, key, each.human, (), 0, body=packed(Account()))
            for each in self.people.values()
            if name_key(each.name) == key
        )
        return next(rows, None)

    async def hash(self, password: str, by: str) -> str:
        self.hashed.append(password)
        return "a-hash"

    def script(self, *typed: str) -> None:
        """Several lines, each written `Name: text`; none may be refused."""
        for each in typed:
            name, _, text = each.partition(": ")
            received = self.say(name, text)
            assert received.refusal is None, f"{each} -> {received.code}: {received.text}"

    def third_leaves(self) -> None:
        """Cho gives the seat away, where there is one for Cho."""
        if self.scene("Cho").seat is not None:
            self.script("Cho: /leave !")

    def act(self, actor: str, *lines: str, **facts: Json) -> tuple[Event, ...]:
        """Write an entry of the server or the clock."""
        return self._fold(actor, lines, facts)

    def _write(self, scene: Scene, act: Write) -> tuple[Event, ...]:
        person, seat = scene.speaker.person, scene.speaker.house_seat
        return self._fold(f"p:{person}" if seat is None else f"h:{seat}", act.lines, act.facts)

    def _fold(
        self, actor: str, lines: tuple[str, ...], facts: Mapping[str, Json]
    ) -> tuple[Event, ...]:
        version = 0 if self.room is None else self.room.version
        entry = Entry(StreamId("1"), version + 1, actor, "", lines, facts, self.now)
        folded = fold(self.room, entry, GAMES)
        self.room = folded.room
        self.entries.append(entry)
        return folded.events

    def _reads(self, scene: Scene, act: Act, events: tuple[Event, ...]) -> str:
        match act:
            case Tell(text=text) | RunCommand(command="tell", given={"text": text}):
                return text
            case Write(note=note) if self.room is not None:
                eyes = SPECTATOR if scene.seat is None else frozenset((scene.seat,))
                lang, game = scene.speaker.lang, GAMES.get(self.room.table.game)
                read = event_lines(events, eyes, lang, game, self.room.name_of)
                return "\n".join([*read, *filter(None, (note,))])
            case _:
                return ""


def opened(game: str = "manhattan", *, privacy: str = "public") -> House:
    """A fixture with an open room created by Ayu, who is in it without a seat."""
    house = House()
    house.enter("Ayu")
    facts = {"name": "Ayu", **new_game_facts(house._fresh())}
    house.act("p:p-ayu", f"/newroom {game} {privacy}", **facts)
    return house


def playing(game: str = "duel", *, seats: int = 2) -> House:
    """A fixture with a running game of Ayu (the host, seat 1) and Ben, then Cho; Wen watches.

    Of a game for two, Cho watches too.
    """
    house = opened(game)
    names = ("Ayu", "Ben", "Cho")[: min(seats, GAMES[game].info.seats.max)]
    house.enter("Ben", "Cho", "Wen")
    house.script(*(f"{name}: /join" for name in names), "Ayu: /start")
    return house
