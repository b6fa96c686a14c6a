"""Many playing rooms on one node, which is killed: how soon do the two others have them all?

The clients run in a separate process (`tests.tools.cluster.clients`), so that their work takes no
time from the measuring process.
"""

from __future__ import annotations

import asyncio
import json
import signal
from contextlib import suppress
from typing import Any, Final

import asyncpg

from tests.tools.cluster.fault_rounds import JOINED_SECONDS
from tests.tools.cluster.report import Report
from tests.tools.cluster.topology import Processes, processes
from tests.tools.servers import ROOT, python

THREE: Final = ("node-1", "node-2", "node-3")
_WRITTEN: Final = "SELECT client_id FROM bluebear.entry WHERE stream = $1 AND client_id <> ''"
_LINE_BYTES: Final = 64 * 2**20


class ClientProcess:
    """The process of the people; owned by the scene."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def come(cls, url: str, rooms: int, seed: int) -> ClientProcess:
        """All of them sit down and begin to play."""
        process = await asyncio.create_subprocess_exec(
            *python("tests.tools.cluster.clients", url, str(rooms), str(seed)),
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LINE_BYTES,
        )
        made = cls(process)
        await made.next_reply()
        return made

    def say(self, term: str) -> None:
        """Tell them what to do."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{term}\n".encode())

    async def next_reply(self) -> Any:  # Any: what the word asks for
        """What they answer."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        assert line, "the crowd has ended"
        return json.loads(line)

    async def go(self) -> None:
        """All clients disconnect."""
        with suppress(ProcessLookupError):
            self._process.terminate()
        await self._process.wait()


async def play(rooms: int, rounds: int, moves: int, seed: int) -> Report:
    """So many times all rooms are one node's, with so many moves since their newest snapshot, and
    it is killed.
    """
    report = Report(f"{rooms} rooms")
    async with processes(THREE, first=THREE[:1]) as made:
        clients = await ClientProcess.come(f"ws://127.0.0.1:{made.port}/ws", rooms, seed)
        try:
            for _ in range(rounds):
                report.pauses.append(await _round(made, clients, rooms, moves))
            clients.say("over")
            done: dict[str, list[str]] = await clients.next_reply()
        finally:
            await clients.go()
        await _check(made, done)
    report.lines = sum(map(len, done.values()))
    report.deposed = dict(made.deposed)
    return report


async def _round(made: Processes, clients: ClientProcess, rooms: int, moves: int) -> list[float]:
    await _gather(made)
    clients.say(f"play {moves}")
    await clients.next_reply()
    await asyncio.sleep(JOINED_SECONDS)
    owners = await made.owners()
    here = list(owners.values()).count(THREE[0])
    # On a machine that is too busy rooms go elsewhere before they are wanted there.
    assert here == rooms, f"{here} of {rooms} rooms are there; deposed: {dict(made.deposed)}"
    made.tell(THREE[0], signal.SIGKILL)
    clients.say("said")
    waits: list[float] = await clients.next_reply()
    await made.ended(THREE[0])
    made.start(THREE[0])
    await made.until_alive(*THREE)
    return waits


async def _gather(made: Processes) -> None:
    """All rooms go to the first node, and the others are started anew without any."""
    for name in THREE[1:]:
        if name in made.running:
            made.tell(name, signal.SIGTERM)
    for name in THREE[1:]:
        if name in made.running:
            await made.ended(name)
        made.start(name)
    await made.until_alive(*THREE)


async def _check(made: Processes, done: dict[str, list[str]]) -> None:
    """Every line that was acknowledged is written once."""
    database = await asyncpg.connect(made.url)
    try:
        for room, lines in done.items():
            written = [row["client_id"] for row in await database.fetch(_WRITTEN, room)]
            assert len(written) == len(set(written)), f"doubled in {room}"
            lost = set(lines).difference(written)
            assert not lost, f"lost in {room}: {lost}"
    finally:
        await database.close()
