"""A way over TCP that can be cut and opened again: before the database, and on every link."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

_PIECE: Final = 64 * 1024


class Proxy:
    """Passes bytes to `target`: a path of a unix socket, or (host, port)."""

    def __init__(self, target: str | tuple[str, int]) -> None:
        self._target = target
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self.is_cut = False
        self.port = 0

    async def open(self) -> int:
        """Listen; the port."""
        self._server = await asyncio.start_server(self._called, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self.port

    def cut(self) -> None:
        """Break the open connections, and accept no new ones."""
        self.is_cut = True
        for writer in list(self._writers):
            writer.transport.abort()

    def mend(self) -> None:
        """Accept connections again."""
        self.is_cut = False

    async def close(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
        self.cut()
        await asyncio.sleep(0)

    async def _called(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut:
            writer.transport.abort()
            return
        try:
            if isinstance(self._target, str):
                there = await asyncio.open_unix_connection(self._target)
            else:
                there = await asyncio.open_connection(*self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, there[1]}
        await asyncio.gather(self._pass(reader, there[1]), self._pass(there[0], writer))
        self._writers -= {writer, there[1]}

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(_PIECE):
                writer.write(piece)
                await writer.drain()
        writer.transport.abort()
