"""Long work in slices, so that lines of others are heard between them."""

from __future__ import annotations

import asyncio


class Slices:
    """Ends a tick of the loop after each piece of one long work: a fold, a step, its sentences.

    A piece takes up to 1 ms; what others wait for is the piece that has just begun.
    """

    async def rest(self) -> None:
        """A piece is done; the loop has its turn."""
        await asyncio.sleep(0)
