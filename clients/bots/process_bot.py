"""A bot that runs as a child process, is replaced while it fails, and restarted.

A late or illegal line is a failure, as is the end of the process. The game's fallback is played
instead, the log has the reason, and the process is restarted after a pause that doubles. After
three failures in a row a strategy of the game plays to the end of the game; then the process is
tried again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from bluebear.clients.bots.json_lines import Introduced, Program, ProgramError
from bluebear.clients.sdk import Chooser, MoveClock, View, answer_of

FAILURES_MAX: Final = 3
"""After this many failures in a row another bot plays the game to its end."""
PAUSE_SECONDS: Final = 1.0
"""The pause before the first restart; it doubles for each further one."""
PAUSE_MAX_SECONDS: Final = 60.0

log = logging.getLogger(__name__)


class ProcessBot:
    """One process at one seat, for many games. Call `start` before and `close` after.

    `plain` plays when the process fails once, `casual` when it has failed too often.
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
        self.failures = 0
        """The current number of failures in a row."""
        self._starting: asyncio.Task[None] | None = None

    async def start(self) -> Introduced:
        """Start the process for the first time. Raises ProgramError."""
        self._program, introduced = await Program.start(self._command, self._name)
        return introduced

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """One of the lines, guaranteed."""
        program = self._program
        if program is None:
            return await self._stand_in(view, lines, clock)
        try:
            async with asyncio.timeout(clock.move):
                line = await program.choose(view, lines, clock)
            if line in lines:
                self.failures = 0
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
        """Report the end of a game to the process, or restart a failed one."""
        if self._program is not None:
            self._program.over(view)
        elif self.failures >= FAILURES_MAX:
            self.failures = 0
            self._starting = asyncio.create_task(self._start_again(0.0))

    async def close(self) -> None:
        """End the process."""
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.wait([self._starting])
        if self._program is not None:
            await self._program.close()
            self._program = None

    async def _stand_in(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        chosen = self._casual if self.failures >= FAILURES_MAX else self._plain
        return await answer_of(chosen, view, lines, clock)

    def _fail(self, why: ProgramError, view: View | None) -> None:
        """Count a failure; schedule a restart unless there were too many."""
        self._program = None
        self.failures += 1
        where = "" if view is None else f" in room {view.room_id}, version {view.version}"
        if self.failures >= FAILURES_MAX:
            log.error("%s%s: %s; another bot plays this game to its end", self._name, where, why)
            return
        pause = min(PAUSE_MAX_SECONDS, PAUSE_SECONDS * 2 ** (self.failures - 1))
        log.error("%s%s: %s; started again in %.0f s", self._name, where, why, pause)
        self._starting = asyncio.create_task(self._start_again(pause))

    async def _start_again(self, pause: float) -> None:
        await self._sleep(pause)
        try:
            self._program, _ = await Program.start(self._command, self._name)
        except ProgramError as problem:
            self._fail(problem, None)
