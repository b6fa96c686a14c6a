"""Do games go on unharmed beside people who do not read, drop off, or never stop talking?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Final

import pytest
import pytest_asyncio
from websockets.frames import Frame, Opcode

from bluebear.clients.sdk import Client
from bluebear.protocol import Close, Code, Error
from bluebear.server import limits
from bluebear.server.limits import CONNECTIONS_PER_PERSON, LINE_BURST, LINES_PER_SECOND
from bluebear.server.net import http, websocket
from bluebear.server.runtime import COUNTERS
from bluebear.server.store import StreamId, streams
from tests.tools.load.live_server import Running, running
from tests.tools.load.raw_client import Stranger, arrive, left, stranger
from tests.tools.load.table import Table

pytestmark = pytest.mark.slow_loop

TABLES: Final = 3
SMALL_BUFFER_BYTES: Final = 4096
UNREAD_PAGES: Final = 400
CLIENTS: Final = 100
CROWDS: Final = 5
HALF: Final = 200
LOOK_SECONDS: Final = 0.01
LOOKS_MAX: Final = 3_000


@pytest_asyncio.fixture
async def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Running]:
    # For this long the server waits for a client that does not answer its goodbye.
    monkeypatch.setattr(websocket, "_CLOSE_SECONDS", 0.2)
    async with running(tmp_path) as started:
        yield started


@pytest_asyncio.fixture
async def tables(server: Running) -> AsyncIterator[list[Table]]:
    """Tables whose games can start."""
    async with AsyncExitStack() as stack:
        made = [Table(server, number) for number in range(TABLES)]
        for table in made:
            await table.sit_down(stack)
        yield made


async def play_all(tables: list[Table]) -> None:
    """Play a game at every table to its end, and see that every mirror is sound."""
    await asyncio.gather(*(table.play(1) for table in tables))
    for table in tables:
        await table.check()


async def strangers_at(server: Running, tables: list[Table], number: int) -> list[Stranger]:
    """Spectators, who are spread over the tables."""
    guests: list[Stranger] = []
    for index in range(CLIENTS):
        guest = await arrive(server.url)
        await guest.hello(f"C{number}N{index}")
        await guest.enter(tables[index % TABLES].room)
        guests.append(guest)
    return guests


async def members(server: Running, wanted: int) -> None:
    """Wait until the server has noticed who is gone."""
    for _ in range(LOOKS_MAX):
        if len(server.app.dispatcher.connections) == wanted:
            return
        await asyncio.sleep(LOOK_SECONDS)
    raise AssertionError(f"{len(server.app.dispatcher.connections)} connections, not {wanted}")


class NarrowWire(websocket.WebSocketConnection):
    """A way to a client for which the machine holds little, so that our own bound is reached."""

    def connection_made(self, made: asyncio.BaseTransport) -> None:
        super().connection_made(made)
        made.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, SMALL_BUFFER_BYTES)


async def test_who_does_not_read_is_cut_off_and_returns(
    server: Running, tables: list[Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "WebSocketConnection", NarrowWire)
    cut = COUNTERS["connections.too_slow"]
    room = tables[0].room
    async with stranger(server.url, buffer_bytes=SMALL_BUFFER_BYTES) as deaf:
        await deaf.hello("Deaf")
        number = await deaf.enter(room)
        async with asyncio.TaskGroup() as playing:
            playing.create_task(play_all(tables))
            for _ in range(UNREAD_PAGES):
                await deaf.say("/help", number)
        assert COUNTERS["connections.too_slow"] == cut + 1
        await deaf.rest()
        assert deaf.close_code in (Close.TOO_SLOW, 1006)
    async with Client(server.url, token=deaf.token) as back:
        assert (await back.say(f"/room {room}")).ok
        assert back.name == "Deaf"
        server.check(back, room)


async def test_five_hundred_connections_that_drop_off_disturb_no_room(
    server: Running, tables: list[Table]
) -> None:
    staying = len(server.app.dispatcher.connections)
    async with asyncio.TaskGroup() as playing:
        playing.create_task(play_all(tables))
        for number in range(CROWDS):
            guests = await strangers_at(server, tables, number)
            assert len(server.app.dispatcher.connections) == staying + CLIENTS
            for guest in guests:
                guest.connection.transport.abort()
            await asyncio.gather(*(guest.connection.wait_closed() for guest in guests))
            await members(server, staying)
    for table in tables:
        assert len(server.room(table.room).present.members) == len(table.players)


async def test_two_hundred_callers_who_never_say_what_they_want_disturb_no_room(
    server: Running, tables: list[Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "KNOCK_SECONDS", 0.5)
    async with asyncio.TaskGroup() as playing:
        playing.create_task(play_all(tables))
        callers = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(HALF)]
        for _, writer in callers:
            writer.write(b"GET /ws HTTP/1.1\r\nHost: ")
        for reader, writer in callers:
            assert await left(reader) == b""
            writer.close()
            with suppress(ConnectionResetError):
                await writer.wait_closed()


async def test_a_flood_is_reported_once_and_cut_and_leaves_no_more_than_its_due(
    server: Running, tables: list[Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Long enough for the budget to let a line pass in between.
    monkeypatch.setattr(limits, "EXCESS_SECONDS", 0.7)
    monkeypatch.setattr(limits, "EXCESS_ENDS_SECONDS", 3600.0)
    loop = asyncio.get_running_loop()
    room = tables[0].room
    async with asyncio.TaskGroup() as playing, stranger(server.url) as loud:
        playing.create_task(play_all(tables))
        await loud.hello("Loud", bot=False)
        number = await loud.enter(room)
        began = loop.time()
        flooding = playing.create_task(loud.flood("me me me", number))
        reported = [message.code for message in await loud.rest() if isinstance(message, Error)]
        await flooding
        due = LINE_BURST + LINES_PER_SECOND * (loop.time() - began)
    assert loud.close_code == Close.POLICY
    assert reported.count(Code.TOO_FAST) == 1
    stored = await server.app.store.read(streams.load, StreamId(room))
    assert 0 < sum(entry.lines == ("me me me",) for entry in stored) <= due


async def test_one_person_holds_only_so_many_connections(server: Running) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(stranger(server.url))
        await first.hello("Many")
        tabs: list[Stranger] = [first]
        for _ in range(50):
            tab = await stack.enter_async_context(stranger(server.url))
            await tab.return_with(first.token)
            tabs.append(tab)
        for tab in tabs[:-CONNECTIONS_PER_PERSON]:
            await tab.rest()
            assert tab.close_code == Close.REPLACED
        await members(server, CONNECTIONS_PER_PERSON)


async def test_who_asks_for_signs_of_life_and_reads_none_is_cut_off(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "WebSocketConnection", NarrowWire)
    cut = COUNTERS["connections.cut.1008"]
    ping = Frame(Opcode.PING, b"x" * 125).serialize(mask=True)
    async with stranger(server.url, buffer_bytes=SMALL_BUFFER_BYTES) as deaf:
        await deaf.hello("Deaf")
        deaf.connection.transport.pause_reading()
        for _ in range(LOOKS_MAX):
            deaf.connection.transport.write(ping * 100)
            await asyncio.sleep(0)
            if COUNTERS["connections.cut.1008"] > cut:
                break
        assert COUNTERS["connections.cut.1008"] == cut + 1
        await members(server, 0)
        deaf.connection.transport.abort()


async def test_a_message_in_pieces_without_end_is_refused(server: Running) -> None:
    piece = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
    async with stranger(server.url) as endless:
        await endless.hello("Endless")
        line = endless.connection.transport
        line.write(Frame(Opcode.BINARY, b"", fin=False).serialize(mask=True))
        line.write(piece * 1000)
        await endless.rest()
        assert endless.close_code == Close.POLICY
