"""A bot that computes in a separate thread, so that the connection stays responsive."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Final

from bluebear.clients.bots.strategies import tell_over
from bluebear.clients.sdk import Chooser, MoveClock, View, answer_of

CLOSING_SECONDS: Final = 2.0
"""How long `close` waits for a computation that is still running."""

log: Final = logging.getLogger(__name__)


class ThreadBot:
    """Calls a bot from one thread, one call at a time, in the order of the requests.

    A computation whose result is not needed runs to its end: a thread cannot be stopped. The thread
    ends with the program, or after `close` when the bot has finished.
    """

    def __init__(self, bot: Chooser) -> None:
        self._bot = bot
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="bot", daemon=True)
        self._thread.start()

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """The bot's choice; raises what the bot raises."""
        answer: Future[str] = Future()

        def work() -> None:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                answer.set_result(asyncio.run(answer_of(self._bot, view, lines, clock)))
            except Exception as problem:  # noqa: BLE001 - it is raised where the answer is awaited
                answer.set_exception(problem)

        self._work.put(work)
        return await asyncio.wrap_future(answer)

    def over(self, view: View) -> None:
        """Report the end of a game to the bot, after its current computation."""
        self._work.put(lambda: tell_over(self._bot, view))

    async def close(self) -> None:
        """End the thread after the pending calls, unless they take long."""
        self._work.put(None)
        await asyncio.to_thread(self._thread.join, CLOSING_SECONDS)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                work()
            except Exception:
                log.exception("a bot failed at the end of a game")
