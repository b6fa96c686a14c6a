"""Promise D4: how long the loop of a server keeps one waiting while many rooms play.

    python -m tests.tools.load lag --rooms 100 --seconds 20

The load is the bench's, first as much as goes, then half of it on a timetable. Meanwhile people in
the lobby ask where they are a hundred times a second, each when it is due whatever the one before
has taken: the answer needs nothing of the server but its loop.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from tests.tools.bench.runs import load
from tests.tools.load.raw_client import Stranger, arrive
from tests.tools.servers import ServerProcess

PROBES: Final = 20
EVERY_SECONDS: Final = 0.2
"""Between two questions of one; twenty of them make one each 10 ms."""


async def lag(data: Path, rooms: int, seconds: float) -> list[float]:
    """Put the bench's load on a server; the seconds of each answer since it was due."""
    taken: list[float] = []
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(ServerProcess(data, more=("--bench",)))
        probes = []
        for number in range(PROBES):
            probe = await arrive(server.url, source=f"127.4.0.{number + 1}")
            await stack.enter_async_context(probe.connection)
            await probe.hello(f"Probe{number}")
            probes.append(probe)
        over = asyncio.Event()
        asking = [
            asyncio.create_task(_ask(probe, number, over, taken))
            for number, probe in enumerate(probes)
        ]
        arguments = ("--rooms", str(rooms), "--seconds", str(seconds), "--half")
        await asyncio.to_thread(load, server.pid, server.url, *arguments)
        over.set()
        await asyncio.gather(*asking)
    return taken


async def _ask(probe: Stranger, number: int, over: asyncio.Event, taken: list[float]) -> None:
    loop = asyncio.get_running_loop()
    due = loop.time() + EVERY_SECONDS * number / PROBES
    while not over.is_set():
        await asyncio.sleep(max(0.0, due - loop.time()))
        assert await probe.answered(await probe.say("/lobby"))
        taken.append(loop.time() - due)
        due += EVERY_SECONDS
