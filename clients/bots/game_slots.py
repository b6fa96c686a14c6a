"""Slots for the games of a bot that plays several at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from bluebear.clients.bots.factory import BotInstance
from bluebear.clients.sdk import Chooser, MoveClock, RoomId, View, answer_of


@dataclass(slots=True, eq=False)
class GameSlot:
    """A slot for one game. `room` None: a group was matched, and its room is not created yet."""

    room: RoomId | None
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    bot: BotInstance | None = None
    waiting: asyncio.TimerHandle | None = None
    """Ends the wait for a game that does not start."""
    leaving: bool = False
    making: asyncio.Lock = field(default_factory=asyncio.Lock)


class PerRoom:
    """A chooser that delegates to the bot of the room."""

    def __init__(
        self, bot_in: Callable[[RoomId], Awaitable[Chooser]], over: Callable[[View], None]
    ) -> None:
        self._bot_in = bot_in
        self.over = over

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """The choice of the bot of the view's room."""
        return await answer_of(await self._bot_in(view.room_id), view, lines, clock)
