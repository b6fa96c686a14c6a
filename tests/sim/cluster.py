"""Several engines and edges over one store in one virtual loop, with links that can be cut.

A node can be killed, frozen (none of its tasks and timers goes on, as after SIGSTOP; what was sent
to it waits), or cut off from the store; its clock is its own, and its calls of the store take time.
A link can be cut on both ends at once, or half-open: one side learns of it late. People dial the
edges.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import Context
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

from bluebear.protocol import JSON, Codec, Want
from bluebear.server.app import Outside
from bluebear.server.config import Config
from bluebear.server.link.frames import Changed, Frame, Invited, unpacked
from bluebear.server.link.wire import SILENT_SECONDS, Ends, Gather
from bluebear.server.node import EdgeNode, EngineNode, Joined
from bluebear.server.store import JournalError, StreamId
from tests.sim.cluster_store import FarNodes, Shared
from tests.sim.network import Road, Wire
from tests.sim.server_process import Games
from tests.sim.simulated_clients import Person
from tests.sim.simulation import PEOPLE_WANT, WallClock, all_games
from tests.sim.virtual_loop import SELDOM_SECONDS, Life
from tests.support.simulated_store import Latency, SimulatedStore

P = ParamSpec("P")
AnyPerson = TypeVar("AnyPerson", bound=Person)

_SLOW: Final = 0.004
"""How likely a piece takes long; what comes behind it waits for it."""
_LOST: Final = 0.2
_LATE: Final = 0.4
_TWICE: Final = 0.6
"""Below these a hint gets lost, comes late, comes twice."""

COMMIT: Final = Latency(0.002, 0.001)
PATIENCE_SECONDS: Final = 5.0
"""Before an operator tries once more to start a node that could not be started."""
FORGET_SECONDS: Final = 3.0
"""Within this many seconds nodes forget disconnected people: an edge keeps a seat for two."""
HINTS: Final = (Changed, Invited)
"""What may get lost, come twice or late: a look into the store makes up for it."""


class Host:
    """A process of the cluster: an engine or an edge, until it is killed."""

    def __init__(self, cluster: Cluster, name: str, role: str) -> None:
        self.cluster = cluster
        self.name = name
        self.role = role
        self.life = Life()
        self.dead = False
        self.frozen = False
        self.hidden_from: set[str] = set()
        """The edges that do not reach it."""
        self.clock = WallClock()
        self.clock.set_by = cluster.skew_of(name)
        self.nodes = FarNodes(cluster.shared, cluster.chance_of(f"store {name}"))
        self.store: SimulatedStore | None = None
        self.node: EngineNode | EdgeNode | None = None
        self.ends: list[End] = []
        self.wires: list[Wire] = []
        self._delayed: list[Callable[[], object]] = []

    @property
    def app(self) -> Any:  # Any: the wire of a person reaches for its reception
        """What people are connected to."""
        assert self.node is not None
        return self.node.app

    async def start(self) -> None:
        """Join and open."""
        await self.life.wait(self._start())

    async def _start(self) -> None:
        made = self.cluster
        owned_items = await self.nodes.join(
            self.name,
            role="engine" if self.role == "engine" else "edge",
            address=self.name,
            version="test",
        )
        store = self.store = self.nodes.journal(owned_items, lambda: COMMIT)
        config = Config(house=False, bounded=False)
        fresh = made.chance_of(f"fresh {self.name} {owned_items.id}").randbytes
        joined = Joined(
            *(config, store, made.games, self.clock, self.nodes, owned_items, fresh),
            outside=Outside(beat=SELDOM_SECONDS),
        )
        if self.role == "engine":
            self.node = EngineNode(joined)
        else:
            self.node = EdgeNode(joined, self._dial)
        await self.node.open()

    async def _dial(self, address: str, ends: Ends) -> None:
        await asyncio.sleep(0.001)
        other = self.cluster.hosts.get(address)
        if other is None or other.dead or not isinstance(other.node, EngineNode):
            raise ConnectionRefusedError(address)
        if self.name in other.hidden_from:
            raise ConnectionRefusedError(address)
        link(self, ends, other, other.node.inward, self.cluster.delay)

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
        return self.node is not None and self.node.life.drain.is_set()

    async def kill(self) -> None:
        """End it at this very moment."""
        self.dead, self.frozen = True, False
        for end in list(self.ends):
            end.lost()
        for wire in self.wires:
            wire.server_died(drained=False)
        await self.life.end()

    def freeze(self) -> None:
        """Nothing of it goes on, and what is sent to it waits."""
        self.frozen = True
        self.life.freeze()
        for end in self.ends:
            end.stands_still()

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


class End:
    """One end of a link between two hosts."""

    def __init__(self, host: Host, ends: Ends, delay: Callable[[], float]) -> None:
        self.host = host
        self._ends = ends
        self.is_open = True
        self.other: End | None = None
        self._gather = Gather(self._write)
        self._road = Road(delay, self._arrives)
        host.ends.append(self)

    def send(self, frame: Frame) -> None:
        """See `Link`."""
        if self.is_open and not self.host.dead:
            self._gather.put(frame)

    def close(self) -> None:
        """See `Link`."""
        self.lost()

    def opened(self, node: str) -> None:
        """The other end is there."""
        self.host.call(self._ends.opened, self, node)

    def lost(self) -> None:
        """The link breaks with all that is on its way; each side notices."""
        for end in (self, self.other):
            if end is not None:
                end.drop()

    def half_lost(self) -> None:
        """The link breaks; the other side goes on to speak into it until the silence tells."""
        self.drop()
        if self.other is not None:
            self.other._road.cut()
            loop = asyncio.get_running_loop()
            loop.call_later(SILENT_SECONDS, self.other.drop, context=Context())

    def drop(self) -> None:
        """Notice on this side that the link is no more."""
        if self.is_open:
            self.is_open = False
            self._road.cut()
            if self in self.host.ends:
                self.host.ends.remove(self)
            loop = asyncio.get_running_loop()
            loop.call_soon(self.host.call, self._ends.ended, self, context=Context())

    def stands_still(self) -> None:
        """Its process is frozen: who hears nothing for long takes the link for cut."""
        loop = asyncio.get_running_loop()
        loop.call_later(SILENT_SECONDS, self._silent, context=Context())

    def _silent(self) -> None:
        if self.host.frozen:
            self.lost()

    def _write(self, piece: bytes) -> None:
        if self.host.frozen:
            self.host.call(self._write, piece)
        elif self.is_open:
            self._road.send(piece)

    def _arrives(self, piece: object) -> None:
        if isinstance(piece, bytes):
            for frame in unpacked(piece):
                if isinstance(frame, HINTS):
                    self.host.cluster.hint(partial(self._hand_over, frame))
                else:
                    self._hand_over(frame)

    def _hand_over(self, frame: Frame) -> None:
        """The other side hears it; also later, if it is frozen and had it in its buffer by then."""
        other = self.other
        if other is not None and other.is_open:
            other.host.call(other._ends.heard, other, frame)


def link(one: Host, ends: Ends, two: Host, far_ends: Ends, delay: Callable[[], float]) -> None:
    """Link two hosts."""
    near, far = End(one, ends, delay), End(two, far_ends, delay)
    near.other, far.other = far, near
    assert one.node is not None
    assert two.node is not None
    far.opened(one.node.node.id)
    near.opened(two.node.node.id)


class Cluster:
    """Everything there is, from one seed; a `Net` for people.

    `skew`: how far clocks of nodes may be off, in ms. `rough`: links and the store are uneven.
    """

    def __init__(
        self,
        seed: int = 0,
        engines: int = 2,
        edges: int = 2,
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
        self.engines = [f"engine{number}" for number in range(1, engines + 1)]
        self.edges = [f"edge{number}" for number in range(1, edges + 1)]
        self.chance = self.chance_of("trouble")
        self._links = self.chance_of("links")
        self._hints = self.chance_of("hints")

    async def start(self) -> None:
        """Start all nodes; ends when the edges are linked."""
        for name in self.engines:
            await self.start_node(name, "engine")
        for name in self.edges:
            await self.start_node(name, "edge")
        await asyncio.sleep(1)

    async def start_node(self, name: str, role: str) -> Host:
        """Start a node, also in the place of one that is dead."""
        host = self.hosts[name] = Host(self, name, role)
        await host.start()
        return host

    # What the weather says.

    def delay(self) -> float:
        """How long something takes over a link; seldom much longer, if it is rough."""
        if self.slow and self._links.random() < _SLOW:
            return self._links.uniform(0.05, 1.0)
        return self._links.uniform(0.0002, 0.002)

    def skew_of(self, name: str) -> int:
        """How far a node's clock is off, in ms; the same each time that it starts."""
        return self.chance_of(f"clock {name}").randint(-self._skew, self._skew)

    def hint(self, tell: Callable[[], None]) -> None:
        """A hint is on its way: it gets lost, comes twice, or late, if it is rough."""
        kind = self._hints.random() if self.rough else 1.0
        if kind < _LOST:
            return
        if kind < _LATE:
            asyncio.get_running_loop().call_later(kind, tell, context=Context())
            return
        tell()
        if kind < _TWICE:
            tell()

    # Who has what.

    @property
    def all_people(self) -> list[Person]:
        """All who ever had a wire."""
        return self.people

    def alive(self, *roles: str) -> list[Host]:
        """The hosts of these roles that do what they should."""
        hosts = (host for host in self.hosts.values() if host.role in roles)
        return [host for host in hosts if not (host.dead or host.frozen or host.is_over)]

    def find_owner(self, room: str) -> Host | None:
        """The host that has a room, and can be spoken to."""
        for host in self.alive("engine"):
            if isinstance(host.node, EngineNode) and room in host.node.owning.epochs:
                return host
        return None

    def owner_of(self, room: str) -> Host:
        """The host that has a room."""
        result = self.find_owner(room)
        assert result is not None, f"nobody has {room}"
        return result

    def engines_with(self, room: str) -> list[Host]:
        """The living hosts that have a room in memory."""
        return [host for host in self.alive("engine") if host.app.engine.room(room) is not None]

    async def replace(self, host: Host) -> Host:
        """Start a node under the name of one that is over; it ends now if it has not.

        An operator goes on trying while the store is away.
        """
        if not (host.dead or host in self.hung):
            await host.kill()
        while True:
            try:
                return await self.start_node(host.name, host.role)
            except JournalError:
                await asyncio.sleep(PATIENCE_SECONDS)

    def links_of(self, host: Host) -> list[End]:
        """The open ends of a host's links."""
        return list(host.ends)

    # People.

    def dial(self, client: Person, codec: Codec) -> Wire | None:
        """See `Net`: to the edges in turn, as far as they are alive."""
        alive = [self.hosts[name] for name in self.edges if not self.hosts[name].dead]
        alive = [host for host in alive if not host.is_over and host.node is not None]
        if not alive:
            return None
        host = alive[(self.people.index(client) + len(client.endings)) % len(alive)]
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
            for entry in await self.journal.load(StreamId(room))
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
        for name in (*self.edges, *self.engines):
            await self.hosts[name].close()

    async def close(self) -> None:
        """All people disconnect, and all nodes end."""
        await self.go_home()
        await self.end()


@asynccontextmanager
async def cluster(seed: int = 0) -> AsyncIterator[Cluster]:
    """A cluster of two engines and two edges in which no invariant may be broken."""
    made = Cluster(seed)
    await made.start()
    try:
        yield made
    finally:
        await made.close()
    for person in made.people:
        assert not person.faults
