"""Is every message heard once and whole, however its bytes arrive?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from random import Random
from typing import Any

import pytest
from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

from bluebear.protocol import MSGPACK, Codec
from bluebear.server.limits import (
    FRAME_MAX_BYTES,
    REST_SECONDS,
    SIGNS_A_TURN,
    SIGNS_MOST,
    VAIN_FRAMES,
)
from bluebear.server.net.rate_limits import TickBudget, TickShare
from bluebear.server.net.websocket import Receiver, Reply, WebSocketConnection
from tests.sim.virtual_loop import VirtualLoop

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
        self.eof_written = False
        self.is_read = True
        self.reading = asyncio.Event()
        self.rests = 0

    def write(self, data: Any) -> None:  # Any: whatever has bytes, as the base class has it
        if self.eof_written:
            raise RuntimeError("Cannot call write() after write_eof()")
        self.written += bytes(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self.ended

    def pause_reading(self) -> None:
        assert self.is_read, "paused twice"
        self.is_read = False
        self.rests += 1
        self.reading.clear()

    def resume_reading(self) -> None:
        self.is_read = True
        self.reading.set()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.ended = self.eof_written = True

    def abort(self) -> None:
        self.ended = True


class Listener:
    """A host that hears everything."""

    def __init__(self) -> None:
        self.received: list[bytes | str] = []
        self.is_flooded = False

    def may_stay(self, wire: WebSocketConnection) -> bool:
        return True

    def respond(self, wire: WebSocketConnection, request: Request, reply: Reply) -> None:
        reply(None)

    def make_receiver(self, wire: WebSocketConnection, codec: Codec) -> Receiver | None:
        return self._hear

    def _hear(self, message: bytes | str) -> bool:
        self.received.append(message)
        return self.is_flooded

    def on_closed(self, wire: WebSocketConnection) -> None:
        """Connections are not counted here."""


class Call:
    """A wire with both of its ends. Owned by a test."""

    def __init__(self, listener: Listener | None = None) -> None:
        self.listener = listener or Listener()
        self.line = Line()
        self.wire = WebSocketConnection(self.listener)
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
    sent, sent_lines = b"", list[bytes | str]()
    for _ in range(MESSAGES):
        data = bytes(chance.randrange(32, 127) for _ in range(chance.choice((0, 5, 50, 125, 300))))
        opcode = chance.choice((Opcode.TEXT, Opcode.BINARY))
        sent_lines.append(data.decode() if opcode is Opcode.TEXT else data)
        if chance.random() < 0.3:
            middle = chance.randint(0, len(data))
            sent += masked(opcode, data[:middle], fin=False)
            sent += masked(Opcode.PING, b"?") if chance.random() < 0.5 else b""
            sent += masked(Opcode.CONT, data[middle:])
        else:
            sent += masked(opcode, data)
    return sent, sent_lines


def cut(sent: bytes, chance: Random) -> Iterator[bytes]:
    """The same bytes as a network might bring them."""
    while sent:
        size = chance.choice((1, 2, 7, 60, 200, 2000))
        yield sent[:size]
        sent = sent[size:]


def timeless(scene: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test whose rests take no time."""

    @wraps(scene)
    def played() -> None:
        loop = VirtualLoop()
        try:
            loop.run_until_complete(scene())
        finally:
            loop.close()

    return played


@pytest.mark.parametrize("seed", range(20))
def test_every_message_is_received_once_however_its_bytes_arrive(seed: int) -> None:
    @timeless
    async def scene() -> None:
        sent, sent_lines = conversation(Random(seed))
        call = Call()
        call.shake_hands()
        for fragment in cut(sent, Random(seed + 1000)):
            call.wire.data_received(fragment)
        while not call.line.is_read:
            await call.line.reading.wait()
        assert call.listener.received == sent_lines

    scene()


class Dear(Listener):
    """A host that needs a millisecond for each message, by its own clock."""

    def __init__(self, share: TickShare) -> None:
        super().__init__()
        self._share = share

    def _hear(self, message: bytes | str) -> bool:
        self._share.tick.spend(self._share, 0.001)
        return super()._hear(message)


@pytest.mark.parametrize(
    ("most", "fraction", "messages_a_turn"), [(0.01, 1.0, 10), (0.01, 0.002, 2)]
)
def test_a_turn_ends_by_time_and_a_network_has_its_section(
    most: float, fraction: float, messages_a_turn: int
) -> None:
    """Others have their turn between them, and nothing is read meanwhile."""

    @timeless
    async def scene() -> None:
        tick = TickBudget(most, fraction)
        ours, other = tick.share("192.0.2.1"), tick.share("192.0.2.2")
        call = Call(Dear(ours))
        call.shake_hands()
        call.wire.share = ours
        call.wire.data_received(masked(Opcode.BINARY, b"x") * 40 + b"\x82")
        seen = [len(call.listener.received)]
        assert (tick.over, other.over) == (messages_a_turn == 10, False)
        for _ in range(3):
            call.wire.data_received(b"")
            await asyncio.sleep(0)
            seen.append(len(call.listener.received))
        assert seen == [
            messages_a_turn,
            2 * messages_a_turn,
            3 * messages_a_turn,
            4 * messages_a_turn,
        ]
        assert asyncio.get_running_loop().time() == 0

    scene()


@timeless
async def test_small_messages_that_cost_nothing_are_received_in_one_turn() -> None:
    call = Call()
    call.shake_hands()
    call.wire.data_received(masked(Opcode.BINARY, b"x") * (10 * SIGNS_A_TURN) + b"\x82")
    assert len(call.listener.received) == 10 * SIGNS_A_TURN
    call.wire.data_received(masked(Opcode.BINARY, b"last")[1:])
    assert call.listener.received[-1] == b"last"


@timeless
async def test_of_what_only_the_core_hears_a_turn_has_so_much() -> None:
    call = Call()
    call.shake_hands()
    call.wire.data_received(masked(Opcode.PONG, b"x") * (SIGNS_A_TURN + 1))
    assert call.line.rests == 1
    await asyncio.sleep(0)
    assert call.line.is_read


@pytest.mark.parametrize("kind", ["too many", "pieces"])
def test_who_floods_is_read_again_after_a_rest(kind: str) -> None:
    frame = {
        "too many": masked(Opcode.BINARY, b"x"),
        "pieces": masked(Opcode.CONT, b"x", fin=False),
    }[kind]

    @timeless
    async def scene() -> None:
        call = Call()
        call.listener.is_flooded = True
        call.shake_hands()
        if kind == "pieces":
            call.wire.data_received(masked(Opcode.BINARY, b"x", fin=False))
        for _ in range(VAIN_FRAMES - (kind == "pieces")):
            call.wire.data_received(frame)
        assert call.line.rests == 0
        call.wire.data_received(frame + frame)
        assert call.line.rests == 1
        await call.line.reading.wait()
        assert asyncio.get_running_loop().time() == pytest.approx(REST_SECONDS)
        assert len(call.listener.received) == (VAIN_FRAMES + 2) * (kind == "too many")

    scene()


async def test_who_asks_for_more_signs_of_life_than_anybody_needs_is_cut_off() -> None:
    call = Call()
    call.shake_hands()
    for _ in range(SIGNS_MOST):
        call.wire.data_received(masked(Opcode.PING, b"x"))
    assert call.line.written.count(b"\x8a\x01x") == SIGNS_MOST
    call.wire.data_received(masked(Opcode.PING, b"x"))
    assert call.close_code() == 1008
    call.wire.connection_lost(None)


@timeless
async def test_what_follows_the_goodbye_costs_nothing_but_its_answer() -> None:
    call = Call()
    call.shake_hands()
    call.wire.close(1008, "policy")
    flood = masked(Opcode.BINARY, b"x") * 300 + masked(Opcode.PING, b"x") * 300
    with counted_parts() as parts:
        call.wire.data_received(flood)
        assert parts == []
        call.wire.data_received(flood + masked(Opcode.CLOSE, Close(1000, "").serialize()))
        assert len(parts) == 1
    assert call.listener.received == []
    assert call.line.eof_written


@timeless
async def test_who_continues_sending_after_the_goodbye_is_cut_all_the_same() -> None:
    call = Call()
    call.shake_hands()
    call.wire.close(1008, "policy")
    loop = asyncio.get_running_loop()
    for tenth in range(1, 20):
        again = asyncio.Event()
        loop.call_at(tenth / 10, again.set)
        await again.wait()
        call.wire.data_received(masked(Opcode.BINARY, b"and on"))
        if call.line.ended:
            break
    assert loop.time() == pytest.approx(1.0)


@timeless
async def test_frames_behind_a_request_do_not_reach_the_core_with_it() -> None:
    """However the request is cut: the core would take them all at once."""
    frames = masked(Opcode.BINARY, b"early") * 2
    for middle in range(1, len(HANDSHAKE)):
        call = Call()
        call.wire.data_received(HANDSHAKE[:middle])
        with counted_parts() as parts:
            call.wire.data_received(HANDSHAKE[middle:] + frames)
            assert parts == [HANDSHAKE[middle:]]
        assert call.listener.received == [b"early", b"early"]
        assert call.line.is_read


@contextmanager
def counted_parts() -> Iterator[list[bytes]]:
    """What the library's core is given."""
    parts: list[bytes] = []
    real = ServerProtocol.receive_data

    def receive(core: ServerProtocol, data: bytes) -> None:
        parts.append(data)
        real(core, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ServerProtocol, "receive_data", receive)
        yield parts


async def test_each_complete_message_that_arrives_alone_is_received() -> None:
    call = Call()
    call.shake_hands()
    for number in range(300):
        call.wire.data_received(masked(Opcode.BINARY, b"x" * number))
    assert [len(message) for message in call.listener.received] == list(range(300))


async def test_who_does_not_wait_for_the_handshake_is_received_too() -> None:
    first, second = masked(Opcode.BINARY, b"early"), masked(Opcode.BINARY, b"late")
    call = Call()
    call.shake_hands(first + second[:3])
    call.wire.data_received(second[3:])
    assert call.listener.received == [b"early", b"late"]


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
async def test_a_bad_frame_closes_the_connection_and_nothing_is_received(
    frame: bytes, code: int
) -> None:
    call = Call()
    call.shake_hands()
    call.wire.data_received(frame)
    call.wire.data_received(masked(Opcode.BINARY, b"too late"))
    assert call.close_code() == code
    assert call.listener.received == []


async def test_nothing_is_reported_to_a_client_that_hung_up_silently() -> None:
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
    assert (call.listener.received, call.line.written) == ([], b"")
