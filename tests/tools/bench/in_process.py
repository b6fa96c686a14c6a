"""What a move costs a server that has nothing else: no sockets, no disk, one thread's work.

Two people play Manhattan by frames that are handed in; what they say is answered as stored, and is
not. Prints, as JSON, microseconds of processor time for a move: `least` in the quickest game, and
the `median` game, and both with people who also want text. Its arguments are the folder of the
checkout and the number of games. `python -m tests.tools.bench.compare FOLDER --alone` runs this
file on two checkouts in turn, so it names their modules too, back to commit 1cefd994.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from statistics import median
from typing import Any, Final

# Beside the checkout it is in the path, whose packages older ones have by other names.
cell = import_module("rules_cell")
ROOT, first_of = cell.ROOT, cell.first_of
protocol, rules = first_of(f"{ROOT}protocol"), first_of(f"{ROOT}rules")
App, Config = first_of(f"{ROOT}server.app:App"), first_of(f"{ROOT}server.config:Config")
Seat = first_of(f"{ROOT}rules.core.visibility:Seat", f"{ROOT}rules.core.vision:Seat")
Store = first_of("tests.support.simulated_store:SimulatedStore", "server.journal:MemoryJournal")
SystemClock = first_of(f"{ROOT}server.runtime:SystemClock", f"{ROOT}server.clock:SystemClock")
Written = first_of(f"{ROOT}server.store:Written", f"{ROOT}server.journal:Written")

UNBOUNDED: Final = 1_000_000
SETTLE_SECONDS: Final = 0.1


class Ear:
    """A link that drops its frames."""

    address = ""

    def push(self, frame: bytes) -> None:
        """A frame has come."""

    def close(self, code: int, reason: str) -> None:
        """Ignored: no connection is closed here."""


class Table:
    """Two people at a table of their own."""

    def __init__(self, app: Any, wants: Sequence[str]) -> None:  # Any: as either checkout has it
        self._app = app
        self._wants = tuple(wants)
        self._dispatcher = app.dispatcher if hasattr(app, "dispatcher") else app.reception
        self._sent_count = 0
        self._people: list[Any] = []
        self._room = ""

    async def sit(self) -> None:
        """Come in and sit down."""
        for name in ("Ayu", "Ben"):
            person = self._dispatcher.connect(Ear(), protocol.MSGPACK)
            assert person is not None
            self._people.append(person)
            hello = protocol.Hello(name=name, langs=("en",), bot=True, wants=self._wants)
            self._dispatcher.received(person, protocol.MSGPACK.encode(hello))
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
        live, chance = self._app.engine.live[self._room], cell.FAST(seed)
        assert live.game is not None
        spent = moves = 0
        while live.room.table.phase.value == "playing":
            seat = Seat(live.room.table.turn[0])
            mover = next(each for each in self._people if live.room.seat_of(each.person) == seat)
            legal = live.game.plain(live.room.game, seat)
            frame = self._frame(mover, live.game.grammar.format(legal[chance.pick(len(legal))]))
            version = live.room.version
            began = time.process_time_ns()
            self._dispatcher.received(mover, frame)
            while live.room.version == version:  # noqa: ASYNC110 - an event would cost, too
                await asyncio.sleep(0)
            spent += time.process_time_ns() - began
            moves += 1
        await self._settle(self._people[0], "/again")
        return spent / moves / 1000

    async def _settle(self, person: Any, text: str) -> None:
        self._dispatcher.received(person, self._frame(person, text))
        await asyncio.sleep(SETTLE_SECONDS)

    def _frame(self, person: Any, text: str) -> bytes:
        self._sent_count += 1
        room = next(iter(person.rooms), None)
        line = protocol.Say(id=f"s{self._sent_count}", text=text, room=room)
        made: bytes = protocol.MSGPACK.encode(line)
        return made


async def answered(batch: Sequence[Any]) -> list[Any]:
    """Answers entries as stored, in place of a store's `append`."""
    return [Written(append.entry.seq) for append in batch]


async def nothing(*given: object) -> None:
    """Stores no snapshot."""


async def measured(count: int, *wants: str) -> dict[str, float]:
    """What so many games cost, after one that warms up."""
    # Older checkouts limit the lines of bots even when not `bounded`, unless a rate is given.
    rates = {"bot_line_burst": UNBOUNDED, "bot_lines_per_second": UNBOUNDED}
    older = {name: rate for name, rate in rates.items() if hasattr(Config, name)}
    config = Config(house=False, bounded=False, **older)
    store = Store()
    app = App(config, store, rules.games(), SystemClock())
    await app.open()
    table = Table(app, wants)
    await table.sit()
    store.append, store.write, store.save_snapshot = answered, nothing, nothing
    each = [await table.play(number) for number in range(count + 1)][1:]
    await app.close()
    name = "".join(f"{want} " for want in wants)
    return {f"{name}least": min(each), f"{name}median": median(each)}


if __name__ == "__main__":
    games = int(sys.argv[2])
    print(json.dumps(asyncio.run(measured(games)) | asyncio.run(measured(games, "text"))))
