"""Everything there is in one simulation, from one seed: server, disk, wires and people."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import random
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from typing import Final, TypeVar

from bluebear.clients.sdk.session import ClientSession
from bluebear.protocol import JSON, Codec, Lang, Want
from bluebear.rules import games as find_games
from bluebear.server.app import App
from bluebear.server.config import Config
from bluebear.server.rooms.room_actor import RoomActor
from tests.sim.house_bots import House
from tests.sim.network import Wire
from tests.sim.server_process import Games, Process, Whims
from tests.sim.simulated_clients import Person, SessionMaker
from tests.sim.virtual_loop import CrashPoint, Died
from tests.sim.webhook_receiver import Outside
from tests.support.loop_clock import LoopClock
from tests.support.simulated_store import Latency, SimulatedStore

P = TypeVar("P", bound=Person)

PEOPLE_WANT: Final = frozenset[Want]({"text", "moves", "events"})


@functools.cache
def all_games() -> Games:
    """The games of the server and the fixture games."""
    return find_games(("bluebear.rules", "tests.games"))


class WallClock(LoopClock):
    """The wall clock of the simulation, which may be set."""

    def __init__(self) -> None:
        super().__init__()
        self.set_by = 0

    def now(self) -> int:
        """See `Clock.now`."""
        return super().now() + self.set_by


class World:
    """One simulation. `rough` wires and disk are slow and uneven, smooth ones nearly instant."""

    def __init__(
        self,
        seed: int = 0,
        *,
        games: Games | None = None,
        config: Config | None = None,
        rough: bool = False,
        entry_hash: str = "",
        session: SessionMaker = ClientSession,
    ) -> None:
        self.seed = seed
        self.session = session
        self.games = all_games() if games is None else games
        self.rough = rough
        self._entry_hash = entry_hash
        """Of the password that its servers ask newcomers for."""
        self.whims = Whims()
        self.journal = SimulatedStore(self._latency)
        self.clock = WallClock()
        self.outside = Outside()
        self.people: list[Person] = []
        self.wires: list[Wire] = []
        self.house: House | None = None
        self.process: Process | None = None
        self.lives = 0
        self.starting = False
        self.crash_point: CrashPoint | None = None
        """How the next server ends by itself."""
        self.died = asyncio.Event()
        self.deaths = 0
        """How many servers have died by themselves, and where they waited then."""
        self.await_points: list[str] = []
        self._burials: set[asyncio.Task[None]] = set()
        self.trace = hashlib.blake2b(digest_size=16)
        self._config = config or Config(house=False)
        self._disk_chance = self.chance_of("disk")
        self._fresh = self.chance_of("fresh")

    # The server.

    @property
    def app(self) -> App:
        """The server that runs."""
        assert self.process is not None
        return self.process.app

    def configure(self, config: Config) -> None:
        """The settings of the servers that are started from now on."""
        self._config = config

    async def start(self) -> None:
        """Start a server on the journal as it is. Raises `Died`."""
        process = Process(
            self._config,
            self.journal,
            self.whims,
            self.games,
            self.clock,
            self._fresh.randbytes,
            lambda: self._has_died(process),
            self._seek if self.rough else None,
            self.outside.receive,
            self._entry_hash,
        )
        process.life.ends(self.crash_point)
        self.starting = True
        try:
            await process.start()
        finally:
            self.starting = False
        self.process = process
        self.lives += 1

    async def stop(self, *, drained_for: float = 0.0) -> None:
        """Stop the server as an operator does, after so many seconds; it may die on the way."""
        if self.process is not None:
            with suppress(Died):
                if drained_for:
                    await self.process.drain(drained_for)
                await self.process.stop()
            await self._end_server(drained=True)

    def _has_died(self, process: Process) -> None:
        """A server has died by itself. In a context of its own: it has tasks no more."""
        self.deaths += 1
        self.await_points += process.life.await_points
        loop = asyncio.get_running_loop()
        task = loop.create_task(self._bury(process), context=Context())
        self._burials.add(task)
        task.add_done_callback(self._burials.discard)

    async def _bury(self, process: Process) -> None:
        await process.kill()
        if self.process is process:
            await self._end_server(drained=self._disk_chance.random() < 0.5)
            self.died.set()

    async def kill(self, *, drained: bool = False) -> None:
        """Kill the server; `drained`: what it had sent still arrives."""
        if self.process is not None:
            await self.process.kill()
            await self._end_server(drained=drained)

    async def _end_server(self, *, drained: bool) -> None:
        self.process = None
        for wire in self.wires:
            wire.server_died(drained=drained)
        self.wires.clear()
        await asyncio.sleep(0)

    # The net.

    def dial(self, client: Person, codec: Codec, url: str) -> Wire | None:
        """A connection to the server; None while there is none."""
        if self.process is None:
            return None
        self.wires = [wire for wire in self.wires if wire.open]
        wire = Wire(self.process, client, codec, self._delay_of(client), client.name)
        self.wires.append(wire)
        return wire

    def _delay_of(self, client: Person) -> Callable[[], float]:
        chance = self.chance_of(f"wire {client.name} {len(client.endings)}")
        return (lambda: chance.expovariate(8)) if self.rough else (lambda: 0.001)

    def chance_of(self, name: str) -> random.Random:
        """A random source for one purpose, so that draws for one client shift no other's."""
        return random.Random(f"{self.seed} {name}")

    def witness(self, name: str, route: str, frame: bytes) -> None:
        """Note what was sent or heard, and when, in the trace."""
        now = asyncio.get_running_loop().time()
        self.trace.update(f"{now:.6f} {name} {route} {len(frame)} ".encode() + frame)

    @property
    def house_token(self) -> str:
        """What the server has told its child."""
        return "-" if self.process is None else self.app.engine.house.token

    # The disk.

    def _latency(self) -> Latency:
        if not self.rough:
            return Latency(0.002, 0.001)
        chance = self._disk_chance
        return Latency(chance.expovariate(60), chance.expovariate(200))

    def _seek(self) -> float:
        return self._disk_chance.expovariate(400)

    # People.

    def add(self, person: P) -> P:
        """Add a person, who connects."""
        self.people.append(person)
        person.connect()
        return person

    async def person(
        self,
        name: str,
        *,
        lang: Lang = "en",
        codec: Codec = JSON,
        wants: frozenset[Want] = PEOPLE_WANT,
        bot: bool = False,
    ) -> Person:
        """Add a person and wait until the server has registered them."""
        made = self.add(Person(self, name, lang=lang, codec=codec, wants=wants, bot=bot))
        await made.met()
        return made

    def open_house(self, *, lazy: float = 0.0) -> House:
        """Let house bots play."""
        self.house = self.add(House(self, lazy=lazy))
        return self.house

    @property
    def all_people(self) -> list[Person]:
        """All clients that ever had a connection, with the house bots."""
        return [*self.people, *([] if self.house is None else self.house.bots)]

    def live(self, room: str) -> RoomActor:
        """A room in the server's memory."""
        result = self.app.engine.room(room)
        assert result is not None, f"room {room} is not in memory"
        return result

    async def go_home(self) -> None:
        """All clients leave permanently, and the server stops."""
        for person in self.people:
            person.go()
        await asyncio.sleep(1)
        await self.stop()
