"""People who say numbered lines one after the other, each in a room of his own, on one socket."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

JSON: Final = Subprotocol("bluebear.v1.json")
PAUSE_SECONDS: Final = 0.05
PATIENCE_SECONDS: Final = 0.2
ANSWER_SECONDS: Final = 120.0
"""How soon rooms go on is looked at by the rounds; this only ends what would wait for ever."""


class Talker:
    """One of them. `gaps` are the seconds between a line and its answer."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self.name = name
        self.room = ""
        self.said: list[str] = []
        self.gaps: list[tuple[float, float]] = []
        """When a line was said, and how long its answer took."""
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connect, make a room, and talk from now on."""
        self._socket = await self._connected()
        hello = {"protocol": [1, 1], "langs": ["en"], "name": self.name, "bot": True}
        await self._send({"type": "hello", **hello})
        async with asyncio.timeout(ANSWER_SECONDS):
            while not self.room:
                frame = await self._hear()
                if frame["type"] == "welcome":
                    made = f"{self.name}-new"
                    await self._send({"type": "say", "id": made, "text": "/newroom manhattan"})
                elif frame["type"] == "room":
                    self.room = frame["id"]
        self._task = asyncio.create_task(self._talk())

    async def _connected(self) -> ClientConnection:
        """A connection; a node joins before it listens."""
        async with asyncio.timeout(ANSWER_SECONDS):
            while True:
                try:
                    return await connect(self._url, subprotocols=[JSON])
                except OSError:
                    await asyncio.sleep(0.1)

    async def _talk(self) -> None:
        number = 0
        while True:
            number += 1
            line = f"{self.name}-{number}"
            began = time.monotonic()
            while True:
                if await self._say(line, f"line {number}"):
                    break
                await asyncio.sleep(PATIENCE_SECONDS)
            self.said.append(line)
            self.gaps.append((began, time.monotonic() - began))
            await asyncio.sleep(PAUSE_SECONDS)

    async def _say(self, line: str, text: str) -> bool:
        """Say a line; False where it could not be saved: it is said again under its id."""
        await self._send({"type": "say", "id": line, "room": 1, "text": text})
        async with asyncio.timeout(ANSWER_SECONDS):
            while True:
                frame = await self._hear()
                if frame.get("done") == line or (frame["type"] == "done" and frame["id"] == line):
                    return True
                if frame["type"] == "error" and frame.get("id") == line:
                    assert frame["code"] == "not_saved", frame
                    return False

    async def stop(self) -> None:
        """End after the line that is under way. Raises what went wrong."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            if not self._task.cancelled() and self._task.exception() is not None:
                raise self._task.exception() or AssertionError
        if self._socket is not None:
            await self._socket.close()

    @property
    def trouble(self) -> BaseException | None:
        """What ended the talk, if anything has."""
        if self._task is None or not self._task.done():
            return None
        return self._task.exception()

    async def _send(self, frame: dict[str, Any]) -> None:
        assert self._socket is not None
        await self._socket.send(json.dumps(frame))

    async def _hear(self) -> dict[str, Any]:
        assert self._socket is not None
        frame: dict[str, Any] = json.loads(await self._socket.recv())
        return frame
