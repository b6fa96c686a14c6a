"""The listening socket: who calls, what is asked for by plain HTTP, and who hears the frames.

One port serves `/ws`, the page, invite links `/r/TOKEN` and `/healthz`. Only this module, `page`
and `wire` know the WebSocket library.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from bluebear.protocol import Codec
from bluebear.rules.core.phrases import LANGS
from bluebear.server.edge.callers import Callers
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.page import Page
from bluebear.server.edge.reception import Reception
from bluebear.server.edge.wire import Heard, Reply, Wire
from bluebear.server.limits import KNOCKING_MAX
from bluebear.server.listening import EVERYWHERE, bound
from bluebear.server.net.budget import network_of
from bluebear.server.net.tick_limiter import TickLimiter
from bluebear.server.observe import count
from bluebear.server.sentences import say

_TEXT: Final = "text/plain; charset=utf-8"
_HEALTH: Final = "/healthz"
"""Answered whoever asks how often: what watches a server may share an address with others."""


class Transport:
    """The listening socket and its connections; owned by whoever started it."""

    def __init__(
        self,
        reception: Reception,
        page: Page,
        callers: Callers,
        start: Callable[[Coroutine[Any, Any, None]], None],
        health: Callable[[], dict[str, Any]],  # Any: a plain tree for /healthz
        turns: TickLimiter,
    ) -> None:
        self._reception = reception
        self._page = page
        self._callers = callers
        self._knocking: Counter[str] = Counter()
        self._start = start
        self._health = health
        self._turns = turns
        self._wires: dict[Wire, Connection | None] = {}
        self._empty = asyncio.Event()
        self._knocks: dict[Wire, str] = {}
        self._server: asyncio.Server | None = None
        self._private: asyncio.Server | None = None

    async def open(self, host: str, port: int, *, shared: bool = False) -> int:
        """Listen; returns the port. Raises OSError if it is taken.

        `shared`: other processes of ours may listen on it, too; the system deals callers out.
        """
        loop = asyncio.get_running_loop()
        if host == EVERYWHERE:
            plug = bound(host, port, shared=shared)
            self._server = await loop.create_server(self._call, sock=plug)
        else:
            self._server = await loop.create_server(
                self._call, host, port, reuse_port=shared or None
            )
        number: int = self._server.sockets[0].getsockname()[1]
        return number

    async def open_private(self) -> int:
        """Listen on this machine alone, for the house's own bots; returns the port.

        Nobody is counted there: who has no ticket is sent away before long.
        """
        loop = asyncio.get_running_loop()
        self._private = await loop.create_server(self._call_private, "127.0.0.1", 0)
        number: int = self._private.sockets[0].getsockname()[1]
        return number

    async def close(self) -> None:
        """Stop listening and close every connection."""
        for server in (self._server, self._private):
            if server is not None:
                server.close()
        for wire in list(self._wires):
            wire.close(4002, "restart")
        if self._wires:
            await self._empty.wait()

    def _call(self) -> Wire:
        return self._new(Wire(self))

    def _call_private(self) -> Wire:
        return self._new(Wire(self, private=True))

    def _new(self, wire: Wire) -> Wire:
        self._wires[wire] = None
        self._empty.clear()
        return wire

    # What wires ask for.

    def opened(self, wire: Wire, codec: Codec) -> Heard | None:
        """A client has come."""
        connection = self._wires[wire] = self._reception.connect(wire, codec, private=wire.private)
        if connection is None:
            return None
        wire.share = connection.share
        return partial(self._reception.received, connection)

    def ended(self, wire: Wire) -> None:
        """A connection is no more."""
        self._no_longer_knocks(wire)
        connection = self._wires.pop(wire, None)
        if connection is not None:
            self._reception.gone(connection)
        if not self._wires:
            self._empty.set()

    def called(self, wire: Wire) -> bool:
        """Somebody has called; False if too many who have asked for nothing yet are there."""
        if not self._callers.may_knock(self._knocking, wire.address):
            count("connections.knocking_refused")
            return False
        if not self._callers.speaks_for_others(wire.address) and self._hangs_up(wire.address):
            return False
        if self._callers.is_crowded(self._knocking):
            self._make_room()
        network = network_of(wire.address)
        self._knocking[network] += 1
        self._knocks[wire] = network
        return True

    def _make_room(self) -> None:
        """Who has asked for nothing for longest, of those who are most, has had his time.

        So a stranger with many addresses takes the place of his own calls, and of nobody else's.
        """
        count("connections.knocking_refused")
        most = max(self._knocking, key=self._knocking.__getitem__)
        oldest = next(wire for wire, network in self._knocks.items() if network == most)
        self._no_longer_knocks(oldest)
        oldest.hang_up()

    def _hangs_up(self, address: str) -> bool:
        """Whether somebody is sent away without a word, who would have to be told once more."""
        hangs_up = self._reception.tells_no_more(address)
        if hangs_up:
            count("connections.hung_up")
        return hangs_up

    def is_crowded(self) -> bool:
        """Whether as many who have asked for nothing yet are there as there may be."""
        return self._knocking.total() >= KNOCKING_MAX

    def _no_longer_knocks(self, wire: Wire) -> None:
        network = self._knocks.pop(wire, None)
        if network is not None:
            self._knocking[network] -= 1
            if not self._knocking[network]:
                del self._knocking[network]

    def answer(self, wire: Wire, core: ServerProtocol, request: Request, reply: Reply) -> None:
        """What is asked for by plain HTTP; None lets the WebSocket handshake go on."""
        self._no_longer_knocks(wire)
        if not wire.private:
            wire.address = self._callers.address(wire.address, request.headers)
            if not self._callers.knows_host(request.headers):
                count("connections.wrong_host")
                text = _in_all("answer.unknown_host")
                reply(_respond(core, HTTPStatus.MISDIRECTED_REQUEST, text, _TEXT))
                return
        path = request.path.partition("?")[0]
        if path == "/ws":
            self._turns.run(partial(self._may_come, wire, core, request, reply))
        elif path != _HEALTH and (wait := self._reception.wait_to_ask(wire.address)):
            reply(_too_much(core, wait))
        elif path.startswith("/about"):
            self._start(self._about(path, reply))
        else:
            reply(self._found(core, request, path))

    def _may_come(self, wire: Wire, core: ServerProtocol, request: Request, reply: Reply) -> None:
        if self._hangs_up(wire.address):
            text = say("bye.full_server", "en")
            reply(_respond(core, HTTPStatus.TOO_MANY_REQUESTS, f"{text}\n", _TEXT))
        else:
            reply(self._check_origin(core, request))

    async def _about(self, path: str, reply: Reply) -> None:
        reply(await self._page.about(path))

    def _found(self, core: ServerProtocol, request: Request, path: str) -> Response | None:
        if path == _HEALTH:
            health = self._health()
            status = HTTPStatus.OK if health["ok"] else HTTPStatus.SERVICE_UNAVAILABLE
            return _respond(core, status, json.dumps(health) + "\n", "application/json")
        page = self._page.answer(path, request)
        if page is not None:
            return page
        if path.startswith("/r/"):
            link = f"{self._page.public_url()}{path}"
            return _respond(core, HTTPStatus.OK, _in_all("answer.how_to_join", link=link), _TEXT)
        return _respond(core, HTTPStatus.NOT_FOUND, "not found\n", "text/plain")

    def _check_origin(self, core: ServerProtocol, request: Request) -> Response | None:
        if self._callers.knows_origin(request.headers):
            return None
        count("connections.wrong_origin")
        return _respond(core, HTTPStatus.FORBIDDEN, "wrong origin\n", "text/plain")


def _in_all(key: str, **params: object) -> str:
    """A sentence in all languages, a line each."""
    return "".join(f"{say(key, lang, None, **params)}\n" for lang in LANGS)


def _too_much(core: ServerProtocol, wait_ms: int) -> Response:
    seconds = -(-wait_ms // 1000)
    text = _in_all("refusal.too_much", seconds=seconds)
    response = _respond(core, HTTPStatus.TOO_MANY_REQUESTS, text, _TEXT)
    response.headers["Retry-After"] = str(seconds)
    return response


def _respond(core: ServerProtocol, status: HTTPStatus, text: str, kind: str) -> Response:
    response = core.reject(status, text)
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = kind
    return response
