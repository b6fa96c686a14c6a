"""Promise D3: a crowd that looks at one room is encoded for once, and its players hardly notice it.

    python -m tests.tools.load watchers --count 1000

Two people who think for a moment play games of Manhattan alone, and then before so many watchers,
who live in processes of their own. What was made and sent is read from the server's figures.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from bluebear.clients.sdk import Client, RoomId
from bluebear.rules.core.chance import FastChance
from tests.tools.load.player import Player
from tests.tools.servers import ROOT, ServerProcess, free_port

SEATS: Final = 2
GAMES: Final = 3
THINK_SECONDS: Final = 0.25
AGAIN_SECONDS: Final = 3.0
"""Wait this long for frames under way, and for all clients to receive the list of members."""


class Measured(NamedTuple):
    """Some games: seconds of each answer, frames sent and made, updates that watchers have read.

    `missed` are the watchers who have not read the last version; `late` are the seconds from when a
    line was said until the last watcher had read what came of it.
    """

    taken: list[float]
    began: dict[int, float]
    lines: int
    frames: int
    packed: int
    received: int = 0
    missed: int = 0
    late: tuple[float, ...] = ()


async def watched(data: Path, count: int, processes: int) -> tuple[Measured, Measured]:
    """Play alone, then before so many watchers from so many processes."""
    port = free_port()
    async with AsyncExitStack() as stack:
        more = ("--bench", "--metrics", f"127.0.0.1:{port}")
        server = await stack.enter_async_context(ServerProcess(data, more=more))
        players: list[Player] = []
        room = RoomId("")
        for seat in range(SEATS):
            client = Client(server.url, name=f"Player{seat}", wants={"moves"}, bot=True)
            player = Player(
                await stack.enter_async_context(client), FastChance(seat), THINK_SECONDS
            )
            players.append(player)
            if seat:
                await player.take_a_seat(room)
            else:
                room = (await player.say("/newroom manhattan")).room or room
                await player.say("/join", room)
        alone = await _play(players, room, port, begun=False)
        async with _spectators(server.url, room, count, processes) as clients:
            await asyncio.sleep(AGAIN_SECONDS)
            beside = await _play(players, room, port, begun=True)
            last = (await players[0].say("that was it", room)).version or 0
            await asyncio.sleep(AGAIN_SECONDS)
            output = await asyncio.gather(*(each.communicate(b"") for each in clients))
    read = [json.loads(text) for text, _ in output]
    versions = [version for each in read for version in each["versions"]]
    assert len(versions) == count
    return alone, beside._replace(
        received=sum(each["heard"] for each in read),
        missed=sum(version != last for version in versions),
        late=tuple(
            max(each["last"][str(version)] for each in read) - began
            for version, began in beside.began.items()
            if str(version) in read[0]["last"]  # a new board comes whole and not as an update
        ),
    )


async def _play(players: list[Player], room: RoomId, port: int, *, begun: bool) -> Measured:
    before, spoken = await _figures(port), [len(player.sent_lines) for player in players]
    for number in range(GAMES):
        if begun or number:
            await players[0].say("/again", room)
        await players[0].say("/start", room)
        await asyncio.gather(*(player.play(room) for player in players))
    after = await _figures(port)
    sent = [
        each
        for player, first in zip(players, spoken, strict=True)
        for each in player.sent_lines[first:]
    ]
    frames, packed = (after[name] - before[name] for name in ("frames", "packed"))
    began = {int(each.reply.version or 0): each.began for each in sent}
    return Measured([each.ended - each.began for each in sent], began, len(sent), frames, packed)


async def _figures(port: int) -> dict[str, int]:
    """What `/metrics` says of the frames of rooms."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    text = (await reader.read()).decode()
    writer.close()
    start, end = "bluebear_publish_", "_total "
    rows = [row for row in text.splitlines() if row.startswith(start) and end in row]
    return {
        name.removeprefix(start): int(float(value)) for name, value in (r.split(end) for r in rows)
    }


@asynccontextmanager
async def _spectators(
    url: str, room: RoomId, count: int, processes: int
) -> AsyncIterator[list[Process]]:
    """Watchers who are all there."""
    clients: list[Process] = []
    each = count // processes
    try:
        for number in range(processes):
            size = each if number < processes - 1 else count - each * number
            watching = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.tools.load.spectators", url, "--room", room),
                *("--count", str(size), "--first", str(each * number)),
                cwd=ROOT,
                stdin=PIPE,
                stdout=PIPE,
            )
            clients.append(watching)
        for watching in clients:
            assert watching.stdout is not None
            assert await watching.stdout.readline() == b"in\n"
        yield clients
    finally:
        for watching in clients:
            if watching.returncode is None:
                watching.kill()
                await watching.wait()
