"""How does a bot play? It answers its moves until the game is over."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from clients.bots.strategies import Strategy
from clients.sdk import Client, Entered, Reply, RoomId, Synced, Updated, YourMove
from protocol import Code
from rules.core.chance import Chance

PATIENCE_SECONDS: Final = 0.5
"""Between tries of a line that the server could not take just then."""

_PASSING: Final = frozenset({Code.BUSY, Code.NOT_SAVED})
"""Refusals that say nothing about the line."""

log = logging.getLogger(__name__)


class Player:
    """One bot at its seats in one room, on a client of its own that wants `moves`.

    `pace` are the seconds that it waits before each move.
    """

    def __init__(
        self,
        client: Client,
        strategy: Strategy,
        chance: Chance,
        *,
        pace: float = 0.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._client = client
        self._strategy = strategy
        self._chance = chance
        self._pace = pace
        self._sleep = sleep

    async def play(self, *, until_over: bool) -> None:
        """Answer the moves of all rooms until the client ends, or until a game is over."""
        async for happening in self._client.happenings():
            match happening:
                case YourMove():
                    await self._move(happening)
                case Entered(room=room) | Synced(room=room) | Updated(room=room):
                    if until_over and self._is_over(room):
                        return
                case _:
                    pass

    async def _move(self, moves: YourMove) -> None:
        if self._pace:
            await self._sleep(self._pace)
        room = self._client.mirror.rooms.get(moves.room)
        # While we thought or the connection was away, newer moves may have come.
        if room is None or room.moves.get(moves.seat) is not moves or not moves.lines:
            return
        line = self._strategy(room, moves, self._chance)
        while (reply := await self._say(line, moves)).code in _PASSING:
            await self._sleep(PATIENCE_SECONDS)
        if not reply.ok and reply.code != Code.STALE:
            log.info("room %s, seat %d: %s refused: %s", moves.room, moves.seat, line, reply.code)

    async def _say(self, line: str, moves: YourMove) -> Reply:
        return await self._client.say(line, room=moves.room, at=moves.version)

    def _is_over(self, room: RoomId) -> bool:
        known = self._client.mirror.rooms.get(room)
        return known is not None and known.phase == "over"
