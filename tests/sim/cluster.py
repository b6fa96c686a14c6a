"""Several whole nodes over one store and one bus in one virtual loop.

A node can be killed, frozen (none of its tasks and timers goes on, as after SIGSTOP; what was sent
to it waits), or cut off from the store and the bus; its clock is its own, and its calls of the
store take time. People dial any node, or the one that a `moved` names.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import Context
from functools import partial
from typing import Final, ParamSpec, TypeVar

from bluebear.clients.sdk.session import ClientSession
from bluebear.protocol import JSON, Codec, Want
from bluebear.server.app import App, Outside
from bluebear.server.cluster.peers import Bus
from bluebear.server.config import Config
from bluebear.server.ops.node import ClusterNode
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.store import JournalError, StreamId, streams
from bluebear.server.store.leases import START_SECONDS
from tests.sim.cluster_store import FarNodes, Shared
from tests.sim.network import Wire
from tests.sim.server_process import Games
from tests.sim.simulated_clients import HOME, Person, SessionMaker
from tests.sim.simulation import PEOPLE_WANT, WallClock, all_games
from tests.sim.virtual_loop import SELDOM_SECONDS, Life
from tests.support.simulated_store import Latency, SimulatedStore

P = ParamSpec("P")
AnyPerson = TypeVar("AnyPerson", bound=Person)

_LOST: Final = 0.2
_LATE: Final = 0.4
"""Below these a message gets lost, comes late."""

RECONNECT_SECONDS: Final = 0.5
"""A broken connection of the bus is made again after so long."""
COMMIT: Final = Latency(0.002, 0.001)
PATIENCE_SECONDS: Final = 5.0
"""Before an operator tries once more to start a node that could not be started."""
FORGET_SECONDS: Final = 3.0
"""Within this many seconds nodes have noticed that people have disconnected."""
SILENT_SECONDS: Final = 3.0
"""A client that waits for a reply and hears nothing at all for this long cuts its connection."""
IDLE_SECONDS: Final = 23.0
"""The same for a client that waits for nothing."""


class SimulatedBus(Bus):
    """A node's way to all others: messages may come late, or get lost, which is noticed later."""

    def __init__(self, host: Host) -> None:
        super().__init__()
        self._host = host
        self._is_behind = False

    def say(self, body: bytes) -> None:
        """See `Bus`."""
        made = self._host.cluster
        for other in made.hosts.values():
            if other is not self._host and other.bus is not None:
                made.pass_on(self._host, other, body)

    def lose(self) -> None:
        """A message to this node gets lost with its connection, which is made again later."""
        if not self._is_behind:
            self._is_behind = True
            self._reconnect_later()

    def _reconnect_later(self) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(RECONNECT_SECONDS, self._reconnect, context=Context())

    def _reconnect(self) -> None:
        if self._host.nodes.is_cut and not self._host.dead:
            self._reconnect_later()
        else:
            self._is_behind = False
            self._host.call(self.look_again)

    async def close(self) -> None:
        """See `Bus`."""


class Host:
    """A process of the cluster: a node, until it is killed."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.cluster = cluster
        self.name = name
        self.life = Life()
        self.dead = False
        self.frozen = False
        self.clock = WallClock()
        self.clock.set_by = cluster.skew_of(name)
        self.nodes = FarNodes(cluster.shared, cluster.chance_of(f"store {name}"))
        self.bus = SimulatedBus(self)
        self.store: SimulatedStore | None = None
        self.node: ClusterNode | None = None
        self.wires: list[Wire] = []
        self._delayed: list[Callable[[], object]] = []

    @property
    def app(self) -> App:
        """What people are connected to."""
        return self.running.app

    @property
    def running(self) -> ClusterNode:
        """The node, which has started."""
        assert self.node is not None
        return self.node

    async def start(self) -> None:
        """Join and open."""
        await self.life.wait(self._start())

    async def _start(self) -> None:
        made = self.cluster
        path = f"/n/{self.name}/ws"
        node = await self.nodes.join(self.name, address=path, version="test")
        store = self.store = self.nodes.journal(node, lambda: COMMIT)
        config = Config(house=False, bounded=False)
        fresh = made.chance_of(f"fresh {self.name} {node.id}").randbytes
        self.node = ClusterNode(self.nodes, node, path, store, self.bus)
        app = App(
            *(config, store, made.games, self.clock, fresh),
            outside=Outside(beat=SELDOM_SECONDS),
            among=self.node,
        )
        await self.node.open(app)

    def room(self, room: str) -> RoomActor:
        """A room in the memory of the node."""
        live = self.app.engine.room(room)
        assert live is not None, f"{self.name} does not have {room}"
        return live

    async def drain(self) -> None:
        """Give all rooms away."""
        await self.life.wait(self.running.drain())

    # What happens to it.

    def call(self, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call something in it; later if it is frozen, never if it is dead."""
        if self.frozen:
            self._delayed.append(lambda: function(*args, **kwargs))
        elif not self.dead:
            self.life.call(function, *args, **kwargs)

    def sends(self) -> bool:
        """Whether what the node sends reaches any other node."""
        return not self.dead

    @property
    def is_over(self) -> bool:
        """Whether it was deposed, and is to be started anew."""
        return self.node is not None and self.node.over.is_set()

    @property
    def is_to_be_replaced(self) -> bool:
        """Whether an operator starts another one in its place."""
        if self in self.cluster.hung:
            return True
        return (self.dead or self.is_over or self.is_stopping) and not self.frozen

    @property
    def is_stopping(self) -> bool:
        """Whether an operator has asked it to, also the one before it under its name."""
        return self.node is not None and self.node.drain_requested.is_set()

    async def kill(self) -> None:
        """End it at this very moment."""
        self.dead, self.frozen = True, False
        for wire in self.wires:
            wire.server_died(drained=False)
        await self.life.end()

    def freeze(self) -> None:
        """Nothing of it goes on, and what is sent to it waits."""
        self.frozen = True
        self.life.freeze()
        loop = asyncio.get_running_loop()
        loop.call_later(SILENT_SECONDS, self._silent, loop.time(), context=Context())

    def _silent(self, since: float) -> None:
        """Clients that wait for it have heard nothing for long: they cut their connections."""
        if not self.frozen:
            return
        loop = asyncio.get_running_loop()
        idle_too = loop.time() - since >= IDLE_SECONDS
        for wire in self.wires:
            client = wire.client
            if wire.open and isinstance(client, Person):
                waits = any(each.expects_reply or not each.welcomed for each in client.nodes)
                if waits or idle_too:
                    wire.cut()
        loop.call_later(1.0, self._silent, since, context=Context())

    def thaw(self) -> None:
        """It goes on as if nothing had been."""
        self.frozen = False
        self.life.thaw()
        delayed, self._delayed = self._delayed, []
        for each in delayed:
            self.call(each)

    def forgives(self) -> None:
        """Nothing that was to go wrong at its next commits does."""
        if self.store is not None:
            self.store.fail_next(0)
            self.store.break_none()

    async def close(self) -> None:
        """End it as an operator would."""
        if not self.dead and self.node is not None:
            await self.life.wait(self.node.close())
            self.dead = True
            await self.life.end()


class Cluster:
    """Everything there is, from one seed; a `Net` for people.

    `skew`: how far clocks of nodes may be off, in ms. `rough`: bus and store are uneven.
    """

    def __init__(
        self,
        seed: int = 0,
        nodes: int = 2,
        *,
        games: Games | None = None,
        skew: int = 0,
        rough: bool = False,
    ) -> None:
        self.seed = seed
        self.games = all_games() if games is None else games
        self.rough = self.slow = rough
        self._skew = skew
        loop = asyncio.get_running_loop()
        self.shared = Shared(loop.time)
        self.hosts: dict[str, Host] = {}
        self.hung: list[Host] = []
        """Those that stood still, and others have taken their places."""
        self.people: list[Person] = []
        self.names = [f"node{number}" for number in range(1, nodes + 1)]
        self.chance = self.chance_of("trouble")
        self._bus = self.chance_of("bus")

    async def start(self) -> None:
        """Start all nodes; ends when none is in its first seconds, in which it may be late."""
        for name in self.names:
            await self.start_node(name)
        await asyncio.sleep(START_SECONDS + 1)

    async def start_node(self, name: str) -> Host:
        """Start a node, also in the place of one that is dead."""
        host = Host(self, name)
        await host.start()
        self.hosts[name] = host
        return host

    # What the weather says.

    def pass_on(self, sender: Host, other: Host, body: bytes) -> None:
        """A message is on its way; it gets lost, or comes late, if the bus is rough."""
        kind, loop = self._bus.random() if self.slow else 1.0, asyncio.get_running_loop()
        if sender.dead:
            return
        if sender.nodes.is_cut:
            again = partial(self.pass_on, sender, other, body)
            loop.call_later(RECONNECT_SECONDS, again, context=Context())
        elif other.nodes.is_cut or kind < _LOST:
            other.bus.lose()
        else:
            late = kind if kind < _LATE else self._bus.uniform(0.0002, 0.002)
            loop.call_later(late, other.call, other.bus.received, body, context=Context())

    def skew_of(self, name: str) -> int:
        """How far a node's clock is off, in ms; the same each time that it starts."""
        return self.chance_of(f"clock {name}").randint(-self._skew, self._skew)

    # Who has what.

    @property
    def all_people(self) -> list[Person]:
        """All who ever had a wire."""
        return self.people

    def alive(self) -> list[Host]:
        """The hosts that do what they should."""
        return [h for h in self.hosts.values() if not (h.dead or h.frozen or h.is_over)]

    def find_owner(self, room: str) -> Host | None:
        """The host that has a room, and can be spoken to."""
        for host in self.alive():
            if room in host.running.epochs:
                return host
        return None

    def owner_of(self, room: str) -> Host:
        """The host that has a room."""
        result = self.find_owner(room)
        assert result is not None, f"nobody has {room}"
        return result

    def hosts_with(self, room: str) -> list[Host]:
        """The living hosts that have a room in memory."""
        return [host for host in self.alive() if host.app.engine.room(room) is not None]

    async def replace(self, host: Host) -> Host:
        """Start a node under the name of one that is over; it ends now if it has not.

        An operator goes on trying while the store is away.
        """
        if not (host.dead or host in self.hung):
            await host.kill()
        while True:
            try:
                return await self.start_node(host.name)
            except JournalError:
                await asyncio.sleep(PATIENCE_SECONDS)
            if host in self.hung and not (host.frozen or host.dead or host.is_over):
                self.hung.remove(host)  # it goes on, and has its name
                return host

    # People.

    session: SessionMaker = ClientSession

    def dial(self, client: Person, codec: Codec, url: str) -> Wire | None:
        """See `Net`: to the node that the address names, else to the living ones in turn."""
        alive = [host for host in self.hosts.values() if not (host.dead or host.is_over)]
        if url == HOME:
            turn = self.people.index(client) + len(client.endings)
            host = alive[turn % len(alive)] if alive else None
        else:
            host = next((each for each in alive if f"/n/{each.name}/" in url), None)
        if host is None:
            return None
        made = Wire(host, client, codec, lambda: 0.001, client.name)  # type: ignore[arg-type]  # a host is what a wire needs of a process
        host.wires.append(made)
        return made

    def chance_of(self, name: str) -> random.Random:
        """See `Net`."""
        return random.Random(f"{self.seed} {name}")

    def witness(self, name: str, route: str, frame: bytes) -> None:
        """See `Net`."""

    def add(self, person: AnyPerson) -> AnyPerson:
        """Add a person, who connects."""
        self.people.append(person)
        person.connect()
        return person

    async def person(self, name: str, wants: frozenset[Want] = PEOPLE_WANT) -> Person:
        """Add a person and wait until they are connected."""
        made = self.add(Person(self, name, codec=JSON, wants=wants))
        await made.met()
        return made

    @property
    def journal(self) -> SimulatedStore:
        """A way to read all that is stored."""
        return SimulatedStore(disk=self.shared.disk)

    async def lines(self, room: str) -> list[str]:
        """All lines of a room's journal, with the id of their client."""
        return [
            f"{entry.client_id} {line}"
            for entry in await self.journal.read(streams.load, StreamId(room))
            for line in entry.lines
        ]

    async def go_home(self) -> None:
        """All people disconnect; ends when the nodes have noticed."""
        for person in self.people:
            person.go()
        await asyncio.sleep(FORGET_SECONDS)

    async def end(self) -> None:
        """All nodes end."""
        for host in self.hung:
            await host.kill()
        for name in self.names:
            await self.hosts[name].close()

    async def close(self) -> None:
        """All people disconnect, and all nodes end."""
        await self.go_home()
        await self.end()


@asynccontextmanager
async def cluster(seed: int = 0, nodes: int = 2) -> AsyncIterator[Cluster]:
    """A cluster in which no invariant may be broken."""
    made = Cluster(seed, nodes)
    await made.start()
    try:
        yield made
    finally:
        await made.close()
    for person in made.people:
        assert not person.faults
