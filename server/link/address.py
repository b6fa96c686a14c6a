"""Where an engine hears edges: `unix:/PATH` on one machine, `HOST:PORT` between several."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

from bluebear.server.link.wire import SocketLink
from bluebear.server.net.http import host_and_port

_UNIX: Final = "unix:"
_DIAL_SECONDS: Final = 2.0


def advertised_address(listens: str) -> str:
    """The address that others are told: who listens on all of a machine is found by its name."""
    host, _, port = listens.rpartition(":")
    everywhere = host in ("0.0.0.0", "[::]", "::")
    return f"{socket.gethostname()}:{port}" if everywhere else listens


def socket_at(address: str) -> socket.socket:
    """An address taken, before anybody is told of it: callers wait there until somebody hears.

    Raises OSError where that address cannot be had.
    """
    if address.startswith(_UNIX):
        return _unix_socket(Path(address.removeprefix(_UNIX)))
    host, port = host_and_port(address)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    family, _, _, _, where = found[0]
    return socket.create_server(where[:2], family=family)


def _unix_socket(path: Path) -> socket.socket:
    """A socket that nobody else may call; one that a dead process has left is taken away."""
    path.unlink(missing_ok=True)
    opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    opened.bind(str(path))
    path.chmod(0o600)
    opened.listen()
    return opened


async def hear(taken: socket.socket, made: Callable[[], SocketLink]) -> asyncio.Server:
    """Hear edges at an address that was taken, those that wait there first."""
    loop = asyncio.get_running_loop()
    if taken.family == socket.AF_UNIX:
        return await loop.create_unix_server(made, sock=taken)
    return await loop.create_server(made, sock=taken)


async def dial(address: str, made: Callable[[], SocketLink]) -> None:
    """Call an engine. Raises OSError if nobody is there, TimeoutError after a while."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(_DIAL_SECONDS):
        if address.startswith(_UNIX):
            await loop.create_unix_connection(made, address.removeprefix(_UNIX))
            return
        await loop.create_connection(made, *host_and_port(address))
