"""Good people on a real server: they talk at their rooms, and know how long each answer took."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack

from bluebear.clients.sdk import RoomId
from bluebear.protocol import MSGPACK, Room, RoomNumber
from tests.tools.load.raw_client import Stranger, arrive


class Talker:
    """A client that sends a line every second, within a person's rate limit. Owned by a table."""

    def __init__(self, client: Stranger, number: int) -> None:
        self._client = client
        self._number = number
        self._sent_count = 0
        self.room: RoomNumber | None = None
        self.taken: list[float] = []
        self.refused = 0

    async def talk(self, seconds: float) -> None:
        """Talk for so long; each answer's time is in `taken`."""
        loop = asyncio.get_running_loop()
        due = loop.time() + (self._number % 10) / 10
        last = loop.time() + seconds
        while due < last:
            await asyncio.sleep(max(0.0, due - loop.time()))
            await self._say()
            due += 1.0

    async def _say(self) -> None:
        self._sent_count += 1
        began = time.perf_counter()
        line = await self._client.say(f"evening {self._number} {self._sent_count}", self.room)
        if await self._client.answered(line):
            self.taken.append(time.perf_counter() - began)
        else:
            self.refused += 1


class Club:
    """House bots that play game after game, and a person who starts them. Owned by a test."""

    def __init__(self, host: Stranger, room: RoomNumber) -> None:
        self._host = host
        self._room = room
        self.begun = 0

    @classmethod
    async def meet(cls, url: str, stack: AsyncExitStack, game: str, seats: int) -> Club:
        """A person with so many bots connects; the stack disconnects them."""
        host = await arrive(url, MSGPACK, source="127.6.0.1")
        await stack.enter_async_context(host.connection)
        await host.hello(f"Host-{game[:8]}", bot=False)
        await host.say(f"/newroom {game} public")
        club = cls(host, (await host.hear(Room)).room)
        for _ in range(seats):
            assert await club.did("/bot random")
        return club

    async def go_on(self) -> None:
        """Begin a game where none is going on."""
        await self.did("/again")
        self.begun += await self.did("/start !")

    async def did(self, line: str) -> bool:
        """Say a line; whether it was done. Raises ConnectionClosed."""
        return await self._host.answered(await self._host.say(line, self._room))


class Evening:
    """Some rooms with people in them. `rooms` are their ids."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.rooms: list[RoomId] = []
        self.talkers: list[Talker] = []

    async def begin(self, stack: AsyncExitStack, rooms: int, people: int) -> None:
        """All clients connect and sit down to talk; the stack disconnects them."""
        for index in range(rooms):
            for number in range(index * people, (index + 1) * people):
                client = await arrive(self._url, MSGPACK, source=f"127.8.0.{number + 1}")
                await stack.enter_async_context(client.connection)
                await client.hello(f"Good{number}", bot=False)
                talker = Talker(client, number)
                if number % people == 0:
                    await client.say("/newroom manhattan public")
                    entered = await client.hear(Room)
                    self.rooms.append(RoomId(entered.id))
                    talker.room = entered.room
                else:
                    talker.room = await client.enter(self.rooms[-1])
                self.talkers.append(talker)

    async def talk(self, seconds: float) -> Sequence[float]:
        """All clients talk for so long. Returns how long the replies took."""
        for talker in self.talkers:
            talker.taken.clear()
        await asyncio.gather(*(talker.talk(seconds) for talker in self.talkers))
        return [taken for talker in self.talkers for taken in talker.taken]
