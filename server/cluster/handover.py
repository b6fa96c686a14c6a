"""Hands a client's connection over to the node that its request names, on one machine.

Nodes share one port. A node that reads a request for another one gives away the socket, with the
bytes that it has read, before anything was answered; no byte passes through it afterwards.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from bluebear.server.runtime import Tasks, count

HEAD_MAX_BYTES: Final = 128 * 1024
"""A request, and the frames that came with it; the library reads no longer requests."""
BACKLOG: Final = 256
_PING: Final = b"?"
_PONG: Final = b"!"

Take = Callable[[socket.socket, bytes], Coroutine[Any, Any, None]]


class Handover:
    """Owned by its process. `folder` is private to the nodes of this machine."""

    def __init__(self, folder: Path, name: str, take: Take) -> None:
        self._folder = folder
        self._path = folder / f"{name}.sock"
        self._take = take
        self._plug = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        self._tasks = Tasks()

    def open(self) -> None:
        """Take connections from now on. Raises OSError."""
        self._path.unlink(missing_ok=True)
        self._plug.bind(str(self._path))
        self._plug.listen(BACKLOG)
        asyncio.get_running_loop().add_reader(self._plug, self._accept)

    async def close(self) -> None:
        """Take no more."""
        asyncio.get_running_loop().remove_reader(self._plug)
        self._plug.close()
        self._path.unlink(missing_ok=True)
        await self._tasks.close()

    def give(self, name: str, descriptor: int, head: bytes) -> bool:
        """Give a connection to the node called `name`; False if there is none."""
        call = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        with call, suppress(OSError):
            call.connect(str(self._folder / f"{name}.sock"))
            socket.send_fds(call, [head], [descriptor])
            count("handover.given")
            return True
        return False

    def _accept(self) -> None:
        with suppress(OSError):
            call, _ = self._plug.accept()
            call.settimeout(0.0)
            asyncio.get_running_loop().add_reader(call, self._receive, call)

    def _receive(self, call: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(call)
        with call, suppress(OSError):
            head, descriptors, _, _ = socket.recv_fds(call, HEAD_MAX_BYTES, 1)
            if descriptors:
                count("handover.taken")
                self._tasks.start(self._take(socket.socket(fileno=descriptors[0]), head))
            elif head == _PING:
                call.send(_PONG)


async def is_alive(path: Path, seconds: float) -> bool:
    """Whether the node that takes connections at `path` answers within `seconds`."""
    loop = asyncio.get_running_loop()
    call = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
    with call:
        try:
            async with asyncio.timeout(seconds):
                await loop.sock_connect(call, str(path))
                await loop.sock_sendall(call, _PING)
                return await loop.sock_recv(call, 1) == _PONG
        except (OSError, TimeoutError):
            return False
