"""Whether the server is well, seen within three seconds; and what it does every so often."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from bluebear.server.cluster.room_leases import Membership
from bluebear.server.features.feature import Features
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.runtime import Tasks, Times
from bluebear.server.store import GroupWriter

BEAT_SECONDS: Final = 1.0
"""Between two looks: whatever goes wrong is seen within three."""
STALL_SECONDS: Final = 2.0
"""A loop that was late by so much has made all clients wait."""
STALL_SHOWN_SECONDS: Final = 30.0
"""So long a stall that is over is still shown: who asks every half minute sees it."""
COMMIT_SECONDS: Final = 2.0
"""A commit that takes longer than this is stuck, whatever becomes of it."""
DISK_LEAST: Final = 0.05
"""Of a disk, what has to be free: SQLite, logs and backups need room to go on."""


class Problem(StrEnum):
    """What can be wrong."""

    JOURNAL = "journal"
    """What was said last could not be saved, or is not saved yet."""
    LOOP = "loop"
    """All clients had to wait for one thing."""
    DISK = "disk"
    """The disk of the journal is nearly full."""
    FULL = "full"
    """No newcomer can get in: a bound of the whole server is used up."""


class Health:
    """Looks every `beat` seconds; owned by the app. `free` is the free share of its disk."""

    def __init__(
        self,
        writer: GroupWriter,
        full: Callable[[], bool],
        free: Callable[[], float],
        beat: float = BEAT_SECONDS,
        among: Membership | None = None,
    ) -> None:
        self._among = among
        self._beat_seconds = beat
        self._writer = writer
        self._full = full
        self._free = free
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._stalled_at: float | None = None
        self.disk_free = 1.0
        self.lag = Times()

    def start(self) -> None:
        """Look from now on."""
        self._look()
        self._beat()

    def stop(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def beside(self) -> list[str]:
        """What is wrong of this process as one among several."""
        return [] if self._among is None else self._among.troubles()

    def all_troubles(self) -> list[str]:
        """What is wrong in all."""
        return [*(each.value for each in self.troubles()), *self.beside()]

    def troubles(self) -> tuple[Problem, ...]:
        """What is wrong now; empty: the server is well."""
        now = asyncio.get_running_loop().time()
        busy = self._writer.busy_since
        wrong = {
            Problem.JOURNAL: self._writer.failing
            or (busy is not None and now - busy > COMMIT_SECONDS),
            Problem.LOOP: self._is_stalled(now),
            Problem.DISK: self.disk_is_low,
            Problem.FULL: self._full(),
        }
        return tuple(problem for problem, is_there in wrong.items() if is_there)

    @property
    def disk_is_low(self) -> bool:
        """Whether so little is left that no newcomer comes in and no room is made."""
        return self.disk_free < DISK_LEAST

    def _is_stalled(self, now: float) -> bool:
        if self._timer is not None and now - self._due > STALL_SECONDS:
            return True
        return self._stalled_at is not None and now - self._stalled_at < STALL_SHOWN_SECONDS

    def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        self._due = loop.time() + self._beat_seconds
        self._timer = loop.call_at(self._due, self._on_beat)

    def _on_beat(self) -> None:
        late = asyncio.get_running_loop().time() - self._due
        self.lag.add(max(0.0, late))
        if late > STALL_SECONDS:
            self._stalled_at = asyncio.get_running_loop().time()
        self._look()
        self._beat()

    def _look(self) -> None:
        try:
            self.disk_free = self._free()
        except OSError:
            self.disk_free = 0.0


_SWEEP_SECONDS: Final = 60.0
_LOOK_SECONDS: Final = 3.0
"""So long an operator's order may take to hold at the other processes of one store."""


class Upkeep:
    """Owned by the app. `peers`: there are other processes of one store."""

    def __init__(
        self, rooms: RoomRegistry, features: Features, tasks: Tasks, *, peers: bool
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
        for each in self._features.with_hook("every_minute"):
            each.every_minute()
        await self._rooms.sweep()

    def _look_soon(self) -> None:
        later = asyncio.get_running_loop().call_later
        self._look_timer = later(_LOOK_SECONDS, self.look_now)

    def look_now(self) -> None:
        """Read again at once what other processes may have changed."""
        if self._look_timer is not None:
            self._look_timer.cancel()
            self._tasks.start(self._poll_peers())

    async def _poll_peers(self) -> None:
        # What changed elsewhere comes as hints, and one may get lost with its link.
        self._rooms.hooks.tell_changed()
        try:
            await self._features.refresh()
        finally:
            self._look_soon()
