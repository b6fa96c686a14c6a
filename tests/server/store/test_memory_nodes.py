"""Nodes over a database in memory: the contract, and how they fail on request."""

from __future__ import annotations

import pytest

from bluebear.server.store import Nodes, NotRead, NotSaved, Store, Written, leases, streams
from bluebear.server.store.leases import Node
from tests.server.store.contract import ROOM, line
from tests.server.store.nodes_contract import NodesContract, SharedStore, joined
from tests.support.simulated_store import FaultyDatabase, MemoryDisk, SimulatedNodes, SimulatedStore


class Memory:
    """A database in memory, whose clock goes on by request."""

    def __init__(self) -> None:
        self.time = 100.0
        self.is_cut = False
        self.disk = MemoryDisk(lambda: self.time)

    def nodes(self) -> Nodes:
        nodes = SimulatedNodes(disk=self.disk)
        nodes.database.is_away = lambda: self.is_cut
        return nodes

    def store(self, nodes: Nodes, node: Node) -> Store:
        store = SimulatedStore(database=FaultyDatabase(self.disk, node))
        store.database.is_away = lambda: self.is_cut
        return store

    async def wait(self, seconds: float) -> None:
        self.time += seconds


class TestMemoryNodes(NodesContract):
    @pytest.fixture
    def shared(self) -> SharedStore:
        return Memory()


async def test_a_node_without_a_route_to_the_store_reads_and_writes_nothing() -> None:
    memory = Memory()
    one = await joined(memory, "one")
    memory.is_cut = True
    with pytest.raises(NotSaved):
        await one.nodes.change(leases.beat)
    with pytest.raises(NotRead):
        await one.nodes.read(leases.owner, ROOM)
    with pytest.raises(NotRead):
        await one.store.read(streams.load, ROOM)
    [answer] = await one.store.append([line(1)])
    assert isinstance(answer, NotSaved)
    memory.is_cut = False
    assert await one.store.append([line(1)]) == [Written(1)]


@pytest.mark.parametrize("stored", [True, False])
async def test_a_commit_whose_end_is_unknown_is_read_back_behind_the_barrier(
    *, stored: bool
) -> None:
    memory = Memory()
    one = await joined(memory, "one")
    assert isinstance(one.store, SimulatedStore)
    one.store.break_next(stored=stored)
    [answer] = await one.store.append([line(1)])
    assert isinstance(answer, Written if stored else NotSaved)
    [living] = await one.nodes.read(leases.living)
    assert living.generation == one.node.generation + 1
    number = 2 if stored else 1
    assert await one.store.append([line(number)]) == [Written(number)]


async def test_nodes_are_used_after_joining() -> None:
    with pytest.raises(RuntimeError):
        await SimulatedNodes().change(leases.beat)
