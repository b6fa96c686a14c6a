"""What does a connection get that does not keep to the protocol, at the door and inside?"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from http import HTTPStatus
from pathlib import Path

import pytest
import pytest_asyncio
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage, InvalidStatus
from websockets.typing import Origin, Subprotocol

from bluebear.protocol import JSON, MSGPACK, Bye, Close, Code, Codec, Error
from bluebear.rules.core.phrases import LANGS
from bluebear.server import limits
from bluebear.server.config import Config
from bluebear.server.limits import (
    BAD_MESSAGES_PER_MINUTE,
    FRAME_MAX_BYTES,
    HELLO_MAX_BYTES,
)
from bluebear.server.net import dispatch, http
from bluebear.server.net.pages import SECURITY_HEADERS
from bluebear.server.net.rate_limits import BOUNDS, Cost
from bluebear.server.ops.health import Health, Problem
from bluebear.server.runtime import COUNTERS
from bluebear.server.sentences import say
from tests.tools.load.live_server import Running, running
from tests.tools.load.raw_client import arrive, left, stranger

ORIGIN = "https://play.example"
CONNECTIONS = 3


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    config = Config(
        data=tmp_path,
        origins=(ORIGIN,),
        public_url="https://bluebear.example",
        connections_per_address=CONNECTIONS,
    )
    async with running(tmp_path, config) as started:
        yield started


async def status_of(
    server: Running,
    *,
    path: str = "/ws",
    origin: str | None = None,
    subprotocols: tuple[str, ...] = (MSGPACK.name,),
) -> int:
    """The HTTP status that a handshake gets."""
    try:
        async with connect(
            f"ws://127.0.0.1:{server.port}{path}",
            origin=None if origin is None else Origin(origin),
            subprotocols=[Subprotocol(name) for name in subprotocols] or None,
            compression=None,
            proxy=None,
        ):
            return HTTPStatus.SWITCHING_PROTOCOLS
    except InvalidStatus as refused:
        return refused.response.status_code


async def get(server: Running, path: str) -> tuple[int, str]:
    """Status and body of a plain HTTP request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: bluebear.example\r\n\r\n".encode())
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return int(head.split()[1]), body


@pytest.mark.parametrize("origin", [None, ORIGIN])
async def test_programs_and_the_pages_that_were_named_may_come(
    server: Running, origin: str | None
) -> None:
    assert await status_of(server, origin=origin) == HTTPStatus.SWITCHING_PROTOCOLS


async def test_a_page_that_the_server_brought_itself_may_come(server: Running) -> None:
    owned_items = f"http://127.0.0.1:{server.port}"
    assert await status_of(server, origin=owned_items) == HTTPStatus.SWITCHING_PROTOCOLS


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", f"{ORIGIN}.evil.example", "http://127.0.0.1:1"]
)
async def test_a_page_of_a_person_else_may_not_speak_for_its_visitor(
    server: Running, origin: str
) -> None:
    assert await status_of(server, origin=origin) == HTTPStatus.FORBIDDEN
    assert not server.app.dispatcher.connections


@pytest.mark.parametrize("path", ["/ws/", "/wss", "/../ws", "/healthz/x"])
async def test_nothing_lives_at_another_path(server: Running, path: str) -> None:
    assert await status_of(server, path=path) == HTTPStatus.NOT_FOUND


async def test_a_wrong_address_leads_to_the_first_page(server: Running) -> None:
    status, text = await get(server, "/nonsense")
    assert status == HTTPStatus.NOT_FOUND
    assert [line.split()[-1].endswith("/") for line in text.splitlines()] == [True, True]
    assert "There is nothing at this address" in text
    assert "このアドレスには何もありません" in text


@pytest.mark.parametrize("subprotocols", [(), ("chat",), ("bluebear.v2.json",)])
async def test_who_speaks_none_of_our_subprotocols_is_refused(
    server: Running, subprotocols: tuple[str, ...]
) -> None:
    assert await status_of(server, subprotocols=subprotocols) == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize(
    "request_line",
    [
        "GET / HTTP/1.1",
        "GET /healthz HTTP/1.1",
        "GET /about HTTP/1.1",
        "GET /about/room/123456 HTTP/1.1",
        "GET /r/some-token HTTP/1.1",
        "GET /room/123456 HTTP/1.1",
        "GET /nowhere HTTP/1.1",
        "GET /ws HTTP/1.1",
        "GET /ws?x HTTP/1.0",
        "POST / HTTP/1.1",
    ],
)
@pytest.mark.parametrize("host", ["bluebear.example", "evil.example"])
async def test_every_answer_by_http_says_what_a_browser_may_do_with_it(
    server: Running, request_line: str, host: str
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"{request_line}\r\nHost: {host}\r\n\r\n".encode())
    answer = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    head = answer.partition("\r\n\r\n")[0]
    reported = [line.partition(": ")[::2] for line in head.split("\r\n")[1:]]
    for name, value in SECURITY_HEADERS:
        assert reported.count((name, value)) == 1, f"{name} in {head}"
    names = [name for name, _ in reported]
    assert names.count("Cache-Control") == names.count("Content-Type") == 1
    assert "default-src 'none'" in dict(reported)["Content-Security-Policy"]
    assert "unsafe" not in dict(reported)["Content-Security-Policy"]


async def test_health_is_reported_as_json(server: Running) -> None:
    status, body = await get(server, "/healthz")
    assert (status, json.loads(body)["ok"]) == (HTTPStatus.OK, True)


async def test_a_server_that_is_not_well_says_so(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Health, "troubles", lambda _: (Problem.DISK,))
    status, body = await get(server, "/healthz")
    assert (status, json.loads(body)["ok"]) == (HTTPStatus.SERVICE_UNAVAILABLE, False)


async def test_a_browser_is_notified_in_both_languages_how_to_use_an_invite(
    server: Running,
) -> None:
    status, body = await get(server, "/r/some-token")
    assert status == HTTPStatus.OK
    for lang in LANGS:
        assert say("answer.how_to_join", lang, link="https://bluebear.example/r/some-token") in body


codecs = pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=lambda codec: codec.name)


@codecs
async def test_a_long_frame_before_the_hello_closes_with_1009(
    server: Running, codec: Codec
) -> None:
    async with stranger(server.url, codec) as loud:
        await loud.connection.send(b"x" * (HELLO_MAX_BYTES + 1), text=codec.text)
        await loud.rest()
        assert loud.close_code == Close.TOO_BIG


@codecs
async def test_a_frame_that_is_too_long_closes_with_1009(server: Running, codec: Codec) -> None:
    async with stranger(server.url, codec) as loud:
        await loud.hello("Loud")
        await loud.connection.send(b"x" * (FRAME_MAX_BYTES + 1), text=codec.text)
        await loud.rest()
        assert loud.close_code == Close.TOO_BIG


@pytest.mark.parametrize(
    ("codec", "frame", "text"),
    [
        (MSGPACK, b'{"type": "hello"}', True),
        (MSGPACK, b"\xc1", False),
        (JSON, b"\xff\xfe", True),
        (JSON, b"{", True),
    ],
    ids=["text to msgpack", "no msgpack", "no utf-8", "no json"],
)
async def test_a_frame_that_cannot_be_read_closes_with_1007(
    server: Running, codec: Codec, frame: bytes, text: bool
) -> None:
    async with stranger(server.url, codec) as odd:
        await odd.connection.send(frame, text=text)
        await odd.rest()
        assert odd.close_code == Close.UNREADABLE


@pytest.mark.parametrize(
    ("codec", "frame"),
    [(MSGPACK, b"\x91" * 100 + b"\xc0"), (JSON, b"[" * 100 + b"]" * 100)],
    ids=["msgpack", "json"],
)
async def test_a_frame_that_was_built_to_do_harm_closes_with_1008(
    server: Running, codec: Codec, frame: bytes
) -> None:
    async with stranger(server.url, codec) as evil:
        await evil.connection.send(frame, text=codec.text)
        await evil.rest()
        assert evil.close_code == Close.POLICY


async def test_what_is_not_recognized_is_answered_and_after_a_few_times_closes_with_1008(
    server: Running,
) -> None:
    async with stranger(server.url, JSON) as newer:
        await newer.hello("Newer")
        for _ in range(BAD_MESSAGES_PER_MINUTE + 1):
            await newer.connection.send('{"type": "dance"}')
        codes = [message.code for message in await newer.rest() if isinstance(message, Error)]
        assert codes == [Code.BAD_MESSAGE] * BAD_MESSAGES_PER_MINUTE
        assert newer.close_code == Close.POLICY


async def test_who_says_something_else_first_is_requested_a_hello(server: Running) -> None:
    async with stranger(server.url) as hasty:
        await hasty.say("/newroom duel")
        assert (await hasty.hear(Error)).code == Code.HELLO_FIRST
        await hasty.hello("Hasty")
        assert hasty.token


async def test_who_says_no_hello_in_time_is_sent_away(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "HELLO_SECONDS", 0.05)
    async with stranger(server.url) as mute:
        await mute.rest()
        assert mute.close_code == Close.HELLO_TIMEOUT


async def test_one_connection_too_many_is_shown_when_to_come_back(server: Running) -> None:
    clients = [await arrive(server.url) for _ in range(CONNECTIONS)]
    for number, guest in enumerate(clients):
        await guest.hello(f"G{number}")
    async with stranger(server.url) as late:
        [bye] = await late.rest()
        assert isinstance(bye, Bye)
        assert (bye.why, bye.retry_ms is not None) == ("full_server", True)
        assert late.close_code == Close.BYE
    await clients[0].connection.close()
    async with stranger(server.url) as guest:
        await guest.hello("Later")
        assert guest.token
    for guest in clients:
        await guest.connection.close()


async def test_a_handshake_that_does_not_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "KNOCK_SECONDS", 0.05)
    async with running(tmp_path) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET /ws HTTP/1.1\r\nHost: ")
        assert await left(reader) == b""
        writer.close()
        with suppress(ConnectionResetError):
            await writer.wait_closed()


async def test_headers_without_end_are_refused(server: Running) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /ws HTTP/1.1\r\n" + b"X-Long: " + b"x" * 100_000)
    assert b"101" not in await reader.read()
    writer.close()
    await writer.wait_closed()
    async with stranger(server.url) as guest:
        await guest.hello("Ayu")
        assert guest.token


async def test_who_never_says_what_he_wants_does_not_keep_the_server_from_stopping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "KNOCK_SECONDS", 3600.0)
    async with running(tmp_path) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        async with stranger(server.url) as guest:  # by then the silent one was let in, too
            await guest.hello("Ayu")
    assert await reader.read() == b""
    writer.close()
    await writer.wait_closed()


# Many at once, and odd ones.


async def knock(server: Running) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", server.port)


async def test_so_many_who_ask_for_nothing_may_wait_and_no_more(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "KNOCKING_PER_ADDRESS", 5)
    waiting = [await knock(server) for _ in range(5)]
    reader, writer = await knock(server)
    assert await left(reader) == b""
    waiting[0][1].write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert (await waiting[0][0].read()).startswith(b"HTTP/1.1 200")
    async with stranger(server.url) as guest:
        await guest.hello("Ayu")
    for _, each in [*waiting, (reader, writer)]:
        each.close()
        await each.wait_closed()


async def test_a_page_whose_name_was_pointed_here_gets_nothing(server: Running) -> None:
    reader, writer = await knock(server)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n"
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    answer = (await reader.read()).decode()
    assert answer.startswith("HTTP/1.1 421")
    assert all(say("answer.unknown_host", lang) in answer for lang in LANGS)
    writer.close()
    await writer.wait_closed()


async def test_people_behind_a_proxy_are_distinguished(tmp_path: Path) -> None:
    """All of them come from one address; each has a household's connections."""
    config = Config(
        data=tmp_path,
        house=False,
        connections_per_address=CONNECTIONS,
        trusted_proxies=("127.0.0.1",),
    )
    async with running(tmp_path, config) as server, AsyncExitStack() as stack:
        for number in range(CONNECTIONS * 3):
            guest = await stack.enter_async_context(
                stranger(server.url, headers={"X-Forwarded-For": f"203.0.113.{number}"})
            )
            await guest.hello(f"Guest{number}x")
            assert guest.token


async def test_who_takes_nothing_of_what_waits_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STALLED_SECONDS", 0.2)
    async with running(tmp_path) as server:
        reader, writer = await knock(server)
        deaf = next(iter(server.transport._wires))
        while not deaf._transport.is_closing():
            deaf._transport.write(bytes(64 * 1024))
            await asyncio.sleep(0)
            if deaf._stalled is not None:
                break
        async with asyncio.timeout(5):
            while deaf in server.transport._wires:  # noqa: ASYNC110 - a wire tells its host alone
                await asyncio.sleep(0)
        assert reader is not None
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    b"Sec-WebSocket-Protocol: bluebear.v1.json\r\n\r\n"
)
ODD_FRAMES = [
    bytes((first, second)) + bytes(rest)
    for first in (0x00, 0x80, 0x81, 0x82, 0x83, 0x88, 0x89, 0x8A, 0x8F, 0x91, 0xA1, 0xC1, 0xFF)
    for second, rest in (
        (0x00, 0),
        (0x80, 4),
        (0x81, 5),
        (0x05, 5),
        (0xFD, 129),
        (0xFE, 6),
        (0xFE, 140),
        (0xFF, 12),
        (0x7F, 8),
    )
]
ODD_REQUESTS = [
    b"\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    b"GET /ws HTTP/1.0\r\nHost: localhost\r\n\r\n",
    b"GET /ws HTTP/2.0\r\nHost: localhost\r\n\r\n",
    b"POST /ws HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbear",
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET //[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /ws HTTP/1.1\r\nHost: [::1\r\n\r\n",
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://[::1\r\n\r\n",
    HANDSHAKE.replace(b"AAAAAAAAAAAAAAAAAAAAAA==", b"bear"),
    HANDSHAKE.replace(b": 13", b": 12"),
    HANDSHAKE.replace(b"Upgrade\r\n", b"\r\n", 1),
    HANDSHAKE.replace(b"Host", b"H\xffst"),
    HANDSHAKE.replace(b"GET /ws", b"GET /about/invite/x"),
    HANDSHAKE + HANDSHAKE,
]


async def test_odd_frames_and_requests_at_the_door_are_no_person_s_bug(tmp_path: Path) -> None:
    """Glued to the handshake or alone, whole or cut anywhere; the log stays empty."""
    troubles: list[object] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: troubles.append(context.get("exception"))
    )
    sent = [HANDSHAKE + odd for odd in ODD_FRAMES] + ODD_REQUESTS
    async with running(tmp_path) as server:
        for complete in sent:
            for cut in (0, len(complete) // 3, len(HANDSHAKE) + 1):
                reader, writer = await knock(server)
                with suppress(ConnectionError):
                    for fragment in (complete[:cut], complete[cut:]):
                        writer.write(fragment)
                        await writer.drain()
                    writer.write_eof()
                    await asyncio.wait_for(reader.read(), 10)
                writer.close()
                with suppress(ConnectionError):
                    await writer.wait_closed()
        async with stranger(server.url) as guest:
            await guest.hello("Ayu")
            assert guest.token
    assert set(map(repr, troubles)) == set()


async def test_who_was_notified_often_enough_is_hung_up_on_before_he_asks(server: Running) -> None:
    hung_up = COUNTERS["connections.hung_up"]
    async with AsyncExitStack() as stack:
        for _ in range(CONNECTIONS):
            await stack.enter_async_context(stranger(server.url))
        reply = 0
        for _ in range(3 * int(BOUNDS.address[Cost.NOTICE].burst)):
            with suppress(ConnectionError, InvalidMessage):
                async with stranger(server.url) as refused:
                    assert (await refused.hear(Bye)).why == "full_server"
                    reply += 1
            if COUNTERS["connections.hung_up"] > hung_up:
                break
        assert reply >= BOUNDS.address[Cost.NOTICE].burst
        assert COUNTERS["connections.hung_up"] == hung_up + 1
    # Other persons are not affected, nor this one after one of their sessions has closed.
    async with (await arrive(server.url, source="127.0.9.9")).connection:
        pass
    await server.app.dispatcher.wait_until_empty()
    async with stranger(server.url) as again:
        await again.hello("Again")
