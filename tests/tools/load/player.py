"""A guest who plays any of the lines that are legal, and remembers what became of them."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Final

from bluebear.clients.sdk import (
    Client,
    Happening,
    Lost,
    Missed,
    NeedSync,
    Reply,
    RoomId,
    Synced,
    Welcomed,
    YourMove,
)
from bluebear.protocol import Bye, Version
from bluebear.rules.core.chance import Chance
from tests.tools.load.history_check import Act, Fate

OVER: Final = "over"


@dataclass(frozen=True, slots=True)
class SentLine:
    """A line and what it was answered, and the seconds between which that was."""

    text: str
    reply: Reply
    began: float
    ended: float


class Player:
    """One guest on a client that wants `moves`. Owned by a test."""

    def __init__(self, client: Client, chance: Chance, think_seconds: float = 0.0) -> None:
        self.client = client
        self._think_seconds = think_seconds
        self.sent_lines: list[SentLine] = []
        self.seen: list[Happening] = []
        self._chance = chance

    @property
    def actor(self) -> str:
        """Who this is in the journal."""
        assert self.client.mirror.welcome is not None
        return f"p:{self.client.mirror.welcome.person}"

    def history(self) -> list[Act]:
        """What this one has said in rooms, for the checker."""
        return [
            Act(
                self.actor,
                sent.reply.id,
                sent.began,
                sent.ended,
                Fate.DONE if sent.reply.ok else Fate.REFUSED,
                sent.reply.version,
            )
            for sent in self.sent_lines
            if not sent.text.startswith("/room ")
        ]

    def count(self, kind: type[Happening]) -> int:
        """How often something out of the ordinary has happened."""
        return sum(isinstance(happening, kind) for happening in self.seen)

    async def say(self, text: str, room: RoomId | None = None) -> Reply:
        """Say a line that has to be accepted."""
        reply = await self._say(text, room, None)
        assert reply.ok, f"{text}: {reply.text}"
        return reply

    async def take_a_seat(self, room: RoomId) -> None:
        """Come into a room and sit down."""
        await self.say(f"/room {room}")
        await self.say("/join", room)

    async def play(self, room: RoomId) -> None:
        """Play the game that begins, or is going on, in a room, until it is over."""
        begun = self._phase(room) != OVER
        async for happening in self.client.happenings():
            await self._hear(happening, room)
            over = self._phase(room) == OVER
            if over and begun:
                return
            begun = begun or not over
        raise AssertionError(f"{self.client.name} was sent away: {await self.client.closed()!r}")

    async def catch_up(self, room: RoomId, version: int) -> None:
        """Listen until the mirror of a room has come to a version."""
        while self.client.room(room).version < version:
            await self._hear(await anext(self.client.happenings()), room)

    async def _hear(self, happening: Happening, room: RoomId) -> None:
        match happening:
            case YourMove(room=where) if where == room:
                await self._move(happening)
            case NeedSync() | Missed() | Lost() | Synced() | Bye() | Welcomed():
                self.seen.append(happening)
            case _:
                pass

    async def _move(self, moves: YourMove) -> None:
        room = self.client.mirror.rooms.get(moves.room)
        if room is None or room.moves.get(moves.seat) is not moves:
            return  # newer moves are on their way
        await asyncio.sleep(self._think_seconds)
        line = moves.lines[self._chance.pick(len(moves.lines))]
        reply = await self._say(line, moves.room, moves.version)
        assert reply.ok, f"{line} at {moves.version}: {reply.text}"

    async def _say(self, text: str, room: RoomId | None, at: Version | None) -> Reply:
        began = time.monotonic()
        reply = await self.client.say(text, room=room, at=at)
        self.sent_lines.append(SentLine(text, reply, began, time.monotonic()))
        return reply

    def _phase(self, room: RoomId) -> str:
        mirrored = self.client.mirror.rooms.get(room)
        return "" if mirrored is None else mirrored.phase
