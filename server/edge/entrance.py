"""The password that a whole server may ask newcomers for."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.net.budget import Budgets, too_much
from bluebear.server.net.rate_limits import Cost


def plain_password(text: str) -> str:
    """The same password, in whatever width it was typed."""
    return unicodedata.normalize("NFKC", text).strip()


class Entrance:
    """Owned by the app. `hashed` is the argon2 hash of the password, "" where none is asked for."""

    def __init__(
        self, hashed: str, fits: Callable[[str, str], Awaitable[bool]], budgets: Budgets
    ) -> None:
        self._hashed = hashed
        self._fits = fits
        self._budgets = budgets

    @property
    def is_open(self) -> bool:
        """Whether anybody may come in."""
        return not self._hashed

    async def check(self, password: str | None, address: str) -> None:
        """Let a newcomer pass, or not. Raises NotAllowed: entry_password, wrong_entry_password,
        too_much, busy.
        """
        if not self._hashed:
            return
        if not password:
            raise NotAllowed("entry_password")
        # Spent until it is known to be right: guesses may come all at once.
        now = asyncio.get_running_loop().time()
        wait = self._budgets.consume(Cost.ENTRY, now, address=address)
        if wait:
            raise too_much(wait)
        try:
            right = await self._fits(self._hashed, plain_password(password))
        except NotAllowed:
            self._budgets.refund(Cost.ENTRY, now, address=address)
            raise
        if not right:
            raise NotAllowed("wrong_entry_password")
        self._budgets.refund(Cost.ENTRY, now, address=address)
