"""A chaos test: people play at random while connections break, the disk fails, the server dies.

Then the faults end: all people reconnect, the games are played to their ends, and the invariants
are checked. Everything follows from the seed.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bluebear.clients.sdk.client_events import RoomId
from bluebear.clients.sdk.session import ClientSession
from bluebear.protocol import JSON, MSGPACK, Want
from bluebear.rules.core.refusal import Refusal
from bluebear.server.runtime import COUNTERS
from bluebear.server.store import NotRead, NotSaved
from tests.sim.background_actions import (
    ENTRY,
    GARBAGE,
    QUESTIONS,
    REGISTER,
    background_action,
    cheap_passwords,
    entry_hash,
)
from tests.sim.crash_points import chosen_crash_point, random_crash_point
from tests.sim.invariants import faults_of
from tests.sim.simulated_clients import Person, SessionMaker
from tests.sim.simulation import World, all_games
from tests.sim.virtual_loop import CrashPoint, Died

PLAY_SECONDS: Final = 3600.0
"""Far more than the rest of a game takes; only a room that hangs uses it up."""

NEVER: Final = ("bugs", "digests.different", "snapshots.unusable")
"""What no weather may lead to."""

LANGUAGES: Final = ("en", "ja")
NAMES: Final = ("Ayu", "Ben", "Chie", "Dan", "Emi")
WANTS: Final[tuple[frozenset[Want], ...]] = (
    frozenset({"moves", "text"}),
    frozenset({"moves", "events"}),
    frozenset({"moves", "text", "events", "short"}),
    frozenset({"moves", "short"}),
)


@dataclass(frozen=True, slots=True)
class Climate:
    """Which faults occur, for how long, with how much rest between, and what is played meanwhile.

    A server dies by itself about once in `steps` of its tasks, wherever these are then; 0: never.
    `jumps` are how far the wall clock may be set, in ms; `full`: commits that fail in a row while
    the disk is full; `between`: seconds from one fault to the next.
    """

    seconds: float
    calm: float
    games: tuple[str, ...]
    steps: int = 0
    jumps: tuple[int, ...] = ()
    full: int = 0
    between: float = 2.0
    busy: int = 0
    """In one of so many squalls people play little and have much else to do; 0: never."""


STORM: Final = Climate(
    60.0, 60.0, ("manhattan", "duel", "manhattan", "sealed", "manhattan", "journey")
)
_HOUR_MS: Final = 3_600_000
SQUALL: Final = Climate(
    6.0,
    8.0,
    ("duel", "sealed", "duel", "journey"),
    steps=120,
    jumps=(-25 * _HOUR_MS, -2000, 500, 61_000, 3 * _HOUR_MS),
    full=30,
    between=0.7,
    busy=2,
)
"""Short and rough: many of them, each of another place where a server dies."""


class Wanderer(Person):
    """Does something every now and then, mostly what one does in a room.

    Without a `goal` one stays in the lobby and looks at its list.
    """

    goal: RoomId | None = None
    steady = False
    """Steady people only play."""
    background_actions = 0
    """In a hundred deeds so many are no deeds of play."""
    deeds = 0.8
    """A second, or nearly so."""
    past = ""
    """The id of a game that is over."""

    async def live(self) -> None:
        """Do things until cancelled."""
        while True:
            pause = 0.6 if self.steady else self.chance.expovariate(self.deeds) + 0.1
            await asyncio.sleep(pause)
            if self.wire is not None and self.session.welcomed:
                self._act()

    def _act(self) -> None:
        room = self.goal
        if room is None:
            return
        if room not in self.session.mirror.rooms:
            self.say(f"/room {room}")
        elif self.steady:
            self._play(room)
        elif self.chance.randrange(100) < self.background_actions:
            self._act_in_background(room)
        else:
            self._choose()(room)

    def _choose(self) -> Callable[[RoomId], None]:
        chances: dict[Callable[[RoomId], None], int] = {
            self._play: 60,
            self._talk: 12,
            self._undo: 4,
            self._vote: 8,
            self._look: 6,
            self._nonsense: 4,
            self._again: 8,
            self._sit: 4,
            self._stand: 1,
            self._leave_room: 1,
            self._sync: 2,
            self._garbage: 1,
            self._flood: 1,
            self._rule: 2,
            self._create_room: 1,
        }
        return self.chance.choices(list(chances), list(chances.values()))[0]

    def table(self, room: RoomId) -> Mapping[str, object]:
        """What is known of a room's table."""
        mirrored = self.session.mirror.rooms[room].view["room"]
        return mirrored if isinstance(mirrored, dict) else {}

    def _act_in_background(self, room: RoomId) -> None:
        if self.chance.random() < 0.2:
            what, args = self.chance.choice(QUESTIONS)
            self.ask(what, room, **args)
            return
        game = str(self.table(room).get("game_id"))
        other = self.chance.choice(NAMES)
        line = background_action(
            self.chance, name=self.name, other=other, game=game, past=self.past
        )
        self.say(line, room)

    def _play(self, room: RoomId) -> None:
        mirrored = self.session.mirror.rooms[room]
        for seat in sorted(mirrored.deciding_seats):
            moves = mirrored.moves.get(seat)
            if moves is not None and moves.lines:
                at = moves.version if self.chance.random() < 0.8 else None
                self.say(self.chance.choice(moves.lines), room, at=at)

    def _talk(self, room: RoomId) -> None:
        self.say(f"~{self.name}{len(self.sent_lines)}~ hm", room)

    def _undo(self, room: RoomId) -> None:
        self.say("/undo", room)

    def _vote(self, room: RoomId) -> None:
        lines = ("/accept", "/accept", "/refuse", "/pause", "/resume", f"/remove {NAMES[0]}")
        self.say(self.chance.choice(lines), room)

    def _look(self, room: RoomId) -> None:
        lines = ("/info", "/board", "/who", "/votes", f"/tell {self.chance.choice(NAMES)} psst")
        self.say(self.chance.choice(lines), room)

    def _nonsense(self, room: RoomId) -> None:
        self.say(self.chance.choice(("/build", "/build 9 x", "/nosuch", "/", "/join 99")), room)

    def _again(self, room: RoomId) -> None:
        """Repeat an old line, or say a new one several times over."""
        repeatable = [
            line for line in self.sent_lines if all(r.ok for r in self.replies.get(line, ()))
        ]
        if repeatable and self.chance.random() < 0.5:
            self.repeat(self.chance.choice(repeatable))
            return
        line = self.say(f"~{self.name}{len(self.sent_lines)}~ again", room)
        for _ in range(self.chance.randrange(1, 4)):
            self.repeat(line)

    def _sit(self, room: RoomId) -> None:
        self.say("/join", room)

    def _stand(self, room: RoomId) -> None:
        self.say("/leave !", room)

    def _rule(self, room: RoomId) -> None:
        """What changes a room for all, or who one is."""
        lines = (
            "/invite",
            "/resign !",
            "/masterreset !",
            "/again",
            f"/host {self.chance.choice(NAMES)}",
            f"/nick {self.name}{self.chance.randrange(9)}",
            f"/lang {self.chance.choice(LANGUAGES)}",
        )
        self.say(self.chance.choice(lines), room)

    def _create_room(self, room: RoomId) -> None:
        self.say("/newroom journey public")

    def _leave_room(self, room: RoomId) -> None:
        self.say("/lobby", room)

    def _sync(self, room: RoomId) -> None:
        self.sync(room)

    def _garbage(self, room: RoomId) -> None:
        self.raw(self.chance.choice((*GARBAGE, self.chance.randbytes(20))))

    def _flood(self, room: RoomId) -> None:
        for _ in range(15):
            self.say("/who", room)


@dataclass(slots=True)
class Report:
    """How a storm went."""

    trace: str
    faults: list[str]
    versions: int
    frames: int
    lives: int
    deaths: int
    """How many servers have died by themselves, and where they waited then."""
    await_points: list[str]


async def storm(
    seed: int,
    climate: Climate = STORM,
    aims: set[str] | None = None,
    session: SessionMaker = ClientSession,
) -> Report:
    """One simulation from its seed, with people's sessions made by `session`.

    With `aims` a server dies only where it first waits at one of these, which is taken out of them.
    """
    with cheap_passwords():
        return await _storm(seed, climate, aims, session)


async def _storm(seed: int, climate: Climate, aims: set[str] | None, new: SessionMaker) -> Report:
    games = {key: game for key, game in all_games().items() if key in (*climate.games, "journey")}
    busy = bool(climate.busy) and seed % climate.busy == 0
    entry = entry_hash() if busy else ""
    world = World(seed, games=games, rough=True, entry_hash=entry, session=new)
    before = Counter(COUNTERS)
    await world.start()
    world.open_house(lazy=0.1)
    people = _people(world, password=ENTRY if busy else None)
    for person in people if busy else ():
        person.background_actions, person.deeds = 80, 4.0
    room = await _open_table(world, people, climate, busy=busy)
    if busy:
        await people[0].line(REGISTER)
        await _appoint(world, people[0].name)
    tasks = [asyncio.create_task(person.live()) for person in people]
    tasks.append(asyncio.create_task(_operator(world)))
    stayer = world.add(Wanderer(world, "Zoe", password=ENTRY if busy else None))
    until = asyncio.get_running_loop().time() + climate.seconds
    crash_point = (
        random_crash_point(world.chance_of("doom"), climate.steps)
        if aims is None
        else chosen_crash_point(aims)
    )
    _let_die(world, crash_point if climate.steps else None)
    await _inject_faults(world, [*people, stayer], climate, until=until)
    await _calm(world, people, climate)
    faults = await _play_to_the_end(world, people, room)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(climate.calm)
    faults += await faults_of(world)
    faults += [f"counted: {name}" for name in NEVER if COUNTERS[name] != before[name]]
    live = world.app.engine.room(room)
    versions = 0 if live is None else live.room.version
    lives = world.lives
    await world.go_home()
    frames = sum(len(person.frames) for person in world.all_people)
    trace = world.trace.hexdigest()
    return Report(trace, faults, versions, frames, lives, world.deaths, world.await_points)


def _people(world: World, *, password: str | None) -> list[Wanderer]:
    chance = world.chance_of("people")
    made = []
    for name in NAMES[: chance.randrange(3, len(NAMES) + 1)]:
        codec = chance.choice((JSON, MSGPACK))
        lang = chance.choice(LANGUAGES)
        person = Wanderer(
            world,
            name,
            codec=codec,
            lang="ja" if lang == "ja" else "en",
            wants=chance.choice(WANTS),
            password=password,
        )
        made.append(world.add(person))
    return made


async def _open_table(
    world: World, people: list[Wanderer], climate: Climate, busy: bool = False
) -> RoomId:
    """A room with its players, playing; the rest of the people watch."""
    chance = world.chance_of("table")
    host = people[0]
    for person in people:
        await person.met()
    game = climate.games[world.seed % len(climate.games)]
    privacy = chance.choice(("public", "unlisted"))
    made = await host.line(f"/newroom {game} {privacy}")
    assert made.ok, made
    assert host.here is not None
    room = host.here
    players = people[: chance.choice((2, 2, 3)) if game != "sealed" else 3]
    for person in people:
        person.goal = room
        if person is not host:
            assert (await person.line(f"/room {room}")).ok
    if chance.random() < 0.3:
        await host.line("/option clock 20+2")
    for person in players:
        await person.line("/join")
    past = await _give_one_up(players, room) if busy and len(players) == 2 else ""
    for person in people:
        person.past = past
    if chance.random() < 0.5:
        await host.line("/bot random")
    started = await host.line("/start")
    assert started.ok, started
    return room


async def _give_one_up(players: list[Wanderer], room: RoomId) -> str:
    """A game that is over, so that there is one to look back at: its id."""
    assert (await players[0].line("/start")).ok
    past = str(players[0].table(room).get("game_id"))
    for person in players[1:]:
        await person.line("/resign !")
    assert (await players[0].line("/again")).ok
    return past


async def _inject_faults(
    world: World, people: list[Wanderer], climate: Climate, *, until: float
) -> None:
    """One misfortune after the other."""
    chance = world.chance_of("weather")
    loop = asyncio.get_running_loop()
    kinds = {
        "cut": 40, "clog": 20, "disk": 15, "unsure": 6, "unread": 4, "kill": 8, "stop": 3,
        "house": 4, "jump": 8 if climate.jumps else 0, "full": 4 if climate.full else 0,
        "appoint": 4 if climate.busy else 0,
    }  # fmt: skip
    while loop.time() < until:
        await asyncio.sleep(chance.expovariate(1 / climate.between))
        victim = chance.choice(people)
        match chance.choices(list(kinds), list(kinds.values()))[0]:
            case "cut":
                if victim.wire is not None:
                    victim.wire.cut(half_open=chance.random() < 0.3)
            case "clog":
                await _swizzle(world, people)
            case "kill":
                await world.kill(drained=chance.random() < 0.5)
                await _start_again(world, after=chance.expovariate(0.5))
            case "stop":
                await world.stop(drained_for=chance.choice((0.0, 1.0)))
                await _start_again(world, after=chance.expovariate(0.5))
            case "appoint":
                await _appoint(world, victim.name)
            case "house":
                if world.house is not None and world.house.wire is not None:
                    world.house.wire.cut()
            case kind:
                _fail(world, kind, climate, chance)


async def _appoint(world: World, name: str) -> None:
    """The server's administrator makes a person operator, who has an account or not."""
    if world.process is not None:
        with suppress(Died, NotSaved, Refusal):
            await world.process.life.wait(world.app.features.control["operator"](f"+{name}"))


def _fail(world: World, kind: str, climate: Climate, chance: random.Random) -> None:
    """A disk operation fails, or the wall clock is set."""
    match kind:
        case "disk":
            world.journal.fail_next(chance.randrange(1, 6))
        case "full":
            world.journal.fail_next(climate.full)
        case "unread":
            world.whims.unread = chance.randrange(1, 4)
        case "jump":
            world.clock.set_by += chance.choice(climate.jumps)
        case _:
            if chance.random() < 0.5:
                world.whims.unsure_stored = 1
            else:
                world.whims.unsure_lost = 1


def _let_die(world: World, crash_point: CrashPoint | None) -> None:
    world.crash_point = crash_point
    if world.process is not None:
        world.process.life.ends(crash_point)


async def _operator(world: World) -> None:
    """Start a server that has died by itself."""
    chance = world.chance_of("operator")
    while True:
        await world.died.wait()
        world.died.clear()
        await _start_again(world, after=chance.expovariate(2))


async def _start_again(world: World, *, after: float) -> None:
    """An operator starts the server, until it starts."""
    while True:
        await asyncio.sleep(after)
        if world.process is not None or world.starting:
            return
        try:
            await world.start()
        except (NotRead, NotSaved, Died):
            continue
        return


async def _swizzle(world: World, people: list[Wanderer]) -> None:
    """Clog some wires one by one, and release them in another order."""
    chance = world.chance_of(f"swizzle {asyncio.get_running_loop().time()}")
    wires = [person.wire for person in people if person.wire is not None]
    clogged = chance.sample(wires, chance.randrange(len(wires) + 1))
    for wire in clogged:
        chance.choice((wire.up, wire.down)).clog()
        await asyncio.sleep(chance.expovariate(2))
    for wire in chance.sample(clogged, len(clogged)):
        wire.up.release()
        wire.down.release()
        await asyncio.sleep(chance.expovariate(2))


async def _calm(world: World, people: list[Wanderer], climate: Climate) -> None:
    """No more faults occur, and all people reconnect."""
    _let_die(world, None)
    world.journal.fail_next(0)
    world.whims.unsure_stored = world.whims.unsure_lost = world.whims.unread = 0
    for person in people:
        person.steady = True
    await asyncio.sleep(climate.calm)


async def _play_to_the_end(world: World, people: list[Wanderer], room: RoomId) -> list[str]:
    """The room goes on: its game is played to the end."""
    loop = asyncio.get_running_loop()
    until = loop.time() + PLAY_SECONDS
    while loop.time() < until:
        live = world.app.engine.room(room)
        if live is not None:
            phase = live.room.table.phase
            if phase in ("over", "open"):
                return []
            if phase == "paused":
                seated = [p for p in people if live.room.seat_of(p.person) is not None]
                (seated or people)[0].say("/resume" if seated else "/join 1", room)
        await asyncio.sleep(5)
    live = world.app.engine.room(room)
    where = (
        "not in memory" if live is None else f"{live.room.table.phase} turn {live.room.table.turn}"
    )
    return [f"{room}: the game does not come to its end: {where}"]
