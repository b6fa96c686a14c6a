"""A storm over a cluster: people play and talk in several rooms while nodes, links and store fail.

Then the weather turns, nodes that are over are started anew, and what must hold is looked at.
Everything follows from the seed: `python -m tests.sim.cluster_mutants --seeds 7 --only none`
repeats the storm of seed 7.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from unittest import mock

from clients.sdk.happenings import Reply, RoomId
from protocol import JSON, MSGPACK, Version, Want
from server.node import EngineNode
from server.observe import COUNTERS
from server.people import passwords
from tests.server.hashes import QuickHasher
from tests.sim.cluster import Cluster, End, Host
from tests.sim.cluster_checks import faults_of, left_behind
from tests.sim.network import Wire
from tests.sim.storm import NEVER, Wanderer
from tests.sim.world import all_games

GAMES: Final = ("sealed", "duel", "sealed", "journey")
TROUBLE_SECONDS: Final = 18.0
BETWEEN_SECONDS: Final = 1.6
CALM_SECONDS: Final = 16.0
"""Nodes are deposed, started and linked again, and people have come back."""
ANSWER_SECONDS: Final = 30.0
"""A line is answered within this, whatever happens: an edge waits ten seconds for an engine, and
who has lost his edge, too, comes back and says it again."""
SKEW_MS: Final = 3000
_IN_A_COMMIT: Final = 0.7
_TRIES: Final = 1000
WORD: Final = "hush"
SECRET: Final = "~inside~"
"""Said in the private room only: whoever has it in a frame was in there."""

Work: TypeAlias = Coroutine[Any, Any, None]
WANTS: Final[tuple[frozenset[Want], ...]] = (
    frozenset({"moves", "text"}),
    frozenset({"moves", "events", "short"}),
)


class Roamer(Wanderer):
    """Plays, talks, and goes from room to room; `purse` is what his other connection knows."""

    def __init__(self, made: Cluster, name: str, purse: dict[str, str]) -> None:
        chance = made.chance_of(f"looks {name}")
        super().__init__(
            made,
            name,
            codec=chance.choice((JSON, MSGPACK)),
            wants=chance.choice(WANTS),
            token=purse.get("token"),
        )
        self.cluster = made
        self.purse = purse
        self._token = purse.get("token", "")
        self.may: list[tuple[RoomId, str]] = []
        """The rooms that he goes to, and what he says there to be let in."""
        self.said_at: dict[str, float] = {}
        self.slow: list[str] = []
        self.longest = 0.0

    def newest_token(self) -> str | None:
        """See `Person.newest_token`."""
        return self.purse.get("token")

    def heard(self, wire: Wire, frame: bytes) -> None:
        """See `network.Client`: both connections have the newest token, as tabs of a browser."""
        super().heard(wire, frame)
        if self.session.token and self.session.token != self._token:
            self._token = self.purse["token"] = self.session.token

    def say(self, text: str, room: RoomId | None = None, *, at: Version | None = None) -> str:
        """See `Person.say`."""
        line = super().say(text, room, at=at)
        self.said_at[line] = asyncio.get_running_loop().time()
        return line

    def on_reply(self, reply: Reply) -> None:
        """See `Person.on_reply`."""
        began = self.said_at.pop(reply.id, None)
        if began is not None:
            took = asyncio.get_running_loop().time() - began
            self.longest = max(self.longest, took)
            if took > ANSWER_SECONDS:
                self.slow.append(f"{self.said[reply.id].text!r} was answered after {took:.0f} s")

    async def live(self) -> None:
        """Do things until cancelled."""
        while True:
            await asyncio.sleep(self.chance.expovariate(1.4) + 0.05)
            if self.wire is None or not self.session.welcomed or len(self.said_at) > 6:
                continue
            if self.may and self.chance.random() < 0.12:
                self.goal, words = self.chance.choice(self.may)
                if self.goal not in self.session.mirror.rooms:
                    self.say(f"/room {words}")
                continue
            self._act()

    def _act(self) -> None:
        room = self.goal
        if room is None or room not in self.session.mirror.rooms:
            return
        chances: dict[Callable[[RoomId], None], int] = {
            self._play: 30,
            self._talk: 16,
            self._again: 8,
            self._vote: 3,
            self._undo: 2,
            self._sit: 4,
            self._stand: 2,
            self._look: 4,
            self._sync: 2,
            self._part: 2,
            self._rename: 1,
            self._found: 2,
            self._flow: 4,
        }
        self.chance.choices(list(chances), list(chances.values()))[0](room)

    def _talk(self, room: RoomId) -> None:
        mark = SECRET if room == self.may[-1][0] else "~"
        self.say(f"{mark}{self.name}{len(self.said)}", room)

    def _found(self, room: RoomId) -> None:
        self.say(f"/newroom duel {self.chance.choice(('public', 'private', f'public {WORD}'))}")

    def _rename(self, room: RoomId) -> None:
        self.say(f"/nick {self.name}{self.chance.randrange(9)}", room)

    def _flow(self, room: RoomId) -> None:
        """Several lines at once: they wait for each other."""
        for _ in range(self.chance.randrange(2, 5)):
            self._talk(room)


@dataclass(slots=True)
class Report:
    """How a storm went."""

    faults: list[str]
    versions: int
    longest: float
    """Seconds for which somebody waited for an answer."""
    troubles: Counter[str]


async def storm(seed: int) -> Report:
    """One simulation from its seed. Passwords are hashed at once: argon2 would be most of it."""
    with mock.patch.object(passwords, "_HASHER", QuickHasher()):
        return await _storm(seed)


async def _storm(seed: int) -> Report:
    chosen = GAMES[seed % len(GAMES)]
    games = {key: game for key, game in all_games().items() if key in (chosen, "duel", "journey")}
    made = Cluster(seed, engines=2 + seed % 3 // 2, games=games, skew=SKEW_MS, rough=True)
    before = Counter(COUNTERS)
    await made.start()
    people = await _people(made)
    rooms = await _open_rooms(made, people, chosen)
    tasks = [asyncio.create_task(person.live()) for person in people]
    weather = Weather(made, people)
    await weather.rage()
    faults = await weather.calm()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(CALM_SECONDS)
    faults += await _goes_on(people, rooms)
    await asyncio.sleep(1)
    faults += await faults_of(made, rooms, SECRET)
    faults += [f"{each.name}: {slow}" for each in people for slow in each.slow]
    faults += [f"counted: {name}" for name in NEVER if COUNTERS[name] != before[name]]
    versions = sum(len(bodies) for bodies in made.shared.disk.bodies.values())
    longest = max(person.longest for person in people)
    await made.go_home()
    faults += left_behind(made)
    await made.close()
    return Report(faults, versions, longest, weather.troubles)


async def _people(made: Cluster) -> list[Roamer]:
    """Four people, two of whom have two connections each."""
    people = []
    for name in ("Ayu", "Ben", "Chie", "Dan"):
        person = made.add(Roamer(made, name, {}))
        await person.met()
        people.append(person)
    for first in people[:2]:
        second = made.add(Roamer(made, f"{first.name}, too", first.purse))
        await second.met()
        people.append(second)
    return people


async def _open_rooms(made: Cluster, people: list[Roamer], game: str) -> list[RoomId]:
    """A room with a game, one with a password, and a private one for two."""
    rooms: list[RoomId] = []
    for host, line in zip(
        people,
        (f"/newroom {game}", f"/newroom journey public {WORD}", "/newroom duel private"),
        strict=False,
    ):
        assert (await host.line(line)).ok
        assert host.here is not None
        rooms.append(host.here)
    for person in people:
        person.may = [(rooms[0], rooms[0]), (rooms[1], f"{rooms[1]} {WORD}")]
        person.goal = rooms[0]
        if person is not people[0]:
            assert (await person.line(f"/room {rooms[0]}")).ok
    for person in people[:3]:
        assert (await person.line("/join", rooms[0])).ok
    assert (await people[0].line("/start", rooms[0])).ok
    host, guest = people[2], people[0]
    assert (await host.line(f"/invite {guest.name}", rooms[2])).ok
    assert (await guest.line(f"/room {rooms[2]}")).ok
    for each in people:
        each.may.append((rooms[2], rooms[2]))
    return rooms


async def _goes_on(people: list[Roamer], rooms: list[RoomId]) -> list[str]:
    """Everybody who is in a room gets an answer there, and the game goes on."""
    faults = []
    for person in people:
        for room in list(person.session.mirror.rooms):
            if not person.session.welcomed or person.session.mirror.number(room) is None:
                faults.append(f"{person.name} has not come back")
                continue
            try:
                async with asyncio.timeout(5):
                    reply = await person.line("at last", room)
            except TimeoutError:
                faults.append(f"{person.name} gets no answer in {room}")
                continue
            if not reply.ok:
                faults.append(f"{person.name} cannot speak in {room}: {reply.code}")
        faults += [
            f"{person.name}: {saying.text!r} was never answered"
            for line, saying in person.said.items()
            if line not in person.replies
        ]
    return faults


class Weather:
    """What goes wrong, and is put right again."""

    def __init__(self, made: Cluster, people: list[Roamer]) -> None:
        self._made = made
        self._people = people
        self._chance = made.chance_of("weather")
        self._under_way: set[asyncio.Task[None]] = set()
        self._starting: set[str] = set()
        self.troubles: Counter[str] = Counter()

    async def rage(self) -> None:
        """One misfortune after the other, some at the same time."""
        loop = asyncio.get_running_loop()
        until = loop.time() + TROUBLE_SECONDS
        kinds: dict[Callable[[], Work | None], int] = {
            self._kill: 5, self._kill_all: 1, self._freeze: 6, self._cut: 10, self._half: 6,
            self._away: 3, self._all_away: 2, self._doubt: 4, self._break: 8, self._full: 3,
            self._drain: 6, self._kill_edge: 2, self._freeze_edge: 2, self._wire: 10,
        }  # fmt: skip
        while loop.time() < until:
            await asyncio.sleep(self._chance.expovariate(1 / BETWEEN_SECONDS))
            kind = self._chance.choices(list(kinds), list(kinds.values()))[0]
            self.troubles[kind.__name__.strip("_")] += 1
            work = kind()
            if work is not None:
                self._start(work)
            self._operate()

    async def calm(self) -> list[str]:
        """Nothing more goes wrong, and nodes are started anew until all are there."""
        made = self._made
        made.slow = False
        for host in made.hosts.values():
            host.forgives()
        loop = asyncio.get_running_loop()
        until = loop.time() + CALM_SECONDS
        while loop.time() < until:
            await asyncio.sleep(0.5)
            self._operate()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=CALM_SECONDS)
        names = {host.name for host in made.alive("engine", "edge")}
        return [f"{name} is not there again" for name in {*made.engines, *made.edges} - names]

    # What is done about it.

    def _start(self, work: Work) -> None:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    def _operate(self) -> None:
        """Whoever is over is started anew, after a while."""
        for host in list(self._made.hosts.values()):
            if (host.dead or host.is_over) and not host.frozen and host.name not in self._starting:
                self._starting.add(host.name)
                self._start(self._again(host))

    async def _again(self, host: Host) -> None:
        await asyncio.sleep(self._chance.uniform(0, 3))
        try:
            await self._made.replace(host)
        finally:
            self._starting.discard(host.name)

    # What goes wrong.

    def _engine(self) -> Host | None:
        engines = self._made.alive("engine")
        return self._chance.choice(engines) if engines else None

    async def _kill(self) -> None:
        host = self._engine()
        if host is not None:
            await self._in_a_commit(host)
            await host.kill()

    async def _kill_all(self) -> None:
        for host in self._made.alive("engine"):
            await host.kill()

    async def _freeze(self) -> None:
        await self._still(self._engine())

    async def _freeze_edge(self) -> None:
        edges = self._made.alive("edge")
        if len(edges) > 1:
            await self._still(self._chance.choice(edges))

    async def _in_a_commit(self, host: Host) -> None:
        """Mostly it happens while something is on its way to the store: then it matters most."""
        for _ in range(_TRIES if self._chance.random() < _IN_A_COMMIT else 0):
            if host.dead or host.app.writer.busy_since is not None:
                await asyncio.sleep(self._chance.uniform(0, 0.003))
                return
            await asyncio.sleep(0.001)

    async def _still(self, host: Host | None) -> None:
        if host is not None:
            await self._in_a_commit(host)
        if host is not None and not host.dead:
            host.freeze()
            await asyncio.sleep(self._chance.choice((0.5, 1.5, 2.05, 2.3, 3, 6)))
            if not host.dead:
                host.thaw()

    def _ends(self) -> list[End]:
        host = self._engine()
        return [] if host is None else self._made.links_of(host)

    def _cut(self) -> None:
        for end in self._ends():
            if self._chance.random() < 0.7:
                end.close()

    def _half(self) -> None:
        for end in self._ends():
            near = end if self._chance.random() < 0.5 else end.other
            if near is not None:
                near.half_lost()

    async def _away(self) -> None:
        """There is no way to the store for one engine."""
        host = self._engine()
        if host is not None:
            host.nodes.is_cut = True
            await asyncio.sleep(self._chance.choice((0.5, 1.7, 2.5, 5, 9)))
            host.nodes.is_cut = False

    async def _all_away(self) -> None:
        hosts = list(self._made.hosts.values())
        for host in hosts:
            host.nodes.is_cut = True
        await asyncio.sleep(self._chance.uniform(0.3, 4))
        for host in hosts:
            host.nodes.is_cut = False

    async def _doubt(self) -> None:
        """What becomes of some calls of a node nobody knows."""
        host = self._engine()
        if host is not None:
            host.nodes.doubt = True
            await asyncio.sleep(self._chance.uniform(0.5, 4))
            host.nodes.doubt = False

    def _break(self) -> None:
        """The way to the store breaks in the middle of a commit."""
        host = self._engine()
        if host is not None and host.store is not None:
            host.store.break_next(stored=self._chance.random() < 0.6)

    def _full(self) -> None:
        host = self._engine()
        if host is not None and host.store is not None:
            host.store.fail_next(self._chance.randrange(1, 4))

    async def _drain(self) -> None:
        """An engine is replaced; at times it dies, or stands still, in the middle of it."""
        host = self._engine()
        others = len(self._made.alive("engine")) > 1
        if host is None or not isinstance(host.node, EngineNode) or not others:
            return
        with suppress(Exception):
            await host.nodes.drain(host.name)
        kind = self._chance.random()
        if kind < 0.2:
            self._start(self._soon(self._still(host)))
        elif kind < 0.4:
            self._start(self._soon(self._kill()))
        with suppress(Exception):
            await host.life.wait(host.node.drain())
            await host.close()

    async def _soon(self, work: Work) -> None:
        await asyncio.sleep(self._chance.uniform(0, 0.05))
        await work

    async def _kill_edge(self) -> None:
        edges = self._made.alive("edge")
        if len(edges) > 1:
            await self._chance.choice(edges).kill()

    def _wire(self) -> None:
        """Somebody's connection breaks."""
        person = self._chance.choice(self._people)
        if person.wire is not None:
            person.wire.cut(half_open=self._chance.random() < 0.3)
