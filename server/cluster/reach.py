"""Does the address of each node lead to it? Asked from outside, as clients come."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError
from urllib.parse import urljoin
from urllib.request import urlopen

ANSWER_SECONDS: Final = 2.0
_MAX_BYTES: Final = 65_536


async def unreached(public_url: str, addresses: Mapping[str, str]) -> dict[str, str]:
    """The names of the nodes at whose addresses another node replies, or none, and the reasons.

    `addresses` are those of `/ws`, by name; relative ones are below `public_url`.
    """
    names = sorted(addresses)
    urls = (health_url(public_url, addresses[each]) for each in names)
    checks = (asyncio.to_thread(_why_not, *each) for each in zip(names, urls, strict=True))
    reasons = zip(names, await asyncio.gather(*checks), strict=True)
    return {name: why for name, why in reasons if why}


def health_url(public_url: str, address: str) -> str:
    """Where a node reports its health.

    >>> health_url("https://example.org", "/n/a/ws")
    'https://example.org/n/a/healthz'
    >>> health_url("https://example.org", "wss://a.example.org/ws")
    'https://a.example.org/healthz'
    """
    url = urljoin(f"{public_url}/", address)
    secure = url.startswith(("https:", "wss:"))
    scheme = "https" if secure else "http"
    return f"{scheme}:{url.partition(':')[2].removesuffix('ws')}healthz"


def _why_not(name: str, url: str) -> str:
    """Why a node is not reached; "" if it is."""
    try:
        node = str(json.loads(_body(url))["node"])
    except (OSError, HTTPException, ValueError, LookupError, TypeError) as problem:
        return str(problem) or type(problem).__name__
    return "" if node.rpartition(".")[0] == name else f"{node} replies"


def _body(url: str) -> bytes:
    """What a URL returns, also with an error's status: a node that is not well is reached."""
    try:
        with urlopen(url, timeout=ANSWER_SECONDS) as reply:
            return bytes(reply.read(_MAX_BYTES))
    except HTTPError as error:
        return error.read(_MAX_BYTES)
