"""Connections that a simulation can delay, clog, cut and leave half-open.

Frames of one direction never overtake each other, as in TCP. What is on its way when the server
dies still arrives, or does not: the world decides.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import Context
from dataclasses import dataclass
from typing import Final, Protocol

from bluebear.protocol import Close, Codec
from bluebear.server.limits import DEAD_SECONDS, QUEUE_MAX_BYTES
from bluebear.server.rooms.connection import Connection
from tests.sim.server_process import Process

TOO_SLOW: Final = 4008
CLOSE_SECONDS: Final = 5.0
"""As the transport: a client that reads nothing is cut so long after it was told to go."""

Delay = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Ending:
    """The last thing on a road: the connection is closed, by the server's code if it has one."""

    code: int | None = None
    reason: str = ""


class Client(Protocol):
    """The client at the far end of a connection."""

    def on_frame(self, wire: Wire, frame: bytes) -> None:
        """A frame has come."""

    def ended(self, wire: Wire, ending: Ending) -> None:
        """The connection is gone."""


class Road:
    """One direction of a wire."""

    def __init__(self, delay: Delay, arrive: Callable[[bytes | Ending], None]) -> None:
        self._delay = delay
        self._arrive = arrive
        self._waiting: deque[tuple[float, bytes | Ending]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._clogged = False
        self._last = 0.0
        self.bytes = 0

    def send(self, what: bytes | Ending) -> None:
        """Let something arrive after everything that was sent before."""
        loop = asyncio.get_running_loop()
        self._last = max(self._last, loop.time() + self._delay())
        self._waiting.append((self._last, what))
        self.bytes += len(what) if isinstance(what, bytes) else 0
        self._go_on()

    def clog(self) -> None:
        """Nothing arrives until the release."""
        self._clogged = True
        self._stop()

    def release(self) -> None:
        """What has piled up arrives, and the rest as usual."""
        self._clogged = False
        self._go_on()

    def cut(self) -> None:
        """What is on its way never arrives."""
        self._waiting.clear()
        self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _go_on(self) -> None:
        if self._timer is None and self._waiting and not self._clogged:
            # In a context of its own: frames under way outlive the process that has sent them.
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(self._waiting[0][0], self._next, context=Context())

    def _next(self) -> None:
        self._timer = None
        _, what = self._waiting.popleft()
        self.bytes -= len(what) if isinstance(what, bytes) else 0
        self._go_on()
        self._arrive(what)


class Wire:
    """One connection: to the server a `Link`, to its client a way to say something."""

    def __init__(
        self, process: Process, client: Client, codec: Codec, delay: Delay, address: str
    ) -> None:
        self.address = address
        self.codec = codec
        self.process = process
        self.client = client
        self._connection: Connection | None = None
        self._closing = False
        self._cut = False
        self.up = Road(delay, self._to_server)
        self.down = Road(delay, self._to_client)
        process.call(self._connect)

    @property
    def open(self) -> bool:
        """Whether the client may still say something."""
        return not self._cut

    def _connect(self) -> None:
        self._connection = self.process.app.dispatcher.connect(self, self.codec)

    # The server's side.

    def push(self, frame: bytes) -> None:
        """See `Link.push`."""
        if self._closing or self.process.dead:
            return
        if self.down.bytes + len(frame) > QUEUE_MAX_BYTES:
            self.close(TOO_SLOW, "too slow")
            return
        if self.process.sends():
            self.down.send(frame)

    def close(self, code: int, reason: str) -> None:
        """See `Link.close`."""
        if self._closing or self.process.dead:
            return
        self._closing = True
        self.down.send(Ending(code, reason))
        loop = asyncio.get_running_loop()
        loop.call_later(CLOSE_SECONDS, self.process.call, self._disconnected, context=Context())

    def _to_server(self, what: bytes | Ending) -> None:
        connection = self._connection
        if connection is None or connection.is_disconnected:
            return
        if isinstance(what, Ending):
            self.process.call(self._disconnected)
        else:
            self._receive(connection, what)

    def _receive(self, connection: Connection, frame: bytes) -> None:
        sent: bytes | str = frame
        if self.codec.text:
            try:
                sent = frame.decode()
            except UnicodeDecodeError:
                self.close(Close.UNREADABLE, "no text")
                return
        self.process.call(self.process.app.dispatcher.received, connection, sent)

    def _disconnected(self) -> None:
        if self._connection is not None:
            self.process.app.dispatcher.on_disconnect(self._connection)

    # The client's side.

    def say(self, frame: bytes) -> None:
        """Send a frame to the server."""
        if not self._cut:
            self.up.send(frame)

    def hang_up(self) -> None:
        """The client closes the connection, after what it has said."""
        if not self._cut:
            self._cut = True
            self.down.cut()
            self.up.send(Ending())

    def cut(self, *, half_open: bool = False) -> None:
        """The connection breaks with all that is under way; the server notices at once or late."""
        if self._cut:
            return
        self._lose()
        wait = DEAD_SECONDS if half_open else 0.0
        loop = asyncio.get_running_loop()
        loop.call_later(wait, self.process.call, self._disconnected, context=Context())
        loop.call_soon(self.client.ended, self, Ending(), context=Context())

    def server_died(self, *, drained: bool) -> None:
        """The server is no more; `drained`: what it had sent still arrives."""
        if self._cut:
            return
        self.up.cut()
        if drained:
            self.down.send(Ending())
        else:
            self._lose()
            asyncio.get_running_loop().call_soon(
                self.client.ended, self, Ending(), context=Context()
            )

    def _lose(self) -> None:
        self._cut = True
        self.up.cut()
        self.down.cut()

    def _to_client(self, what: bytes | Ending) -> None:
        if self._cut:
            return
        if isinstance(what, bytes):
            self.client.on_frame(self, what)
            return
        self._cut = True
        # The client's side of the closing handshake.
        self.process.call(self._disconnected)
        self.client.ended(self, what)
