"""Messages between nodes: each is carried out once, also where the bus loses or repeats some."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from bluebear.server.cluster.peers import RESENT_SECONDS, NodeMessage, Peers
from bluebear.server.runtime import Tasks
from bluebear.server.store.leases import Living
from tests.sim.virtual_loop import virtual
from tests.support.local_bus import LocalBus


class News(NodeMessage, frozen=True):
    """A message of these tests."""

    text: str


class OldMissed(NodeMessage, frozen=True, tag="Missed"):
    """`Missed`, as an earlier version has sent it."""

    node: str


class LossyBus(LocalBus):
    """Loses the next so many messages that it is given; sends the others twice."""

    losses = 0

    def __init__(self, hub: list[LocalBus]) -> None:
        super().__init__(hub)
        self.sent: list[bytes] = []

    def say(self, body: bytes) -> None:
        """See `Bus`."""
        self.sent.append(body)
        if self.losses:
            self.losses -= 1
            return
        super().say(body)
        super().say(body)


class Node:
    """What one node sends and receives."""

    def __init__(self, name: str, hub: list[LocalBus], tasks: Tasks) -> None:
        self.bus = LossyBus(hub)
        self.peers = Peers(self.bus, tasks, name)
        self.peers.look([Living(each, 1, each, "", "", "alive", 0.0) for each in ("a", "b", "c")])
        self.texts: list[str] = []
        self.peers.hears(News, lambda message: self.texts.append(message.text))

    async def send(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.peers.tell(News(text))
            await asyncio.sleep(0.01)


def some_nodes(tasks: Tasks) -> list[Node]:
    hub: list[LocalBus] = []
    return [Node(name, hub, tasks) for name in ("a", "b", "c")]


@virtual
async def test_a_message_that_arrives_twice_is_handled_once() -> None:
    tasks = Tasks()
    one, two, three = some_nodes(tasks)
    await one.send("123")
    await two.send("45")
    assert one.texts == ["4", "5"]
    assert two.texts == ["1", "2", "3"]
    assert three.texts == ["1", "2", "3", "4", "5"]
    await tasks.close()


@virtual
async def test_missing_messages_are_sent_again_after_the_next_one() -> None:
    tasks = Tasks()
    one, two, three = some_nodes(tasks)
    await one.send("1")
    one.bus.losses = 3
    await one.send("2345")
    for each in (two, three):
        assert sorted(each.texts) == ["1", "2", "3", "4", "5"]
    await tasks.close()


@virtual
async def test_messages_of_a_time_in_which_a_connection_was_broken_are_sent_again() -> None:
    tasks = Tasks()
    one, two, three = some_nodes(tasks)
    await one.send("12")
    one.bus.losses = 2
    await one.send("34")
    two.bus.look_again()
    await asyncio.sleep(0.1)
    assert two.texts == ["1", "2", "3", "4"]
    assert three.texts == ["1", "2"], "what was sent again is for the one that has missed it"
    await one.send("5")
    assert sorted(three.texts) == ["1", "2", "3", "4", "5"]
    assert two.texts == ["1", "2", "3", "4", "5"]
    await tasks.close()


@virtual
async def test_what_has_arrived_is_not_sent_again() -> None:
    tasks = Tasks()
    one, two, three = some_nodes(tasks)
    await one.send("123")
    one.bus.losses = 1
    await one.send("4")
    one.bus.sent.clear()
    two.bus.look_again()
    await asyncio.sleep(0.1)
    assert two.texts == ["1", "2", "3", "4"]
    assert len(one.bus.sent) == 1
    one.bus.sent.clear()
    one.bus.losses = 1
    await one.send("56")
    assert sorted(two.texts) == sorted(three.texts) == ["1", "2", "3", "4", "5", "6"]
    assert len(one.bus.sent) == 2 + 2 + 3, "5 and 6 to one, 4 to 6 to the other"
    await tasks.close()


@virtual
async def test_a_node_of_an_earlier_version_gets_all_again() -> None:
    tasks = Tasks()
    one, two, _ = some_nodes(tasks)
    await one.send("123")
    one.bus.sent.clear()
    two.peers.tell(OldMissed("b"))
    await asyncio.sleep(0.1)
    assert len(one.bus.sent) == 3
    await tasks.close()


@virtual
async def test_what_was_sent_long_ago_is_not_sent_again() -> None:
    tasks = Tasks()
    one, two, _ = some_nodes(tasks)
    await one.send("1")
    one.bus.losses = 1
    await one.send("2")
    await asyncio.sleep(RESENT_SECONDS + 1)
    await one.send("3")
    assert two.texts == ["1", "3"]
    await tasks.close()
