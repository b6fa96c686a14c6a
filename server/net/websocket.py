"""One WebSocket connection over a plain transport of the loop.

The library's sans-I/O core knows the protocol: handshake, fragments, control frames, closing. Here
are the socket, the time, and a short way for what nearly all frames are: one whole small message.
Frames are cut off before the core sees them, so that it never holds a part of one, and a whole
message may pass it by (docs/notes/2026-11-performance.md).

A client that sends much does not make the others wait: a tick of the loop ends by time, of which
a network has a share, and from a client that floods nothing is read for a while, so that it piles
up at its end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol, cast

from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from bluebear.protocol import JSON, MSGPACK, Codec, codec_for
from bluebear.server import limits
from bluebear.server.net.pages import NO_STORE, SECURITY_HEADERS
from bluebear.server.net.rate_limits import UNLIMITED, TickShare
from bluebear.server.runtime import count

try:
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

_CLOSE_SECONDS: Final = 1.0
_TOO_SLOW: Final = 4008
_NO_LIFE: Final = 1011
_NOT_UTF8: Final = 1007
_POLICY: Final = 1008
_PIECES_MAX: Final = 64
"""Pieces of one message; empty ones cost a sender nothing, and the core counts bytes only."""
_FRAME_16: Final = 126
_FRAME_64: Final = 127
_TEXT: Final = 0x81
_BINARY: Final = 0x82
_MASK_BYTES: Final = 4
_HEADER_MAX_BYTES: Final = 14
_FINAL: Final = 0x80
_CONTROL: Final = 0x08
_END_OF_REQUEST: Final = b"\r\n\r\n"
_SILENT: Final = logging.getLogger("bluebear.websockets")
_SILENT.setLevel(logging.CRITICAL)  # each abrupt end is logged with a traceback; we count them

Receiver = Callable[[bytes | str], bool]
"""Handles a message; whether it came in vain, as one too many."""
Reply = Callable[[Response | None], None]


class HardenedProtocol(ServerProtocol):
    """The library's core, whose own refusals have the headers of all responses."""

    def reject(self, status: int, text: str) -> Response:
        response = super().reject(status, text)
        for name, value in SECURITY_HEADERS:
            response.headers[name] = value
        response.headers["Cache-Control"] = NO_STORE
        return response


class ConnectionOwner(Protocol):
    """Whose connections these are."""

    def may_stay(self, wire: WebSocketConnection) -> bool:
        """Whether a new connection may send a request."""

    def respond(self, wire: WebSocketConnection, request: Request, reply: Reply) -> None:
        """What is asked for by plain HTTP goes to `reply`, now or soon; None lets the WebSocket
        handshake go on.
        """

    def make_receiver(self, wire: WebSocketConnection, codec: Codec) -> Receiver | None:
        """A client has come; returns who hears its messages, None if it may not stay."""

    def on_closed(self, wire: WebSocketConnection) -> None:
        """The connection is no more, or never came to be one."""


class WebSocketConnection(asyncio.Protocol):
    """One connection, and the way to its client; owned by its host until it has ended."""

    def __init__(self, owner: ConnectionOwner, *, private: bool = False) -> None:
        self._owner = owner
        self.private = private
        """Whether only this machine can call here."""
        self._core = HardenedProtocol(
            subprotocols=[Subprotocol(MSGPACK.name), Subprotocol(JSON.name)],
            max_size=limits.FRAME_MAX_BYTES,
            logger=_SILENT,
        )
        self._hear: Receiver = _ignore
        self._open = False
        self._is_eof_sent = False
        """Whether our end is closed; nothing can be written any more."""
        self._has_request = False
        """Whether a whole request has come; what follows it are frames."""
        self._head_end = b""
        self._cutting = True
        """Whether frames are cut off here; else the core gets what comes, and discards it."""
        self._is_ending = False
        self._is_slow = False
        self._waiting = b""
        """What has come and was not heard yet: a part of a frame, or all since a rest began."""
        self._vain = 0
        self._signs = 0
        self._resting = False
        """Whether nothing is heard for now, and soon nothing read."""
        self._is_read = True
        self._rest_ends: asyncio.Handle | None = None
        self._pieces: list[bytes] = []
        self._piece_kind = Opcode.BINARY
        self._first = _BINARY
        self._alive = True
        self._timer: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self.address = ""
        self.share: TickShare = UNLIMITED
        """What its network has of each tick of the loop."""

    # The way to the client.

    def push(self, frame: bytes) -> None:
        """Send a message soon; who lets too much pile up is cut off and may come back."""
        if not self._open:
            return
        size = len(frame)
        # Until writing is paused at most 64 KiB wait, the transport's own bound.
        if (self._stalled or size > limits.QUEUE_MAX_BYTES // 2) and (
            self._transport.get_write_buffer_size() + size > limits.QUEUE_MAX_BYTES
        ):
            self._count_slow()
            self.close(_TOO_SLOW, "too slow")
            return
        if size < _FRAME_16:
            self._transport.write(bytes((self._first, size)) + frame)
        elif size < 2**16:
            self._transport.write(bytes((self._first, _FRAME_16)) + size.to_bytes(2, "big") + frame)
        else:
            self._transport.write(bytes((self._first, _FRAME_64)) + size.to_bytes(8, "big") + frame)

    def close(self, code: int, reason: str) -> None:
        """Close the connection; a client that does not answer is cut after a short while."""
        self._open = False
        if self._core.state is State.OPEN:
            self._core.send_close(code, reason)
            self._flush()
        elif self._core.state is State.CONNECTING:
            self._transport.abort()

    def until_now(self, request: Request) -> tuple[int, bytes]:
        """The descriptor of its socket, and all that was read of it: the request first."""
        plug = self._transport.get_extra_info("socket")
        return plug.fileno(), request.serialize() + self._waiting

    def hang_up(self) -> None:
        """End the connection at once, without a word."""
        self._open = False
        self._transport.abort()

    def _count_slow(self) -> None:
        """Count a client that reads too slowly, once: what it still sends may find it closing."""
        if not self._is_slow:
            self._is_slow = True
            count("connections.too_slow")

    # What the loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is open."""
        # A stream's transport: uvloop's is one by what it can do, not by its class.
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self.address = "" if self.private or not peer else str(peer[0])
        if not self.private and not self._owner.may_stay(self):
            self._transport.abort()
            return
        self._wait(limits.KNOCK_SECONDS, self._transport.abort)

    def pause_writing(self) -> None:
        """The client does not take what is sent; it may catch up for a while."""
        if self._stalled is None:
            loop = asyncio.get_running_loop()
            self._stalled = loop.call_later(limits.STALLED_SECONDS, self._give_up)

    def resume_writing(self) -> None:
        """The client has caught up."""
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _give_up(self) -> None:
        self._count_slow()
        self._open = False
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Bytes have come: parts of frames, whole ones, several."""
        self._alive = True
        if self._waiting:
            data = self._waiting + data
            self._waiting = b""
        if self._resting:
            self._waiting = data
        elif self._has_request:
            self._hear_some(data)
        else:
            self._hear_request(data)

    def _hear_request(self, data: bytes) -> None:
        """The core gets a request and nothing behind it: frames wait until that is answered."""
        seen = self._head_end + data
        end = seen.find(_END_OF_REQUEST)
        if end < 0:
            self._head_end = seen[1 - len(_END_OF_REQUEST) :]
            self._feed(data)
            return
        size = end + len(_END_OF_REQUEST) - len(self._head_end)
        self._has_request = True
        self._waiting = data[size:]
        self._resting = True
        self._feed(data[:size])
        if self._core.eof_sent:
            # It was no request, and gets no reply.
            self._read_on()
        elif self._resting:
            self._read_no_more()

    def _hear_some(self, data: bytes) -> None:
        """Hear frames, as long as there is time in this turn of the loop."""
        at, end, left = 0, len(data), limits.SIGNS_A_TURN if self._open else limits.SKIPPED_A_TURN
        share, tick = self.share, self.share.tick
        while at < end:
            if not self._cutting:
                self._feed(data[at:])
                return
            size = _frame_size(data, at)
            if size > limits.FRAME_MAX_BYTES + _HEADER_MAX_BYTES:
                # The core sees by the header that it is too big.
                self._cutting = False
                continue
            if not size or at + size > end:
                break
            if self._vain >= limits.VAIN_FRAMES or share.over or tick.over or left == 0:
                self._waiting = data[at:]
                self._rest(limits.REST_SECONDS if self._vain >= limits.VAIN_FRAMES else 0.0)
                return
            frame = data[at : at + size] if size < end else data
            at += size
            if self._open and self._receive_message(frame, size):
                continue
            left -= 1
            if self._open:
                self._hear_frame(frame)
            elif frame[0] & 0x0F == Opcode.CLOSE:
                # We have said goodbye: of what still comes only the answer to that matters.
                self._feed(frame)
        self._waiting = data[at:]

    def _hear_frame(self, frame: bytes) -> None:
        if not frame[0] & _FINAL:
            self._vain += 1
        if frame[0] & _CONTROL:
            self._signs += 1
            if self._signs > limits.SIGNS_MOST:
                count(f"connections.cut.{_POLICY}")
                self.close(_POLICY, "too many pings")
                return
        self._feed(frame)

    def _rest(self, seconds: float) -> None:
        """Read nothing for so long, 0 for a turn of the loop."""
        self._resting = True
        self._vain = 0
        self._read_no_more()
        loop, then = asyncio.get_running_loop(), self._read_on
        self._rest_ends = loop.call_later(seconds, then) if seconds else loop.call_soon(then)

    def _read_no_more(self) -> None:
        if self._is_read and not self._transport.is_closing():
            self._is_read = False
            self._transport.pause_reading()

    def _read_on(self) -> None:
        self._resting = False
        data, self._waiting = self._waiting, b""
        if data:
            self._hear_some(data)
        if not (self._resting or self._is_read or self._transport.is_closing()):
            self._is_read = True
            self._transport.resume_reading()

    def eof_received(self) -> None:
        """The client sends no more; nothing can be sent either, once our own end is closed."""
        self._open = False
        self._core.receive_eof()
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._open = False
        self._hear = _ignore
        self.resume_writing()
        for handle in (self._timer, self._rest_ends):
            if handle is not None:
                handle.cancel()
        if self._core.close_rcvd is None and self._core.state is not State.CONNECTING:
            count("connections.broken")
        self._owner.on_closed(self)

    # Frames.

    def _receive_message(self, frame: bytes, size: int) -> bool:
        """The short way: a whole message in one small masked frame, between no others' pieces."""
        first = frame[0]
        length = size - 2 - _MASK_BYTES
        if (
            (first != _BINARY and first != _TEXT)  # noqa: PLR1714 - this is the hottest line
            or length != frame[1] & 0x7F
            or not frame[1] & 0x80
            or self._pieces
        ):
            return False
        payload = apply_mask(frame[6:], frame[2:6])
        if first == _BINARY:
            self._vain += self._hear(payload)
        else:
            self._hear_text(payload)
        return True

    def _hear_text(self, payload: bytes) -> None:
        try:
            text = payload.decode()
        except UnicodeDecodeError:
            self._open = False
            self._core.fail(_NOT_UTF8, "not UTF-8")
            self._flush()
        else:
            self._vain += self._hear(text)

    def _feed(self, data: bytes) -> None:
        """The long way, through the core."""
        if self._core.state is State.CLOSED or self._transport.is_closing():
            return
        self._core.receive_data(data)
        for event in self._core.events_received():
            if isinstance(event, Request):
                self._owner.respond(self, event, partial(self._reply, event))
            elif isinstance(event, Frame):
                self._frame(event)
        self._open = self._open and self._core.state is State.OPEN
        self._flush()
        if self._transport.get_write_buffer_size() > limits.QUEUE_MAX_BYTES:
            # Who sends pings and reads no answers does not read a goodbye either.
            self._count_slow()
            self._open = False
            self._transport.abort()

    def _reply(self, request: Request, response: Response | None) -> None:
        core = self._core
        awaited = core.state is State.CONNECTING
        if not awaited or self._transport.is_closing():
            return
        if core.eof_sent:
            # The caller sends no more, and the core has given up: an answer by plain HTTP is due
            # all the same, a handshake is not.
            if response is not None:
                self._transport.write(response.serialize())
            self._flush()
            return
        core.send_response(response or core.accept(request))
        # The core keeps the request as long as the connection: two KiB of headers.
        request.headers.clear()
        self._flush()
        if core.state is State.OPEN:
            codec = codec_for(core.subprotocol or JSON.name) or JSON
            self._first = _TEXT if codec.text else _BINARY
            self._open = True
            self._beat()
            self._hear = self._owner.make_receiver(self, codec) or _ignore
        self._read_on()

    def _frame(self, frame: Frame) -> None:
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            self._piece_kind = frame.opcode
        elif frame.opcode is not Opcode.CONT:
            return
        if len(self._pieces) == _PIECES_MAX:
            self.close(_POLICY, "too many pieces")
            return
        self._pieces.append(bytes(frame.data))
        if not frame.fin:
            return
        payload = b"".join(self._pieces)
        self._pieces.clear()
        if not self._open:
            return
        if self._piece_kind is Opcode.TEXT:
            self._hear_text(payload)
        else:
            self._vain += self._hear(payload)

    def _flush(self) -> None:
        """Send what the core wants to say; where it wants to end, wait for that, but not long."""
        for data in self._core.data_to_send():
            if self._is_eof_sent or self._transport.is_closing():
                break
            if data:
                self._transport.write(data)
            elif self._transport.can_write_eof():
                self._is_eof_sent = True
                self._transport.write_eof()
        if self._core.close_expected() and not self._is_ending:
            # Once: who goes on sending is cut all the same.
            self._is_ending = True
            self._wait(_CLOSE_SECONDS, self._transport.abort)

    # Time.

    def _wait(self, seconds: float, then: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, then)

    def _beat(self) -> None:
        self._wait(limits.PING_SECONDS, self._ask_for_life)

    def _ask_for_life(self) -> None:
        if self._core.state is State.OPEN:
            self._alive = False
            self._vain = self._signs = 0
            self._core.send_ping(b"")
            self._flush()
            self._wait(limits.DEAD_SECONDS, self._look_for_life)

    def _look_for_life(self) -> None:
        if self._alive:
            self._beat()
        else:
            self.close(_NO_LIFE, "keepalive ping timeout")


def _frame_size(data: bytes, at: int) -> int:
    """The length of the frame that begins here, with its header; 0 if that is not available yet."""
    available = len(data) - at
    if available < 2:
        return 0
    length = data[at + 1] & 0x7F
    mask = _MASK_BYTES if data[at + 1] & 0x80 else 0
    if length < _FRAME_16:
        return 2 + mask + length
    more = 2 if length == _FRAME_16 else 8
    if available < 2 + more:
        return 0
    return 2 + more + mask + int.from_bytes(data[at + 2 : at + 2 + more], "big")


def _ignore(frame: bytes | str) -> bool:
    """Hears nothing."""
    return True
