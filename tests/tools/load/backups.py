"""Promise A6 at full size: a backup of a live server restores to a prefix of each of its rooms.

    python -m tests.tools.load backups --rooms 200 --times 3

Two people in each room play game after game while `bluebear backup` copies the journal of their
server. Each copy is then restored into a folder of its own, and each of its rooms is loaded and
held against what the server's own file has in the end.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

from bluebear.rules import games
from bluebear.server.rooms.loading import read_room
from bluebear.server.store import Entry, SqliteStore, StreamId, streams
from tests.tools.load.restarts import Pair
from tests.tools.servers import ServerProcess, bluebear

JOURNAL = "bluebear.sqlite"


class Copies(NamedTuple):
    """What came of it: entries of all rooms at the end and in each copy, seconds that each copy
    took, faults.
    """

    entries: int
    copied: list[int]
    taken: list[float]
    faults: list[str]


async def backups(data: Path, folder: Path, rooms: int, times: int) -> Copies:
    """Copy the journal in `data` so often while all rooms play; the copies go into `folder`."""
    taken: list[float] = []
    faults: list[str] = []
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(ServerProcess(data, more=("--bench",)))
        pairs = [Pair(server.url, number) for number in range(rooms)]
        for pair in pairs:
            await pair.begin(stack)
        playing = [asyncio.create_task(pair.play(asyncio.Event())) for pair in pairs]
        for number in range(times):
            await asyncio.gather(*(pair.talk() for pair in pairs))
            began = time.monotonic()
            faults += await _bluebear(
                "backup", "--data", str(data), "--to", str(folder / f"{number}.sqlite")
            )
            taken.append(time.monotonic() - began)
            # So that no copy has all that there is in the end.
            await asyncio.gather(*(pair.talk() for pair in pairs))
        faults += [f"stopped playing: {task!r}" for task in playing if task.done()]
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await server.stop()
        faults += [f"complaint: {line}" for line in server.complaints()]
    names = [pair.room for pair in pairs]
    complete = await _entries(data / JOURNAL, names)
    copied = []
    for number in range(times):
        new = folder / f"restored{number}"
        faults += await _bluebear("restore", str(folder / f"{number}.sqlite"), "--data", str(new))
        section = await _entries(new / JOURNAL, names)
        faults += [f"copy {number}: {fault}" for fault in _faults(complete, section)]
        faults += [f"copy {number}: {fault}" for fault in await _unplayable(new / JOURNAL, names)]
        copied.append(sum(map(len, section.values())))
    return Copies(sum(map(len, complete.values())), copied, taken, faults)


async def _bluebear(*arguments: str) -> list[str]:
    """Run a command; what it has said where it failed."""
    code, sent = await bluebear(*arguments)
    return [f"{arguments[0]}: {sent}"] if code else []


async def _entries(file: Path, rooms: Sequence[str]) -> dict[str, list[Entry]]:
    journal = SqliteStore(file)
    try:
        return {room: await journal.read(streams.load, StreamId(room)) for room in rooms}
    finally:
        await journal.close()


def _faults(complete: dict[str, list[Entry]], section: dict[str, list[Entry]]) -> list[str]:
    """Rooms whose entries are not the first ones of their history, or none at all, or all."""
    faults = [
        f"{room} is no prefix"
        for room, entries in section.items()
        if not entries or complete[room][: len(entries)] != entries
    ]
    if all(len(complete[room]) == len(entries) for room, entries in section.items()):
        faults.append("nothing was played since")
    return faults


async def _unplayable(file: Path, rooms: Sequence[str]) -> list[str]:
    """Rooms that cannot be loaded from a file."""
    journal, registered = SqliteStore(file), games()
    try:
        loaded = [(room, await read_room(journal, registered, room)) for room in rooms]
    finally:
        await journal.close()
    return [
        f"{room} is held or missing" for room, faults in loaded if faults is None or faults.problem
    ]
