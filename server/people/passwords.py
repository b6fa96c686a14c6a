"""Passwords: argon2, in a thread, so that the loop never waits; and slowing down guesses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.limits import (
    HASHES_AT_ONCE,
    HASHES_IN_THE_AIR,
    HASHES_OF_ONE,
    HASHES_RETRY_MS,
    HASHES_SECONDS,
    PASSWORD_TRIES,
)
from bluebear.server.net.rate_limits import TokenBucket, put_recent
from bluebear.server.observe import count

_T = TypeVar("_T")

_HASHER: Final = PasswordHasher()
_MINUTE: Final = 60.0
_DOUBLINGS: Final = 10
_KEYS: Final = 10_000


class Hashing:
    """Hashes in threads, few at a time: one takes 64 MiB and a twentieth of a second.

    Owned by the engine. What is asked for while too many wait raises NotAllowed (busy), what a
    person (`by`) asks for too often raises too_much; "" is the server itself.
    """

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(HASHES_AT_ONCE)
        self._in_the_air = 0
        self._left: dict[str, TokenBucket] = {}

    async def hash(self, password: str, by: str = "") -> str:
        """The argon2 hash of a password."""
        return await self._in_turn(lambda: _HASHER.hash(password), by)

    async def fits(self, hashed: str, password: str, by: str = "") -> bool:
        """Whether a password is the one that was hashed."""
        return await self._in_turn(lambda: _fits(hashed, password), by)

    async def compare(self, hashed: str, password: str, by: str = "") -> bool:
        """As `fits`; where there is nothing to compare with, it takes as long to say no."""
        if hashed:
            return await self.fits(hashed, password, by)
        await self.hash(password, by)
        return False

    def _pay(self, by: str) -> None:
        """Whoever sets a password again and again would keep all others from theirs."""
        now = asyncio.get_running_loop().time()
        left = self._left.get(by) or TokenBucket(HASHES_OF_ONE, 1 / HASHES_SECONDS, now)
        put_recent(self._left, by, left, _KEYS)
        if not left.consume(now):
            count("budget.hash")
            seconds = int(left.wait(now, 1.0)) + 1
            raise NotAllowed("too_much", seconds=seconds, retry_ms=seconds * 1000)

    async def _in_turn(self, work: Callable[[], _T], by: str) -> _T:
        if self._in_the_air >= HASHES_IN_THE_AIR:
            raise NotAllowed("busy", retry_ms=HASHES_RETRY_MS)
        if by:
            self._pay(by)
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
        tried, last = self._wrong.get(key, (0, now))
        return max(0.0, last + self._pause(tried) - now)

    def _pause(self, tried: int) -> float:
        if tried < self._tries:
            return 0.0
        return _MINUTE * (1 << min(tried - self._tries, _DOUBLINGS))

    def wrong(self, key: object, now: float) -> None:
        """Note a wrong try. Who has waited twice as long as he had to begins anew."""
        tried, last = self._wrong.get(key, (0, now))
        fresh = now - last > max(_MINUTE, 2 * self._pause(tried))
        put_recent(self._wrong, key, (1 if fresh else tried + 1, now), _KEYS)

    def forgive(self, key: object) -> None:
        """A try that was noted was not made."""
        tried, last = self._wrong.get(key, (0, 0.0))
        if tried > 1:
            self._wrong[key] = (tried - 1, last)
        else:
            self._wrong.pop(key, None)

    def right(self, key: object) -> None:
        """A right try forgives the wrong ones."""
        self._wrong.pop(key, None)
