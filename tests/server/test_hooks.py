"""Calls to addresses: made to a real listener, no redirect followed, no answer is no harm."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress

import pytest

from bluebear.server.features.notifications import check_url, new_secret, signed
from bluebear.server.net import http_client
from bluebear.server.net.http_client import send_request

BODY = b'{"type":"turn"}'


@asynccontextmanager
async def listening(answer: bytes) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A listener that answers every call in the same words: its port, and what it has heard."""
    received: list[bytes] = []

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        received.append(head + await reader.readexactly(len(BODY)))
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(hear, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], received


def call(port: int) -> Awaitable[int]:
    url = f"http://127.0.0.1:{port}/ayu?k=1"
    check_url(url, (f"http://127.0.0.1:{port}",))
    return send_request(signed(url, new_secret(b"x"), "g1-7-2", BODY, 1_700_000_000))


async def test_a_call_brings_its_body_and_its_signature() -> None:
    async with listening(b"HTTP/1.1 204 No Content\r\n\r\n") as (port, received):
        assert await call(port) == 204
    [sent] = received
    assert sent.startswith(b"POST /ayu?k=1 HTTP/1.1\r\n")
    assert b"webhook-id: g1-7-2\r\n" in sent
    assert b"webhook-signature: v1," in sent
    assert sent.endswith(BODY)


async def test_no_redirect_is_followed() -> None:
    async with listening(b"HTTP/1.1 200 OK\r\n\r\n") as (inside, received):
        away = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{inside}/\r\n\r\n"
        async with listening(away.encode()) as (port, _):
            assert await call(port) == 302
        assert received == []


async def test_nonsense_and_silence_are_no_answer() -> None:
    async with listening(b"\x00\xff not http\r\n\r\n") as (port, _):
        assert await call(port) == 0
    async with listening(b"") as (port, _):
        assert await call(port) == 0
    assert await call(port) == 0, "nobody listens there any more"


async def test_who_answers_byte_by_byte_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call has so long as a whole; each byte of an answer does not begin it anew."""
    hung_up = asyncio.Event()

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        with suppress(ConnectionError):
            while not writer.is_closing() and not reader.at_eof():
                writer.write(b"H")
                await writer.drain()
                await asyncio.sleep(0)
        hung_up.set()
        writer.close()

    monkeypatch.setattr(http_client, "HOOK_SECONDS", 0.2)
    monkeypatch.setattr(http_client, "_STATUS_MAX_BYTES", 1 << 40)
    server = await asyncio.start_server(drip, "127.0.0.1", 0)
    async with server:
        assert await call(server.sockets[0].getsockname()[1]) == 0
        await hung_up.wait()


async def test_an_answer_without_end_is_not_stored() -> None:
    async with listening(b"HTTP/1.1 200 " + b"x" * 100_000) as (port, _):
        assert await call(port) == 0
