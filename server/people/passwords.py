"""Passwords: argon2, in a thread, so that the loop never waits; and slowing down guesses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from rules.core.refusal import NotAllowed
from server.limits import (
    HASHES_AT_ONCE,
    HASHES_IN_THE_AIR,
    HASHES_RETRY_MS,
    PASSWORD_TRIES,
)

_T = TypeVar("_T")

_HASHER: Final = PasswordHasher()
_MINUTE: Final = 60.0
_DOUBLINGS: Final = 10
_KEYS: Final = 10_000


class Hashing:
    """Hashes in threads, few at a time: one takes 64 MiB and a twentieth of a second.

    Owned by the engine. What is asked for while too many wait raises NotAllowed (busy).
    """

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(HASHES_AT_ONCE)
        self._in_the_air = 0

    async def hash(self, password: str) -> str:
        """The argon2 hash of a password."""
        return await self._in_turn(lambda: _HASHER.hash(password))

    async def fits(self, hashed: str, password: str) -> bool:
        """Whether a password is the one that was hashed."""
        return await self._in_turn(lambda: _fits(hashed, password))

    async def compare(self, hashed: str, password: str) -> bool:
        """As `fits`; where there is nothing to compare with, it takes as long to say no."""
        if hashed:
            return await self.fits(hashed, password)
        await self.hash(password)
        return False

    async def _in_turn(self, work: Callable[[], _T]) -> _T:
        if self._in_the_air >= HASHES_IN_THE_AIR:
            raise NotAllowed("busy", retry_ms=HASHES_RETRY_MS)
        self._in_the_air += 1
        try:
            async with self._turns:
                return await _in_a_thread(work)
        finally:
            self._in_the_air -= 1


async def _in_a_thread(work: Callable[[], _T]) -> _T:
    return await asyncio.to_thread(work)


def _fits(hashed: str, password: str) -> bool:
    try:
        return _HASHER.verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False


class Guesses:
    """Wrong tries by key (a person and a room, or an address); owned by who lets people in.

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

    def forgive(self, key: object) -> None:
        """A try that was noted was not made."""
        count, last = self._wrong.get(key, (0, 0.0))
        if count > 1:
            self._wrong[key] = (count - 1, last)
        else:
            self._wrong.pop(key, None)

    def right(self, key: object) -> None:
        """A right try forgives the wrong ones."""
        self._wrong.pop(key, None)
