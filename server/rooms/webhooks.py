"""Calls to addresses that people have given: which ones are allowed, how a call is signed and made.

A call is signed as Standard Webhooks says (https://www.standardwebhooks.com): whoever has the
secret can see that it is ours, what it is about, and that it was not sent before.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.limits import HOOK_SECONDS, HOOK_URL_MAX_CHARS

_PREFIX: Final = "whsec_"
_SECRET_BYTES: Final = 24
_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d)[ \r\n]")
_STATUS_MAX_BYTES: Final = 4 * 1024
"""The first line of an answer, which is all that is read of it."""
_PORTS: Final = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class WebhookCall:
    """One call: where to, and what is said."""

    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


def origin_of(host: str) -> str:
    """What an operator's word allows: `host` stands for `https://host`; ports count."""
    return _origin(host if "://" in host else f"https://{host}")


def check_url(url: str, hosts: Sequence[str]) -> None:
    """NotAllowed: no_hooks, hook_bad, hook_host for an address that may not be called."""
    if not hosts:
        raise NotAllowed("no_hooks")
    plain = url.isascii() and url.isprintable() and not set(url) & set(" \\#@")
    if not plain or len(url) > HOOK_URL_MAX_CHARS:
        raise NotAllowed("hook_bad")
    if _origin(url) not in {origin_of(host) for host in hosts}:
        raise NotAllowed("hook_host", candidates=tuple(hosts))


def _origin(url: str) -> str:
    """Scheme, host and port; NotAllowed (hook_bad) where there are none."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        raise NotAllowed("hook_bad") from None
    if not parts.hostname or parts.username is not None:
        raise NotAllowed("hook_bad")
    return f"{parts.scheme}://{parts.hostname}:{port}"


def new_secret(fresh: bytes) -> str:
    """The secret of a new address; told once."""
    secret = hashlib.sha256(b"hook" + fresh).digest()[:_SECRET_BYTES]
    return _PREFIX + base64.b64encode(secret).decode()


def signed(url: str, secret: str, call_id: str, body: bytes, seconds: int) -> WebhookCall:
    """A call with its signature, at a time in seconds."""
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    text = f"{call_id}.{seconds}.".encode() + body
    signature = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    headers = (
        ("Content-Type", "application/json"),
        ("User-Agent", "bluebear"),
        ("webhook-id", call_id),
        ("webhook-timestamp", str(seconds)),
        ("webhook-signature", f"v1,{signature}"),
    )
    return WebhookCall(url, headers, body)


async def post(call: WebhookCall) -> int:
    """Make a call; the status of the answer, 0 where none came in time.

    The time is for the whole call: who answers a byte now and then keeps nobody else's waiting. No
    redirect is followed: it would lead where nobody has allowed.
    """
    try:
        async with asyncio.timeout(HOOK_SECONDS):
            return await _post(call)
    except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return 0


async def _post(call: WebhookCall) -> int:
    parts = urlsplit(call.url)
    port = parts.port or _PORTS[parts.scheme]
    # Reading all the authorities takes a tenth of a second: once, and not on the loop.
    secure = await asyncio.to_thread(_authorities) if parts.scheme == "https" else None
    reader, writer = await asyncio.open_connection(
        parts.hostname, port, ssl=secure, limit=_STATUS_MAX_BYTES
    )
    try:
        writer.write(_request(call) + call.body)
        await writer.drain()
        return _status(await reader.readuntil(b"\n"))
    finally:
        # Whatever else it says is not waited for.
        writer.transport.abort()


@cache
def _authorities() -> ssl.SSLContext:
    return ssl.create_default_context()


def _request(call: WebhookCall) -> bytes:
    parts = urlsplit(call.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [
        f"POST {target} HTTP/1.1",
        f"Host: {parts.netloc}",
        *(f"{name}: {value}" for name, value in call.headers),
        f"Content-Length: {len(call.body)}",
        "Connection: close",
    ]
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def _status(line: bytes) -> int:
    """The number in an answer's first line; 0 where that is none."""
    found = _STATUS.match(line)
    return 0 if found is None else int(found[1])
