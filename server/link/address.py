"""Where an engine hears edges: `unix:/PATH` on one machine, `HOST:PORT` between several."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

from server.link.wire import SocketLink

_UNIX: Final = "unix:"
_DIAL_SECONDS: Final = 2.0


def is_address(text: str) -> bool:
    """Whether an engine can listen there."""
    if text.startswith(_UNIX):
        return len(text) > len(_UNIX)
    host, _, port = text.rpartition(":")
    return bool(host) and port.isascii() and port.isdigit() and 0 < int(port) < 65536


def told_address(listens: str) -> str:
    """The address that others are told: who listens on all of a machine is found by its name."""
    host, _, port = listens.rpartition(":")
    everywhere = host in ("0.0.0.0", "[::]", "::")
    return f"{socket.gethostname()}:{port}" if everywhere else listens


async def listen(address: str, made: Callable[[], SocketLink]) -> asyncio.Server:
    """Hear edges. Raises OSError where that address cannot be had."""
    loop = asyncio.get_running_loop()
    if address.startswith(_UNIX):
        return await loop.create_unix_server(made, sock=_socket_at(address.removeprefix(_UNIX)))
    host, _, port = address.rpartition(":")
    return await loop.create_server(made, host.strip("[]"), int(port))


def _socket_at(path: str) -> socket.socket:
    """A socket that nobody else may call; one that a dead process has left is taken away."""
    Path(path).unlink(missing_ok=True)
    opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    opened.bind(path)
    Path(path).chmod(0o600)
    return opened


async def dial(address: str, made: Callable[[], SocketLink]) -> None:
    """Call an engine. Raises OSError if nobody is there, TimeoutError after a while."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(_DIAL_SECONDS):
        if address.startswith(_UNIX):
            await loop.create_unix_connection(made, address.removeprefix(_UNIX))
            return
        host, _, port = address.rpartition(":")
        await loop.create_connection(made, host.strip("[]"), int(port))
