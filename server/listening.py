"""Where a server listens, and how it is called there."""

from __future__ import annotations

import socket
from typing import Final

EVERYWHERE: Final = "::"
"""Every address of the machine, those of IPv4 as well."""

_BACKLOG: Final = 100
_FROM_HERE: Final = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", EVERYWHERE: "127.0.0.1"}
"""What listens on all addresses is called by one of them."""


def called(host: str, port: int) -> str:
    """What listens there, as it stands in the address of a page.

    >>> called("::1", 8765), called("0.0.0.0", 8765)
    ('[::1]:8765', '127.0.0.1:8765')
    """
    name = _FROM_HERE.get(host, host)
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


def socket_everywhere(port: int, *, shared: bool) -> socket.socket:
    """Listens on all addresses of both kinds. Raises OSError if the port is taken.

    `shared`: other processes of ours may listen on it, too.
    """
    return socket.create_server(
        (EVERYWHERE, port),
        family=socket.AF_INET6,
        backlog=_BACKLOG,
        reuse_port=shared,
        dualstack_ipv6=True,
    )
