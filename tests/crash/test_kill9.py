"""Promise A1 for the whole server, as often as fits into the suite; `kills.py` does more."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from bluebear.clients.sdk import Client, Reply, RoomId
from bluebear.protocol import Bye
from bluebear.server.store import SqliteStore, streams
from tests.support import stored_rows
from tests.tools.crash.kill9 import LOOKS_MAX, SEED, check, round_of, two_rooms
from tests.tools.servers import ServerProcess

pytestmark = pytest.mark.slow_loop

KILLS: Final = 30
"""On every commit."""


@pytest.mark.parametrize("seed", [SEED])
async def test_no_answered_line_is_lost_however_often_the_server_is_killed(
    tmp_path: Path, seed: int
) -> None:
    assert (await round_of(tmp_path, seed, KILLS)).answers > KILLS


async def test_a_line_repeated_under_its_old_id_is_answered_as_before(tmp_path: Path) -> None:
    lines = ("/newroom manhattan", "/join", "/bot random", "/start", "hello")
    ids = bytes(12)
    async with ServerProcess(tmp_path, more=("--bench",)) as server:
        async with Client(server.url, name="Ayu", bot=True, id_start=ids) as ayu:
            before = await say_all(ayu, lines)
            token = ayu.token
        await server.kill()
        await server.start()
        async with Client(server.url, token=token, bot=True, id_start=ids) as ayu:
            again = await say_all(ayu, lines)
            # The first one leads into the room once more, as it is by now.
            assert (again[0].room, again[1:]) == (before[0].room, before[1:])
            assert len(ayu.mirror.rooms) == 1
        await server.stop()
    journal = SqliteStore(tmp_path / "bluebear.sqlite")
    [room] = [one.stream for one in await journal.read(stored_rows.all_rooms)]
    stored = [entry.lines[0] for entry in await journal.read(streams.load, room) if entry.client_id]
    await journal.close()
    assert stored == ["/newroom manhattan public", "/join 1", "/bot random 2", "/start", "hello"]


async def say_all(client: Client, lines: Sequence[str]) -> list[Reply]:
    """Say the first line in the lobby, and the others in the room that it leads to."""
    answers: list[Reply] = []
    room: RoomId | None = None
    for line in lines:
        reply = await client.say(line, room=room)
        assert reply.ok, f"{line}: {reply.text}"
        answers.append(reply)
        room = reply.room
    return answers


async def test_a_planned_stop_says_when_to_come_back_and_the_game_continues(tmp_path: Path) -> None:
    rng = random.Random(SEED + 1)
    enough = asyncio.Event()
    async with (
        ServerProcess(tmp_path, more=("--bench",)) as server,
        two_rooms(server.url, rng) as rooms,
    ):
        async with asyncio.TaskGroup() as playing:
            for room in rooms:
                playing.create_task(room.play(enough))
            for _ in range(LOOKS_MAX):
                if min(room.answers for room in rooms) >= 60:
                    break
                await asyncio.sleep(0.001)
            assert await server.stop() == 0
            assert not server.note.exists()
            await server.start()
            enough.set()
        for room in rooms:
            await room.say_goodbye()
        assert await server.stop() == 0
        await check(tmp_path, rooms)
        assert server.complaints() == []
        for player in (player for room in rooms for player in room.players):
            assert player.count(Bye) > 0
