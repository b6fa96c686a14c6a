"""Promises E1 to E4: a load that is carried, a burst, silent thousands, and a cold start.

    python -m tests.tools.load rate --rooms 250 --rate 200 --seconds 600
    python -m tests.tools.load rate --rooms 250 --rate 200 --rate 800 --rate 200 --seconds 10
    python -m tests.tools.load silent --connections 5000 [--at-once 25]
    python -m tests.tools.load cold --rooms 1000 --moves 200

The load is the bench's: tables of four people who play Manhattan, on a timetable.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from bluebear.clients.sdk import RoomId
from bluebear.protocol import MSGPACK, Room
from tests.tools.bench.runs import load
from tests.tools.bench.system_stats import resident_kib
from tests.tools.load.raw_client import Stranger, arrive
from tests.tools.servers import ROOT, ServerProcess

OPENED_A_SECOND: Final = 500
PLAYING: Final = 100
"""Rooms that play while thousands come, one move a second each."""
SPARE_SECONDS: Final = 2.0
NICE: Final = 19
MOVES_A_GAME: Final = 108
TOUCHED: Final = 200
"""Rooms that are looked into after a cold start."""

Figures = dict[str, Any]  # Any: a tree of numbers, as the load printed it


class Sustained(NamedTuple):
    """What the load said of each rate in turn, and the server's memory in KiB."""

    rates: list[Figures]
    kib: int


async def sustained(data: Path, rooms: int, rates: list[float], seconds: float) -> Sustained:
    """Put these rates on a server, one after the other, for so long each."""
    async with ServerProcess(data, more=("--bench",)) as server:
        arguments = [term for rate in rates for term in ("--rate", str(rate))]
        given = ("--rooms", str(rooms), "--seconds", str(seconds), *arguments)
        figures = await asyncio.to_thread(load, server.pid, server.url, *given)
        return Sustained(
            [figures[f"rate{number}"] for number in range(len(rates))], resident_kib(server.pid)
        )


class Silent(NamedTuple):
    """The players' p99 in ms before and while people came, KiB a silent one, seconds to come."""

    before: float
    meanwhile: float
    kib: float
    took: float


async def silent(data: Path, connections: int, at_once: int) -> Silent:
    """Connect so many silent clients, on a timetable, while rooms play. Returns bytes per client.

    As many as `at_once` connect in the same moment, then none until their share of the time ends.
    """
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(ServerProcess(data, more=("--bench",)))
        seconds = connections / OPENED_A_SECOND + SPARE_SECONDS
        playing = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.tools.bench.load", server.url, "--pid", str(server.pid)),
            *("--rooms", str(PLAYING), "--warm-up", str(SPARE_SECONDS), "--seconds", str(seconds)),
            *(2 * ("--rate", str(PLAYING))),
            cwd=ROOT,
            stdout=PIPE,
            stderr=PIPE,
        )
        # Every real client has a processor of its own: here they take what the others leave.
        os.nice(NICE)
        assert playing.stderr is not None
        await playing.stderr.readline()
        await playing.stderr.readline()
        await asyncio.sleep(SPARE_SECONDS)
        before = resident_kib(server.pid)
        began = time.monotonic()
        coming = []
        for first in range(0, connections, at_once):
            await asyncio.sleep(max(0.0, began + first / OPENED_A_SECOND - time.monotonic()))
            numbers = range(first, min(first + at_once, connections))
            coming += [asyncio.create_task(_come(server.url, number)) for number in numbers]
        for client in await asyncio.gather(*coming):
            stack.push_async_callback(client.connection.close)
        took = time.monotonic() - began
        kib = (resident_kib(server.pid) - before) / connections
        figures = json.loads((await playing.communicate())[0])
    quiet, loud = (figures[f"rate{number}"]["p99_ms"] for number in range(2))
    return Silent(quiet, loud, kib, took)


async def _come(url: str, number: int) -> Stranger:
    source = f"127.30.{number // 200}.{number % 200 + 1}"
    client = await arrive(url, MSGPACK, source=source)
    await client.hello(f"Idle{number}")
    return client


class Cold(NamedTuple):
    """Seconds from the start to the first welcome, and of each first look into a room."""

    accepts: float
    touched: list[float]


async def cold(data: Path, rooms: int, moves: int) -> Cold:
    """Kill a server in whose rooms so many moves were made, start it again, look into its rooms."""
    async with ServerProcess(data, more=("--bench",)) as server:
        arguments = ("--rooms", str(rooms), "--games", str(moves / MOVES_A_GAME), "--seconds", "1")
        await asyncio.to_thread(load, server.pid, server.url, *arguments)
        await server.kill()
        touched = _some_rooms(data)
        began = time.monotonic()
        await server.start()
        client = await arrive(server.url, MSGPACK)
        async with client.connection:
            await client.hello("Early")
            accepts = time.monotonic() - began
        taken = []
        for number, room in enumerate(touched):
            # A client can be in a few rooms only.
            visitor = await arrive(server.url, MSGPACK, source=f"127.31.0.{number + 1}")
            async with visitor.connection:
                await visitor.hello(f"Visitor{number}")
                taken.append(await _touch(visitor, room))
        return Cold(accepts, taken)


def _some_rooms(data: Path) -> list[RoomId]:
    """Read from a copy: opening the file itself would change it."""
    with tempfile.TemporaryDirectory() as folder:
        for path in data.glob("bluebear.sqlite*"):
            shutil.copy(path, folder)
        with closing(sqlite3.connect(Path(folder, "bluebear.sqlite"))) as store:
            result = store.execute("SELECT stream FROM room ORDER BY random() LIMIT ?", (TOUCHED,))
            return [RoomId(stream) for (stream,) in result]


async def _touch(client: Stranger, room: RoomId) -> float:
    began = time.monotonic()
    await client.say(f"/room {room}")
    await client.hear(Room)
    return time.monotonic() - began
