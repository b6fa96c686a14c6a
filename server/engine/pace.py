"""The pace of the house's bots: they never tire, and what they do is kept and takes the loop.

A stranger makes rooms by the dozen, and bots answer each move of his with five of theirs. So all of
them together have one rate, and a slower one where nobody but they plays. Rooms that wait come one
after the other, since a bot says one line at a time: many rooms of one make nobody else's stand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bluebear.server.limits import HOUSE_BURST, HOUSE_PER_SECOND, SHOW_BURST, SHOWS_PER_SECOND
from bluebear.server.net.token_bucket import TokenBucket
from bluebear.server.observe import count
from bluebear.server.room.state import Room


class Pace:
    """Owned by the engine."""

    def __init__(self) -> None:
        self._moves = TokenBucket(HOUSE_BURST, HOUSE_PER_SECOND, 0.0)
        self._shows = TokenBucket(SHOW_BURST, SHOWS_PER_SECOND, 0.0)

    def heard(self, room: Room, hear: Callable[[], None]) -> None:
        """A bot of the house says a line in a room: `hear` it now, or when its turn comes."""
        loop = asyncio.get_running_loop()
        wait = self._wait(room, loop.time())
        if wait <= 0:
            hear()
            return
        count("lines.paced")
        loop.call_later(wait, hear)

    def _wait(self, room: Room, now: float) -> float:
        alone = all(chair.bot is not None for chair in room.seats.values())
        buckets = (self._moves, self._shows) if alone else (self._moves,)
        wait = max(bucket.wait(now, 1.0) for bucket in buckets)
        for bucket in buckets:
            bucket.charge(now, 1.0)
        return wait
