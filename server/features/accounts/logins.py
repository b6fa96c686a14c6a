"""Tries to log in: whose name and password these are, and how often a stranger may guess."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.net.rate_limits import Cost
from bluebear.server.people.account import account_of, home_mark
from bluebear.server.people.names import name_key
from bluebear.server.people.passwords import Guesses, Hashing
from bluebear.server.people.people import People
from bluebear.server.store import PersonRow

if TYPE_CHECKING:
    from bluebear.server.rooms.connection import Connection


class Logins:
    """Owned by the feature."""

    def __init__(self, people: People, hashing: Hashing) -> None:
        self._people = people
        self._hashing = hashing
        self._guesses = Guesses()

    async def check(self, connection: Connection, name: str, password: str) -> PersonRow:
        """The person with this name and password.

        Raises NotAllowed: wrong_login, password_wait, too_much, busy.
        A try counts as wrong before it is looked up, and costs the name one before it is compared.
        The name of a guest, or of no person, is refused like a wrong password, and as slowly.
        """
        now = asyncio.get_running_loop().time()
        network, key = connection.network, name_key(name)
        guessed = ((network, key), network)
        wait = max(self._guesses.wait(each, now) for each in guessed)
        if wait > 0:
            seconds = int(wait) + 1
            raise NotAllowed("password_wait", seconds=seconds, retry_ms=seconds * 1000)
        connection.spend(Cost.WRONG)
        for each in guessed:
            self._guesses.wrong(each, now)
        paid = ""
        try:
            row = await self._people.find_by_name(name)
            payer = _payer(row, key, network)
            connection.spend(Cost.LOGIN, person=payer)
            paid = payer
            hashed = "" if row is None else account_of(row).password
            fits = await self._hashing.compare(hashed, password, connection.person)
        except Refusal:
            # Nothing was compared: it was no try.
            for each in guessed:
                self._guesses.forgive(each)
            connection.refund(Cost.WRONG)
            if paid:
                connection.refund(Cost.LOGIN, person=paid)
            raise
        if row is None or not fits:
            raise NotAllowed("wrong_login")
        for each in guessed:
            self._guesses.right(each)
        connection.refund(Cost.WRONG)
        return row


def _payer(row: PersonRow | None, key: str, network: str) -> str:
    """Which tries a login uses up: those that all networks share for the name, or a home's.

    Strangers use up a home's tries only from its own network, or from one in 65,536 that has the
    same mark. A home's tries are bounded, too, so that all guesses at a name are.
    """
    if row is not None:
        mark = home_mark(row.id, network)
        if mark in account_of(row).homes:
            return f"home {mark} {row.id}"
    return f"name {key}"
