"""Gives rooms away: to other engines when this one is drained, to nobody where no edge is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

from bluebear.server.link.frames import Moved
from bluebear.server.rooms.registry import RoomRegistry

REST_SECONDS: Final = 0.02
"""Between two looks at a room that ends what it does before it moves."""
AT_ONCE: Final = 8
"""Rooms that move side by side: each waits for a commit, and holds the loop a little."""


class Keeper(Protocol):
    """Lets go of rooms; `carried` goes along with them."""

    async def hand_over(self, room: str, carried: bytes) -> bool:
        """Make the room another engine's; False: nobody takes it."""

    async def give_up(self, room: str, carried: bytes) -> bool:
        """Make the room nobody's; False: that could not be written."""


Give: TypeAlias = Callable[[str, bytes], Coroutine[Any, Any, bool]]


class Giving:
    """Owned by an engine's side of its links; `tell` tells all edges."""

    def __init__(self, engine: RoomRegistry, tell: Callable[[Moved], None]) -> None:
        self._engine = engine
        self._tell = tell
        self.moving: set[str] = set()
        """The rooms that are on their way; lines for them wait at the edges."""

    async def give_away(self, keeper: Keeper) -> None:
        """Hand all rooms over; each ends what it does before, and its members follow."""
        await self._let_go(keeper.hand_over)

    async def give_up(self, keeper: Keeper) -> None:
        """Let all rooms be nobody's."""
        await self._let_go(keeper.give_up)

    async def _let_go(self, give: Give) -> None:
        rooms = [room for room, live in self._engine.live.items() if live.exists]
        turns = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*map(partial(self._give, give, turns), rooms))

    async def _give(self, give: Give, turns: asyncio.Semaphore, room: str) -> None:
        async with turns:
            live = self._engine.room(room)
            if live is None or room in self.moving:
                return
            self.moving.add(room)
            try:
                # A room that told when it rests would do so after each line; few ever move.
                while not live.at_rest:  # noqa: ASYNC110
                    await asyncio.sleep(REST_SECONDS)
                await give(room, await self._engine.let_go(live))
            finally:
                self.moving.discard(room)
                self._tell(Moved(room))
