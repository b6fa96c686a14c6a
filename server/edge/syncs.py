"""Snapshots that are asked for: one for each room and connection in a second.

A snapshot is dear, and who asks for it again before it has come gets the same one. Who asks again
so soon after it, or has nothing left to pay it with, gets it later: the client waits for it
anyway, and a refusal would not say to what.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from bluebear.protocol import RoomNumber
from bluebear.server.edge.connection import Connection
from bluebear.server.limits import SYNC_SECONDS
from bluebear.server.net.budget import FairQueue


class Syncs:
    """Owned by the reception; `show` sends a connection all of a room."""

    def __init__(self, queue: FairQueue, show: Callable[[Connection, str], None]) -> None:
        self._queue = queue
        self._show = show

    def want(self, connection: Connection, number: RoomNumber, now: float) -> None:
        """Somebody wants a snapshot of a room."""
        if number not in connection.rooms:
            return
        due = connection.snapshots_at.get(number, now)
        if due is None:
            return
        connection.snapshots_at[number] = None
        if due > now:
            asyncio.get_running_loop().call_at(due, self._come_due, connection, number)
        else:
            self._come_due(connection, number)

    def _come_due(self, connection: Connection, number: RoomNumber) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        if connection.gone:
            return
        wait = connection.consume(now) / 1000
        if wait:
            loop.call_at(now + max(wait, SYNC_SECONDS), self._come_due, connection, number)
        else:
            self._queue.run(connection, partial(self._send, connection, number))

    def _send(self, connection: Connection, number: RoomNumber) -> bool:
        room = connection.rooms.get(number)
        if room is None or connection.gone:
            connection.snapshots_at.pop(number, None)
            return False
        connection.snapshots_at[number] = asyncio.get_running_loop().time() + SYNC_SECONDS
        self._show(connection, room)
        return False
