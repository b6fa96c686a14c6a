"""WebSocket clients cheap enough to keep a server busy from one processor.

Only what a load generator needs: one handshake, whole frames, no fragments. Frames go out with a
mask of zeros, which is a mask like any other to the server, and leaves the payload as it is.
"""

from __future__ import annotations

import asyncio
import struct
from typing import Final, cast
from urllib.parse import urlsplit

_TEXT: Final = 0x81
_BINARY: Final = 0x82
_CLOSE: Final = 0x88
_PING: Final = 0x89
_PONG: Final = 0x8A
_MASKED: Final = 0x80
_NO_MASK: Final = bytes(4)
_HANDSHAKE: Final = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: YmVuY2htYXJrIG9mIGJiZQ==\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
)


class RunFailed(Exception):
    """The run is invalid: a client did not send or receive what it should."""


def framed(payload: bytes, *, text: bool = False) -> bytes:
    """A whole, final, masked frame."""
    first = _TEXT if text else _BINARY
    size = len(payload)
    if size < 126:
        return bytes((first, _MASKED | size)) + _NO_MASK + payload
    return bytes((first, _MASKED | 126)) + struct.pack(">H", size) + _NO_MASK + payload


class Connection(asyncio.Protocol):
    """One connection; subclasses say what to do with a message. Owned by its table."""

    transport: asyncio.Transport

    def __init__(self, address: str, subprotocol: str = "") -> None:
        parts = urlsplit(address)
        more = f"Sec-WebSocket-Protocol: {subprotocol}\r\n" if subprotocol else ""
        self._request = _HANDSHAKE.format(path=parts.path or "/", host=parts.netloc, more=more)
        self._left = b""
        self._open = False
        self._leaving = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def message(self, payload: bytes) -> None:
        """A message has come."""
        raise NotImplementedError

    def leave(self) -> None:
        """Go without a word."""
        self._leaving = True
        self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # A stream's transport; uvloop's is one by what it can do, not by its class.
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._leaving:
            raise RunFailed(f"a connection was lost: {exc}")

    def data_received(self, data: bytes) -> None:
        if self._left:
            data = self._left + data
        at = 0 if self._open else self._shake_hands(data)
        end = len(data)
        while end - at >= 2:
            size = data[at + 1]
            start = at + 2
            if size == 126:
                size = int.from_bytes(data[start : start + 2], "big")
                start += 2
            elif size == 127:
                size = int.from_bytes(data[start : start + 8], "big")
                start += 8
            if start + size > end:
                break
            first = data[at]
            at = start + size
            if first in (_BINARY, _TEXT):
                self.message(data[start:at])
            else:
                self._control(first, data[start:at])
        self._left = data[at:]

    def _shake_hands(self, data: bytes) -> int:
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return len(data) + 1
        if b" 101 " not in data[:20]:
            raise RunFailed(f"no handshake: {data[:200]!r}")
        self._open = True
        self.opened.set_result(None)
        return end + 4

    def _control(self, first: int, payload: bytes) -> None:
        if first == _PING:
            pong = bytes((_PONG, _MASKED | len(payload))) + _NO_MASK + payload
            self.transport.write(pong)
        elif first == _CLOSE:
            raise RunFailed(f"the server closed a connection: {payload!r}")
