"""The bot of `examples/bots/plain.py`, which knows the protocol and nothing else of ours."""

from __future__ import annotations

import asyncio
import random
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from websockets import CloseCode, Subprotocol
from websockets.asyncio.server import ServerConnection, serve

from bluebear.clients.sdk import Client, RoomId, YourMove
from bluebear.clients.sdk.mirror import branch
from tests.project import tree
from tests.tools.servers import ServerProcess

PLAIN = tree.ROOT / "examples" / "bots" / "plain.py"


async def until_over(host: Client, room: RoomId) -> None:
    """Play any lines until the game is over."""
    async for happening in host.happenings():
        if isinstance(happening, YourMove):
            line = random.Random(happening.version).choice(happening.lines)
            await host.say(line, room=room, at=happening.version)
        elif host.room(room).phase == "over":
            return


async def seated(host: Client, room: RoomId) -> None:
    """Wait until the bot has its seat."""
    while len(branch(branch(host.room(room).view, "room"), "seats")) < 2:
        await anext(host.happenings())


@pytest.mark.slow_loop
async def test_it_takes_a_free_name_plays_returns_and_leaves_when_it_is_sent_out(
    tmp_path: Path,
) -> None:
    async with (
        ServerProcess(tmp_path) as server,
        Client(server.url, name="Plain", wants={"moves"}) as host,
    ):
        room = (await host.say("/newroom manhattan unlisted")).room
        assert room is not None
        assert (await host.say("/join", room=room)).ok
        bot = await asyncio.create_subprocess_exec(
            sys.executable, str(PLAIN), server.url, room, stderr=asyncio.subprocess.PIPE
        )
        await seated(host, room)
        assert (await host.say("/start", room=room)).ok
        await server.kill()
        await server.start()
        await until_over(host, room)
        assert (await host.say("/again", room=room)).ok
        assert (await host.say("/kick Plain2", room=room)).ok
        assert await bot.wait() == 0
        assert bot.stderr is not None
        sent = (await bot.stderr.read()).decode()
    assert all(line.startswith("lost: ") for line in sent.splitlines()), sent


async def test_it_returns_later_each_time_and_not_after_a_farewell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A connection that ends as it should, as behind a proxy that restarts, is lost as well."""
    welcome = '{"type": "welcome", "token": "secret"}'
    visits = [[], [], [welcome], ['{"type": "bye", "retry_ms": 1000}'], ['{"type": "bye"}']]
    pauses: list[float] = []

    async def visited(connection: ServerConnection) -> None:
        await connection.recv()
        for frame in visits.pop(0):
            await connection.send(frame)
        await connection.close(CloseCode.GOING_AWAY)

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    bot_type = runpy.run_path(str(PLAIN))["Plain"]
    program = bot_type.live.__globals__
    monkeypatch.setitem(program, "asyncio", SimpleNamespace(sleep=pause))
    monkeypatch.setitem(program, "random", SimpleNamespace(random=lambda: 0.5))
    async with serve(visited, "127.0.0.1", 0, subprotocols=[Subprotocol("bluebear.v1.json")]) as at:
        port = at.sockets[0].getsockname()[1]
        async with asyncio.timeout(20):
            await bot_type(f"ws://127.0.0.1:{port}", "1").live()
    assert visits == []
    assert pauses == [0.5, 1, 0.5, 2]
