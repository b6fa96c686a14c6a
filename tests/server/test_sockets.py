"""Whole games over real sockets: does every mirror stay what the server sees?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from bluebear.clients.sdk import Client, Lost, Missed, NeedSync, RoomId, Unreachable, Updated
from tests.tools.load.live_server import Running, running
from tests.tools.load.table import Table
from tests.tools.servers import ServerProcess

pytestmark = pytest.mark.slow_loop

TABLES = 10
GAMES_PER_TABLE = 5
SPECTATORS = 6
WATCHED_UPDATES = 30
"""A spectator stays for so many updates and goes to the next table."""


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path) as started:
        yield started


class Spectator:
    """A client that visits one table after the other. Owned by a test."""

    def __init__(self, server: Running, tables: list[Table], number: int) -> None:
        self._server = server
        self._tables = tables
        self._number = number
        self.looks = 0
        self.compared = 0

    async def come_and_go(self) -> None:
        """Watch until cancelled."""
        while True:
            await self._look_at(self._tables[(self._number + self.looks) % len(self._tables)])
            self.looks += 1

    async def _look_at(self, table: Table) -> None:
        name = f"W{self._number}N{self.looks}"
        async with Client(
            self._server.url, name=name, wants={"text", "events"}, bot=True
        ) as client:
            await client.say(f"/room {table.room}")
            await client.say("hello", room=table.room)
            updates = 0
            async for happening in client.happenings():
                assert not isinstance(happening, NeedSync | Missed | Lost)
                updates += isinstance(happening, Updated)
                if updates >= WATCHED_UPDATES and self._is_up_to_date(client, table.room):
                    self._server.check(client, table.room)
                    self.compared += 1
                    return

    def _is_up_to_date(self, client: Client, room: RoomId) -> bool:
        return client.room(room).version == self._server.room(room).room.version


async def test_fifty_games_at_ten_tables_while_spectators_come_and_go(server: Running) -> None:
    async with AsyncExitStack() as stack:
        tables = [Table(server, number) for number in range(TABLES)]
        for table in tables:
            await table.sit_down(stack)
        spectators = [Spectator(server, tables, number) for number in range(SPECTATORS)]
        watching = [asyncio.ensure_future(each.come_and_go()) for each in spectators]
        await asyncio.gather(*(table.play(GAMES_PER_TABLE) for table in tables))
        for table in tables:
            await table.check()
        assert not any(task.done() for task in watching), "a spectator was disturbed"
        for task in watching:
            task.cancel()
        await asyncio.wait(watching)
    assert [table.finished for table in tables] == [GAMES_PER_TABLE] * TABLES
    assert min(each.compared for each in spectators) > 0


async def test_a_server_that_closes_refuses_new_connections(server: Running) -> None:
    async with Client(server.url, name="Ayu") as ayu:
        server.transport.stop_listening()
        with pytest.raises(Unreachable, match="Connect call failed"):
            await Client(server.url, name="Ben").__aenter__()
        assert (await ayu.say("hello")).ok


@pytest.mark.parametrize(("game", "seats"), [("sealed", 3), ("duel", 3), ("journey", 2)])
async def test_a_fixture_game_is_played_to_its_end(server: Running, game: str, seats: int) -> None:
    async with AsyncExitStack() as stack:
        table = Table(server, 1, game=game, seats=seats)
        await table.sit_down(stack)
        await table.play(1)
        await table.check()


async def test_house_bots_of_a_child_process_play_a_complete_game(tmp_path: Path) -> None:
    async with (
        ServerProcess(tmp_path, house=True) as server,
        Client(server.url, name="Ayu", wants={"text"}) as ayu,
    ):
        room = (await ayu.say("/newroom manhattan")).room
        assert room is not None
        for line in ("/bot", "/bot greedy", "/bot random", "/start !"):
            assert (await ayu.say(line, room=room)).ok
        while ayu.room(room).phase != "over":
            await anext(ayu.happenings())
        assert ayu.room(room).sound
