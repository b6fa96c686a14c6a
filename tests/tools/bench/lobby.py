"""`python -m tests.tools.bench.lobby`: 100,000 listed rooms in a journal: opening it, reading
pages.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bluebear.rules import games
from bluebear.server.app import App
from bluebear.server.commands.scene import RoomLine
from bluebear.server.config import Config
from bluebear.server.limits import LISTING_SIZE
from bluebear.server.rooms.loading import row_of
from bluebear.server.runtime import SystemClock
from bluebear.server.store import Append, Entry, SqliteStore, StreamId, Window

BATCH: Final = 1_000
FIRST: Final = 100_000
KEYS: Final = ("manhattan", "tokai", "itc", "railroad_ink", "tokugawa")


async def fill(path: Path, rooms: int, now: int) -> None:
    """Write so many rooms, each with its host and one seat taken."""
    journal = SqliteStore(path)
    for start in range(0, rooms, BATCH):
        await journal.append([_room(FIRST + start + each, now) for each in range(BATCH)])
    await journal.close()


def _room(number: int, now: int) -> Append:
    stream, person = StreamId(str(number)), f"p{number}"
    line = RoomLine(
        id=stream,
        game=KEYS[number % len(KEYS)],
        phase="open",
        listed=True,
        private=False,
        locked=False,
        names=("Ayu",),
        persons=(person,),
        turn=(),
        free=3,
        host_person=person,
        admitted=frozenset((person,)),
        banned=frozenset(),
        invites=frozenset(),
        watch="all",
        at=now - number,
    )
    entry = Entry(stream, 1, f"p:{person}", "", (f"/newroom {line.game} public",), {}, now)
    return Append(entry, row_of(line, 1, None))


async def measure(path: Path, rooms: int) -> None:
    """Open a server on the journal, and read pages of its list."""
    registered = games()
    began = time.perf_counter()
    app = App(Config(house=False), SqliteStore(path), registered, SystemClock())
    await app.open()
    opened = (time.perf_counter() - began) * 1000
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"opened in {opened:.0f} ms, {memory} MiB with the filling")
    last = rooms // LISTING_SIZE - 1
    for name, listing in (
        ("first page", Window()),
        ("middle page", Window(page=last // 2)),
        ("last page", Window(page=last)),
        ("one game", Window(game="tokai")),
        ("running", Window(running=True)),
    ):
        times, total = [], 0
        for _ in range(7):
            began = time.perf_counter()
            total = (await app.look_ups.page(listing)).total
            times.append((time.perf_counter() - began) * 1000)
        print(f"{name}: median {sorted(times)[3]:.1f} ms, {total} rooms")
    await app.close()


def main(argv: Sequence[str] | None = None) -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.lobby", description=__doc__)
    parser.add_argument("--rooms", type=int, default=100_000)
    given = parser.parse_args(argv)
    now = time.time_ns() // 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        asyncio.run(fill(path, given.rooms, now))
        asyncio.run(measure(path, given.rooms))


if __name__ == "__main__":
    main()
