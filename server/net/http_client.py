"""Requests to other servers: one POST, of whose answer only the status is read."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit

from bluebear.server.limits import HOOK_SECONDS

PORTS: Final = {"https": 443, "http": 80}
_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d)[ \r\n]")
_STATUS_MAX_BYTES: Final = 4 * 1024
"""The first line of an answer, which is all that is read of it."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request: its address, headers and body."""

    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


SendRequest = Callable[[HttpRequest], Coroutine[Any, Any, int]]
"""Sends a request; the status of the answer, 0 for none."""


async def send_request(request: HttpRequest) -> int:
    """Send a request; the status of the answer, 0 where none came in time.

    The time is for the whole request: a server that answers a byte now and then keeps no other one
    waiting. No redirect is followed: it would lead where no operator has allowed.
    """
    try:
        async with asyncio.timeout(HOOK_SECONDS):
            return await _send(request)
    except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return 0


async def _send(request: HttpRequest) -> int:
    parts = urlsplit(request.url)
    port = parts.port or PORTS[parts.scheme]
    # Reading all the authorities takes a tenth of a second: once, and not on the loop.
    secure = await asyncio.to_thread(_authorities) if parts.scheme == "https" else None
    reader, writer = await asyncio.open_connection(
        parts.hostname, port, ssl=secure, limit=_STATUS_MAX_BYTES
    )
    try:
        writer.write(_packed(request) + request.body)
        await writer.drain()
        return _status(await reader.readuntil(b"\n"))
    finally:
        # The rest of the answer is not waited for.
        writer.transport.abort()


@cache
def _authorities() -> ssl.SSLContext:
    return ssl.create_default_context()


def _packed(request: HttpRequest) -> bytes:
    parts = urlsplit(request.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [
        f"POST {target} HTTP/1.1",
        f"Host: {parts.netloc}",
        *(f"{name}: {value}" for name, value in request.headers),
        f"Content-Length: {len(request.body)}",
        "Connection: close",
    ]
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def _status(line: bytes) -> int:
    """The number in an answer's first line; 0 where that is none."""
    match = _STATUS.match(line)
    return 0 if match is None else int(match[1])
