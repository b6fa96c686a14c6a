"""The weather over a cluster: what goes wrong in a storm, and what its operator does about it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

from bluebear.server.store import leases
from tests.sim.cluster import Cluster, Host
from tests.sim.simulated_clients import Person
from tests.sim.virtual_loop import Died

FAULT_SECONDS: Final = 12.0
BETWEEN_SECONDS: Final = 1.0
CALM_SECONDS: Final = 30.0
"""Within this nodes are deposed and started again, and people have come back."""
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
            self._kill: 5, self._kill_all: 1, self._freeze: 6, self._away: 3, self._all_away: 2,
            self._doubt: 4, self._break: 8, self._full: 3, self._drain: 8, self._wire: 10,
            self._wake: 5, self._hang: 3, self._sweep: 4,
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
        names = {host.name for host in made.alive()}
        return [f"{name} is not there again" for name in set(made.names) - names]

    async def end(self) -> None:
        """Wait for what was still waiting for a node that stood still until it was ended."""
        await asyncio.gather(*self._running)

    def _are_all_there(self) -> bool:
        there = {host.name for host in self._made.alive() if not host.is_stopping}
        return there == set(self._made.names)

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

    def _host(self) -> Host | None:
        hosts = self._made.alive()
        return self._chance.choice(hosts) if hosts else None

    async def _kill(self) -> None:
        host = self._host()
        if host is not None:
            await self._in_a_commit(host)
            await host.kill()

    async def _kill_all(self) -> None:
        for host in self._made.alive():
            await host.kill()

    async def _freeze(self) -> None:
        await self._still(self._host())

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
        """A node stands still in a commit, and goes on when the first of its rooms is another's.

        What it had in the air reaches the store before the new owner has written anything.
        """
        host = self._host()
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
        """A node stands still, another one is started in its place, and then it goes on."""
        host = self._host()
        if host is not None:
            await self._in_a_commit(host)
        if host is not None and not host.dead and not host.frozen:
            self._made.hung.append(host)
            host.freeze()
            await asyncio.sleep(self._chance.uniform(0.5, 9))
            if self._chance.random() < 0.7:
                host.thaw()

    async def _sweep(self) -> None:
        """Evict rooms without members from memory."""
        host = self._host()
        if host is not None:
            with suppress(Died):
                await host.life.wait(host.app.engine.sweep())

    async def _away(self) -> None:
        """There is no way to the store for one node."""
        host = self._host()
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
        host = self._host()
        if host is not None:
            host.nodes.is_doubtful = True
            await asyncio.sleep(self._chance.uniform(0.5, 4))
            host.nodes.is_doubtful = False

    def _break(self) -> None:
        """The way to the store breaks in the middle of a commit."""
        host = self._host()
        if host is not None and host.store is not None:
            host.store.break_next(stored=self._chance.random() < 0.6)

    def _full(self) -> None:
        host = self._host()
        if host is not None and host.store is not None:
            host.store.fail_next(self._chance.randrange(1, 4))

    async def _drain(self) -> None:
        """A node is replaced; at times it dies, or stands still, in the middle of it."""
        host = self._host()
        rest = len(self._made.alive()) > 1
        if host is None or not rest:
            return
        await self._in_a_commit(host)
        with suppress(Exception):
            await host.nodes.write(leases.drain, host.name)
        if host.dead:
            return
        kind = self._chance.random()
        if kind < 0.2:
            self._start(self._soon(self._still(host)))
        elif kind < 0.4:
            self._start(self._soon(self._kill()))
        elif kind < 0.7:
            host.nodes.is_doubtful = True
        with suppress(Exception):
            await host.drain()
        if host.nodes.is_doubtful:
            await asyncio.sleep(self._chance.uniform(0, 2))
        with suppress(Exception):
            await host.close()  # also one that could not give all its rooms away

    async def _soon(self, work: Work) -> None:
        await asyncio.sleep(self._chance.uniform(0, 0.05))
        await work

    def _wire(self) -> None:
        """A client's connection breaks."""
        person = self._chance.choice(self._people)
        if person.wire is not None:
            person.wire.cut(half_open=self._chance.random() < 0.3)
