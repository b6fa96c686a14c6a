"""Reads the address of a server in the forms that people paste: addresses, page links, invite
links.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_SCHEMES: Final = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
_INVITE: Final = re.compile(r"(?P<prefix>.*)/r/(?P<token>[!-.0-~]+)/?")


class BadAddressError(Exception):
    """The text is not the address of a server."""


@dataclass(frozen=True, slots=True)
class Address:
    """A server's WebSocket address, and the invite's token if the link was an invite."""

    url: str
    invite: str | None = None


def read_address(text: str) -> Address:
    """Read the address in a text. Raises BadAddressError.

    >>> read_address("https://play.example/r/Zm9v")
    Address(url='wss://play.example/ws', invite='Zm9v')
    >>> read_address("localhost:8000").url
    'ws://localhost:8000/ws'
    """
    try:
        parts = urlsplit(text if "://" in text else f"ws://{text}")
        valid = bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise BadAddressError(text) from None
    scheme = _SCHEMES.get(parts.scheme)
    if scheme is None or not valid or parts.username is not None:
        raise BadAddressError(text)
    base = f"{scheme}://{parts.netloc}"
    invite = _INVITE.fullmatch(parts.path)
    if invite is not None:
        return Address(f"{base}{invite['prefix']}/ws", invite["token"])
    return Address(f"{base}{parts.path.rstrip('/').removesuffix('/ws')}/ws")
