"""Several engines and edges over one store in one virtual loop, with links that can be cut.

A node can be killed, frozen (nothing of it reaches anybody, nothing reaches it, and its clock goes
on), or cut off from the store. People dial the edges.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextvars import Context
from typing import Any, Final, ParamSpec

from protocol import JSON, Codec, Want
from server.clock import LoopClock
from server.config import Config
from server.journal import MemoryJournal
from server.journal.memory import Latency
from server.journal.memory_nodes import MemoryCluster, MemoryNodes
from server.link.frames import Frame, packed, unpacked
from server.link.wire import SILENT_SECONDS, Ends, Gather, Link
from server.node import EdgeNode, EngineNode, Joined
from tests.sim.loop import Life
from tests.sim.network import Road, Wire
from tests.sim.people import Person
from tests.sim.world import PEOPLE_WANT, all_games

P = ParamSpec("P")

COMMIT: Final = Latency(0.002, 0.001)


class Host:
    """A process of the cluster: an engine or an edge, until it is killed."""

    def __init__(self, cluster: Cluster, name: str, role: str) -> None:
        self.cluster = cluster
        self.name = name
        self.role = role
        self.life = Life()
        self.dead = False
        self.frozen = False
        self.nodes = MemoryNodes(cluster.shared)
        self.node: EngineNode | EdgeNode | None = None
        self.ends: list[End] = []
        self._held: list[Callable[[], object]] = []

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
        own = await self.nodes.join(
            self.name,
            role="engine" if self.role == "engine" else "edge",
            address=self.name,
            version="test",
        )
        store = self.nodes.journal(lambda: COMMIT)
        config = Config(house=False, bounded=False)
        fresh = made.chance_of(f"fresh {self.name} {own.id}").randbytes
        joined = Joined(config, store, made.games, made.clock, self.nodes, own, fresh)
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
        link(self, ends, other, other.node.inward, self.cluster.delay)

    # What happens to it.

    def call(self, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call something in it; later if it is frozen, never if it is dead."""
        if self.frozen:
            self._held.append(lambda: function(*args, **kwargs))
        elif not self.dead:
            self.life.call(function, *args, **kwargs)

    def sends(self) -> bool:
        """Whether what it says reaches anybody."""
        return not self.dead

    async def kill(self) -> None:
        """End it at this very moment."""
        self.dead = True
        for end in list(self.ends):
            end.lost()
        await self.life.end()

    def freeze(self) -> None:
        """Nothing of it goes on: neither beats nor links nor commits."""
        self.frozen = True
        self.nodes.is_cut = True
        for end in self.ends:
            end.stands_still()

    def thaw(self) -> None:
        """It goes on as if nothing had been."""
        self.frozen = False
        self.nodes.is_cut = False
        held, self._held = self._held, []
        for each in held:
            self.call(each)

    async def close(self) -> None:
        """End it as an operator would."""
        if not self.dead and self.node is not None:
            await self.life.wait(self.node.close())
            self.dead = True


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
            if end is not None and end.is_open:
                end.is_open = False
                end._road.cut()
                if end in end.host.ends:
                    end.host.ends.remove(end)
                loop = asyncio.get_running_loop()
                loop.call_soon(end.host.call, end._ends.ended, end, context=Context())

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
        other = self.other
        if other is not None and other.is_open and isinstance(piece, bytes):
            for frame in unpacked(piece):
                other.host.call(other.heard, frame)

    def heard(self, frame: Frame) -> None:
        """A frame has come."""
        if self.is_open:
            assert packed([frame])
            self._ends.heard(self, frame)


def link(one: Host, ends: Ends, two: Host, others: Ends, delay: Callable[[], float]) -> None:
    """Link two hosts."""
    near, far = End(one, ends, delay), End(two, others, delay)
    near.other, far.other = far, near
    assert one.node is not None
    assert two.node is not None
    far.opened(one.node.node.id)
    near.opened(two.node.node.id)


class Cluster:
    """Everything there is, from one seed; a `Net` for people."""

    def __init__(self, seed: int = 0, engines: int = 2, edges: int = 2) -> None:
        self.seed = seed
        self.games = all_games()
        self.clock = LoopClock()
        loop = asyncio.get_running_loop()
        self.shared = MemoryCluster(loop.time)
        self.hosts: dict[str, Host] = {}
        self.people: list[Person] = []
        self.engines = [f"engine{number}" for number in range(1, engines + 1)]
        self.edges = [f"edge{number}" for number in range(1, edges + 1)]
        self.chance = self.chance_of("trouble")
        chance = self.chance_of("links")
        self.delay: Callable[[], float] = lambda: chance.uniform(0.0002, 0.002)

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

    def owner_of(self, room: str) -> Host:
        """The host that has a room."""
        for host in self.hosts.values():
            if isinstance(host.node, EngineNode) and room in host.node.owning.epochs:
                if not (host.dead or host.frozen or host.node.over.is_set()):
                    return host
        raise AssertionError(f"nobody has {room}")

    def engines_with(self, room: str) -> list[Host]:
        """The living hosts that have a room in memory."""
        nodes = ((host, host.node) for host in self.hosts.values() if not host.dead)
        return [
            host
            for host, node in nodes
            if isinstance(node, EngineNode)
            and not (host.frozen or node.over.is_set())
            and node.app.engine.room(room) is not None
        ]

    async def replace(self, host: Host) -> Host:
        """Start a node under the name of one that is over; it ends now if it has not."""
        if not host.dead:
            await host.kill()
        return await self.start_node(host.name, host.role)

    def links_of(self, host: Host) -> list[Link]:
        """The open ends of a host's links."""
        return list(host.ends)

    # People.

    def dial(self, client: Person, codec: Codec) -> Wire | None:
        """See `Net`: to the edges in turn, as far as they are alive."""
        alive = [self.hosts[name] for name in self.edges if not self.hosts[name].dead]
        if not alive:
            return None
        host = alive[self.people.index(client) % len(alive)]
        return Wire(host, client, codec, lambda: 0.001, client.name)  # type: ignore[arg-type]  # a host is what a wire needs of a process

    def chance_of(self, name: str) -> random.Random:
        """See `Net`."""
        return random.Random(f"{self.seed} {name}")

    def witness(self, name: str, way: str, frame: bytes) -> None:
        """See `Net`."""

    async def person(self, name: str, wants: frozenset[Want] = PEOPLE_WANT) -> Person:
        """Somebody who is connected."""
        made = Person(self, name, codec=JSON, wants=wants)
        self.people.append(made)
        made.connect()
        await made.met()
        return made

    async def lines(self, room: str) -> list[str]:
        """All lines of a room's journal, with the id of their client."""
        journal: MemoryJournal = MemoryNodes(self.shared).journal()
        return [
            f"{entry.client_id} {line}"
            for entry in await journal.load(room)  # type: ignore[arg-type]  # a room's stream
            for line in entry.lines
        ]

    async def close(self) -> None:
        """Everybody goes home, and all nodes end."""
        for person in self.people:
            person.go()
        await asyncio.sleep(1)
        for name in (*self.edges, *self.engines):
            await self.hosts[name].close()
        await asyncio.sleep(5)
