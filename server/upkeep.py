"""What a server does every so often, beside the lines of people."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.tasks import Tasks

_SWEEP_SECONDS: Final = 60.0
_LOOK_SECONDS: Final = 3.0
"""So long an operator's order may take to hold at the other processes of one store."""


class Refreshable(Protocol):
    """What reads again what other processes may have changed."""

    async def refresh(self) -> None: ...
    def rooms_changed(self) -> None: ...
    def every_minute(self) -> None: ...


class Upkeep:
    """Owned by the app. `peers`: there are other processes of one store."""

    def __init__(
        self,
        rooms: RoomRegistry,
        features: Refreshable,
        tasks: Tasks,
        *,
        peers: bool,
    ) -> None:
        self._rooms = rooms
        self._features = features
        self._tasks = tasks
        self.peers = peers
        self._sweep_timer: asyncio.TimerHandle | None = None
        self._look_timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin; `stop` ends it."""
        loop = asyncio.get_running_loop()
        self._sweep_timer = loop.call_later(_SWEEP_SECONDS, self._sweep)
        if self.peers:
            self._look_soon()

    def stop(self) -> None:
        """End: nothing more is begun."""
        for timer in (self._sweep_timer, self._look_timer):
            if timer is not None:
                timer.cancel()

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        self._sweep_timer = loop.call_later(_SWEEP_SECONDS, self._sweep)
        self._tasks.start(self._sweep_rooms())

    async def _sweep_rooms(self) -> None:
        await self._rooms.wake_due()
        self._features.every_minute()
        await self._rooms.sweep()

    def _look_soon(self) -> None:
        loop = asyncio.get_running_loop()
        self._look_timer = loop.call_later(_LOOK_SECONDS, self._look)

    def look_now(self) -> None:
        """Read again at once what other processes may have changed."""
        if self._look_timer is not None:
            self._look_timer.cancel()
            self._look()

    def _look(self) -> None:
        self._tasks.start(self._poll_peers())

    async def _poll_peers(self) -> None:
        # What changed elsewhere comes as hints, and one may get lost with its link.
        self._features.rooms_changed()
        try:
            await self._features.refresh()
        finally:
            self._look_soon()
