"""Strangers who take all that addresses have a right to, each as hard as it goes.

    python -m tests.tools.load.siege_clients ws://127.0.0.1:8765/ws --kind rights --addresses 3

Says "ready" when all are in, begins with a line on its standard input, ends when that closes, and
says how much was sent. Kinds:

    rights   of each address an account, its ten bots and nine guests, at one table of Tokai in the
             middle of a game: snapshots, all kinds of questions, options set and set again
    wide     fifty guests of all addresses together, who say 490 wide signs behind a command
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, suppress
from typing import Final

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bluebear.protocol import (
    MSGPACK,
    Ask,
    Hello,
    Message,
    Moves,
    Note,
    Room,
    RoomNumber,
    Say,
    Sync,
    Welcome,
)
from bluebear.protocol.messages import QueryKind
from tests.tools.load.raw_client import Stranger, arrive, run_until_closed

BOTS: Final = 10
CONNECTIONS: Final = 20
MOVES: Final = 60
PLAY_SECONDS: Final = 15.0
"""Before they begin, however far the game has come by then."""
GUESTS: Final = 50
WIDE: Final = "/dest " + "\ufdfa" * 490
BOT_SECONDS: Final = 1 / 48
"""Between two wishes of a bot for a snapshot: just below its rate."""
GUEST_SECONDS: Final = 1 / 4
WIDE_SECONDS: Final = 1 / 20
REST_SECONDS: Final = 0.2
_TOKEN: Final = re.compile(r"[0-9a-f]{32,}")
_QUESTIONS: Final[Sequence[tuple[QueryKind, dict[str, str | int]]]] = (
    ("query", {"text": WIDE}),
    ("catalogue", {}),
    ("replay", {}),
    ("history", {"from": 0}),
    ("complete", {"text": "/allowpeek " + "か" * 480}),
    ("query", {"text": "/board"}),
)


class Besieger:
    """One address with everything that it can get. Owned by the program."""

    def __init__(self, url: str, index: int, number: int) -> None:
        self._url = url
        self._name = f"{index}n{number}"
        self._chance = random.Random(number)
        self._source = f"127.12.{index}.{number + 1}"
        self._stack = AsyncExitStack()
        self._bots: list[tuple[Stranger, RoomNumber]] = []
        self._guests: list[tuple[Stranger, RoomNumber]] = []
        self.sent = Counter[str]()

    async def come(self) -> None:
        """Register, make bots, let two of them begin a game, and connect all of them."""
        owner = await self._arrive()
        await owner.hello(f"Owner{self._name}", bot=False)
        await owner.answered(await owner.say("/register siege-password"))
        tokens = []
        for index in range(BOTS):
            # Just below the rate of a person.
            await asyncio.sleep(0.6)
            await owner.say(f"/token S{self._name}b{index} scopes=play,host")
            while not (matches := _TOKEN.findall((await owner.hear(Note)).text)):
                pass
            tokens += matches
        await owner.connection.close()
        first = await self._by_token(tokens[0])
        await first.say("/newroom tokai public")
        shown = await first.hear(Room)
        self._bots.append((first, shown.room))
        for token in tokens[1:]:
            bot = await self._by_token(token)
            self._bots.append((bot, await bot.enter(shown.id)))  # type: ignore[arg-type]  # its id
        await self._play(shown.id)
        # An address may have twenty new people: an owner, ten bots, and nine guests.
        again = await self._by_token(tokens[0])
        self._bots.append((again, await again.enter(shown.id)))  # type: ignore[arg-type]  # its id
        for guest in range(CONNECTIONS - len(self._bots)):
            stranger = await self._arrive()
            await stranger.hello(f"Guest{self._name}n{guest:02}x", bot=False)
            self._guests.append((stranger, await stranger.enter(shown.id)))  # type: ignore[arg-type]

    async def _play(self, room: str) -> None:
        seated = self._bots[:2]
        for bot, number in seated:
            await bot.answered(await bot.say("/join", number))
        first, number = seated[0]
        await first.say("/start", number)
        played = 0

        async def go_on(bot: Stranger, number: RoomNumber) -> None:
            nonlocal played
            while played < MOVES:
                moves = await bot.hear(Moves)
                await bot.say(self._chance.choice(moves.lines), number)
                played += 1

        tasks = [asyncio.create_task(go_on(*each)) for each in seated]
        await asyncio.wait(tasks, timeout=PLAY_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _arrive(self) -> Stranger:
        made = await arrive(self._url, MSGPACK, source=self._source)
        await self._stack.enter_async_context(made.connection)
        return made

    async def _by_token(self, token: str) -> Stranger:
        made = await self._arrive()
        hello = Hello(token=token, langs=("en",), wants=frozenset(("text", "events", "moves")))
        await made.send(hello)
        await made.hear(Welcome)
        return made

    async def besiege(self) -> None:
        """Send as much as an address may, until cancelled."""
        tasks = [self._match_request(*each) for each in self._bots]
        tasks += [self._ask(*each, BOT_SECONDS * 10) for each in self._bots]
        tasks += [self._ask(*each, GUEST_SECONDS) for each in self._guests]
        tasks += [self._choose(*each) for each in self._bots[:1]]
        readers = [_read(each) for each, _ in (*self._bots, *self._guests)]
        await asyncio.gather(*tasks, *readers, return_exceptions=True)

    async def _send(self, stranger: Stranger, message: Message) -> None:
        await stranger.send(message)
        self.sent[type(message).__name__] += 1

    async def _match_request(self, stranger: Stranger, room: RoomNumber) -> None:
        async for _ in _ticks(BOT_SECONDS):
            await self._send(stranger, Sync(room=room))

    async def _ask(self, stranger: Stranger, room: RoomNumber, seconds: float) -> None:
        count = 0
        async for _ in _ticks(seconds):
            what, args = _QUESTIONS[count % len(_QUESTIONS)]
            count += 1
            await self._send(stranger, Ask(id=f"q{count}", what=what, args=args, room=room))

    async def _choose(self, stranger: Stranger, room: RoomNumber) -> None:
        count = 0
        async for _ in _ticks(BOT_SECONDS * 5):
            count += 1
            line = f"/option hints {count % 2 + 1}"
            await self._send(stranger, Say(id=f"o{count}", text=line, room=room))


class Shouter:
    """A guest who says wide signs until cut off, and comes again. Owned by the program."""

    def __init__(self, url: str, number: int, addresses: int) -> None:
        self._url = url
        self._number = number
        self._source = f"127.13.0.{number % addresses + 1}"
        self._token = ""
        self.sent = Counter[str]()

    async def come(self) -> None:
        """There is nothing to prepare."""

    async def besiege(self) -> None:
        """Go on until cancelled."""
        while True:
            with suppress(ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError):
                await self._live()
            await asyncio.sleep(REST_SECONDS)

    async def _live(self) -> None:
        stranger = await arrive(self._url, MSGPACK, source=self._source)
        async with stranger.connection:
            async with asyncio.timeout(10):
                if self._token:
                    await stranger.return_with(self._token)
                else:
                    await stranger.hello(f"Wide{self._number}", bot=False)
                    self._token = stranger.token
            reading = asyncio.create_task(_read(stranger))
            try:
                await self._shout(stranger)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    async def _shout(self, stranger: Stranger) -> None:
        async for _ in _ticks(WIDE_SECONDS):
            await stranger.say(WIDE)
            self.sent["Say"] += 1


async def _ticks(seconds: float) -> AsyncIterator[None]:
    """One after the other, when each is due."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    while True:
        yield
        due = max(due + seconds, loop.time() - 1)
        await asyncio.sleep(max(0.0, due - loop.time()))


async def _read(stranger: Stranger) -> None:
    """Read and forget, so that the server never has to wait."""
    with suppress(ConnectionClosed):
        while True:
            await stranger.connection.recv()


async def _besiege(url: str, kind: str, addresses: int, index: int) -> Counter[str]:
    people: list[Besieger | Shouter] = (
        [Besieger(url, index, number) for number in range(addresses)]
        if kind == "rights"
        else [Shouter(url, number, addresses) for number in range(GUESTS)]
    )
    await asyncio.gather(*(each.come() for each in people))
    print("ready", flush=True)
    # Strangers have processors of their own; here they take only what the others leave. A low
    # priority would not do: a task that runs keeps the processor for milliseconds.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    await run_until_closed(each.besiege() for each in people)
    total = Counter[str]()
    for each in people:
        total += each.sent
    return total


def main(argv: Sequence[str]) -> int:
    """Besiege until standard input closes."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.load.siege_clients",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("url")
    parser.add_argument("--kind", choices=("rights", "wide"), required=True)
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--part", type=int, default=0, help="of a run: each has other addresses")
    given = parser.parse_args(argv)
    sent = asyncio.run(_besiege(given.url, given.kind, given.addresses, given.part))
    print(", ".join(f"{count} {name}" for name, count in sorted(sent.items())) or "nothing")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
