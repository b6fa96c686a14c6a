"""The one gate of what connections send: what it costs, who pays, and when it is heard.

A line, a question and a wish for a snapshot cost the same: one of the lines that an address may
say, and the time that the loop works for them, now and later, which address and person pay.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bluebear.server.edge.asides import Asides
from bluebear.server.edge.bounds import Cost
from bluebear.server.edge.budgets import Budgets, network_of, too_much
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.turns import WITHOUT_END, Turn
from bluebear.server.limits import (
    ASIDES_SECONDS,
    CHARGED_SECONDS,
    NETWORK_SECONDS,
    SLOW_LINE_SECONDS,
    TURN_SECONDS,
)
from bluebear.server.observe import count
from bluebear.server.stopwatch import Stopwatch


class Gate:
    """Owned by the app. Waits are in milliseconds."""

    def __init__(
        self,
        budgets: Budgets,
        watch: Stopwatch,
        is_committing: Callable[[], bool],
        *,
        bounded: bool,
    ) -> None:
        self._budgets = budgets
        self.watch = watch
        self._turn = Turn(TURN_SECONDS, NETWORK_SECONDS if bounded else TURN_SECONDS)
        self.asides = Asides(watch, ASIDES_SECONDS, self._spent, is_committing)

    # Connections.

    def opened(self, connection: Connection) -> None:
        """A connection is there."""
        address = connection.link.address
        connection.network = network_of(address) if address else ""
        connection.part = self._turn.part(connection.network) if address else WITHOUT_END

    def closed(self, connection: Connection) -> None:
        """It is gone: what is unpaid is charged."""
        self._settle(connection, asyncio.get_running_loop().time())

    # Frames.

    def heard(self, connection: Connection, now: float) -> None:
        """A frame is done with; when it came, the connection owed `owed`."""
        spent = connection.unpaid - connection.owed
        if spent > SLOW_LINE_SECONDS:
            count("lines.slow")
        self._turn.spend(connection.part, spent)
        if connection.unpaid >= CHARGED_SECONDS:
            self._settle(connection, now)

    def aside(self, connection: Connection, work: Callable[[], bool]) -> None:
        """Do what a connection asks for beside the play, now or soon: see `Asides.take`."""
        if connection.network:
            self.asides.take(connection, work)
        else:
            work()

    def _spent(self, connection: Connection, seconds: float) -> None:
        if seconds > SLOW_LINE_SECONDS:
            count("lines.slow")
        self._turn.spend(connection.part, seconds)
        if connection.unpaid >= CHARGED_SECONDS:
            self._settle(connection, asyncio.get_running_loop().time())

    def _settle(self, connection: Connection, now: float) -> None:
        """Charge what the loop has worked for somebody, who has to wait where it is too much."""
        spent, connection.unpaid = connection.unpaid, 0.0
        if spent <= 0:
            return
        address, person = connection.link.address, connection.person
        self._budgets.charge(Cost.LOOP, now, spent, address=address, person=person)
        wait = self._budgets.wait(Cost.LOOP, now, address=address, person=person, amount=0.0)
        connection.owes_until = now + wait / 1000

    # What may be heard.

    def owed(self, connection: Connection, now: float) -> int:
        """The wait until what somebody's lines have cost is made good; 0: it is."""
        if connection.unpaid >= CHARGED_SECONDS:
            self._settle(connection, now)
        if now >= connection.owes_until:
            return 0
        count(f"budget.{Cost.LOOP}")
        return int((connection.owes_until - now) * 1000) + 1

    def take(self, connection: Connection, now: float, size: int = 0) -> int:
        """The wait before one thing more of somebody is heard; mostly 0, and then it is paid.

        `size` are its bytes, where they are kept or read by others.
        """
        if now < connection.owes_until:
            return self.owed(connection, now)
        address = connection.link.address
        if not address:
            return 0
        # Each connection has its rate; whoever has many of them has no more than this.
        wait = self._budgets.take(Cost.LINES, now, address=address)
        if wait or not size:
            return wait
        person, amount = connection.person, float(size)
        return self._budgets.take(Cost.BYTES, now, address=address, person=person, amount=amount)

    def pay(self, connection: Connection, size: int) -> None:
        """An entry is to be kept, of so many bytes. Raises NotAllowed (too_much)."""
        self.pay_from(connection.network, connection.person, size)

    def pay_from(self, network: str, person: str, size: int) -> None:
        """The same for a person at a network, who may be connected to another process."""
        now, amount = asyncio.get_running_loop().time(), float(size)
        wait = self._budgets.take(Cost.BYTES, now, address=network, person=person, amount=amount)
        if wait:
            raise too_much(wait)
