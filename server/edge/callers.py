"""Who calls by HTTP: from which address, under which of our names, from which page."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections import Counter
from typing import Final
from urllib.parse import urlsplit

from websockets.datastructures import Headers

from bluebear.server.config import Config
from bluebear.server.limits import KNOCKING_MAX, KNOCKING_PER_ADDRESS
from bluebear.server.net.budget import network_of

_FOR: Final = re.compile(r"""(?i)\bfor=(?:"([^"]*)"|([^;,\s]*))""")
_HOPS_MAX: Final = 16
"""Proxies in a row that are looked at; nobody has so many."""

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Callers:
    """Judges the headers of a request. ValueError for a proxy that is no network."""

    def __init__(self, config: Config, public_url: str) -> None:
        self._trusted: tuple[_Network, ...] = tuple(
            ipaddress.ip_network(each, strict=False) for each in config.trusted_proxies
        )
        self._origins = config.origins
        self._bounded = config.bounded
        public = urlsplit(public_url).hostname or ""
        own = socket.gethostname()
        named = (*config.allowed_hosts, public, "localhost", own, f"{own}.local")
        self._hosts = frozenset(name.lower() for name in named if name)

    def address(self, peer: str, headers: Headers) -> str:
        """Whom a connection is for: its peer, or whom a trusted proxy says that it speaks for.

        A proxy writes one of two headers and may pass the other one on as the caller has made it
        up, so two that differ are both not believed.
        """
        if not self.speaks_for_others(peer):
            return peer
        named = {
            each for each in map(self._caller, (_forwarded(headers), _listed(headers))) if each
        }
        return named.pop() if len(named) == 1 else peer

    def _caller(self, hops: list[str]) -> str | None:
        """Proxies add to the right, so the last one that is not ours is the one to believe."""
        last_first = reversed(hops[-_HOPS_MAX:])
        return next((hop for hop in last_first if not self.speaks_for_others(hop)), None)

    def may_knock(self, knocking: Counter[str], peer: str) -> bool:
        """Whether one more of an address may call who has asked for nothing yet.

        A proxy calls for many.
        """
        if not self._bounded or self.speaks_for_others(peer):
            return True
        return knocking[network_of(peer)] < KNOCKING_PER_ADDRESS

    def is_crowded(self, knocking: Counter[str]) -> bool:
        """Whether as many of those are there as there may be."""
        return self._bounded and knocking.total() >= KNOCKING_MAX

    def speaks_for_others(self, address: str) -> bool:
        """Whether a proxy is there that its host trusts."""
        if not self._trusted:
            return False
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        # A server that listens on both kinds hears IPv4 in the clothes of IPv6.
        mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
        return any((mapped or found) in network for network in self._trusted)

    def knows_host(self, headers: Headers) -> bool:
        """Whether a request names this server by one of its names, or by a bare address.

        A page of another site whose name was pointed at this address (DNS rebinding) does not.
        """
        host = _single(headers, "Host")
        name = _host_of(f"//{host}") if host else None
        if name is None:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.lower() in self._hosts
        return True

    def knows_origin(self, headers: Headers) -> bool:
        """Whether a page of this origin may speak for its visitor; programs send none."""
        origin = _single(headers, "Origin")
        if origin is None or origin in self._origins:
            return True
        host = _single(headers, "Host")
        return host is not None and origin in (f"http://{host}", f"https://{host}")


def _host_of(address: str) -> str | None:
    """The name of the machine in an address; None where there is none, or it is no address."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _single(headers: Headers, name: str) -> str | None:
    """A header that may stand once; "" for one that stands more often, None for none."""
    found = headers.get_all(name)
    return None if not found else found[0] if len(found) == 1 else ""


def _forwarded(headers: Headers) -> list[str]:
    """The addresses that proxies have noted in `Forwarded` (RFC 7239), the client's first."""
    noted = _FOR.findall(",".join(headers.get_all("Forwarded")))
    return [_bare(quoted or plain) for quoted, plain in noted]


def _listed(headers: Headers) -> list[str]:
    """Those in `X-Forwarded-For`."""
    listed = ",".join(headers.get_all("X-Forwarded-For"))
    return [_bare(each.strip()) for each in listed.split(",") if each.strip()]


def _bare(node: str) -> str:
    """An address without brackets and port."""
    if node.startswith("["):
        return node[1:].partition("]")[0]
    return node.partition(":")[0] if node.count(":") == 1 else node
