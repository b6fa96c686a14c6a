"""A complete server behind one socket, in virtual time: bytes in, bytes out, no task is left."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Sequence
from typing import Any, Final

from websockets.frames import Frame, Opcode

from bluebear.protocol import JSON, MSGPACK, Codec, RoomNumber
from bluebear.protocol.examples import EXAMPLES
from bluebear.protocol.messages import Ask, Hello, Say, Sync
from bluebear.server.app import App
from bluebear.server.config import Config
from bluebear.server.net.http import Listener
from bluebear.server.ops.metrics import Report
from bluebear.server.runtime import COUNTERS
from tests.fuzz.target import Target
from tests.server.commands.fixtures import GAMES
from tests.sim.fixtures import pause
from tests.sim.virtual_loop import VirtualLoop
from tests.support.loop_clock import LoopClock
from tests.support.simulated_store import SimulatedStore

_CALLS_MAX: Final = 300
"""Calls to one server before the next one is built: rooms and people pile up."""
_PASSES: Final = 20
_FRAME_END: Final = b"\x1e"
_CLIENTS_MAX: Final = 1_000_000

HANDSHAKE: Final = (
    "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: YmVuY2htYXJrIG9mIGJiZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Protocol: {}\r\n\r\n"
)


class Line(asyncio.Transport):
    """Our end of a connection; keeps what is written to the client."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.ended = False
        self.reading = asyncio.Event()
        self.reading.set()
        self._has_sent_all = False

    def write(self, data: Any) -> None:  # Any: whatever has bytes, as the base class has it
        if self._has_sent_all:
            raise RuntimeError("Cannot call write() after write_eof()")
        self.written += bytes(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, name: str, default: Any = None) -> Any:  # Any: as the base class
        return ("127.0.0.1", 50_000) if name == "peername" else default

    def is_closing(self) -> bool:
        return self.ended

    def pause_reading(self) -> None:
        self.reading.clear()

    def resume_reading(self) -> None:
        self.reading.set()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self._has_sent_all = True
        self.abort()

    def abort(self) -> None:
        self.ended = True
        self.reading.set()


class Door:
    """A server and its loop; made anew after some calls. Owned by this module."""

    def __init__(self) -> None:
        self._loop = VirtualLoop()
        self._unseen: list[str] = []
        self._loop.set_exception_handler(lambda _, context: self._unseen.append(repr(context)))
        self._calls = 0
        self._transport: Listener | None = None

    def call(self, parts: Iterable[bytes]) -> bytes:
        """A client connects, sends these bytes and disconnects. Returns the bytes written to it."""
        try:
            return self._loop.run_until_complete(self._called(parts))
        except BaseException:
            # An error here is the fault of this input, not of the next one.
            self._transport = None
            self._unseen.clear()
            raise

    async def _called(self, parts: Iterable[bytes]) -> bytes:
        if self._transport is None or self._calls == _CALLS_MAX:
            self._transport, self._calls = await _server(), 0
        self._calls += 1
        bugs = COUNTERS["bugs"]
        line, wire = Line(), self._transport._call()
        wire.connection_made(line)
        for section in parts:
            await line.reading.wait()
            if line.ended:
                break
            wire.data_received(section)
            await asyncio.sleep(0)
        for _ in range(_PASSES):
            await asyncio.sleep(0)
        await line.reading.wait()
        if not line.ended:
            wire.eof_received()
        line.ended = True
        wire.connection_lost(None)
        await pause(1)
        assert not self._transport._wires, "somebody who has gone is still there"
        assert not self._transport._pending, "somebody who has gone still knocks"
        assert COUNTERS["bugs"] == bugs, "the server has counted a bug"
        unseen, self._unseen = self._unseen, []
        assert not unseen, unseen
        return line.written


async def _server() -> Listener:
    config = Config(
        house=False,
        bounded=False,
        connections=_CLIENTS_MAX,
        connections_per_address=_CLIENTS_MAX,
        trusted_proxies=("127.0.0.0/8",),
    )
    chance = random.Random(1)
    app = App(config, SimulatedStore(), GAMES, LoopClock(), chance.randbytes)
    return app.listener(Report(app, 0))


_door: Final = Door()


def http_target() -> Target:
    """What is asked for by plain HTTP: an answer that is whole, however the bytes arrive."""
    return Target(
        "http",
        "what is asked for by HTTP: an answer or a closed door, the same however the bytes arrive",
        _http,
        (),
        _http_seeds,
        lambda: _HTTP_TERMS,
        runs=300,
    )


def _http(data: bytes) -> None:
    complete = _door.call((data,))
    middle = len(data) // 2
    halves = _door.call((data[:middle], data[middle:]))
    single = _door.call(data[at : at + 1] for at in range(len(data)))
    # A client that sends an invalid frame behind its request may lose the reply when it is cut off.
    answers = {_status(each) for each in (complete, halves, single)} - {b""}
    assert len(answers) < 2, answers
    assert all(each.startswith(b"HTTP/1.1 ") for each in answers), answers


def _status(answer: bytes) -> bytes:
    return answer.partition(b"\r\n")[0]


_HTTP_TERMS: Final = (
    b"GET ", b"HEAD ", b"POST ", b" HTTP/1.1\r\n", b" HTTP/1.0\r\n", b"\r\n\r\n", b"/about",
    b"/about/room/1", b"/about/invite/x", b"/healthz", b"/r/x", b"/room/1", b"/game/g1", b"/ws",
    b"/../", b"%2e%2e/", b"?x=1", b"Host: localhost\r\n", b"Host: [::1]:80\r\n", b"Host: [\r\n",
    b"Forwarded: for=\"[2001:db8::1]:4711\"\r\n", b"X-Forwarded-For: 1.2.3.4, ::1\r\n",
    b"Origin: http://localhost\r\n", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n",
    b"Accept: text/html\r\n", b"If-None-Match: \"x\"\r\n", b"Accept-Encoding: br;q=1, gzip\r\n",
    b"Connection: Upgrade\r\n", b"Upgrade: websocket\r\n", b"Sec-WebSocket-Version: 12\r\n",
    b"Expect: 100-continue\r\n", b"Cookie: a=b\r\n",
)  # fmt: skip


def _http_seeds() -> list[bytes]:
    plain = b"GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n"
    paths = (b"/", b"/about", b"/about/room/100001", b"/healthz", b"/r/abc", b"/none", b"/ws")
    return [
        *(plain % path for path in paths),
        HANDSHAKE.format(JSON.name).encode(),
        HANDSHAKE.format(MSGPACK.name)
        .encode()
        .replace(b"Upgrade: websocket", b'Forwarded: for="[::1]:1", for=_x\r\nUpgrade: websocket'),
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]


def talk_target(codec: Codec) -> Target:
    """A whole conversation after the handshake: frames of any kind, in any order."""

    def feed(data: bytes) -> None:
        _talk(codec, data)

    short = "json" if codec.text else "msgpack"
    return Target(
        f"talk-{short}",
        f"frames of any kind in any order, in {short}: answered, refused or cut off",
        feed,
        (),
        lambda: _talk_seeds(codec),
        lambda: [
            *_TALK_TERMS,
            *(codec.encode(each) for each in EXAMPLES if isinstance(each, Say | Ask | Sync)),
        ],
        runs=200,
    )


_TALK_TERMS: Final = (
    _FRAME_END,
    b"/newroom duel",
    b"/join",
    b"/start",
    b"/bot random",
    b"/help",
    b"\x01\x89x",
    b"\x01\x88\x03\xe8",
    b"\x01\x00x",
)


def _talk(codec: Codec, data: bytes) -> None:
    """Parts are messages; of one that begins with 1 the next byte says what frame it is."""
    kind = Opcode.TEXT if codec.text else Opcode.BINARY
    frames = [_frame(kind, section) for section in data.split(_FRAME_END)]
    answer = _door.call((HANDSHAKE.format(codec.name).encode(), *frames))
    assert answer.startswith(b"HTTP/1.1 101 ")
    for payload in _messages(answer.partition(b"\r\n\r\n")[2], kind):
        codec.decode_server(payload.decode() if codec.text else payload)


def _frame(kind: Opcode, fragment: bytes) -> bytes:
    if fragment[:1] == b"\x01" and len(fragment) > 1:
        head, data = fragment[1], fragment[2:]
        size = bytes((0x80 | min(len(data), 125),))
        return bytes((head,)) + size + b"\0\0\0\0" + data[:125]
    return Frame(kind, fragment).serialize(mask=True)


def _messages(written: bytes, kind: Opcode) -> Sequence[bytes]:
    """The messages that a server has written, one after the other; none of its frames is masked."""
    made = []
    at = 0
    while at < len(written):
        size, head = written[at + 1], 2
        if size > 125:
            head = 4 if size == 126 else 10
            size = int.from_bytes(written[at + 2 : at + head], "big")
        assert at + head + size <= len(written), "the server has written half a frame"
        if written[at] & 0x0F == kind:
            made.append(written[at + head : at + head + size])
        at += head + size
    return made


def _talk_seeds(codec: Codec) -> list[bytes]:
    hello = codec.encode(
        Hello(name="Fuzz", langs=("en",), wants=frozenset(("text", "moves", "events")))
    )
    sent = ["/newroom duel", "/join", "/bot random", "/start", "/board", "hello"]
    lines = [
        codec.encode(Say(id=f"a{n}", text=text, room=RoomNumber(1) if n else None))
        for n, text in enumerate(sent)
    ]
    asks = [codec.encode(each) for each in EXAMPLES if isinstance(each, Ask | Sync)]
    return [
        hello,
        _FRAME_END.join((hello, *lines)),
        _FRAME_END.join((hello, *asks)),
        _FRAME_END.join((hello, *lines[:1], *asks, hello)),
        _FRAME_END.join(
            (lines[0], hello, b"\x01\x89ping", b"\x01\x01{", b"\x01\x80}", b"\x01\x88\x03\xe8")
        ),
    ]
