"""Is every message heard once and whole, however its bytes arrive?"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

from protocol import MSGPACK, Codec
from server.edge.wire import Heard, Reply, Wire
from server.limits import FRAME_MAX_BYTES

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: YmVuY2htYXJrIG9mIGJiZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: " + MSGPACK.name.encode() + b"\r\n\r\n"
)
MESSAGES = 60


class Line(asyncio.Transport):
    """Keeps what is written to the client."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.ended = False
        self.said_all = False

    def write(self, data: Any) -> None:  # Any: whatever has bytes, as the base class has it
        if self.said_all:
            raise RuntimeError("Cannot call write() after write_eof()")
        self.written += bytes(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self.ended

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.ended = self.said_all = True

    def abort(self) -> None:
        self.ended = True


class Listener:
    """A host that hears everything."""

    def __init__(self) -> None:
        self.heard: list[bytes | str] = []

    def called(self, wire: Wire) -> bool:
        return True

    def answer(self, wire: Wire, core: ServerProtocol, request: Request, reply: Reply) -> None:
        reply(None)

    def opened(self, wire: Wire, codec: Codec) -> Heard | None:
        return self.heard.append

    def ended(self, wire: Wire) -> None:
        """Nobody counts here."""


class Call:
    """A wire with both of its ends. Owned by a test."""

    def __init__(self) -> None:
        self.listener = Listener()
        self.line = Line()
        self.wire = Wire(self.listener)
        self.wire.connection_made(self.line)

    def shake_hands(self, more: bytes = b"") -> None:
        self.wire.data_received(HANDSHAKE + more)
        assert self.line.written.startswith(b"HTTP/1.1 101 ")
        self.line.written = b""

    def close_code(self) -> int:
        """The code of the close frame that was written last."""
        at = self.line.written.rindex(b"\x88")
        return Close.parse(self.line.written[at + 2 :]).code


def masked(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


def conversation(chance: Random) -> tuple[bytes, list[bytes | str]]:
    """Bytes of a client: small and long messages, pieces, pings between them; and what they say."""
    sent, said = b"", list[bytes | str]()
    for _ in range(MESSAGES):
        data = bytes(chance.randrange(32, 127) for _ in range(chance.choice((0, 5, 50, 125, 300))))
        opcode = chance.choice((Opcode.TEXT, Opcode.BINARY))
        said.append(data.decode() if opcode is Opcode.TEXT else data)
        if chance.random() < 0.3:
            middle = chance.randint(0, len(data))
            sent += masked(opcode, data[:middle], fin=False)
            sent += masked(Opcode.PING, b"?") if chance.random() < 0.5 else b""
            sent += masked(Opcode.CONT, data[middle:])
        else:
            sent += masked(opcode, data)
    return sent, said


def cut(sent: bytes, chance: Random) -> Iterator[bytes]:
    """The same bytes as a network might bring them."""
    while sent:
        size = chance.choice((1, 2, 7, 60, 200, 2000))
        yield sent[:size]
        sent = sent[size:]


@pytest.mark.parametrize("seed", range(20))
async def test_every_message_is_heard_once_however_its_bytes_arrive(seed: int) -> None:
    sent, said = conversation(Random(seed))
    call = Call()
    call.shake_hands()
    for part in cut(sent, Random(seed + 1000)):
        call.wire.data_received(part)
    assert call.listener.heard == said


async def test_each_whole_message_that_comes_alone_is_heard() -> None:
    call = Call()
    call.shake_hands()
    for number in range(300):
        call.wire.data_received(masked(Opcode.BINARY, b"x" * number))
    assert [len(message) for message in call.listener.heard] == list(range(300))


async def test_who_does_not_wait_for_the_handshake_is_heard_too() -> None:
    first, second = masked(Opcode.BINARY, b"early"), masked(Opcode.BINARY, b"late")
    call = Call()
    call.shake_hands(first + second[:3])
    call.wire.data_received(second[3:])
    assert call.listener.heard == [b"early", b"late"]


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (masked(Opcode.BINARY, bytes(FRAME_MAX_BYTES + 1)), 1009),
        (masked(Opcode.BINARY, bytes(2**17)), 1009),
        (masked(Opcode.TEXT, b"\xff"), 1007),
        (masked(Opcode.CONT, b"of what"), 1002),
        (b"\x82\x01x", 1002),
        (b"\xc2\x81\0\0\0\0x", 1002),
    ],
    # Masks are random; without names the tests would be other ones in every process.
    ids=["too long", "much too long", "no utf-8", "no beginning", "no mask", "reserved bit"],
)
async def test_a_bad_frame_closes_the_connection_and_nothing_is_heard(
    frame: bytes, code: int
) -> None:
    call = Call()
    call.shake_hands()
    call.wire.data_received(frame)
    call.wire.data_received(masked(Opcode.BINARY, b"too late"))
    assert call.close_code() == code
    assert call.listener.heard == []


async def test_nothing_is_said_to_a_client_that_hung_up_without_a_word() -> None:
    """Its end of the line is closed, so is ours, and the loop has yet to tell that it is gone."""
    call = Call()
    call.shake_hands()
    call.wire.eof_received()
    call.wire.push(b"news")
    assert b"news" not in call.line.written
    call.wire.connection_lost(None)


async def test_a_closed_wire_hears_and_says_nothing() -> None:
    call = Call()
    call.shake_hands()
    call.wire.close(4002, "restart")
    call.line.written = b""
    call.wire.data_received(masked(Opcode.BINARY, b"late"))
    call.wire.push(b"late")
    assert (call.listener.heard, call.line.written) == ([], b"")
