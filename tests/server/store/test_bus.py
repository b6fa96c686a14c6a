"""Is the bus what nodes rely on, in one process and over PostgreSQL?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from bluebear.server.cluster.peers import Bus
from bluebear.server.ops import node
from tests.support.local_bus import LocalBus

LONG = bytes(range(256)) * 200
"""More than PostgreSQL takes in one notification."""
TIMEOUT_SECONDS = 10.0


class Inbox:
    """What a bus has received."""

    def __init__(self, of: Bus) -> None:
        self.bodies: asyncio.Queue[bytes] = asyncio.Queue()
        self.looks: asyncio.Queue[None] = asyncio.Queue()
        of.hears(self.bodies.put_nowait)
        of.missed(lambda: self.looks.put_nowait(None))

    async def next(self) -> bytes:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            return await self.bodies.get()


async def local(count: int) -> list[Bus]:
    hub: list[LocalBus] = []
    return [LocalBus(hub) for _ in range(count)]


@pytest.fixture(params=["local", "postgres"])
def some(request: pytest.FixtureRequest) -> Callable[[int], Awaitable[list[Bus]]]:
    """Makes buses that reach each other."""
    if request.param == "local":
        return local
    url: str = request.getfixturevalue("server")

    async def opened(count: int) -> list[Bus]:
        made = [node.PostgresBus(url) for _ in range(count)]
        for each in made:
            await each.open()
        return list(made)

    return opened


@asynccontextmanager
async def joined(made: Awaitable[list[Bus]]) -> AsyncIterator[list[tuple[Bus, Inbox]]]:
    buses = await made
    yield [(each, Inbox(each)) for each in buses]
    for each in buses:
        await each.close()


async def test_messages_reach_all_peers_once_in_the_order_of_their_sender(
    some: Callable[[int], Awaitable[list[Bus]]],
) -> None:
    async with joined(some(3)) as [(one, first), (two, second), (_, third)]:
        sent = [b"", *(b"%d" % number for number in range(50)), LONG, b"last"]
        for body in sent:
            one.say(body)
        for inbox in (second, third):
            assert [await inbox.next() for _ in sent] == sent
        two.say(b"from two")
        assert await first.next() == b"from two", "its own messages do not come back"
        assert await third.next() == b"from two"
        assert all(inbox.looks.empty() for inbox in (first, second, third))


async def test_a_bus_that_is_closed_receives_nothing(
    some: Callable[[int], Awaitable[list[Bus]]],
) -> None:
    buses = await some(3)
    inboxes = [Inbox(each) for each in buses]
    await buses[2].close()
    buses[0].say(b"late")
    assert await inboxes[1].next() == b"late"
    assert inboxes[2].bodies.empty()
    for each in buses[:2]:
        await each.close()


async def test_a_message_without_its_first_section_is_passed_over(server: str) -> None:
    control: asyncpg.Connection[asyncpg.Record] = await asyncpg.connect(server)
    made = node.PostgresBus(server)
    await made.open()
    inbox = Inbox(made)
    for text in ("1 0 1 ", "2 1 2 VE", "3 0 2 VE", "4 0 2 VP", "4 1 2 X", "4 1 2 X", "5 0 1 VE"):
        sent = f"{node.VERSION} far {text}"
        await control.fetchval("SELECT pg_notify($1, $2)", node.CHANNEL, sent)
    assert [await inbox.next() for _ in range(3)] == [b"", b"ab", b"a"]
    await made.close()
    await control.close()


@pytest.mark.expects_log
async def test_what_could_not_be_sent_is_sent_later(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "RETRY_SECONDS", 0.01)
    real, failures = asyncpg.connect, iter([OSError("away")] * 3)

    async def connect(*given: Any, **more: Any) -> object:  # Any: what the driver takes
        if problem := next(failures, None):
            raise problem
        return await real(*given, **more)

    async with joined(_opened(server)) as [(one, _), (_, inbox)]:
        monkeypatch.setattr(asyncpg, "connect", connect)
        for body in (b"1", b"2"):
            one.say(body)
        assert [await inbox.next(), await inbox.next()] == [b"1", b"2"]
        assert next(failures, None) is None


@pytest.mark.expects_log
async def test_after_a_lost_connection_all_is_looked_at_again(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "CHECK_SECONDS", 0.01)
    control: asyncpg.Connection[asyncpg.Record] = await asyncpg.connect(server)
    async with joined(_opened(server)) as [(one, _), (_, inbox)]:
        await control.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await inbox.looks.get()
        one.say(b"again")
        assert await inbox.next() == b"again"
    await control.close()


async def _opened(url: str) -> list[Bus]:
    made = [node.PostgresBus(url), node.PostgresBus(url)]
    for each in made:
        await each.open()
    return list(made)
