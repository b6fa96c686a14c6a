"""Sockets: the only module that knows the WebSocket library, so that it can be exchanged.

One port serves `/ws`, invite links `/r/TOKEN` and `/healthz`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.typing import Subprotocol

from protocol import JSON, MSGPACK, Codec, codec_for
from server.app import App
from server.caller import Caller
from server.limits import DEAD_SECONDS, FRAME_MAX_BYTES, PING_SECONDS, QUEUE_MAX_BYTES
from server.observe import count
from server.sentences import say

_OPEN_SECONDS: Final = 10.0
_CLOSE_SECONDS: Final = 5.0
_TOO_SLOW: Final = 4008
_FRAME_16: Final = 126
_FRAME_64: Final = 127


def wire(payload: bytes, *, text: bool) -> bytes:
    """One whole, final, unmasked frame: what a server sends for a message (RFC 6455, 5.2)."""
    first = 0x81 if text else 0x82
    size = len(payload)
    if size < _FRAME_16:
        return bytes((first, size)) + payload
    if size < 2**16:
        return bytes((first, _FRAME_16)) + size.to_bytes(2, "big") + payload
    return bytes((first, _FRAME_64)) + size.to_bytes(8, "big") + payload


class WebSocketLink:
    """The way to one client.

    Frames go straight to the socket's buffer: the library's own `send` would wait for slow readers,
    and fan-out must never wait. The bound of the buffer is kept here.
    """

    def __init__(
        self, socket: ServerConnection, codec: Codec, owner: set[asyncio.Task[None]]
    ) -> None:
        self._socket = socket
        self._text = codec.text
        self._owner = owner
        self._closing = False
        address = socket.remote_address
        self.address = str(address[0]) if address else ""

    def push(self, frame: bytes) -> None:
        """Send a frame soon; who lets too much pile up is cut off and may come back."""
        transport = self._socket.transport
        if self._closing or self._socket.state is not State.OPEN:
            return
        if transport.get_write_buffer_size() + len(frame) > QUEUE_MAX_BYTES:
            count("connections.too_slow")
            self.close(_TOO_SLOW, "too slow")
            return
        transport.write(wire(frame, text=self._text))

    def close(self, code: int, reason: str) -> None:
        """Close the connection; a client that reads nothing is cut after a short while."""
        if self._closing:
            return
        self._closing = True
        task = asyncio.get_running_loop().create_task(self._socket.close(code, reason))
        self._owner.add(task)
        task.add_done_callback(self._owner.discard)


class Transport:
    """The listening socket and its connections; owned by whoever started it."""

    def __init__(self, app: App, health: Callable[[], dict[str, Any]]) -> None:
        # Any: a plain tree for /healthz.
        self._app = app
        self._health = health
        self._closing: set[asyncio.Task[None]] = set()
        self._server: Server | None = None

    async def open(self, host: str, port: int) -> int:
        """Listen; returns the port. Raises OSError if it is taken."""
        self._server = await serve(
            self._connection,
            host,
            port,
            subprotocols=[Subprotocol(MSGPACK.name), Subprotocol(JSON.name)],
            compression=None,
            process_request=self._request,
            open_timeout=_OPEN_SECONDS,
            close_timeout=_CLOSE_SECONDS,
            ping_interval=PING_SECONDS,
            ping_timeout=DEAD_SECONDS,
            max_size=FRAME_MAX_BYTES,
            server_header=None,
            logger=_silent_logger(),
        )
        port_number: int = next(iter(self._server.sockets)).getsockname()[1]
        return port_number

    async def close(self) -> None:
        """Stop listening and close every connection."""
        if self._server is not None:
            self._server.close(code=4002, reason="restart")
            await self._server.wait_closed()
        await asyncio.gather(*self._closing, return_exceptions=True)

    async def _connection(self, socket: ServerConnection) -> None:
        codec = codec_for(socket.subprotocol or JSON.name) or JSON
        link = WebSocketLink(socket, codec, self._closing)
        caller: Caller | None = self._app.reception.connect(link, codec)
        if caller is None:
            await socket.wait_closed()
            return
        received = self._app.reception.received
        try:
            async for frame in socket:
                received(caller, frame)
        except ConnectionClosed:
            count("connections.broken")
        finally:
            self._app.reception.gone(caller)

    def _request(self, socket: ServerConnection, request: Request) -> Response | None:
        """What is asked for by plain HTTP; None lets the WebSocket handshake go on."""
        path = urlsplit(request.path).path
        if path == "/ws":
            return self._check_origin(socket, request)
        if path == "/healthz":
            health = self._health()
            status = HTTPStatus.OK if health["ok"] else HTTPStatus.SERVICE_UNAVAILABLE
            return _respond(socket, status, json.dumps(health) + "\n", "application/json")
        if path.startswith("/r/"):
            link = f"{self._app.public_url}{path}"
            text = "\n".join(say("answer.how_to_join", lang, link=link) for lang in ("en", "ja"))
            return _respond(socket, HTTPStatus.OK, text + "\n", "text/plain; charset=utf-8")
        return _respond(socket, HTTPStatus.NOT_FOUND, "not found\n", "text/plain")

    def _check_origin(self, socket: ServerConnection, request: Request) -> Response | None:
        """A page of another site must not speak for its visitor; programs send no Origin."""
        origin = request.headers.get("Origin")
        if origin is None or origin in self._app.config.origins:
            return None
        if urlsplit(origin).netloc == request.headers.get("Host"):
            return None
        count("connections.wrong_origin")
        return _respond(socket, HTTPStatus.FORBIDDEN, "wrong origin\n", "text/plain")


def _respond(socket: ServerConnection, status: HTTPStatus, text: str, kind: str) -> Response:
    response = socket.respond(status, text)
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = kind
    return response


def _silent_logger() -> logging.Logger:
    """The library logs each abrupt end with a traceback; we count them instead."""
    made = logging.getLogger("bluebear.websockets")
    made.setLevel(logging.CRITICAL)
    return made


__all__ = ["Transport", "WebSocketLink", "wire"]
