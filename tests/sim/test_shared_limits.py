"""Wrong tries at several edges: each counts at all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec

from bluebear.server.edge.others import Others
from bluebear.server.edge.shared_limits import TELL_SECONDS, SharedRateLimits
from bluebear.server.edge.words import Spent
from bluebear.server.net.budget import Budgets
from bluebear.server.net.rate_limits import BOUNDS, Cost
from bluebear.server.tasks import Tasks
from tests.sim.virtual_loop import virtual

ADDRESS: Final = "203.0.113.7"
EDGES: Final = 3


class Neighbours:
    """A way to edges in the same loop."""

    def __init__(self, node: str, all_of_them: dict[str, Edge]) -> None:
        self.node = node
        self._all = all_of_them
        self.published = 0

    @property
    def edges(self) -> Sequence[str]:
        return [each for each in self._all if each != self.node]

    async def ask(self, node: str, body: bytes) -> bytes:
        self.published += 1
        return await self._all[node].peers.heard(body)

    async def where(self, people: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        return {}

    async def crowd(self, limit: int) -> tuple[Sequence[tuple[str, str]], int]:
        return [], 0

    async def attend(self, come: Sequence[str], removed: Sequence[str]) -> None:
        return None

    async def reserve(self, key: str) -> bool:
        return True

    async def unreserve(self, key: str) -> None:
        return None

    def name_of(self, node: str) -> str:
        return node


class Edge:
    """What one edge counts."""

    def __init__(self, node: str, all_of_them: dict[str, Edge], tasks: Tasks) -> None:
        self.transport = Neighbours(node, all_of_them)
        self.peers = Others(self.transport, tasks)
        self.budgets = Budgets(BOUNDS)
        self.shared = SharedRateLimits(self.budgets, self.peers)

    def guess(self, cost: Cost = Cost.WRONG, person: str = "") -> bool:
        """A wrong try; whether it was let through."""
        now = asyncio.get_running_loop().time()
        return not self.budgets.consume(cost, now, address=ADDRESS, person=person)


def some_edges(tasks: Tasks) -> list[Edge]:
    made: dict[str, Edge] = {}
    for number in range(EDGES):
        made[f"edge{number}"] = Edge(f"edge{number}", made, tasks)
    return list(made.values())


@virtual
async def test_who_guesses_at_all_edges_gets_no_more_than_at_one() -> None:
    tasks = Tasks()
    edges = some_edges(tasks)
    bound = BOUNDS.address[Cost.WRONG]
    let_through = 0
    seconds = 3600
    for second in range(seconds):
        let_through += sum(each.guess() for each in edges)
        await asyncio.sleep(1 if second else 1 + TELL_SECONDS)
    most = bound.burst + bound.per_second * (seconds + 1)
    # The last one at each edge may be let through before the others hear of it.
    assert most - EDGES <= let_through <= most + EDGES
    await tasks.close()


@virtual
async def test_guesses_of_one_moment_at_all_edges_are_a_debt_at_each() -> None:
    tasks = Tasks()
    edges = some_edges(tasks)
    bound = BOUNDS.address[Cost.WRONG]
    at_once = [each.guess() for each in edges for _ in range(100)]
    assert sum(at_once) == EDGES * bound.burst
    await asyncio.sleep(1)
    assert not any(each.guess() for each in edges)
    debt = (EDGES - 1) * bound.burst
    await asyncio.sleep(debt / bound.per_second - 2)
    assert not any(each.guess() for each in edges)
    await asyncio.sleep(1 / bound.per_second + 3)
    assert edges[2].guess()
    await tasks.close()


@virtual
async def test_a_name_is_guessed_at_from_wherever_no_more_often_than_at_one_edge() -> None:
    tasks = Tasks()
    edges = some_edges(tasks)
    burst = int(BOUNDS.person[Cost.LOGIN].burst)
    for _ in range(burst):
        assert edges[0].guess(Cost.LOGIN, "name ayu")
    await asyncio.sleep(1)
    assert not edges[1].guess(Cost.LOGIN, "name ayu")
    assert edges[1].guess(Cost.LOGIN, "name ben")
    await tasks.close()


@virtual
async def test_what_was_right_is_reported_to_no_person() -> None:
    tasks = Tasks()
    edges = some_edges(tasks)
    for _ in range(30):
        assert edges[0].guess()
        now = asyncio.get_running_loop().time()
        edges[0].budgets.charge(Cost.WRONG, now, -1.0, address=ADDRESS)
        await asyncio.sleep(0.01)
    await asyncio.sleep(1)
    assert edges[0].transport.published <= 2 * EDGES
    bound = BOUNDS.address[Cost.WRONG]
    assert sum(edges[1].guess() for _ in range(100)) == bound.burst
    await tasks.close()


async def test_what_a_later_version_counts_is_passed_over() -> None:
    tasks = Tasks()
    edge = some_edges(tasks)[0]
    await edge.peers.heard(msgspec.msgpack.encode(Spent([("riddle", ADDRESS, "", 1000.0)])))
    assert edge.guess()
    await tasks.close()
