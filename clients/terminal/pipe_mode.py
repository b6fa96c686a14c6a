"""Input from a pipe: sends each line after the reply to the line before."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import IO, Final

from bluebear.clients.terminal.chat import Conversation, Screen
from bluebear.clients.terminal.client_commands import ClientCommand, client_command
from bluebear.clients.terminal.sanitize import printable

AHEAD_MAX: Final = 64
"""Maximum number of lines read ahead; the writer of the pipe waits beyond it."""

PLAYED: Final = 0
REFUSED: Final = 1


class PlainScreen:
    """Prints to a file without colour. Characters that cannot be encoded become question marks."""

    def __init__(self, out: IO[str], *, ascii_only: bool) -> None:
        self._out = out
        self._ascii_only = ascii_only

    def show(self, text: str) -> None:
        self._out.write(printable(text, ascii_only=self._ascii_only) + "\n")
        self._out.flush()

    def bell(self) -> None:
        """Does nothing: no person reads along."""


async def lines_of(source: IO[str]) -> AsyncIterator[str]:
    """Yield the lines of a stream that may block, without blank ones.

    A thread reads the stream and ends with the process: nothing can interrupt a silent pipe's read.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    room = threading.Semaphore(AHEAD_MAX)

    def read() -> None:
        with suppress(RuntimeError):  # the loop may be closed before the pipe is
            for line in source:
                room.acquire()
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, name="stdin", daemon=True).start()
    while (line := await lines.get()) is not None:
        room.release()
        if line.strip():
            yield line.strip()


async def run_piped(
    conversation: Conversation, screen: Screen, source: IO[str], *, invite: str | None, play: bool
) -> int:
    """Send the opening lines and the lines of the pipe; returns an exit code."""
    if invite is not None:
        await conversation.type_lines("line_room", room=invite)
    elif play and not await conversation.type_lines("line_new_room"):
        return REFUSED
    alone = play
    async for line in lines_of(source):
        if alone:
            alone = False
            await conversation.type_lines("lines_join")
        match client_command(line):
            case ClientCommand.QUIT:
                return PLAYED
            case None:
                await conversation.type(line)
            case _:
                screen.show(line)  # about keys and colours, which do not apply to a pipe
    # Without input two bots play, and the client prints their game.
    if alone and not await conversation.type_lines("lines_show"):
        return REFUSED
    return PLAYED if not alone or await conversation.game_ended() == "over" else REFUSED
