"""Calls to addresses that people have given: which ones are allowed, how a call is signed and made.

A call is signed as Standard Webhooks says (https://www.standardwebhooks.com): whoever has the
secret can see that it is ours, what it is about, and that it was not sent before.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import http.client
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from rules.core.refusal import NotAllowed
from server.limits import HOOK_SECONDS, HOOK_URL_MAX_CHARS

_PREFIX: Final = "whsec_"
_SECRET_BYTES: Final = 24
_PORTS: Final = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class Call:
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


def signed(url: str, secret: str, call_id: str, body: bytes, seconds: int) -> Call:
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
    return Call(url, headers, body)


async def post(call: Call) -> int:
    """Make a call in a thread of its own; the status of the answer, 0 where none came."""
    return await asyncio.to_thread(_post, call)


def _post(call: Call) -> int:
    """No redirect is followed: it would lead where nobody has allowed."""
    parts = urlsplit(call.url)
    host, port = parts.hostname or "", parts.port
    connection = (
        http.client.HTTPSConnection(
            host, port, timeout=HOOK_SECONDS, context=ssl.create_default_context()
        )
        if parts.scheme == "https"
        else http.client.HTTPConnection(host, port, timeout=HOOK_SECONDS)
    )
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("POST", target, call.body, dict(call.headers))
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()
