"""Long work in slices, so that lines of others are heard between them."""

from __future__ import annotations

import asyncio
from typing import Final

_PIECES: Final = 4
"""Pieces of work at a time: one is a fold, a step of a replay or its sentences, at most 1 ms."""


class Slices:
    """Counts the pieces of one piece of long work; owned by it."""

    def __init__(self) -> None:
        self._done = 0

    async def rest(self) -> None:
        """A piece is done; now and then the loop has its turn."""
        self._done += 1
        if self._done % _PIECES == 0:
            await asyncio.sleep(0)
