"""A bot that is a program of its own: asked, replaced while it fails, started again.

A line that does not come in time, or is none of the legal ones, is a failure, as is an end of the
program. The game's plain fallback is said instead, the log says why, and the program is started
again after a pause that doubles. After three failures in a row the game's own player plays the seat
to the end of the game; then the program is tried again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from bluebear.clients.bots.json_lines import Introduced, Program, ProgramError
from bluebear.clients.sdk import Chooser, MoveClock, View, answer_of

FAILURES_MAX: Final = 3
"""After so many in a row somebody else plays the game to its end."""
PAUSE_SECONDS: Final = 1.0
"""Before the first new start; each further one waits twice as long."""
PAUSE_MAX_SECONDS: Final = 60.0

log = logging.getLogger(__name__)


class ProcessBot:
    """One program at one seat, kept for many games. `start` it before, `close` it after.

    `plain` answers where the program does not, `casual` plays where it has failed too often.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str,
        plain: Chooser,
        casual: Chooser,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._command = command
        self._name = name
        self._plain = plain
        self._casual = casual
        self._sleep = sleep
        self._program: Program | None = None
        self._failures = 0
        self._starting: asyncio.Task[None] | None = None

    @property
    def failures(self) -> int:
        """Failures in a row, up to now."""
        return self._failures

    async def start(self) -> Introduced:
        """Start the program for the first time. Raises ProgramError."""
        self._program, introduced = await Program.start(self._command, self._name)
        return introduced

    async def ready(self) -> bool:
        """Wait for a new start that is under way; whether the program can be asked."""
        while self._starting is not None and not self._starting.done():
            await asyncio.wait([self._starting])
        return self._program is not None

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """One of the lines, for certain."""
        program = self._program
        if program is None:
            return await self._stand_in(view, lines, clock)
        try:
            async with asyncio.timeout(clock.move):
                line = await program.choose(view, lines, clock)
            if line in lines:
                self._failures = 0
                return line
            why = ProgramError("illegal", line=f"{line:.200}")
        except TimeoutError:
            why = ProgramError("late", seconds=f"{clock.move:.1f}")
        except ProgramError as problem:
            why = problem
        self._fail(why, view)
        program.kill()
        await program.close()
        return await self._stand_in(view, lines, clock)

    def over(self, view: View) -> None:
        """A game has ended: tell the program, or give it another try."""
        if self._program is not None:
            self._program.over(view)
        elif self._failures >= FAILURES_MAX:
            self._failures = 0
            self._starting = asyncio.create_task(self._start_again(0.0))

    async def close(self) -> None:
        """End the program."""
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.wait([self._starting])
        if self._program is not None:
            await self._program.close()
            self._program = None

    async def _stand_in(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        chosen = self._casual if self._failures >= FAILURES_MAX else self._plain
        return await answer_of(chosen, view, lines, clock)

    def _fail(self, why: ProgramError, view: View | None) -> None:
        """Count a failure; begin to start again, unless that was one too many."""
        self._program = None
        self._failures += 1
        where = "" if view is None else f" in room {view.room_id}, version {view.version}"
        if self._failures >= FAILURES_MAX:
            log.error("%s%s: %s; another bot plays this game to its end", self._name, where, why)
            return
        pause = min(PAUSE_MAX_SECONDS, PAUSE_SECONDS * 2 ** (self._failures - 1))
        log.error("%s%s: %s; started again in %.0f s", self._name, where, why, pause)
        self._starting = asyncio.create_task(self._start_again(pause))

    async def _start_again(self, pause: float) -> None:
        await self._sleep(pause)
        try:
            self._program, _ = await Program.start(self._command, self._name)
        except ProgramError as problem:
            self._fail(problem, None)
