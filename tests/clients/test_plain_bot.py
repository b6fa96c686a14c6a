"""The bot of `examples/bots/plain.py`, which knows the protocol and nothing else of ours."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

import pytest

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
