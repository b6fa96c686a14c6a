"""Nodes in memory: the contract, and how they fail on request."""

from __future__ import annotations

import pytest

from bluebear.server.store import Nodes, NotRead, NotSaved, WholeStore, Written
from bluebear.server.store.nodes import Node
from tests.server.store.contract import ROOM, line
from tests.server.store.nodes_contract import NodesContract, SharedStore, joined
from tests.support.memory_nodes import MemoryCluster, MemoryNodes


class Memory:
    """A cluster in memory, whose clock goes on by request."""

    def __init__(self) -> None:
        self.time = 100.0
        self.cluster = MemoryCluster(lambda: self.time)

    def nodes(self) -> Nodes:
        return MemoryNodes(self.cluster)

    def store(self, nodes: Nodes, node: Node) -> WholeStore:
        assert isinstance(nodes, MemoryNodes)
        return nodes.journal()

    async def wait(self, seconds: float) -> None:
        self.time += seconds


class TestMemoryNodes(NodesContract):
    @pytest.fixture
    def shared(self) -> SharedStore:
        return Memory()


async def test_a_node_without_a_route_to_the_store_reads_and_writes_nothing() -> None:
    position = Memory()
    one = await joined(position, "one")
    assert isinstance(one.nodes, MemoryNodes)
    one.nodes.is_cut = True
    with pytest.raises(NotSaved):
        await one.nodes.beat()
    with pytest.raises(NotRead):
        await one.nodes.owner(ROOM)
    with pytest.raises(NotRead):
        await one.store.load(ROOM)
    with pytest.raises(NotRead):
        await one.store.outbox(0, 1)
    [answer] = await one.store.append([line(1)])
    assert isinstance(answer, NotSaved)
    one.nodes.is_cut = False
    assert await one.store.append([line(1)]) == [Written(1)]


@pytest.mark.parametrize("stored", [True, False])
async def test_a_commit_whose_end_is_unknown_is_read_back_behind_the_barrier(
    *, stored: bool
) -> None:
    position = Memory()
    one = await joined(position, "one")
    journal = one.store
    assert isinstance(one.nodes, MemoryNodes)
    assert hasattr(journal, "break_next")
    journal.break_next(stored=stored)
    [answer] = await journal.append([line(1)])
    assert isinstance(answer, Written if stored else NotSaved)
    [living] = await one.nodes.living()
    assert living.generation == one.node.generation + 1
    number = 2 if stored else 1
    assert await journal.append([line(number)]) == [Written(number)]


async def test_nodes_are_used_after_joining() -> None:
    with pytest.raises(RuntimeError):
        await MemoryNodes(MemoryCluster(lambda: 0.0)).beat()
