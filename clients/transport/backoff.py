"""Growing waits between attempts to reconnect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Exponential backoff with jitter, so that many clients do not reconnect at the same time.

    `attempts` is the maximum number of attempts in a row; None means no maximum.

    >>> [Backoff().seconds(attempt, jitter=1.0) for attempt in range(4)]
    [0.25, 0.5, 1.0, 2.0]
    """

    first_seconds: float = 0.25
    longest_seconds: float = 15.0
    attempts: int | None = None

    def seconds(self, attempt: int, *, jitter: float) -> float:
        """The wait before an attempt, counted from 0; `jitter` is between 0 and 1."""
        # 2**32 is beyond every bound; without this cap years of attempts would overflow the float.
        longest = min(self.longest_seconds, self.first_seconds * 2.0 ** min(attempt, 32))
        return longest * (1 + jitter) / 2

    def is_exhausted(self, attempt: int) -> bool:
        """Whether `attempt` (from 0) exceeds the maximum number of attempts."""
        return self.attempts is not None and attempt >= self.attempts


FOREVER: Final = Backoff()
"""For programs that have nothing else to do: reconnects without a maximum."""
