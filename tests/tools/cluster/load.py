"""Clients that send numbered lines one after the other, each in a room of its own.

A client that loses its connection resumes by its token, joins its room, and sends again what was
not answered, under the same id; so does every client whose line could not be saved.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

JSON: Final = Subprotocol("bluebear.v1.json")
PAUSE_SECONDS: Final = 0.1
PATIENCE_SECONDS: Final = 0.2
STORED_FRAMES: Final = 8
"""So many of the newest frames are printed where a client waits for too long."""


class Talker:
    """One such client. It has no time limit of its own: its owner looks at `waits`."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self.name = name
        self.room = ""
        self.sent_lines: list[str] = []
        self.gaps: list[tuple[float, float]] = []
        """When a line was said, and how long its answer took."""
        self.drops: list[str] = []
        """The closings of its connections that it did not start itself."""
        self._token = ""
        self._number = 0
        self._lives = 0
        self._waits_for = "a connection"
        self._since = time.monotonic()
        self._received: deque[str] = deque(maxlen=STORED_FRAMES)
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Connect, make a room, and talk from now on."""
        self._task = asyncio.create_task(self._talk())

    @property
    def waits(self) -> str:
        """What it waits for and for how long, and what it has received last."""
        seconds = time.monotonic() - self._since
        received = ", ".join(self._received) or "nothing"
        where = f"{self.name} in {self.room or 'no room'}"
        return f"{where}: {self._waits_for} for {seconds:.1f} s; heard {received}"

    def _wait_for(self, what: str) -> None:
        self._waits_for, self._since = what, time.monotonic()

    async def _talk(self) -> None:
        await self._until_done(f"{self.name}-new", "/newroom manhattan", room=None)
        number = 0
        while True:
            number += 1
            line = f"{self.name}-{number}"
            began = time.monotonic()
            await self._until_done(line, f"line {number}", room=self._number)
            self.sent_lines.append(line)
            self.gaps.append((began, time.monotonic() - began))
            await asyncio.sleep(PAUSE_SECONDS)

    async def _until_done(self, line: str, text: str, room: int | None) -> None:
        """Say a line until it is done, over as many connections as that takes."""
        while True:
            try:
                if self._socket is None:
                    await self._come()
                self._wait_for(f"an answer to {line}")
                position = {} if room is None else {"room": self._number}
                if await self._say({"id": line, "text": text, **position}, line):
                    return
                await asyncio.sleep(PATIENCE_SECONDS)
            except ConnectionClosed as end:
                self.drops.append(str(end))
                self._socket = None
                await asyncio.sleep(PATIENCE_SECONDS)

    async def _come(self) -> None:
        """Connect and say who this is; who has been in a room goes there again."""
        self._wait_for("a connection")
        self._lives += 1
        socket = None
        while socket is None:
            try:
                # A node joins before it listens.
                socket = await connect(self._url, subprotocols=[JSON])
            except (OSError, EOFError, TimeoutError):
                await asyncio.sleep(PATIENCE_SECONDS)
        self._socket = socket
        self._wait_for("a welcome")
        who = {"token": self._token} if self._token else {"name": self.name}
        await self._send({"type": "hello", "protocol": [1, 1], "langs": ["en"], "bot": True, **who})
        while (await self._hear())["type"] != "welcome":
            pass
        # Another one for each life: it is never written, and would be answered from memory.
        back = f"{self.name}-back-{self._lives}"
        while self.room:
            self._wait_for("his room")
            if await self._say({"id": back, "text": f"/room {self.room}"}, back):
                return
            await asyncio.sleep(PATIENCE_SECONDS)

    async def _say(self, sent_message: dict[str, Any], line: str) -> bool:
        """Say a line; False where it could not be saved: it is said again under its id."""
        await self._send({"type": "say", **sent_message})
        while True:
            frame = await self._hear()
            if frame.get("done") == line or (frame["type"] == "done" and frame["id"] == line):
                return True
            if frame["type"] == "error" and frame.get("id") == line:
                assert frame["code"] in ("not_saved", "busy"), frame
                return False

    async def stop(self) -> None:
        """End after the line that is under way. Raises what went wrong."""
        await ended(self._task)
        if self._socket is not None:
            await self._socket.close()

    @property
    def error(self) -> BaseException | None:
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
        reply = (str(frame[key]) for key in ("type", "id", "done", "code") if frame.get(key))
        self._received.append(" ".join(reply))
        match frame["type"]:
            case "welcome":
                self._token = frame["token"]
            case "room":
                self.room, self._number = frame["id"], frame["room"]
            case _:
                pass
        return frame


async def ended(task: asyncio.Task[None] | None) -> None:
    """End a client's talk. Raises what went wrong in it."""
    if task is not None:
        task.cancel()
        [problem] = await asyncio.gather(task, return_exceptions=True)
        if problem is not None and not isinstance(problem, asyncio.CancelledError):
            raise problem
