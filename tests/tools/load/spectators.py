"""People who look at one room and say nothing.

    python -m tests.tools.load.spectators ws://127.0.0.1:8765/ws --room 123456 --count 250 --first 0

Says `in` when all are there, and ends when its standard input closes; then says as JSON how many
updates were read, at which version each of them was last, and when the last of them had read each
version (seconds of the machine's monotonic clock).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from typing import Final

from websockets.exceptions import ConnectionClosed

from bluebear.clients.sdk import RoomId
from bluebear.protocol import MSGPACK, Hello, Room, Update, Want, Welcome
from tests.tools.load.raw_client import Stranger, arrive

AT_ONCE: Final = 20
WANTS: Final = frozenset[Want](("text",))


class Watcher:
    """A spectator that reads all frames it is sent. Owned by the program."""

    def __init__(self, client: Stranger) -> None:
        self._client = client
        self.version = 0
        self.read: dict[int, float] = {}
        """When each version had been read."""

    @classmethod
    async def come(cls, url: str, room: RoomId, number: int) -> Watcher:
        """Join the room, from a separate address."""
        source = f"127.5.{number // 200}.{number % 200 + 1}"
        client = await arrive(url, MSGPACK, source=source)
        await client.send(Hello(name=f"Look{number}", langs=("en",), wants=WANTS, bot=True))
        await client.hear(Welcome)
        await client.say(f"/room {room}")
        made = cls(client)
        made.version = int((await client.hear(Room)).version)
        return made

    async def look(self) -> None:
        """Read until cancelled, or sent away."""
        with suppress(ConnectionClosed):
            while True:
                update = await self._client.hear(Update)
                self.version = int(update.version)
                self.read[self.version] = time.monotonic()

    async def go(self) -> None:
        """Hang up."""
        await self._client.connection.close()


async def _watch(url: str, room: RoomId, first: int, count: int) -> list[Watcher]:
    watchers: list[Watcher] = []
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as looking:
        tasks = []
        for start in range(first, first + count, AT_ONCE):
            numbers = range(start, min(start + AT_ONCE, first + count))
            come = await asyncio.gather(*(Watcher.come(url, room, each) for each in numbers))
            for watcher in come:
                stack.push_async_callback(watcher.go)
                tasks.append(looking.create_task(watcher.look()))
            watchers += come
        print("in", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        for task in tasks:
            task.cancel()
    return watchers


def main(argv: Sequence[str]) -> int:
    """Watch until standard input closes."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.load.spectators", description=__doc__
    )
    parser.add_argument("url")
    parser.add_argument("--room", required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--first", type=int, required=True)
    given = parser.parse_args(argv)
    watchers = asyncio.run(_watch(given.url, RoomId(given.room), given.first, given.count))
    last: dict[int, float] = {}
    for watcher in watchers:
        for version, at in watcher.read.items():
            last[version] = max(at, last.get(version, 0.0))
    received = sum(len(watcher.read) for watcher in watchers)
    versions = [watcher.version for watcher in watchers]
    print(json.dumps({"heard": received, "versions": versions, "last": last}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
