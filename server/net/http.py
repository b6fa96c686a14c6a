"""HTTP: the listening socket, the requests that it serves, and whose they are.

One port serves `/ws`, the page, invite links `/r/TOKEN` and `/healthz`. Only this module, `pages`
and `websocket` know the WebSocket library.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import socket
from collections import Counter
from functools import partial
from http import HTTPStatus
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from bluebear.protocol import Codec
from bluebear.rules.core.phrases import LANGS
from bluebear.server.config import Config
from bluebear.server.limits import KNOCKING_MAX, KNOCKING_PER_ADDRESS
from bluebear.server.net.dispatch import Dispatcher
from bluebear.server.net.pages import NO_STORE, StaticPages, json_response, make_response
from bluebear.server.net.rate_limits import TickLimiter, network_of
from bluebear.server.net.session import Session
from bluebear.server.net.websocket import Receiver, Reply, WebSocketConnection
from bluebear.server.runtime import Tasks, count
from bluebear.server.sentences import say

EVERYWHERE: Final = "::"
"""Every address of the machine, those of IPv4 as well."""

_FROM_HERE: Final = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", EVERYWHERE: "127.0.0.1"}
"""A server that listens on all addresses is reached by one of them."""

_FOR: Final = re.compile(r"""(?i)\bfor=(?:"([^"]*)"|([^;,\s]*))""")
_HOPS_MAX: Final = 16
"""Proxies in a row that are looked at; more than any setup has."""

_OF_NODE: Final = re.compile(r"/n/(?P<node>[a-z0-9-]{1,32})(?P<rest>/.*)")
"""A request that is for one node."""

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_HEALTH: Final = "/healthz"
"""Answered however often it is requested: a monitor may share its address with others."""


class RequestPolicy:
    """Judges the headers of a request. ValueError for a proxy that is no network."""

    def __init__(self, config: Config, public_url: str) -> None:
        self._trusted: tuple[_Network, ...] = tuple(
            ipaddress.ip_network(each, strict=False) for each in config.trusted_proxies
        )
        self._origins = config.origins
        self._bounded = config.bounded
        public = urlsplit(public_url).hostname or ""
        this = socket.gethostname()
        named = (*config.allowed_hosts, public, "localhost", this, f"{this}.local")
        self._hosts = frozenset(name.lower() for name in named if name)

    def address(self, peer: str, headers: Headers) -> str:
        """The address that a connection is for: its peer, or the one that a trusted proxy names.

        A proxy writes one of two headers and may pass the other one on as the client has made it
        up, so neither of two that differ is believed.
        """
        if not self.is_trusted_proxy(peer):
            return peer
        named = {
            each for each in map(self._caller, (_forwarded(headers), _listed(headers))) if each
        }
        return named.pop() if len(named) == 1 else peer

    def _caller(self, hops: list[str]) -> str | None:
        """Proxies add to the right, so the last one that is not ours is the one to believe."""
        last_first = reversed(hops[-_HOPS_MAX:])
        return next((hop for hop in last_first if not self.is_trusted_proxy(hop)), None)

    def may_connect(self, pending: Counter[str], peer: str) -> bool:
        """Whether an address may have one more connection without a request; a proxy may."""
        if not self._bounded or self.is_trusted_proxy(peer):
            return True
        return pending[network_of(peer)] < KNOCKING_PER_ADDRESS

    def is_crowded(self, pending: Counter[str]) -> bool:
        """Whether as many connections without a request are open as there may be."""
        return self._bounded and pending.total() >= KNOCKING_MAX

    def is_trusted_proxy(self, address: str) -> bool:
        """Whether a proxy that the operator trusts has this address."""
        if not self._trusted:
            return False
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        # A server that listens on both kinds sees IPv4 addresses as mapped ones of IPv6.
        mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
        return any((mapped or parsed) in network for network in self._trusted)

    def names_this_server(self, headers: Headers) -> bool:
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

    def is_same_origin(self, headers: Headers) -> bool:
        """Whether a page of this origin may speak for its visitor; programs send none."""
        origin = _single(headers, "Origin")
        if origin is None or origin in self._origins:
            return True
        host = _single(headers, "Host")
        return host is not None and origin in (f"http://{host}", f"https://{host}")


class OtherNodes(Protocol):
    """Takes the connections that are for other nodes."""

    def give(self, name: str, descriptor: int, head: bytes) -> bool:
        """Give a connection, of which `head` was read, to a node; False if there is none."""


class HealthReporter(Protocol):
    """Makes the reply of `/healthz`."""

    def report(self) -> dict[str, Any]:  # Any: a plain tree
        """How the server is; `ok` decides the status."""


class PublicPages(Protocol):
    """What plain HTTP serves beside the page."""

    @property
    def public_url(self) -> str:
        """The address of this server."""

    async def about(self, path: str) -> bytes:
        """The packed tree of an `/about` path."""


class Listener:
    """The listening socket and its connections; its maker opens and closes it."""

    def __init__(
        self,
        dispatcher: Dispatcher[Any],  # Any: of sessions, which are only handed on
        pages: StaticPages,
        policy: RequestPolicy,
        public: PublicPages,
        health: HealthReporter,
        limiter: TickLimiter,
        tasks: Tasks,
    ) -> None:
        self._dispatcher = dispatcher
        self._pages = pages
        self._policy = policy
        self._public = public
        self._health = health
        self._limiter = limiter
        self._tasks = tasks
        self._pending: Counter[str] = Counter()
        """Connections without a request, by network."""
        self._wires: dict[WebSocketConnection, Session | None] = {}
        self._empty = asyncio.Event()
        self._without_request: dict[WebSocketConnection, str] = {}
        self.node = ""
        """The name of this node; "" where there is no other one."""
        self.other_nodes: OtherNodes | None = None
        """Those of this machine that share the port."""
        self._server: asyncio.Server | None = None
        self._private: asyncio.Server | None = None

    async def open(self, host: str, port: int, *, shared: bool = False) -> int:
        """Listen; returns the port. Raises OSError if it is taken.

        `shared`: other server processes may listen on it, too; the system deals connections out.
        """
        loop = asyncio.get_running_loop()
        if host == EVERYWHERE:
            plug = bound_socket(host, port, shared=shared)
            self._server = await loop.create_server(self._call, sock=plug)
        else:
            self._server = await loop.create_server(
                self._call, host, port, reuse_port=shared or None
            )
        number: int = self._server.sockets[0].getsockname()[1]
        return number

    async def open_private(self) -> int:
        """Listen on this machine alone, for the bots of the server; returns the port.

        No limit holds there: a client without a ticket is refused.
        """
        loop = asyncio.get_running_loop()
        call = partial(self._call, private=True)
        self._private = await loop.create_server(call, "127.0.0.1", 0)
        number: int = self._private.sockets[0].getsockname()[1]
        return number

    def stop_listening(self) -> None:
        """Refuse new connections: a proxy then brings them to another node."""
        for server in (self._server, self._private):
            if server is not None:
                server.close()

    async def close(self) -> None:
        """Stop listening and close every connection."""
        self.stop_listening()
        for wire in list(self._wires):
            wire.close(4002, "restart")
        if self._wires:
            await self._empty.wait()

    def _call(self, *, private: bool = False) -> WebSocketConnection:
        wire = WebSocketConnection(self, private=private)
        self._wires[wire] = None
        self._empty.clear()
        return wire

    # The owner of WebSocket connections.

    def make_receiver(self, wire: WebSocketConnection, codec: Codec) -> Receiver | None:
        """The WebSocket handshake is done; returns what handles its messages, None: refused."""
        connection = self._wires[wire] = self._dispatcher.connect(wire, codec, private=wire.private)
        if connection is None:
            return None
        wire.share = connection.share
        return partial(self._dispatcher.received, connection)

    def on_closed(self, wire: WebSocketConnection) -> None:
        """A connection has ended."""
        self._end_wait(wire)
        connection = self._wires.pop(wire, None)
        if connection is not None:
            self._dispatcher.on_disconnect(connection)
        if not self._wires:
            self._empty.set()

    def may_stay(self, wire: WebSocketConnection) -> bool:
        """Whether a new connection may send a request: not if too many have sent none yet."""
        if not self._policy.may_connect(self._pending, wire.address):
            count("connections.knocking_refused")
            return False
        if not self._policy.is_trusted_proxy(wire.address) and self._hangs_up(wire.address):
            return False
        if self._policy.is_crowded(self._pending):
            self._make_room()
        network = network_of(wire.address)
        self._pending[network] += 1
        self._without_request[wire] = network
        return True

    def _make_room(self) -> None:
        """Close the oldest connection without a request, of the network with most of them.

        So a stranger with many addresses displaces their own connections, and no others.
        """
        count("connections.knocking_refused")
        most = max(self._pending, key=self._pending.__getitem__)
        oldest = next(wire for wire, network in self._without_request.items() if network == most)
        self._end_wait(oldest)
        oldest.hang_up()

    def _hangs_up(self, address: str) -> bool:
        """Whether to close a connection without a reply, as its address has had its share."""
        hangs_up = self._dispatcher.is_notice_limit_reached(address)
        if hangs_up:
            count("connections.hung_up")
        return hangs_up

    def is_crowded(self) -> bool:
        """Whether as many connections without a request are open as there may be."""
        return self._pending.total() >= KNOCKING_MAX

    def _end_wait(self, wire: WebSocketConnection) -> None:
        network = self._without_request.pop(wire, None)
        if network is not None:
            self._pending[network] -= 1
            if not self._pending[network]:
                del self._pending[network]

    async def take(self, plug: socket.socket, head: bytes) -> None:
        """Serve a connection of which another process has read the `head`."""
        loop = asyncio.get_running_loop()
        plug.settimeout(0.0)
        _, wire = await loop.connect_accepted_socket(self._call, plug)
        wire.data_received(head)

    def respond(self, wire: WebSocketConnection, request: Request, reply: Reply) -> None:
        """Reply to a request; None lets the WebSocket handshake go on."""
        self._end_wait(wire)
        named = _OF_NODE.match(request.path)
        path = (named["rest"] if named else request.path).partition("?")[0]
        if named and named["node"] != self.node:
            nodes = self.other_nodes
            if nodes is not None and nodes.give(named["node"], *wire.until_now(request)):
                # The system has duplicated the socket: ours is closed, and the connection stays.
                wire.hang_up()
            else:
                count("connections.no_node")
                reply(_respond(HTTPStatus.SERVICE_UNAVAILABLE, ""))
            return
        if not wire.private:
            wire.address = self._policy.address(wire.address, request.headers)
            if not self._policy.names_this_server(request.headers):
                count("connections.wrong_host")
                text = _in_all("answer.unknown_host")
                reply(_respond(HTTPStatus.MISDIRECTED_REQUEST, text))
                return
        if path == "/ws":
            self._limiter.run(partial(self._may_connect, wire, request, reply))
        elif path != _HEALTH and (wait := self._dispatcher.http_retry_after_ms(wire.address)):
            reply(_too_much(wait))
        elif path.startswith("/about"):
            self._tasks.start(self._about(path, reply))
        else:
            reply(self._response(request, path))

    def _may_connect(self, wire: WebSocketConnection, request: Request, reply: Reply) -> None:
        if self._hangs_up(wire.address):
            text = say("bye.full_server", "en")
            reply(_respond(HTTPStatus.TOO_MANY_REQUESTS, f"{text}\n"))
        elif self._policy.is_same_origin(request.headers):
            reply(None)
        else:
            count("connections.wrong_origin")
            reply(_respond(HTTPStatus.FORBIDDEN, "wrong origin\n", "text/plain"))

    async def _about(self, path: str, reply: Reply) -> None:
        reply(json_response(await self._public.about(path)))

    def _response(self, request: Request, path: str) -> Response | None:
        if path == _HEALTH:
            health = self._health.report()
            status = HTTPStatus.OK if health["ok"] else HTTPStatus.SERVICE_UNAVAILABLE
            return _respond(status, json.dumps(health) + "\n", "application/json")
        page = self._pages.response(path, request)
        if page is not None:
            return page
        if path.startswith("/r/"):
            link = f"{self._public.public_url}{path}"
            return _respond(HTTPStatus.OK, _in_all("answer.how_to_join", link=link))
        text = _in_all("answer.no_such_page", link=f"{self._public.public_url}/")
        return _respond(HTTPStatus.NOT_FOUND, text)


def _in_all(key: str, **params: object) -> str:
    """A sentence in all languages, a line each."""
    return "".join(f"{say(key, lang, None, **params)}\n" for lang in LANGS)


def _too_much(wait_ms: int) -> Response:
    seconds = -(-wait_ms // 1000)
    text = _in_all("refusal.too_much", seconds=seconds)
    response = _respond(HTTPStatus.TOO_MANY_REQUESTS, text)
    response.headers["Retry-After"] = str(seconds)
    return response


def _respond(status: HTTPStatus, text: str, kind: str = "text/plain; charset=utf-8") -> Response:
    return make_response(status, text.encode(), kind, NO_STORE, ())


def _host_of(address: str) -> str | None:
    """The name of the machine in an address; None where there is none, or it is no address."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _single(headers: Headers, name: str) -> str | None:
    """A header that may stand once; "" for one that stands more often, None for none."""
    values = headers.get_all(name)
    return None if not values else values[0] if len(values) == 1 else ""


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


def url_host(host: str, port: int) -> str:
    """Host and port as they stand in a URL.

    >>> url_host("::1", 8765), url_host("0.0.0.0", 8765)
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


def bound_socket(host: str, port: int, *, shared: bool) -> socket.socket:
    """A socket that has its address and does not listen yet. Raises OSError if that is taken.

    `shared`: other server processes may listen there, too.
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
