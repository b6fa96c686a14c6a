"""Where a server listens, and how it is called there."""

from __future__ import annotations

import socket
from typing import Final

EVERYWHERE: Final = "::"
"""Every address of the machine, those of IPv4 as well."""

_FROM_HERE: Final = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", EVERYWHERE: "127.0.0.1"}
"""What listens on all addresses is called by one of them."""


def called(host: str, port: int) -> str:
    """What listens there, as it stands in the address of a page.

    >>> called("::1", 8765), called("0.0.0.0", 8765)
    ('[::1]:8765', '127.0.0.1:8765')
    """
    name = _FROM_HERE.get(host, host)
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


def host_and_port(address: str) -> tuple[str, int]:
    """The two of `HOST:PORT`; one of IPv6 stands in brackets. ValueError for a port that is none.

    >>> host_and_port("[::1]:9464")
    ('::1', 9464)
    """
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def bound(host: str, port: int, *, shared: bool) -> socket.socket:
    """A socket that has its address and does not listen yet. Raises OSError if that is taken.

    `shared`: other processes of ours may listen there, too.
    """
    plug = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        plug.setsockopt(
            socket.SOL_SOCKET, socket.SO_REUSEPORT if shared else socket.SO_REUSEADDR, 1
        )
        if host == EVERYWHERE:
            plug.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        plug.bind((host, port))
    except OSError:
        plug.close()
        raise
    return plug
