"""One WebSocket connection: sends and receives messages, and reports how it ended."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from bluebear.clients.transport.errors import Unreachable
from bluebear.clients.transport.heartbeat import Act, Heartbeat
from bluebear.protocol import (
    BadMessage,
    ClientMessage,
    Close,
    Codec,
    Hostile,
    ReceivedKeys,
    ServerMessage,
    Unreadable,
)

FRAME_MAX_BYTES: Final = 8 * 2**20
"""Maximum length of a received frame: a snapshot has about 20 KiB, a game's data with maps more."""

CLOSE_SECONDS: Final = 1.0
"""Timeout of the closing handshake; a connection that needs longer is dead."""

_CLIENT_FAULTS: Final = frozenset({Close.UNREADABLE, Close.POLICY, Close.TOO_BIG})
_SENSELESS: Final = (Unreadable, Hostile)

log = logging.getLogger(__name__)


class SenselessError(Exception):
    """The server has sent what no message of the protocol is."""


@dataclass(frozen=True, slots=True)
class CloseInfo:
    """How a connection ended: its close code, if there was one."""

    code: int | None = None

    @property
    def is_replaced(self) -> bool:
        """Whether the same person has connected once too often."""
        return self.code == Close.REPLACED

    @property
    def is_client_fault(self) -> bool:
        """Whether a fault of this client closed it, which a fast reconnect would repeat."""
        return self.code in _CLIENT_FAULTS


UNUSABLE: Final = CloseInfo(Close.UNREADABLE)
"""Closed by this client, which could not use what it received."""


class Listening(ClientConnection):
    """A WebSocket that stores when it last received bytes, also those of an incomplete frame."""

    received_at = 0.0
    on_bytes: asyncio.Event | None = None
    """Is set when bytes arrive while the heartbeat waits for a sign of life."""

    def data_received(self, data: bytes) -> None:
        """Store the time and pass the bytes on."""
        self.received_at = self.loop.time()
        if self.on_bytes is not None:
            self.on_bytes.set()
        super().data_received(data)


class Wire:
    """A connection and its queue of outgoing messages. Owned by one client."""

    def __init__(self, socket: Listening, codec: Codec) -> None:
        self._socket = socket
        self._codec = codec
        self._keys = ReceivedKeys()
        self._outbox: deque[ClientMessage] = deque()
        self._sending = asyncio.Lock()
        self._stirred = asyncio.Event()

    def put(self, messages: Iterable[ClientMessage]) -> None:
        """Have messages sent with the next ones."""
        self._outbox.extend(messages)
        self._stirred.set()

    async def send(self, messages: Iterable[ClientMessage]) -> None:
        """Send messages in the order of the calls. Ignores a closed connection: `receive` reports
        that one.
        """
        self.put(messages)
        async with self._sending:
            while self._outbox:
                frame = self._codec.encode(self._outbox.popleft())
                try:
                    await self._socket.send(frame, text=self._codec.text)
                except ConnectionClosed:
                    self._outbox.clear()

    async def receive(self) -> ServerMessage | None:
        """The next message; None for a message of a newer protocol, which is ignored.

        Raises ConnectionClosed or SenselessError.
        """
        frame = await self._socket.recv()
        try:
            return self._codec.decode_server(frame, self._keys)
        except BadMessage as error:
            log.info("a message that is not understood: %s", error)
            return None
        except _SENSELESS as error:
            raise SenselessError(str(error)) from error

    async def watch(self, pulse: Heartbeat) -> None:
        """Send pings after silence, and abort a dead connection; for one task.

        `receive` then raises ConnectionClosed.
        """
        loop = asyncio.get_running_loop()
        while True:
            self._stirred.clear()
            pulse.hear(self._socket.received_at)
            act, at = pulse.next()
            if at > loop.time():
                self._socket.on_bytes = self._stirred if act is Act.GIVE_UP else None
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(at):
                        await self._stirred.wait()
            elif act is Act.GIVE_UP:
                pulse.give_up()
                self._socket.transport.abort()
                return
            else:
                pulse.ask(loop.time())
                # If the peer receives nothing any more, a ping is not sent either.
                with suppress(TimeoutError, ConnectionClosed):
                    async with asyncio.timeout_at(pulse.next()[1]):
                        await self._socket.ping()

    async def close(self) -> None:
        """Close the connection; does nothing if it is closed."""
        await self._socket.close()

    def ending(self) -> CloseInfo:
        """How the connection ended; only after its end."""
        return CloseInfo(self._socket.close_code)


async def open_wire(url: str, codec: Codec) -> Wire:
    """Connect to a server. Raises Unreachable."""
    try:
        socket = await connect(
            url,
            subprotocols=[Subprotocol(codec.name)],
            compression=None,
            max_size=FRAME_MAX_BYTES,
            close_timeout=CLOSE_SECONDS,
            ping_interval=None,  # see `Wire.watch`
            create_connection=Listening,
            proxy=None if _is_loopback(url) else True,
        )
    except (OSError, WebSocketException) as error:
        raise Unreachable("unreachable", str(error)) from error
    assert isinstance(socket, Listening)  # `create_connection` above
    if socket.subprotocol != codec.name:
        await socket.close()
        raise Unreachable("unreachable", f"the server does not speak {codec.name}")
    return Wire(socket, codec)


def _is_loopback(url: str) -> bool:
    """Whether the URL names this machine: proxies from the environment do not apply to it."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
