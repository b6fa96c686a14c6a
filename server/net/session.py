"""The protocol of one connection without I/O: frames to requests, and replies to frames.

It reads no clock and owns no socket: `now` is a parameter, in seconds. It decodes, counts what is
wrong, and holds back a sender who is too fast; what a request means is its handler's business.
"""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from msgspec import Struct

from bluebear.protocol import (
    BadMessage,
    Close,
    Codec,
    Done,
    Error,
    Hostile,
    Message,
    RoomNumber,
    Unreadable,
    Version,
)
from bluebear.protocol.codes import Code
from bluebear.protocol.messages import Ask, ClientMessage, Hello, Say
from bluebear.rules.core.phrases import Lang
from bluebear.server import limits
from bluebear.server.net.budget import Budgets, ConnectionCosts
from bluebear.server.net.rate_limits import TokenBucket

_PASSING: Final = frozenset((Code.BUSY, Code.NOT_SAVED))
"""Refusals that say nothing about the line: sent again with its id, it is judged again. So do all
that say when to come again.
"""
_NUMBER_BITS: Final = 32
"""Of a remembered reply: no client enters so many rooms by one connection."""


class ClientTransport(Protocol):
    """The connection to one client, as a socket or a simulation has it."""

    address: str

    def push(self, frame: bytes) -> None:
        """Send a frame soon, or close the connection if too much is waiting already."""

    def close(self, code: int, reason: str) -> None:
        """Close the connection."""


class SendError(Struct, frozen=True):
    """Reply with an error; the connection stays open."""

    code: Code
    id: str | None


class Session(ConnectionCosts):
    """The protocol state of one connection; owned by the dispatcher."""

    closing = False
    """Whether the server has closed it; until the client confirms, it is not `is_disconnected`."""
    is_disconnected = False
    """Whether it is closed."""
    greeted = False
    """Whether the hello was accepted."""
    is_private = False
    """Whether only house bots may come in by it."""
    is_house = False
    """Whether a house bot is connected."""
    lang: Lang = "en"
    _excess_at = _excess_since = _notified_at = -limits.EXCESS_ENDS_SECONDS

    def __init__(
        self, transport: ClientTransport, codec: Codec, budgets: Budgets, now: float
    ) -> None:
        super().__init__(budgets, transport.address)
        self.transport = transport
        self.codec = codec
        self.hello_timeout: asyncio.TimerHandle | None = None
        self.replies: dict[str, Done | Error | int] = {}
        """The last replies, by the ids of their lines: a repeated line gets the same. Of what was
        done in a room only a number: the version, above the room's number."""
        self._bad = TokenBucket(
            limits.BAD_MESSAGES_PER_MINUTE, limits.BAD_MESSAGES_PER_MINUTE / 60, now
        )
        self._line_rate = TokenBucket(limits.LINE_BURST, limits.LINES_PER_SECOND, now)
        self._ask_rate = TokenBucket(limits.ASK_BURST, limits.ASKS_PER_SECOND, now)

    def greet(self, now: float, *, burst: float, per_second: float) -> None:
        """The hello was accepted: from now on lines may come, at this rate."""
        self.greeted = True
        self._line_rate = TokenBucket(burst, per_second, now)

    def cancel_hello_timeout(self) -> None:
        """The client has said hello, or is gone."""
        if self.hello_timeout is not None:
            self.hello_timeout.cancel()
            self.hello_timeout = None

    # From the client.

    def receive(self, frame: bytes | str, now: float) -> ClientMessage | SendError | Close | None:
        """The request of a frame, or the code with which to close the connection.

        None if it is dropped because its sender was warned before.
        """
        size = len(frame) if isinstance(frame, bytes) else len(frame.encode(errors="surrogatepass"))
        if size > (limits.FRAME_MAX_BYTES if self.greeted else limits.HELLO_MAX_BYTES):
            return Close.TOO_BIG
        try:
            message = self.codec.decode_client(frame)
        except BadMessage as problem:
            return self._wrong(Code.BAD_MESSAGE, problem.id, now)
        except Unreadable:
            return Close.UNREADABLE
        except Hostile:
            return Close.POLICY
        if self.greeted == isinstance(message, Hello):
            wrong = Code.BAD_MESSAGE if self.greeted else Code.HELLO_FIRST
            return self._wrong(wrong, None, now)
        rate = self._ask_rate if type(message) is Ask else self._line_rate
        return message if rate.consume(now) else self._too_fast(message, now)

    def _wrong(self, code: Code, message_id: str | None, now: float) -> SendError | Close:
        if self._bad.consume(now):
            return SendError(code, message_id)
        return Close.POLICY

    def _too_fast(self, message: ClientMessage, now: float) -> SendError | Close | None:
        """The first line too many gets a reply; an excess that lasts ends the connection.

        Lines that still pass in between, since the rate limit refills all the time, end no excess.
        Of all that is dropped the sender was warned less than `EXCESS_ENDS_SECONDS` before: a
        client that sends all that has no reply once more some time after each warning loses
        nothing.
        """
        if now - self._excess_at >= limits.EXCESS_ENDS_SECONDS:
            self._excess_since = now
        self._excess_at = now
        if now - self._excess_since > limits.EXCESS_SECONDS:
            return Close.POLICY
        if now - self._notified_at < limits.EXCESS_ENDS_SECONDS:
            return None
        self._notified_at = now
        return SendError(Code.TOO_FAST, message.id if isinstance(message, Say | Ask) else None)

    # To the client.

    def send(self, message: Message) -> None:
        """Send one message."""
        if not self.is_disconnected:
            self.transport.push(self.codec.encode(message))

    def push(self, frame: bytes) -> None:
        """Send a frame that is encoded already."""
        if not self.is_disconnected:
            self.transport.push(frame)

    def close(self, code: int, reason: str) -> None:
        """Close the connection."""
        self.closing = True
        self.transport.close(code, reason)

    def answer(self, reply: Done | Error) -> None:
        """Reply to a line, and remember the reply in case it gets lost.

        What was done stays done: a copy of it that is refused gets the first reply.
        """
        before = self.reply_to(reply.id) if reply.id in self.replies else None
        if isinstance(reply, Error) and isinstance(before, Done):
            reply = before
        passing = isinstance(reply, Error) and (
            reply.code in _PASSING or reply.retry_ms is not None
        )
        if not passing:
            self.remember(reply)
        self.send(reply)

    def remember(self, reply: Done | Error) -> None:
        """Remember a reply; the oldest is forgotten."""
        if reply.id:
            short: Done | Error | int = reply
            if isinstance(reply, Done) and reply.room is not None and reply.version is not None:
                short = reply.version << _NUMBER_BITS | reply.room
            self.replies[reply.id] = short
            if len(self.replies) > limits.ANSWERS_REMEMBERED:
                del self.replies[next(iter(self.replies))]

    def reply_to(self, say_id: str) -> Done | Error:
        """The reply to a line of `replies`."""
        reply = self.replies[say_id]
        if not isinstance(reply, int):
            return reply
        number, version = reply & ((1 << _NUMBER_BITS) - 1), reply >> _NUMBER_BITS
        return Done(id=say_id, room=RoomNumber(number), version=Version(version))
