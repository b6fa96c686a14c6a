"""A second, local address, where an operator's program reads the figures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from bluebear.server.watch.exposition import KIND

_REQUEST_MAX: Final = 8 * 1024
_REQUEST_SECONDS: Final = 5.0
"""One request of a few lines; who asks slower, or more, is no Prometheus."""
_AT_ONCE: Final = 8
"""Askers at a time: one or two are wanted, and making the text takes a millisecond."""


class MetricsPort:
    """Answers `GET /metrics` with a text, anything else with 404; owned by who has opened it."""

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text
        self._asking = 0
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> int:
        """Listen; returns the port. Raises OSError if it is taken."""
        self._server = await asyncio.start_server(self._answer, host, port, limit=_REQUEST_MAX)
        number: int = self._server.sockets[0].getsockname()[1]
        return number

    async def close(self) -> None:
        """Listen no more; who is being answered gets his answer."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._asking += 1
        try:
            with suppress(
                OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError
            ):
                async with asyncio.timeout(_REQUEST_SECONDS):
                    if self._asking <= _AT_ONCE:
                        writer.write(self._response(await reader.readuntil(b"\r\n\r\n")))
                        await writer.drain()
        finally:
            self._asking -= 1
            writer.close()

    def _response(self, request: bytes) -> bytes:
        method, _, rest = request.partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        if method != b"GET" or path != b"/metrics":
            return _http("404 Not Found", "text/plain", "not found\n")
        return _http("200 OK", KIND, self._text())


def _http(status: str, kind: str, text: str) -> bytes:
    body = text.encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
