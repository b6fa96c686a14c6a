"""Clients that send numbered lines one after the other, each in a room of its own.

They use the SDK, which comes back by itself, follows rooms to other nodes, and sends again what was
not answered. A line that could not be saved is said again.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Final

from bluebear.clients.sdk import Backoff, Client, RoomId, Unreachable
from bluebear.clients.transport.websocket import open_wire
from bluebear.protocol import MSGPACK

PAUSE_SECONDS: Final = 0.1
PATIENCE_SECONDS: Final = 0.2
QUICK: Final = Backoff(first_seconds=0.1, longest_seconds=0.5, attempts=None)


class Talker:
    """One such client. It has no time limit of its own: its owner looks at `waits`."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self.name = name
        self.room = ""
        self.sent_lines: list[str] = []
        """The ids of the lines that were acknowledged."""
        self.gaps: list[tuple[float, float]] = []
        """When a line was said, and how long its answer took."""
        self.refused: list[str] = []
        self._since = time.monotonic()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Connect, make a room, and talk from now on."""
        self._task = asyncio.create_task(self._talk())

    @property
    def waits(self) -> str:
        """For how long it has waited for an answer."""
        seconds = time.monotonic() - self._since
        return f"{self.name} in {self.room or 'no room'}: an answer for {seconds:.1f} s"

    async def _talk(self) -> None:
        await _reach(self._url)
        async with Client(self._url, name=self.name, bot=True, backoff=QUICK) as client:
            await self._until_done(client, "/newroom manhattan", None)
            (room,) = client.mirror.rooms
            self.room = room
            number = 0
            while True:
                number += 1
                line = f"{self.name} line {number}"
                self._since = time.monotonic()
                self.sent_lines.append(await self._until_done(client, line, room))
                self.gaps.append((self._since, time.monotonic() - self._since))
                await asyncio.sleep(PAUSE_SECONDS)

    async def _until_done(self, client: Client, text: str, room: RoomId | None) -> str:
        """Say a line until it is done; its id."""
        while not (reply := await client.say(text, room=room)).ok:
            assert reply.code in ("not_saved", "busy", "restarting"), reply
            self.refused.append(reply.code)
            await asyncio.sleep(PATIENCE_SECONDS)
        return reply.id

    async def stop(self) -> None:
        """End. Raises what went wrong."""
        await ended(self._task)

    @property
    def error(self) -> BaseException | None:
        """What ended the talk, if anything has."""
        if self._task is None or not self._task.done():
            return None
        return self._task.exception()


async def _reach(url: str) -> None:
    """Wait until a node listens: each joins the others a moment before."""
    while True:
        with suppress(Unreachable):
            wire = await open_wire(url, MSGPACK)
            await wire.close()
            return
        await asyncio.sleep(PATIENCE_SECONDS)


async def ended(task: asyncio.Task[None] | None) -> None:
    """End a client's talk. Raises what went wrong in it."""
    if task is not None:
        task.cancel()
        [problem] = await asyncio.gather(task, return_exceptions=True)
        if problem is not None and not isinstance(problem, asyncio.CancelledError):
            raise problem
