"""A bucket of tokens: so much at once, and so much a second in the long run."""

from __future__ import annotations


class Bucket:
    """Refills with time, which its owner tells it, in seconds."""

    __slots__ = ("_at", "_burst", "_left", "_per_second")

    def __init__(self, burst: float, per_second: float, now: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._left = burst
        self._at = now

    def take(self, now: float) -> bool:
        """Take one token, if there is one."""
        left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        if left < 1:
            self._left = left
            return False
        self._left = left - 1
        return True

    def wait(self, now: float, amount: float) -> float:
        """Seconds until so much is there; 0 if it is."""
        left = min(self._burst, self._left + (now - self._at) * self._per_second)
        return max(0.0, (amount - left) / self._per_second)

    def spend(self, now: float, amount: float) -> None:
        """Take so much also where it is not there, which leaves a debt; below 0 gives back."""
        left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        self._left = min(self._burst, left - amount)
