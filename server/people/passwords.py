"""Room passwords: argon2, in a thread, so that the loop never waits; and slowing down guesses."""

from __future__ import annotations

import asyncio
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from server.limits import PASSWORD_TRIES

_HASHER: Final = PasswordHasher()
_MINUTE: Final = 60.0
_DOUBLINGS: Final = 10
_KEYS: Final = 10_000


async def hash_password(password: str) -> str:
    """The argon2 hash of a password."""
    return await asyncio.to_thread(_HASHER.hash, password)


async def password_fits(hashed: str, password: str) -> bool:
    """Whether a password is the one that was hashed."""
    return await asyncio.to_thread(_fits, hashed, password)


def _fits(hashed: str, password: str) -> bool:
    try:
        return _HASHER.verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False


class Guesses:
    """Wrong tries by key (a person and a room, or an address); owned by the reception.

    After `PASSWORD_TRIES` in a minute the wait is a minute, doubling with each further wrong try.
    """

    def __init__(self, tries: int = PASSWORD_TRIES) -> None:
        self._tries = tries
        self._wrong: dict[object, tuple[int, float]] = {}

    def wait(self, key: object, now: float) -> float:
        """Seconds until the next try is allowed; 0 if it is now."""
        count, last = self._wrong.get(key, (0, now))
        if count < self._tries:
            return 0.0
        doublings = min(count - self._tries, _DOUBLINGS)
        return max(0.0, last + _MINUTE * (1 << doublings) - now)

    def wrong(self, key: object, now: float) -> None:
        """Note a wrong try."""
        count, last = self._wrong.get(key, (0, now))
        fresh = count < self._tries and now - last > _MINUTE
        self._wrong[key] = (1 if fresh else count + 1, now)
        if len(self._wrong) > _KEYS:
            self._wrong.pop(next(iter(self._wrong)))

    def right(self, key: object) -> None:
        """A right try forgives the wrong ones."""
        self._wrong.pop(key, None)
