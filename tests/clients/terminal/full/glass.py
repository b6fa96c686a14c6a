"""A window in which a screen is drawn and read back, without any terminal."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from wcwidth import wcwidth

from bluebear.clients.phrases import Texts
from bluebear.clients.terminal.chat import Conversation
from bluebear.clients.terminal.fullscreen.window import FullScreen, Log

PATIENCE_SECONDS: Final = 60.0
"""A net: what is never drawn shall fail its test rather than stop the suite."""


class Glass:
    """What a terminal of some size shows. It is a file that escapes are written to."""

    encoding = "utf-8"

    def __init__(self, columns: int, rows: int) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self._news = asyncio.Event()
        self.bells = 0
        self.written = ""

    def write(self, data: str) -> None:
        self.written += data
        self.bells += data.count("\a")
        self._stream.feed(data)
        self._news.set()

    def flush(self) -> None:
        """Everything stands there already."""

    def fileno(self) -> int:
        raise OSError("no file")

    def isatty(self) -> bool:
        return True

    @property
    def size(self) -> Size:
        return Size(rows=self._screen.lines, columns=self._screen.columns)

    def resize(self, columns: int, rows: int) -> None:
        self._screen.resize(rows, columns)
        self._screen.cursor_position()  # terminals differ in where they leave it

    @property
    def lines(self) -> list[str]:
        """The rows; the second half of a wide sign is no sign of its own."""
        rows = []
        for row in range(self._screen.lines):
            cells = self._screen.buffer[row]
            signs = [cells[column].data for column in range(self._screen.columns)]
            rows.append("".join(signs).rstrip())
        return rows

    @property
    def widest(self) -> int:
        """The columns of the widest row."""
        return max(sum(max(0, wcwidth(sign)) for sign in line) for line in self.lines)

    def colours(self, text: str) -> set[str]:
        """The colours of the signs of a row that has this text."""
        for row, line in enumerate(self.lines):
            if text in line:
                at = line.index(text)
                cells = self._screen.buffer[row]
                return {cells[column].fg for column in range(at, at + len(text))}
        raise AssertionError(f"{text} is not on the screen")

    async def shows(self, holds: Callable[[list[str]], bool]) -> list[str]:
        """Wait until something holds for the rows; the rows."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not holds(self.lines):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError("never seen; last:\n" + "\n".join(self.lines)) from None
        return self.lines

    async def says(self, text: str) -> list[str]:
        """Wait until a row has a text; the rows."""
        return await self.shows(lambda lines: any(text in line for line in lines))


@dataclass
class Sitting:
    """A person before a glass."""

    glass: Glass
    keyboard: PipeInput
    full: FullScreen
    log: Log
    conversation: Conversation
    running: asyncio.Task[None]

    @property
    def sent_lines(self) -> list[str]:
        """The lines sent so far; the client must be a `Still`."""
        return cast("list[str]", cast(Any, self.conversation.client).sent_lines)

    def type(self, keys: str) -> None:
        """Press keys, the one for a new line among them."""
        self.keyboard.send_text(keys)

    def resize(self, columns: int, rows: int) -> None:
        """Drag the window to another size."""
        self.glass.resize(columns, rows)
        os.kill(os.getpid(), signal.SIGWINCH)


@asynccontextmanager
async def sitting(
    conversation: Conversation,
    log: Log,
    phrases: Texts,
    glass: Glass,
    *,
    listen: bool = False,
    **more: Any,  # Any: whatever the screen takes
) -> AsyncIterator[Sitting]:
    """A person before a screen of a conversation; with `listen` it is listened to."""
    output = Vt100_Output(
        cast(Any, glass),
        lambda: glass.size,
        term="xterm",
        default_color_depth=ColorDepth.DEPTH_4_BIT,
        enable_cpr=False,
    )
    with create_pipe_input() as keyboard:
        full = FullScreen(
            conversation, log, phrases, history=None, keyboard=keyboard, display=output, **more
        )
        running = asyncio.create_task(full.run())
        tasks: list[asyncio.Task[Any]] = [running]
        if listen:
            tasks.append(asyncio.create_task(conversation.listen()))
        try:
            yield Sitting(glass, keyboard, full, log, conversation, running)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
