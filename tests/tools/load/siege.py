"""Promise F5: rooms that play, quiet and then beside strangers who take all that they may.

    python -m tests.tools.load siege --rooms 25 --seconds 20

In one run, since machines differ and have moods: the rooms alone, then beside one address with an
account, ten bots and nine guests, beside three of them, and beside fifty guests with wide signs.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Final, NamedTuple

from websockets.exceptions import ConnectionClosed

from bluebear.clients.sdk import RoomId
from bluebear.protocol import MSGPACK, Done, Error, Hello, Moves, Room, RoomNumber, Update, Welcome
from tests.tools.bench.system_stats import processor_seconds
from tests.tools.load.raw_client import Stranger, arrive
from tests.tools.servers import ROOT, ServerProcess

SIEGES: Final = (("rights", 1), ("rights", 3), ("wide", 4))
"""What strangers do, and from how many addresses."""
MOVE_SECONDS: Final = 0.5
"""Between two moves in a room, on average."""
IDLE_SECONDS: Final = 1.5
"""After so long without a player to move a table has no game."""


class Stage(NamedTuple):
    """What was measured in one part of the run."""

    name: str
    taken: list[float]
    refused: int
    busy: float
    """Share of one processor that the server has used."""
    sent: str


class Good:
    """A player at a table of two, who moves half a second after the other. Owned by a test."""

    def __init__(self, stranger: Stranger, number: int) -> None:
        self._stranger = stranger
        self._chance = random.Random(number)
        self._sent_at: dict[str, float] = {}
        self.room = RoomNumber(0)
        self.taken: list[float] = []
        self.refused = 0
        self.to_move_at = 0.0
        """When this player was last to move."""

    async def play(self) -> None:
        """Play one game after the other, until cancelled."""
        waiting: set[asyncio.Task[None]] = set()
        while True:
            received = MSGPACK.decode_server(await self._stranger.connection.recv())
            match received:
                case Moves(lines=lines) if lines:
                    self.to_move_at = time.perf_counter()
                    task = asyncio.create_task(self._move(self._chance.choice(lines)))
                    waiting.add(task)
                    task.add_done_callback(waiting.discard)
                case Update(done=str(line)) | Done(id=str(line)):
                    began = self._sent_at.pop(line, None)
                    if began is not None:
                        self.taken.append(time.perf_counter() - began)
                case Error(id=line):
                    # A move that came too late is no fault: the game has ended meanwhile.
                    self.refused += self._sent_at.pop(line or "", None) is not None
                case _:
                    pass

    async def _move(self, line: str) -> None:
        # Tables do not move in step.
        await asyncio.sleep(MOVE_SECONDS * self._chance.uniform(0.5, 1.5))
        began = time.perf_counter()
        with suppress(ConnectionClosed):  # the run is over
            self._sent_at[await self._stranger.say(line, self.room)] = began

    async def say(self, line: str) -> None:
        """Say something at the table."""
        await self._stranger.say(line, self.room)


async def _sit_down(url: str, stack: AsyncExitStack, rooms: int) -> list[Good]:
    people: list[Good] = []
    room = RoomId("")
    for number in range(2 * rooms):
        stranger = await arrive(url, MSGPACK, source=f"127.11.0.{number + 1}")
        await stack.enter_async_context(stranger.connection)
        hello = Hello(name=f"Good{number}", langs=("en",), wants=frozenset(("moves",)), bot=True)
        await stranger.send(hello)
        await stranger.hear(Welcome)
        good = Good(stranger, number)
        if number % 2:
            good.room = await stranger.enter(room)
        else:
            await stranger.say("/newroom manhattan unlisted")
            shown = await stranger.hear(Room)
            room, good.room = RoomId(shown.id), shown.room
        await stranger.answered(await stranger.say("/join", good.room))
        people.append(good)
    return people


async def _go_on(people: list[Good]) -> None:
    """Begin a game at each table where none is going on."""
    while True:
        for host, guest in zip(people[::2], people[1::2], strict=True):
            if time.perf_counter() - max(host.to_move_at, guest.to_move_at) > IDLE_SECONDS:
                await host.say("/again")
                await host.say("/start !")
        await asyncio.sleep(MOVE_SECONDS)


def _yield_processor() -> None:
    """Strangers have machines of their own: here they run when server and players do not."""
    os.nice(15)


async def siege(
    data: Path, rooms: int, seconds: float, tell: Callable[[Stage], None]
) -> list[Stage]:
    """All parts of the run; `tell` is told of each at its end."""
    stages: list[Stage] = []
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(ServerProcess(data))
        people = await _sit_down(server.url, stack, rooms)
        playing = [asyncio.create_task(each.play()) for each in people]
        playing.append(asyncio.create_task(_go_on(people)))
        await asyncio.sleep(2)
        # Players have machines of their own, too: none of them pauses for the garbage of others.
        gc.collect()
        gc.disable()
        stack.callback(gc.enable)

        async def measure(name: str, sent: str = "") -> Stage:
            for each in people:
                each.taken.clear()
                each.refused = 0
            began = sum(processor_seconds(server.pid))
            await asyncio.sleep(seconds)
            busy = (sum(processor_seconds(server.pid)) - began) / seconds
            taken = [each for good in people for each in good.taken]
            return Stage(name, taken, sum(each.refused for each in people), busy, sent)

        stages.append(await measure("quiet"))
        tell(stages[0])
        for section, (kind, addresses) in enumerate(SIEGES):
            arguments = ("--kind", kind, "--addresses", str(addresses), "--part", str(section))
            strangers = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.tools.load.siege_clients", server.url, *arguments),
                cwd=ROOT,
                preexec_fn=_yield_processor,
                stdin=PIPE,
                stdout=PIPE,
            )
            assert strangers.stdout is not None
            assert strangers.stdin is not None
            assert await strangers.stdout.readline() == b"ready\n"
            strangers.stdin.write(b"go\n")
            stage = await measure(f"{kind}, addresses: {addresses}")
            output, _ = await strangers.communicate(b"")
            stages.append(stage._replace(sent=output.decode().strip()))
            tell(stages[-1])
        for task in playing:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*playing, return_exceptions=True)
    return stages
