"""How long to wait before trying again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Doubling waits with jitter, so that a thousand clients do not come back as one.

    `attempts` bounds how often in a row; None tries for ever.

    >>> [Backoff().seconds(attempt, jitter=1.0) for attempt in range(4)]
    [0.25, 0.5, 1.0, 2.0]
    """

    first_seconds: float = 0.25
    longest_seconds: float = 15.0
    attempts: int | None = None

    def seconds(self, attempt: int, *, jitter: float) -> float:
        """The wait before an attempt, counted from 0; `jitter` is between 0 and 1."""
        # 2**32 is beyond every bound; without the cap on the exponent years of trying overflow.
        whole = min(self.longest_seconds, self.first_seconds * 2.0 ** min(attempt, 32))
        return whole * (1 + jitter) / 2

    def over(self, attempt: int) -> bool:
        """Whether enough was tried."""
        return self.attempts is not None and attempt >= self.attempts


FOREVER: Final = Backoff()
"""For programs that have nothing else to do than to come back."""
