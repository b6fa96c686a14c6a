"""Promise C5 through sockets: does the time of a reply tell a hidden room from none?

    python -m tests.tools.load hidden --tries 2000

Attackers try the numbers of hidden rooms and of none by turns. Each has only a few attempts without
a limit, so many connect, each from a separate address. The two kinds of times are compared by their
ranks (Mann and Whitney): chance alone gives a p below 0.001 once in a thousand runs.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, NamedTuple

from bluebear.clients.sdk import RoomId
from bluebear.protocol import MSGPACK, Room
from tests.tools.load.raw_client import Stranger, arrive
from tests.tools.servers import ServerProcess

ROOMS: Final = 8
TRIES_EACH: Final = 16
"""Of one attacker: fewer than the number after which they must wait."""
P_LEAST: Final = 0.001
SEED: Final = 20261123


class Timed(NamedTuple):
    """Seconds until an answer, for hidden rooms and for numbers that no room has."""

    hidden: list[float]
    missing: list[float]


def mann_whitney(one: Sequence[float], other: Sequence[float]) -> float:
    """How likely it is that two samples of the same kind differ in their ranks by as much."""
    ranked = sorted([(value, True) for value in one] + [(value, False) for value in other])
    ranks = sum(rank for rank, (_, is_one) in enumerate(ranked, 1) if is_one)
    a, b = len(one), len(other)
    expected, spread = a * (a + b + 1) / 2, math.sqrt(a * b * (a + b + 1) / 12)
    return math.erfc(abs(ranks - expected) / spread / math.sqrt(2))


async def hidden(data: Path, tries: int) -> Timed:
    """Try hidden rooms and none so often each; AssertionError where a room was let known."""
    chance = random.Random(SEED)
    timed = Timed([], [])
    async with ServerProcess(data, more=("--bench",)) as server:
        rooms = await _hide(server.url, ROOMS)
        # Asleep as well: half of the rooms are read from the store, and have no members.
        await server.stop()
        await server.start()
        async with AsyncExitStack() as stack:
            for room in rooms[: ROOMS // 2]:
                await _wake(stack, server.url, room)
            number = 0
            while min(map(len, timed)) < tries:
                number += 1
                await _try_them(server.url, number, rooms, chance, timed)
    return timed


class _Hidden(NamedTuple):
    id: RoomId
    token: str


async def _hide(url: str, rooms: int) -> list[_Hidden]:
    made = []
    for number in range(rooms):
        host = await arrive(url, MSGPACK)
        async with host.connection:
            await host.hello(f"Host{number}")
            await host.say("/newroom manhattan private")
            made.append(_Hidden(RoomId((await host.hear(Room)).id), host.token))
    return made


async def _wake(stack: AsyncExitStack, url: str, room: _Hidden) -> None:
    host = await arrive(url, MSGPACK)
    await stack.enter_async_context(host.connection)
    await host.return_with(room.token)
    await host.enter(room.id)


async def _try_them(
    url: str, number: int, rooms: Sequence[_Hidden], chance: random.Random, timed: Timed
) -> None:
    source = f"127.{20 + number // 40_000}.{number // 200 % 200}.{number % 200 + 1}"
    client = await arrive(url, MSGPACK, source=source)
    registered = {str(room.id) for room in rooms}
    async with client.connection:
        await client.hello(f"Guess{number}")
        await _one(client, "1")  # the first line of a connection takes longer
        kinds = [True, False] * (TRIES_EACH // 2)
        chance.shuffle(kinds)
        for is_hidden in kinds:
            room = str(chance.choice(rooms).id) if is_hidden else _missing(registered, chance)
            timed[0 if is_hidden else 1].append(await _one(client, room))


def _missing(taken: set[str], chance: random.Random) -> str:
    while (number := str(chance.randrange(100_000, 1_000_000))) in taken:
        pass
    return number


async def _one(client: Stranger, room: str) -> float:
    began = time.perf_counter()
    line = await client.say(f"/room {room}")
    assert not await client.answered(line), f"{room} is no secret"
    return time.perf_counter() - began


def verdict(timed: Timed) -> tuple[str, bool]:
    """What was measured, in a sentence, and whether the promise holds."""
    p = mann_whitney(*timed)
    hidden_us, missing_us = (statistics.median(times) * 1e6 for times in timed)
    text = (
        f"{len(timed.hidden)} tries at hidden rooms, median {hidden_us:.0f} us,"
        f" {len(timed.missing)} at none, {missing_us:.0f} us; p = {p:.3f} (at least {P_LEAST})"
    )
    return text, p >= P_LEAST
