"""A bot without the SDK: JSON over a WebSocket, as docs/protocol.md has it. It needs `websockets`.

    python examples/bots/plain.py ws://127.0.0.1:8765/ws ROOM

It sits down, plays any legal line, and stays for rematches. It comes back after a lost connection
by its token, and leaves for good when it is sent out.
"""

import asyncio
import json
import os
import random
import sys
from collections.abc import Mapping
from typing import Any

import websockets

Message = Mapping[str, Any]
EXPIRED = ("kicked", "left")


class Plain:
    """One person on one server, in one room."""

    def __init__(self, url: str, room: str) -> None:
        self.url = url
        self.room = room
        self.me = {"name": "Plain"}
        self.count = 0
        self.start = os.urandom(12).hex()[:20]
        self.waiting: dict[str, Message] = {}
        self.pause = 0.5

    async def live(self) -> None:
        """Connect again and again, later each time, until it is sent out."""
        while True:
            try:
                async with websockets.connect(self.url, subprotocols=["bluebear.v1.json"]) as wire:
                    if await self.visit(wire):
                        return
            except (OSError, websockets.WebSocketException) as lost:
                sys.stderr.write(f"lost: {lost}\n")
            await asyncio.sleep(self.pause * (0.5 + random.random()))
            self.pause = min(2 * self.pause, 30)

    async def visit(self, wire: Any) -> bool:
        """Answer all messages of a connection; whether the bot is sent out at its end."""
        await self.hello(wire)
        async for frame in wire:
            message = json.loads(frame)
            match message["type"]:
                case "welcome":
                    self.me = {"token": message["token"]}
                    self.pause = 0.5
                    self.waiting.clear()
                    await self.say(wire, f"/room {self.room}")
                case "room" if message["view"]["room"]["phase"] == "open":
                    if not message.get("eyes"):
                        await self.say(wire, "/join", room=message["room"])
                case "moves" if message.get("lines"):
                    line = random.choice(message["lines"])
                    await self.say(wire, line, room=message["room"], at=message["version"])
                case "update" | "done":
                    self.waiting.pop(message.get("done") or message.get("id"), None)
                case "error":
                    await self.refused(wire, message)
                case "note" if message["code"] in EXPIRED:
                    return True
                case "bye" if "retry_ms" not in message:
                    return True
                case "bye":
                    self.pause = max(self.pause, message["retry_ms"] / 500)
        return False

    async def hello(self, wire: Any) -> None:
        hello = {"type": "hello", "langs": ["en"], "wants": ["moves"], "bot": True}
        await wire.send(json.dumps({**hello, **self.me}))

    async def say(self, wire: Any, text: str, **more: int) -> None:
        self.count += 1
        line = {"type": "say", "id": f"{self.start}.{self.count}", "text": text, **more}
        self.waiting[line["id"]] = line
        await wire.send(json.dumps(line))

    async def refused(self, wire: Any, error: Message) -> None:
        """Say it again later where that helps; after `stale` the next `moves` are on their way."""
        line = self.waiting.pop(error.get("id"), None)
        if error["code"] == "name_taken":
            self.me = {"name": error["candidates"][0]}
            await self.hello(wire)
        elif error["code"] == "unauthorized":
            self.me = {"name": "Plain"}
            await self.hello(wire)
        elif line is not None and (error["code"] == "too_fast" or "retry_ms" in error):
            await asyncio.sleep(error.get("retry_ms", 1000) / 1000)
            self.waiting[line["id"]] = line
            await wire.send(json.dumps(line))
        elif error["code"] != "stale":
            sys.stderr.write(f"{error['code']}: {error['text']}\n")


if __name__ == "__main__":
    asyncio.run(Plain(*sys.argv[1:]).live())
