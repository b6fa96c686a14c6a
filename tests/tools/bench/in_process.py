"""What a move costs a server that has nothing else: no sockets, no disk, one thread's work.

Two people play Manhattan by frames that are handed in, on a journal in memory. Prints, as JSON,
microseconds of processor time for a move: `least` in the quickest game, and the `median` game.
`python -m tests.tools.bench.compare FOLDER --alone` runs this file on two checkouts in turn, so it
asks of the server only what older ones have, too.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from statistics import median
from typing import Final

from bluebear.protocol import MSGPACK, Hello, Say
from bluebear.rules import games
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Seat
from bluebear.server.app import App
from bluebear.server.config import Config
from bluebear.server.rooms.connection import Connection
from bluebear.server.runtime import SystemClock
from tests.support.simulated_store import SimulatedStore

UNBOUNDED: Final = 1_000_000
SETTLE_SECONDS: Final = 0.02


class Ear:
    """A link that drops its frames."""

    address = ""

    def push(self, frame: bytes) -> None:
        """A frame has come."""

    def close(self, code: int, reason: str) -> None:
        """Ignored: no connection is closed here."""


class Table:
    """Two people at a table of their own."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._sent_count = 0
        self._people: list[Connection] = []
        self._room = ""

    async def sit(self) -> None:
        """Come in and sit down."""
        for name in ("Ayu", "Ben"):
            person = self._app.dispatcher.connect(Ear(), MSGPACK)
            assert person is not None
            self._people.append(person)
            hello = Hello(name=name, langs=("en",), bot=True)
            self._app.dispatcher.received(person, MSGPACK.encode(hello))
            await asyncio.sleep(SETTLE_SECONDS)
        ayu, ben = self._people
        await self._settle(ayu, "/newroom manhattan")
        self._room = next(iter(self._app.engine.live))
        await self._settle(ben, f"/room {self._room}")
        await self._settle(ayu, "/join")
        await self._settle(ben, "/join")

    async def play(self, seed: int) -> float:
        """One game at random; microseconds of processor time for each of its moves."""
        await self._settle(self._people[0], "/start")
        live, chance = self._app.engine.live[self._room], FastChance(seed)
        assert live.game is not None
        spent = moves = 0
        while live.room.table.phase.value == "playing":
            seat = Seat(live.room.table.turn[0])
            mover = next(each for each in self._people if live.room.seat_of(each.person) == seat)
            legal = live.game.plain(live.room.game, seat)
            frame = self._frame(mover, live.game.grammar.format(legal[chance.pick(len(legal))]))
            version = live.room.version
            began = time.process_time_ns()
            self._app.dispatcher.received(mover, frame)
            while live.room.version == version:  # noqa: ASYNC110 - an event would cost, too
                await asyncio.sleep(0)
            spent += time.process_time_ns() - began
            moves += 1
        await self._settle(self._people[0], "/again")
        return spent / moves / 1000

    async def _settle(self, person: Connection, text: str) -> None:
        self._app.dispatcher.received(person, self._frame(person, text))
        await asyncio.sleep(SETTLE_SECONDS)

    def _frame(self, person: Connection, text: str) -> bytes:
        self._sent_count += 1
        return MSGPACK.encode(
            Say(id=f"s{self._sent_count}", text=text, room=next(iter(person.rooms), None))
        )


async def measured(count: int) -> dict[str, float]:
    """What so many games cost, after one that warms up."""
    config = Config(
        house=False, bounded=False, bot_line_burst=UNBOUNDED, bot_lines_per_second=UNBOUNDED
    )
    app = App(config, SimulatedStore(), games(), SystemClock())
    await app.open()
    table = Table(app)
    await table.sit()
    each = [await table.play(number) for number in range(count + 1)][1:]
    await app.close()
    return {"least": min(each), "median": median(each)}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measured(int(sys.argv[1])))))
