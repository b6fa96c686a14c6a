"""Clients that flood a server from separate addresses, each as fast as it can.

    python -m tests.tools.load.flood ws://127.0.0.1:8765/ws --rooms 100001,100002 --strangers 50

Ends when its standard input closes, and prints how much was sent. Attackers have processors of
their own: where they share the server's machine they take what is left of it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bluebear.clients.sdk import RoomId
from bluebear.protocol import MSGPACK, Sync
from tests.tools.load.raw_client import Stranger, arrive, run_until_closed

REST_SECONDS: Final = 0.2
"""Between two connections of one client: it has been cut off, or refused."""
_CHUNK: Final = 20
_NICE: Final = 19


class Flooder:
    """Connects, joins a room, sends until it is cut off, and connects again.

    Owned by the program.
    """

    def __init__(self, url: str, rooms: Sequence[RoomId], number: int) -> None:
        self._url = url
        self._rooms = rooms
        self._number = number
        self._lives = 0
        self._chance = random.Random(number)
        self.sent = Counter[str]()

    async def flood(self) -> None:
        """Go on until cancelled."""
        while True:
            with suppress(ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError):
                await self._live()
            await asyncio.sleep(REST_SECONDS)

    async def _live(self) -> None:
        self._lives += 1
        source = f"127.9.{self._number // 200}.{self._number % 200 + 1}"
        client = await arrive(self._url, MSGPACK, source=source)
        async with client.connection:
            async with asyncio.timeout(10):
                await client.hello(f"Flood{self._number}x{self._lives}", bot=False)
            reading = asyncio.create_task(client.rest())
            try:
                await self._send(client)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    async def _send(self, client: Stranger) -> None:
        await client.say(f"/room {self._chance.choice(self._rooms)}")
        while True:
            for _ in range(_CHUNK):
                match self._chance.randrange(6):
                    case 0:
                        await client.connection.send(b"\x93\x01\xa1x")
                    case 1:
                        await client.say("/board", None)
                    case 2:
                        await client.send(Sync(room=1))  # type: ignore[arg-type]  # a number
                    case _:
                        await client.say(f"me {self._chance.random()}")
                self.sent["messages"] += 1
            await asyncio.sleep(0)


async def _flood(url: str, rooms: Sequence[RoomId], strangers: int) -> Counter[str]:
    people = [Flooder(url, rooms, number) for number in range(strangers)]
    await run_until_closed(each.flood() for each in people)
    total = Counter[str]()
    for each in people:
        total += each.sent
    return total


def main(argv: Sequence[str]) -> int:
    """Flood until standard input closes."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.load.flood",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("url")
    parser.add_argument("--rooms", type=lambda text: text.split(","), required=True)
    parser.add_argument("--strangers", type=int, default=50)
    given = parser.parse_args(argv)
    os.nice(_NICE)
    sent = asyncio.run(_flood(given.url, given.rooms, given.strangers))
    print(f"{sent['messages']} messages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
