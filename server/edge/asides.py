"""What people ask for, beside what is played: questions and snapshots, a little in each turn.

Networks have it in turn, one thing each, so that who asks for much waits behind who asks for
little, and who plays waits for neither: while a commit is under way, a move waits for each turn of
the loop that comes before its end, so long turns are put off meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from bluebear.server.edge.connection import Connection
from bluebear.server.limits import ASIDES_LATE_SECONDS, COMMIT_LOOK_SECONDS
from bluebear.server.stopwatch import Stopwatch


class Asides:
    """Owned by the gate. `most` are the seconds of a turn of the loop that all have together.

    `is_committing` tells whether an entry is on its way to the disk.
    """

    def __init__(
        self,
        watch: Stopwatch,
        most: float,
        charge: Callable[[Connection, float], None],
        is_committing: Callable[[], bool],
    ) -> None:
        self._watch = watch
        self._most = most
        self._charge = charge
        self._is_committing = is_committing
        self._put_off_until = 0.0
        """Time of the loop at which a turn is due even while a commit is under way."""
        self._used = 0.0
        self._waiting: dict[str, deque[tuple[Connection, Callable[[], bool]]]] = {}
        """By network, the one that is next first."""
        self._due = False

    def take(self, connection: Connection, work: Callable[[], bool]) -> None:
        """Do something now, or in a turn that has time for it, unless the connection has gone.

        `work` says whether it goes on in a task, of which a turn begins one at the most: how long
        that takes is known afterwards.
        """
        if self._waiting or self._used >= self._most or self._is_committing():
            self._waiting.setdefault(connection.network, deque()).append((connection, work))
        else:
            self._done(connection, work)
        if not self._due and (self._waiting or self._used):
            self._soon()

    def _done(self, connection: Connection, work: Callable[[], bool]) -> float:
        """Do it; the seconds that it has taken."""
        before = self._watch.turn_to(connection)
        owed = connection.unpaid
        goes_on = True
        try:
            goes_on = work()
        finally:
            self._watch.turn_to(before)
            spent = connection.unpaid - owed
            self._used = self._most if goes_on else self._used + spent
        return spent

    def _soon(self) -> None:
        loop = asyncio.get_running_loop()
        if not self._due:
            self._put_off_until = loop.time() + ASIDES_LATE_SECONDS
        self._due = True
        if self._waiting and self._is_committing() and loop.time() < self._put_off_until:
            # Not in the very next turn: a loop that never rests would take the commit's processor.
            loop.call_later(COMMIT_LOOK_SECONDS, self._soon)
        else:
            loop.call_soon(self._next)

    def _next(self) -> None:
        """A new turn."""
        self._due, self._used = False, 0.0
        if self._waiting:
            # Before anything is done: a bug in one must not stop the others.
            self._soon()
        while self._waiting and self._used < self._most:
            network = next(iter(self._waiting))
            mine = self._waiting.pop(network)
            connection, work = mine.popleft()
            if mine:
                self._waiting[network] = mine
            if not connection.gone:
                self._charge(connection, self._done(connection, work))
