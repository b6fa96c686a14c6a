"""The weather over a cluster: what goes wrong in a storm, and what its operator does about it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

from bluebear.server.node import EngineNode
from tests.sim.cluster import Cluster, End, Host
from tests.sim.simulated_clients import Person
from tests.sim.virtual_loop import Died

FAULT_SECONDS: Final = 12.0
BETWEEN_SECONDS: Final = 1.0
CALM_SECONDS: Final = 30.0
"""Within this nodes are deposed, started and linked again, and people have come back."""
THERE_SECONDS: Final = 3.0
"""After this time no dead node passes for alive any more; half-open connections may."""
LOOK_SECONDS: Final = 0.25
_IN_A_COMMIT: Final = 0.7
_TRIES: Final = 200
_TRY_SECONDS: Final = 0.005

Work: TypeAlias = Coroutine[Any, Any, None]


class FaultSchedule:
    """What goes wrong, and is put right again."""

    def __init__(self, made: Cluster, people: Sequence[Person]) -> None:
        self._made = made
        self._people = people
        self._chance = made.chance_of("weather")
        self._running: set[asyncio.Task[None]] = set()
        self._starting: set[str] = set()
        self.troubles: Counter[str] = Counter()

    async def rage(self) -> None:
        """One misfortune after the other, some at the same time."""
        loop = asyncio.get_running_loop()
        until = loop.time() + FAULT_SECONDS
        kinds: dict[Callable[[], Work | None], int] = {
            self._kill: 5, self._kill_all: 1, self._freeze: 6, self._cut: 10, self._half: 6,
            self._away: 3, self._all_away: 2, self._doubt: 4, self._break: 8, self._full: 3,
            self._drain: 6, self._kill_edge: 2, self._freeze_edge: 2, self._wire: 10,
            self._wake: 5, self._hang: 3, self._unreach: 4, self._sweep: 4,
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
        there = 0.0
        while loop.time() < until and there < THERE_SECONDS:
            await asyncio.sleep(LOOK_SECONDS)
            self._operate()
            all_there = self._are_all_there() and not self._running
            there = there + LOOK_SECONDS if all_there else 0.0
        for host in made.hung:
            if self._chance.random() < 0.5:
                host.thaw()
        names = {host.name for host in made.alive("engine", "edge")}
        return [f"{name} is not there again" for name in {*made.engines, *made.edges} - names]

    def _are_all_there(self) -> bool:
        alive = self._made.alive("engine", "edge")
        there = {host.name for host in alive if not host.is_stopping}
        return there == {*self._made.engines, *self._made.edges}

    # What is done about it.

    def _start(self, work: Work) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def _operate(self) -> None:
        """Restart every stopped node, after a while."""
        for host in list(self._made.hosts.values()):
            if host.is_to_be_replaced and host.name not in self._starting:
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
            await asyncio.sleep(_TRY_SECONDS)

    async def _still(self, host: Host | None) -> None:
        if host is not None:
            await self._in_a_commit(host)
        if host is not None and not host.dead:
            host.freeze()
            await asyncio.sleep(self._chance.choice((0.5, 1.5, 2.05, 2.3, 3, 6)))
            if not host.dead:
                host.thaw()

    async def _wake(self) -> None:
        """An engine stands still in a commit, and goes on when the first of its rooms is another's.

        What it had in the air reaches the store before the new owner has written anything.
        """
        host = self._engine()
        if host is None:
            return
        await self._in_a_commit(host)
        if not host.dead:
            host.freeze()
            with suppress(TimeoutError):
                async with asyncio.timeout(6):
                    await self._made.shared.robbed(host.nodes.id)
            await asyncio.sleep(self._chance.uniform(0, 0.02))
            if not host.dead:
                host.thaw()

    async def _hang(self) -> None:
        """An engine stands still, another one is started in its place, and then it goes on."""
        host = self._engine()
        if host is not None:
            await self._in_a_commit(host)
        if host is not None and not host.dead and not host.frozen:
            self._made.hung.append(host)
            host.freeze()
            await asyncio.sleep(self._chance.uniform(0.5, 9))
            if self._chance.random() < 0.7:
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

    async def _unreach(self) -> None:
        """One edge, or all of them, have no way to an engine for a while."""
        host = self._engine()
        if host is not None:
            edges = self._made.edges
            host.hidden_from |= set(edges if self._chance.random() < 0.6 else edges[:1])
            for end in self._made.links_of(host):
                if end.other is not None and end.other.host.name in host.hidden_from:
                    end.close()
            await asyncio.sleep(self._chance.choice((1.5, 4, 7)))
            host.hidden_from.clear()

    async def _sweep(self) -> None:
        """Evict rooms without members from memory."""
        host = self._engine()
        if host is not None:
            with suppress(Died):
                await host.life.wait(host.app.engine.sweep())

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
        """Some calls of a node end without a known result."""
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
        rest = len(self._made.alive("engine")) > 1
        if host is None or not isinstance(host.node, EngineNode) or not rest:
            return
        await self._in_a_commit(host)
        with suppress(Exception):
            await host.nodes.drain(host.name)
        if host.dead:
            return
        kind = self._chance.random()
        if kind < 0.2:
            self._start(self._soon(self._still(host)))
        elif kind < 0.4:
            self._start(self._soon(self._kill()))
        elif kind < 0.7:
            host.nodes.doubt = True
        with suppress(Exception):
            await host.life.wait(host.node.drain())
        if host.nodes.doubt:
            await asyncio.sleep(self._chance.uniform(0, 2))
        with suppress(Exception):
            await host.close()  # also one that could not give all its rooms away

    async def _soon(self, work: Work) -> None:
        await asyncio.sleep(self._chance.uniform(0, 0.05))
        await work

    async def _kill_edge(self) -> None:
        edges = self._made.alive("edge")
        if len(edges) > 1:
            await self._chance.choice(edges).kill()

    def _wire(self) -> None:
        """A client's connection breaks."""
        person = self._chance.choice(self._people)
        if person.wire is not None:
            person.wire.cut(half_open=self._chance.random() < 0.3)
