"""The operator's own door: a socket in the data folder, for whoever may write there.

One line comes (`backup PATH`), one JSON object goes back. The file system says who may open it, so
it needs no password, and no stranger's packet ever gets there.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from bluebear.server.observe import log

SOCKET: Final = "control"
"""The socket's name in the data folder."""
_LINE_MAX: Final = 4 * 1024
"""A word and a path."""
_LINE_SECONDS: Final = 10.0

Answer = Mapping[str, object]
Order = Callable[[str], Awaitable[Answer]]
"""What follows the word -> what is answered; with `error`, in words for logs, if it went wrong."""


class Control:
    """Answers at a data folder's socket; owned by the server that has the folder's lock."""

    def __init__(self, folder: Path, orders: Mapping[str, Order]) -> None:
        self._path = folder / SOCKET
        self._orders = orders
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen; a socket that a dead server has left is taken away."""
        self._path.unlink(missing_ok=True)
        try:
            opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            opened.bind(str(self._path))
            self._path.chmod(0o600)
            self._server = await asyncio.start_unix_server(
                self._answer, sock=opened, limit=_LINE_MAX
            )
        except (AttributeError, OSError) as problem:
            # Too long a path, or a system without such sockets: everything else works.
            log(logging.WARNING, "no control socket", why=str(problem))

    async def close(self) -> None:
        """Listen no more; who is being answered gets his answer."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        self._path.unlink(missing_ok=True)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError, TimeoutError, ValueError):
                async with asyncio.timeout(_LINE_SECONDS):
                    line = (await reader.readline()).decode()
                word, _, rest = line.strip().partition(" ")
                order = self._orders.get(word)
                said: Answer = {"error": f"no such order: {word}"}
                if order is not None:
                    said = await order(rest)
                writer.write(json.dumps(said).encode() + b"\n")
                await writer.drain()
        finally:
            writer.close()


def ask(folder: Path, line: str) -> Answer | None:
    """Give an order to the server of a folder, and wait for the answer; None: none listens."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            door.connect(str(folder / SOCKET))
            door.sendall(f"{line}\n".encode())
            with door.makefile("r", encoding="utf-8") as answer:
                said = answer.readline()
    except (FileNotFoundError, ConnectionError):
        return None
    made: Answer = json.loads(said) if said else {"error": "the server has gone"}
    return made


JOURNAL: Final = "bluebear.sqlite"
"""The journal's file."""


def lock_folder(data: Path) -> IO[str] | None:
    """The lock on a data folder, held as long as the file is open; None if somebody has it."""
    file = (data / "lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file
