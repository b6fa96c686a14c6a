"""Words from edge to edge over real sockets: over either engine, and done once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import msgspec
import pytest

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.edge.others import Others
from bluebear.server.edge.words import Decided
from bluebear.server.link.calls import Calls
from bluebear.server.link.finder import Finder
from bluebear.server.link.frames import Call, Frame, Told
from bluebear.server.link.inward import Inward
from bluebear.server.link.relay import Relay
from bluebear.server.link.wire import Link, SocketLink
from bluebear.server.observe import COUNTERS
from bluebear.server.store import Nodes
from bluebear.server.store.leases import Living
from bluebear.server.tasks import Tasks
from tests.support.simulated_store import SimulatedStore

SECRET = b"secret"
ENGINES = ("engine.1", "engine.2")
EDGES = ("edge.1", "edge.2")


class Edge:
    """What an edge has for its words, and nothing else; the `Ends` of its links."""

    def __init__(self, name: str, tasks: Tasks, ports: dict[str, int]) -> None:
        self.name = name
        self.bodies: list[bytes] = []
        self.reached = asyncio.Event()
        self.answers = asyncio.Event()
        self.answers.set()
        self.linked = asyncio.Event()
        self._ports = ports
        nodes = Nodes(SimulatedStore())
        self.finder = Finder(nodes, name, self._dial)
        self.calls = Calls({"passed": self._passed}, tasks)
        self.relay = Relay(nodes, name, self.finder, self.calls, tasks)
        self.relay.hear = self._hear

    async def _dial(self, address: str) -> None:
        loop = asyncio.get_running_loop()
        made = SocketLink(self, self.name, SECRET, dials=True)
        await loop.create_connection(lambda: made, "127.0.0.1", self._ports[address])

    async def _passed(self, link: Link, args: bytes) -> object:
        return await self.relay.passed(link, args)

    async def _hear(self, body: bytes) -> bytes:
        self.bodies.append(body)
        self.reached.set()
        await self.answers.wait()
        return b"\xa4" + body[1:5]

    def opened(self, link: Link, node: str) -> None:
        self.finder.opened(link, node)
        if len(self.finder.links) == len(ENGINES):
            self.linked.set()

    def heard(self, link: Link, frame: Frame) -> None:
        if isinstance(frame, Call):
            self.calls.called(link, frame)
        elif isinstance(frame, Told):
            self.calls.told(link, frame)

    def ended(self, link: Link) -> None:
        self.finder.ended(link)
        self.calls.broken(link)


def living(*names: str) -> list[Living]:
    """Nodes that live, all of which beat."""
    return [
        Living(each, 1, each, "edge" if "edge" in each else "engine", each, "", "alive", 0.0)
        for each in names
    ]


@asynccontextmanager
async def linked() -> AsyncIterator[tuple[Edge, Edge, dict[str, Inward]]]:
    """Two edges, each linked to two engines."""
    tasks, ports, engines = Tasks(), {}, {}
    loop = asyncio.get_running_loop()
    nothing: Any = None  # no room is spoken of
    async with AsyncExitStack() as stack:
        for name in ENGINES:
            inward = engines[name] = Inward(nothing, nothing, tasks, nothing)
            server = await loop.create_server(
                partial(SocketLink, inward, name, SECRET, dials=False),
                "127.0.0.1",
            )
            await stack.enter_async_context(server)
            ports[name] = server.sockets[0].getsockname()[1]
        edges = [Edge(name, tasks, ports) for name in EDGES]
        for edge in edges:
            await edge.finder.look(living(*ENGINES, *EDGES))
            await edge.linked.wait()
        yield edges[0], edges[1], engines
        for edge in edges:
            await edge.finder.close()
        await tasks.close()


async def test_a_term_is_answered_by_the_edge_that_it_is_for() -> None:
    async with linked() as (one, two, _):
        assert await one.relay.ask("edge.2", b"\xa4word") == b"\xa4word"
        assert two.bodies == [b"\xa4word"]
        assert not one.bodies


async def test_a_term_whose_engine_dies_moves_over_the_other_one_and_is_done_once() -> None:
    async with linked() as (one, two, engines):
        two.answers.clear()
        requested = asyncio.ensure_future(one.relay.ask("edge.2", b"\xa4word"))
        await two.reached.wait()
        first = next(name for name, link in one.finder._links.items() if link.is_open)
        engines[first].cut()
        two.answers.set()
        assert await requested == b"\xa4word"
        assert two.bodies == [b"\xa4word"]


@pytest.mark.expects_log("a word that is not known")
async def test_a_term_that_a_later_version_says_is_refused_at_once_and_not_sent_again() -> None:
    async with linked() as (one, two, _):
        rest = Others(None, Tasks())
        rest.hears(Decided, lambda term: None)
        two.relay.hear = rest.heard
        before = COUNTERS["edges.unknown"]
        with pytest.raises(NotAllowed) as refused:
            await one.relay.ask("edge.2", msgspec.msgpack.encode(["Later", "p1", 5]))
        assert refused.value.code == "version_gap"
        assert COUNTERS["edges.unknown"] == before + 1
        registered = msgspec.msgpack.encode(["Decided", "a field more"])
        assert await one.relay.ask("edge.2", registered) == b"\xc0"


async def test_a_question_that_an_engine_does_not_know_is_as_if_no_person_were_there() -> None:
    async with linked() as (one, _, _):
        link = one.finder.links[0]
        with pytest.raises(NotAllowed) as refused:
            await one.calls.ask(link, "later", ())
        assert refused.value.code == "not_saved"


async def test_a_term_to_an_edge_that_is_no_more_is_refused() -> None:
    async with linked() as (one, _, _):
        await one.finder.look(living(*ENGINES, "edge.1"))
        with pytest.raises(NotAllowed) as refused:
            await one.relay.ask("edge.2", b"\xa4word")
        assert refused.value.code == "not_saved"
