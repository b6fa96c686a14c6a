"""Tasks that somebody owns."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from bluebear.server.observe import count

Work: TypeAlias = Coroutine[Any, Any, None]  # Any: what it waits for


class Tasks:
    """What runs beside the lines; empty when its owner is closed."""

    def __init__(self, around: Callable[[Work], Work] | None = None) -> None:
        """`around` is put around all that is started: it may count how long that works."""
        self._around = around
        self._running: set[asyncio.Task[None]] = set()

    @property
    def quiet(self) -> bool:
        """Whether nothing runs."""
        return not self._running

    def start(self, work: Work) -> None:
        """Run something to its end; a bug in it is logged."""
        if self._around is not None:
            work = self._around(work)
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and task.exception() is not None:
            count("bugs")
            logging.getLogger("bluebear").error("task failed", exc_info=task.exception())

    def cancel(self) -> None:
        """Cancel what still runs."""
        for task in self._running:
            task.cancel()

    async def close(self) -> None:
        """Cancel what still runs and wait for it."""
        self.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
