"""A whole game on a pseudo-terminal: the real program, the real server, a house bot, and a kill."""

from __future__ import annotations

import asyncio
import codecs
import fcntl
import os
import pty
import struct
import sys
import termios
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import FOREVER, Client, RoomId, YourMove
from bluebear.clients.terminal.login import LoginRequest, enter
from bluebear.clients.terminal.saved_state import Memory
from tests.clients.terminal.full.glass import Glass
from tests.tools.servers import PATIENCE_SECONDS, ROOT, ServerProcess, environment

pytestmark = pytest.mark.slow_loop

PHRASES: Final = Texts("en", "bluebear.clients.terminal")
COLUMNS: Final = 80
ROWS: Final = 24
BLOCK: Final = 65_536
MOVES_BEFORE_THE_KILL: Final = 8


class Terminal:
    """A program on a pseudo-terminal of 80 columns and 24 rows. Owned by a test."""

    def __init__(self, process: Process, master: int) -> None:
        self.process = process
        self.glass = Glass(COLUMNS, ROWS)
        self._master = master
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        asyncio.get_running_loop().add_reader(master, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._master, BLOCK)
        except OSError:  # how Linux says that the other end is closed
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._master)
            return
        self.glass.write(self._decoder.decode(data))

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    async def prompts(self, line: str) -> list[str]:
        """Wait until this is the last row; the rows."""
        return await self.glass.shows(lambda lines: lines[-1] == line)


@asynccontextmanager
async def terminal(state: Path, *argv: str) -> AsyncIterator[Terminal]:
    """The program on a terminal of its own, ended with the test."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bluebear", *argv),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=ROOT,
        env={
            **environment(),
            "XDG_STATE_HOME": str(state),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        },
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        asyncio.get_running_loop().remove_reader(master)
        os.close(master)


async def test_a_complete_game_is_played_on_a_screen_over_a_killed_server(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path, house=True) as server:
        argv = ("chat", server.url, "--name", "Ayu")
        async with terminal(tmp_path, *argv) as screen:
            await screen.prompts("lobby>")
            screen.type("/newroom manhattan unlisted\r/join\r/bot greedy\r/start\r")
            await screen.glass.says("Your turn: /take")
            guest = LoginRequest(
                url=server.url, name="Ayu", lang="en", backoff=FOREVER, wants=frozenset({"moves"})
            )
            memory = Memory(tmp_path / "bluebear")
            async with AsyncExitStack() as stack:
                # A second window of hers: both keep their token in the same file.
                eyes = await enter(guest, memory, PHRASES, lambda _: None, stack)
                moves = await play(screen, eyes, server)
            assert moves >= 24, "four rounds of six blocks, some of which follow by themselves"
            lines = await screen.glass.says("/again plays once more")
            assert all("Your turn" not in line for line in lines)
            assert sum(line.startswith(" Manhattan") for line in lines) == 1, "one bar"
            screen.type("/quit\r")
            async with asyncio.timeout(PATIENCE_SECONDS):
                assert await screen.process.wait() == 0
        assert server.complaints() == []


async def play(screen: Terminal, eyes: Client, server: ServerProcess) -> int:
    """Type the first legal line whenever it is Ayu's turn, to the end; how many were typed.

    `eyes` is a second connection of hers, which is told what is legal.
    """
    bar = next(line for line in screen.glass.lines if line.startswith(" Manhattan"))
    room = RoomId(bar.split()[1])
    await eyes.say(f"/room {room}")
    acted: object = None
    count = 0
    async for happening in eyes.happenings():
        view = eyes.room(room)
        if view.phase == "over":
            return count
        # Lines come after the view that they belong to; before, those of the last one stand there.
        if not isinstance(happening, YourMove) or view.moves.get(happening.seat) is not happening:
            continue
        if not happening.lines or view.view.get("game") == acted:
            continue
        line = happening.lines[0]
        acted = view.view.get("game")
        await screen.prompts(f"* {room}>")
        half = line.index(" ") - 1
        screen.type(line[:half])
        await screen.prompts(f"* {room}> {line[:half]}")
        if count == MOVES_BEFORE_THE_KILL:
            await server.kill()
            await screen.glass.shows(lambda lines: lines[-2].startswith("The connection is lost"))
            await server.start()
            await screen.glass.shows(lambda lines: lines[-2].startswith("Your turn"))
            assert screen.glass.lines[-1] == f"* {room}> {line[:half]}", "what was typed stays"
        screen.type(f"{line[half:]}\r")
        count += 1
        assert screen.glass.widest <= COLUMNS
    raise AssertionError("the game has no end")
