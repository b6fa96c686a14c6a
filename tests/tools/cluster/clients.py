"""Two clients in each of many rooms, in a separate process: they play, and send lines on command.

    python -m tests.tools.cluster.clients URL ROOMS SEED

It reads one command a line and replies with one line of JSON: `play N` makes all clients play N
more moves in each room; `said` makes one client in each room send a line at once, and prints how
many seconds it took from then to the reply, room by room; `over` prints each room's acknowledged
lines, and ends.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from typing import Final

from bluebear.clients.sdk import Backoff, Client, Happening, RoomId, YourMove
from bluebear.rules.core.chance import FastChance

SEATS: Final = 2
AT_ONCE: Final = 8
"""Rooms that are made, or played in, side by side."""
AGAIN_SECONDS: Final = 0.05
QUICK: Final = Backoff(first_seconds=0.05, longest_seconds=1.0)
OVER: Final = "over"


class Pair:
    """Two people and their room, in which they play game after game. Owned by the crowd."""

    def __init__(self, url: str, number: int, seed: int) -> None:
        names = [f"C{number}S{seat}" for seat in range(1, SEATS + 1)]
        self._clients = [
            Client(url, name=n, wants={"moves"}, bot=True, backoff=QUICK) for n in names
        ]
        self._chance = FastChance(seed * 1000 + number)
        self._news = asyncio.Event()
        self._listening: list[asyncio.Task[None]] = []
        self.room = RoomId("")
        self.done: list[str] = []
        """The ids of the lines that were acknowledged, as they were said."""

    async def begin(self, stack: AsyncExitStack) -> None:
        """Come, sit down and begin; the stack sends both home."""
        for client in self._clients:
            await stack.enter_async_context(client)
            self._listening.append(asyncio.create_task(self._listen(client.happenings())))
        host, guest = self._clients
        made = await host.say("/newroom manhattan")
        assert made.room is not None
        self.room = made.room
        assert (await guest.say(f"/room {self.room}")).ok
        for client in self._clients:
            await self._say(client, "/join")
        await self._say(host, "/start")

    async def _listen(self, happenings: AsyncIterator[Happening]) -> None:
        async for _ in happenings:
            self._news.set()

    async def play(self, moves: int) -> None:
        """So many moves more."""
        made = 0
        while made < moves:
            client, offered = await self._to_move()
            line = offered.lines[self._chance.pick(len(offered.lines))]
            reply = await client.say(line, room=self.room, at=offered.version)
            if reply.ok:
                made += 1
                self.done.append(reply.id)
            else:
                # Other moves are on their way, or it cannot be saved just now.
                assert reply.code in ("stale", "not_saved", "busy"), f"{line}: {reply}"
                await asyncio.sleep(AGAIN_SECONDS)

    async def _to_move(self) -> tuple[Client, YourMove]:
        while True:
            self._news.clear()
            views = [(each, each.mirror.rooms.get(self.room)) for each in self._clients]
            for client, view in views:
                for offered in view.moves.values() if view else ():
                    return client, offered
            if all(view and view.phase == OVER for _, view in views):
                await self._say(self._clients[0], "/again")
                await self._say(self._clients[0], "/start")
            await self._news.wait()

    async def talk(self) -> float:
        """Say a line until it is saved; the seconds until it was answered."""
        began = time.monotonic()
        await self._say(self._clients[0], "still here")
        return time.monotonic() - began

    async def _say(self, client: Client, text: str) -> None:
        while not (reply := await client.say(text, room=self.room)).ok:
            # What cannot be saved just now is said again, as a person would.
            assert reply.code in ("not_saved", "busy"), f"{client.name} {text}: {reply}"
            await asyncio.sleep(AGAIN_SECONDS)
        self.done.append(reply.id)

    def close(self) -> None:
        """Listen no more."""
        for task in self._listening:
            task.cancel()


async def run_clients(url: str, rooms: int, seed: int) -> None:
    """Have the rooms, and do what is said on standard input."""
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    pairs = [Pair(url, number, seed) for number in range(rooms)]
    turns = asyncio.Semaphore(AT_ONCE)
    async with AsyncExitStack() as stack:
        for pair in pairs:
            await pair.begin(stack)
        _tell(len(pairs))
        while (term := (await reader.readline()).decode().split()) not in ([], ["over"]):
            if term[0] == "play":
                moves = int(term[1])
                await asyncio.gather(*(_play(pair, moves, turns) for pair in pairs))
                _tell(moves)
            else:
                _tell(await asyncio.gather(*(pair.talk() for pair in pairs)))
        _tell({pair.room: pair.done for pair in pairs})
        for pair in pairs:
            pair.close()


async def _play(pair: Pair, moves: int, turns: asyncio.Semaphore) -> None:
    async with turns:
        await pair.play(moves)


def _tell(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def main(arguments: Sequence[str]) -> None:
    """See the module."""
    url, rooms, seed = arguments
    asyncio.run(run_clients(url, int(rooms), int(seed)))


if __name__ == "__main__":
    main(sys.argv[1:])
