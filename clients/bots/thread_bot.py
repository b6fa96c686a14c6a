"""A bot that thinks in a thread of its own, so that the connection lives on meanwhile."""

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
"""So long a bot is waited for that still thinks when nobody needs it any more."""

log: Final = logging.getLogger(__name__)


class ThreadBot:
    """Asks a bot one thing at a time, in the order in which it was asked.

    Thinking that nobody waits for any more goes on to its end: a thread cannot be stopped. The
    thread ends with the program, or when `close` was called and the bot is done.
    """

    def __init__(self, bot: Chooser) -> None:
        self._bot = bot
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="bot", daemon=True)
        self._thread.start()

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """What the bot chooses; raises what it raises."""
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
        """A game has ended; the bot hears of it when it has thought to its end."""
        self._work.put(lambda: tell_over(self._bot, view))

    async def close(self) -> None:
        """Let the thread end: what it was told before is heard, unless it thinks for long."""
        self._work.put(None)
        await asyncio.to_thread(self._thread.join, CLOSING_SECONDS)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                work()
            except Exception:
                log.exception("a bot failed at the end of a game")
