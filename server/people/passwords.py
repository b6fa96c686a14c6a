"""Hashes passwords (argon2) in threads, and slows down guesses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server import limits
from bluebear.server.net.budget import TokenBuckets, check_wait
from bluebear.server.net.rate_limits import Bound, Cost, put_recent
from bluebear.server.runtime import count

_HASHER: Final = PasswordHasher()
_in_a_thread: Final = asyncio.to_thread
_MINUTE: Final = 60.0
_DOUBLINGS: Final = 10
_KEYS: Final = 10_000


class Hashing:
    """Hashes passwords in threads, few at a time: one hash takes 64 MiB and 0.05 s.

    Owned by the app. All methods raise NotAllowed: busy if too many calls wait, too_much if the
    person `by` (an id; "" is the server itself) has called too often.
    """

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(limits.HASHES_AT_ONCE)
        self._in_the_air = 0
        calls = Bound(limits.HASHES_OF_ONE, 1 / limits.HASHES_SECONDS, "see HASHES_OF_ONE")
        self._calls = TokenBuckets({Cost.CALL: calls})

    async def hash(self, password: str, by: str = "") -> str:
        """Hash a password."""
        async with self._turn(by):
            return await _in_a_thread(_HASHER.hash, password)

    async def fits(self, hashed: str, password: str, by: str = "") -> bool:
        """Whether `hashed` is the hash of a password."""
        async with self._turn(by):
            return await _in_a_thread(_fits, hashed, password)

    async def compare(self, hashed: str, password: str, by: str = "") -> bool:
        """Like `fits`; takes as long to return False if `hashed` is empty."""
        if hashed:
            return await self.fits(hashed, password, by)
        await self.hash(password, by)
        return False

    def _pay(self, by: str) -> None:
        """Bound the calls of one person, so that they cannot occupy all threads."""
        wait = self._calls.consume(Cost.CALL, by, asyncio.get_running_loop().time())
        if wait > 0:
            count("budget.hash")
            check_wait(wait)

    @asynccontextmanager
    async def _turn(self, by: str) -> AsyncIterator[None]:
        if self._in_the_air >= limits.HASHES_IN_THE_AIR:
            raise NotAllowed("busy", retry_ms=limits.HASHES_RETRY_MS)
        if by:
            self._pay(by)
        self._in_the_air += 1
        try:
            async with self._turns:
                yield
        finally:
            self._in_the_air -= 1


def _fits(hashed: str, password: str) -> bool:
    try:
        return _HASHER.verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False


class Guesses:
    """Counts wrong passwords by key: a person and a room, or an address.

    After `PASSWORD_TRIES` in a minute the wait is a minute, doubled by each further wrong attempt.
    """

    def __init__(self, tries: int = limits.PASSWORD_TRIES) -> None:
        self._tries = tries
        self._wrong: dict[object, tuple[int, float]] = {}

    def wait(self, key: object, now: float) -> float:
        """Seconds until the next attempt is allowed; 0.0 if it is allowed now."""
        attempts, last = self._wrong.get(key, (0, now))
        return max(0.0, last + self._pause(attempts) - now)

    def check(self, *keys: object) -> float:
        """The time now, at which an attempt is allowed. Raises NotAllowed (password_wait)."""
        now = asyncio.get_running_loop().time()
        wait = max(self.wait(key, now) for key in keys)
        if wait > 0:
            seconds = int(wait) + 1
            raise NotAllowed("password_wait", seconds=seconds, retry_ms=seconds * 1000)
        return now

    @contextmanager
    def attempt(self, *keys: object) -> Iterator[None]:
        """One attempt, which is compared meanwhile: wrong until it is `right`.

        It is counted before it is known: tries that come at once are so many tries. A refusal
        meanwhile uncounts it, yet the wait begins anew: what needs no hash is refused before.
        Raises what `check` raises.
        """
        now = self.check(*keys)
        for key in keys:
            self.wrong(key, now)
        try:
            yield
        except Refusal:
            for key in keys:
                self.forgive(key)
            raise

    def _pause(self, attempts: int) -> float:
        if attempts < self._tries:
            return 0.0
        return _MINUTE * (1 << min(attempts - self._tries, _DOUBLINGS))

    def wrong(self, key: object, now: float) -> None:
        """Count a wrong attempt. After twice the required wait the count starts again."""
        attempts, last = self._wrong.get(key, (0, now))
        is_fresh = now - last > max(_MINUTE, 2 * self._pause(attempts))
        put_recent(self._wrong, key, (1 if is_fresh else attempts + 1, now), _KEYS)

    def forgive(self, key: object) -> None:
        """Uncount one attempt, which was not made after all."""
        attempts, last = self._wrong.get(key, (0, 0.0))
        if attempts > 1:
            self._wrong[key] = (attempts - 1, last)
        else:
            self._wrong.pop(key, None)

    def right(self, key: object) -> None:
        """Reset the count after the right password."""
        self._wrong.pop(key, None)
