"""Token bucket: a burst, and a rate at which it refills; and a bound on how many are stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class TokenBucket:
    """Refills with time, which its owner passes in, in seconds."""

    __slots__ = ("__weakref__", "_at", "_burst", "_left", "_per_second")

    def __init__(self, burst: float, per_second: float, now: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._left = burst
        self._at = now

    def consume(self, now: float, amount: float = 1.0) -> bool:
        """Take `amount` tokens if they are there; whether they were."""
        left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        if left < amount:
            self._left = left
            return False
        self._left = left - amount
        return True

    def wait(self, now: float, amount: float) -> float:
        """Seconds until `amount` tokens are there; 0 if they are."""
        left = min(self._burst, self._left + (now - self._at) * self._per_second)
        return max(0.0, (amount - left) / self._per_second)

    def charge(self, now: float, amount: float) -> None:
        """Take `amount` also where it is not there, which leaves a debt; below 0 gives back."""
        left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        self._left = min(self._burst, left - amount)


def consume_all(buckets: Sequence[TokenBucket], now: float, amount: float = 1.0) -> float:
    """Take `amount` tokens of every bucket, or none of any; seconds to wait for them, 0: taken."""
    for index, bucket in enumerate(buckets):
        if not bucket.consume(now, amount):
            for taken in buckets[:index]:
                taken.charge(now, -amount)
            return wait_for_all(buckets, now, amount)
    return 0.0


def wait_for_all(buckets: Sequence[TokenBucket], now: float, amount: float = 1.0) -> float:
    """Seconds until every bucket has `amount` tokens."""
    return max((bucket.wait(now, amount) for bucket in buckets), default=0.0)


def put_recent(stored: dict[K, V], key: K, value: V, most: int) -> None:
    """Store a value as the one used last; of more than `most` the one idle for longest goes."""
    # Taken out and put back: a dict has its keys in the order in which they were put.
    stored.pop(key, None)
    stored[key] = value
    if len(stored) > most:
        del stored[next(iter(stored))]
