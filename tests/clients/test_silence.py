"""Is a dead but open connection noticed, and a slow one left alone?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Self
from urllib.parse import urlsplit

import pytest

from bluebear.clients.bots.house_bots import LOCAL_SERVER
from bluebear.clients.sdk import Client, Lost, Silence, Unreachable
from bluebear.clients.transport.heartbeat import Act, Heartbeat
from bluebear.server.limits import PING_SECONDS, SIGNS_MOST
from tests.clients.conftest import PATIENCE_SECONDS, until
from tests.clients.fake_server import FakeServer

NEVER = Silence(idle=3600, idle_answer=3600, line=0.05, line_answer=0.1)
ONLY_IDLE = Silence(idle=0.15, idle_answer=0.1, line=3600, line_answer=3600)


class Proxy:
    """Carries bytes to a server, or swallows them and keeps everything open."""

    def __init__(self, server: str) -> None:
        self._server = urlsplit(server)
        self.dead = False
        self.dies_after_handshake = False
        self.passed = 0
        self.connections = 0
        self._writers = set[asyncio.StreamWriter]()
        self._pipes = set[asyncio.Task[None]]()
        self.url = ""

    async def __aenter__(self) -> Self:
        self._listens = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{self._listens.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listens.close()
        for pipe in self._pipes:
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        there, on = await asyncio.open_connection(self._server.hostname, self._server.port)
        self._writers |= {writer, on}
        for source, target in ((reader, on), (there, writer)):
            self._pipes.add(asyncio.create_task(self._pipe(source, target)))

    async def _pipe(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                if not self.dead:
                    self.passed += len(data)
                    target.write(data)
                    self.dead = self.dies_after_handshake and data.startswith(b"HTTP/1.1 101")
            target.close()


@asynccontextmanager
async def through(server: FakeServer, silence: Silence) -> AsyncIterator[tuple[Proxy, Client]]:
    async with Proxy(server.url) as proxy, Client(proxy.url, name="Ayu", silence=silence) as ayu:
        yield proxy, ayu


async def test_a_line_that_waits_on_a_dead_connection_is_reported_on_another(
    server: FakeServer,
) -> None:
    async with through(server, NEVER) as (proxy, ayu):
        proxy.dead = True
        saying = asyncio.create_task(ayu.say("hello"))
        await until(ayu, Lost)
        proxy.dead = False
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert (await saying).ok
    assert [text for _, _, text in server.sent_lines] == ["hello"]


async def test_an_idle_dead_connection_is_noticed(server: FakeServer) -> None:
    async with through(server, ONLY_IDLE) as (proxy, ayu):
        proxy.dead = True
        await until(ayu, Lost)
        proxy.dead = False
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert (await ayu.say("hello")).ok


async def test_a_hello_on_a_dead_connection_is_given_up(server: FakeServer) -> None:
    async with Proxy(server.url) as proxy:
        proxy.dies_after_handshake = True
        async with asyncio.timeout(PATIENCE_SECONDS):
            with pytest.raises(Unreachable):
                await Client(proxy.url, name="Ayu", silence=NEVER).__aenter__()


async def test_a_slow_answer_cuts_nothing_while_pings_are_answered(server: FakeServer) -> None:
    server.deaf.add("think")
    async with through(server, Silence(idle=3600, line=0.02, line_answer=5.0)) as (proxy, ayu):
        before = proxy.passed
        thinking = asyncio.create_task(ayu.say("think"))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while proxy.passed < before + 200:  # noqa: ASYNC110  # pings and pongs go by
                await asyncio.sleep(0)
        assert proxy.connections == 1
        assert (await ayu.say("hello")).ok
        thinking.cancel()
        await asyncio.wait([thinking])


def pulse(*, waits: bool) -> Heartbeat:
    """One that has been welcomed at 0, and has a line that waits since 100."""
    made = Heartbeat()
    made.begin(0)
    made.settle()
    made.hear(99.5)
    if waits:
        made.wait(100)
    return made


def end_of(made: Heartbeat, *, hears: tuple[float, ...] = ()) -> float:
    """When it gives up, if things come only at these times."""
    coming = list(hears)
    while True:
        act, at = made.next()
        if coming and coming[0] <= at:
            made.hear(coming.pop(0))
        elif act is Act.GIVE_UP:
            made.give_up()
            return at
        else:
            made.ask(at)


def test_a_line_waits_three_seconds_and_nothing_else_waits_longer_than_23() -> None:
    assert end_of(pulse(waits=True)) == 103
    assert end_of(pulse(waits=False)) == 99.5 + 23


def test_a_seat_of_the_house_waits_longer_for_a_server_that_is_delayed() -> None:
    made = Heartbeat(LOCAL_SERVER)
    made.begin(100)
    assert end_of(made) == 123


def test_nothing_is_prompted_where_the_reply_arrives_at_once() -> None:
    made = pulse(waits=True)
    made.hear(100.2)
    made.settle()
    assert made.next() == (Act.ASK, 115.2)


def test_whatever_arrives_is_a_sign_of_life() -> None:
    assert end_of(pulse(waits=True), hears=(102.5, 105, 107.9)) == 110.9


def test_a_line_sent_while_an_idle_connection_is_prompted_waits_three_seconds_too() -> None:
    made = pulse(waits=False)
    made.ask(made.next()[1])
    made.wait(116)
    assert end_of(made) == 119


def test_who_slept_asks_first() -> None:
    made = pulse(waits=True)
    made.ask(500)
    assert made.next() == (Act.GIVE_UP, 502)


def test_a_server_that_is_delayed_is_left_more_time_at_each_return() -> None:
    made = pulse(waits=True)
    ends = [end_of(made)]
    for start in (200, 300, 400):
        made.begin(start)
        ends.append(end_of(made) - start)
    assert ends == [103, 5, 9, 9]
    made.begin(500)
    made.hear(500.1)
    made.settle()
    made.wait(501)
    assert end_of(made) == 504


def test_pings_are_fewer_than_a_server_suffers() -> None:
    made, pings = pulse(waits=True), 0
    while (next_at := made.next()[1]) < 100 + PING_SECONDS:
        made.ask(next_at)
        made.hear(next_at + 0.001)
        pings += 1
    assert pings < SIGNS_MOST / 2
