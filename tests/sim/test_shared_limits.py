"""Wrong tries at several nodes: each counts at all of them."""

from __future__ import annotations

import asyncio
from typing import Final

from bluebear.server.cluster.news import TELL_SECONDS, SharedRateLimits, Spent
from bluebear.server.cluster.peers import Peers
from bluebear.server.net.budget import Budgets
from bluebear.server.net.rate_limits import BOUNDS, Cost
from bluebear.server.runtime import Tasks
from bluebear.server.store.leases import Living
from tests.sim.virtual_loop import virtual
from tests.support.local_bus import LocalBus

ADDRESS: Final = "203.0.113.7"
NODES: Final = 3


class CountingBus(LocalBus):
    published = 0

    def say(self, body: bytes) -> None:
        self.published += 1
        super().say(body)


class Node:
    """What one node counts."""

    def __init__(self, name: str, hub: list[LocalBus], tasks: Tasks) -> None:
        self.bus = CountingBus(hub)
        self.peers = Peers(self.bus, tasks, name)
        names = (f"node{number}" for number in range(NODES))
        self.peers.look([Living(each, 1, each, "", "", "alive", 0.0) for each in names])
        self.budgets = Budgets(BOUNDS)
        self.shared = SharedRateLimits(self.budgets, self.peers, tasks)

    def guess(self, cost: Cost = Cost.WRONG, person: str = "") -> bool:
        """A wrong try; whether it was let through."""
        now = asyncio.get_running_loop().time()
        return not self.budgets.consume(cost, now, address=ADDRESS, person=person)


def some_nodes(tasks: Tasks) -> list[Node]:
    hub: list[LocalBus] = []
    return [Node(f"node{number}", hub, tasks) for number in range(NODES)]


@virtual
async def test_who_guesses_at_all_nodes_gets_no_more_than_at_one() -> None:
    tasks = Tasks()
    nodes = some_nodes(tasks)
    bound = BOUNDS.address[Cost.WRONG]
    let_through = 0
    seconds = 3600
    for second in range(seconds):
        let_through += sum(each.guess() for each in nodes)
        await asyncio.sleep(1 if second else 1 + TELL_SECONDS)
    most = bound.burst + bound.per_second * (seconds + 1)
    # The last one at each node may be let through before the others hear of it.
    assert most - NODES <= let_through <= most + NODES
    await tasks.close()


@virtual
async def test_guesses_of_one_moment_at_all_nodes_are_a_debt_at_each() -> None:
    tasks = Tasks()
    nodes = some_nodes(tasks)
    bound = BOUNDS.address[Cost.WRONG]
    at_once = [each.guess() for each in nodes for _ in range(100)]
    assert sum(at_once) == NODES * bound.burst
    await asyncio.sleep(1)
    assert not any(each.guess() for each in nodes)
    debt = (NODES - 1) * bound.burst
    await asyncio.sleep(debt / bound.per_second - 2)
    assert not any(each.guess() for each in nodes)
    await asyncio.sleep(1 / bound.per_second + 3)
    assert nodes[2].guess()
    await tasks.close()


@virtual
async def test_a_name_is_guessed_at_from_wherever_no_more_often_than_at_one_node() -> None:
    tasks = Tasks()
    nodes = some_nodes(tasks)
    burst = int(BOUNDS.person[Cost.LOGIN].burst)
    for _ in range(burst):
        assert nodes[0].guess(Cost.LOGIN, "name ayu")
    await asyncio.sleep(1)
    assert not nodes[1].guess(Cost.LOGIN, "name ayu")
    assert nodes[1].guess(Cost.LOGIN, "name ben")
    await tasks.close()


@virtual
async def test_what_was_right_is_reported_to_no_person() -> None:
    tasks = Tasks()
    nodes = some_nodes(tasks)
    for _ in range(30):
        assert nodes[0].guess()
        now = asyncio.get_running_loop().time()
        nodes[0].budgets.charge(Cost.WRONG, now, -1.0, address=ADDRESS)
        await asyncio.sleep(0.01)
    await asyncio.sleep(1)
    assert nodes[0].bus.published <= 2 * NODES
    bound = BOUNDS.address[Cost.WRONG]
    assert sum(nodes[1].guess() for _ in range(100)) == bound.burst
    await tasks.close()


@virtual
async def test_what_a_later_version_counts_is_passed_over() -> None:
    tasks = Tasks()
    node, other, _ = some_nodes(tasks)
    other.peers.tell(Spent([("riddle", ADDRESS, "", 1000.0)]))
    await asyncio.sleep(1)
    assert node.guess()
    await tasks.close()
