"""One connection's protocol, without I/O: frames in, messages or verdicts out.

It reads no clock and owns no socket: `now` is a parameter, in seconds. It decodes, counts what is
wrong, and holds back who is too fast; what a message means is the reception's business.
"""

from __future__ import annotations

from dataclasses import dataclass

from bluebear.protocol import BadMessage, Close, Codec, Hostile, Unreadable
from bluebear.protocol.codes import Code
from bluebear.protocol.messages import Ask, ClientMessage, Hello, Say
from bluebear.server.limits import (
    ASK_BURST,
    ASKS_PER_SECOND,
    BAD_MESSAGES_PER_MINUTE,
    EXCESS_ENDS_SECONDS,
    EXCESS_SECONDS,
    FRAME_MAX_BYTES,
    HELLO_MAX_BYTES,
    LINE_BURST,
    LINES_PER_SECOND,
)
from bluebear.server.net.token_bucket import TokenBucket


@dataclass(frozen=True, slots=True)
class Cut:
    """Close the connection with this code."""

    code: Close


@dataclass(frozen=True, slots=True)
class Wrong:
    """Answer with an error; the connection stays open."""

    code: Code
    id: str | None


class Session:
    """The state of one connection's protocol; owned by its caller."""

    __slots__ = (
        *("_asks", "_bad", "_lines", "codec", "greeted"),
        *("_excess_at", "_excess_since", "_told_at"),
    )

    def __init__(self, codec: Codec, now: float) -> None:
        self.codec = codec
        self.greeted = False
        self._bad = TokenBucket(BAD_MESSAGES_PER_MINUTE, BAD_MESSAGES_PER_MINUTE / 60, now)
        self._lines = TokenBucket(LINE_BURST, LINES_PER_SECOND, now)
        self._asks = TokenBucket(ASK_BURST, ASKS_PER_SECOND, now)
        self._excess_since = self._excess_at = self._told_at = -EXCESS_ENDS_SECONDS

    def greet(self, now: float, *, burst: float, per_second: float) -> None:
        """The hello was accepted: from now on lines may come, so fast."""
        self.greeted = True
        self._lines = TokenBucket(burst, per_second, now)

    def receive(self, frame: bytes | str, now: float) -> ClientMessage | Wrong | Cut | None:
        """What a frame says; None if it is passed over because its sender was told before."""
        size = len(frame) if isinstance(frame, bytes) else len(frame.encode(errors="surrogatepass"))
        if size > (FRAME_MAX_BYTES if self.greeted else HELLO_MAX_BYTES):
            return Cut(Close.TOO_BIG)
        try:
            message = self.codec.decode_client(frame)
        except BadMessage as problem:
            return self._wrong(Code.BAD_MESSAGE, problem.id, now)
        except Unreadable:
            return Cut(Close.UNREADABLE)
        except Hostile:
            return Cut(Close.POLICY)
        if self.greeted == isinstance(message, Hello):
            wrong = Code.BAD_MESSAGE if self.greeted else Code.HELLO_FIRST
            return self._wrong(wrong, None, now)
        budget = self._asks if type(message) is Ask else self._lines
        return message if budget.consume(now) else self._too_fast(message, now)

    def _wrong(self, code: Code, message_id: str | None, now: float) -> Wrong | Cut:
        return Wrong(code, message_id) if self._bad.consume(now) else Cut(Close.POLICY)

    def _too_fast(self, message: ClientMessage, now: float) -> Wrong | Cut | None:
        """The first line too many is answered; going on so for long ends the connection.

        Lines that still pass in between, since the budget refills all the time, end no excess.
        Whatever is passed over was told of less than `EXCESS_ENDS_SECONDS` before: who says all
        that is unanswered once more some time after each time that he was told misses nothing.
        """
        if now - self._excess_at >= EXCESS_ENDS_SECONDS:
            self._excess_since = now
        self._excess_at = now
        if now - self._excess_since > EXCESS_SECONDS:
            return Cut(Close.POLICY)
        if now - self._told_at < EXCESS_ENDS_SECONDS:
            return None
        self._told_at = now
        return Wrong(Code.TOO_FAST, message.id if isinstance(message, Say | Ask) else None)
