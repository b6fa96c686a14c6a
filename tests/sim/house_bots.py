"""House bots in the simulation: a control connection, and one connection for each wanted seat."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from bluebear.clients.sdk.client_events import SeatWanted, YourMove
from bluebear.clients.sdk.nodes import Nodes
from bluebear.clients.sdk.session import ClientSession
from bluebear.protocol import MSGPACK, Hello, Want
from tests.sim.simulated_clients import Mover, Net, Person

_BACK_SECONDS: Final = 0.2


class HouseNet(Net, Protocol):
    """What house bots need besides: the token of the current server."""

    @property
    def house_token(self) -> str:
        """What the server has told its child."""


class HouseBot(Mover):
    """Plays one seat at random until the server closes the connection."""

    may_be_refused = frozenset({"unauthorized"})
    """Its ticket may be void before it has come."""

    def __init__(self, net: Net, name: str, ticket: str, *, lazy: float) -> None:
        super().__init__(
            net, name, codec=MSGPACK, wants=frozenset[Want]({"moves"}), bot=True, token=ticket
        )
        self._lazy = lazy

    def on_moves(self, moves: YourMove) -> None:
        """Play; now and then sleep over it."""
        if self.chance.random() >= self._lazy:
            super().on_moves(moves)

    def _come_back(self) -> None:
        """It does not: the server wants the seat once more."""
        self.stays = False


class House(Person):
    """The control connection of the house bots.

    `lazy` is the share of moves that bots do not make.
    """

    def __init__(self, net: HouseNet, *, lazy: float = 0.0) -> None:
        super().__init__(net, "house", codec=MSGPACK, wants=frozenset(), bot=True, token="-")
        self._house_net = net
        self._lazy = lazy
        self.bots: list[HouseBot] = []

    def connect(self) -> None:
        """Dial with the token of the server that runs now."""
        token = self._house_net.house_token
        self._hello = Hello(token=token, langs=("en",), bot=True)
        self.nodes = Nodes(ClientSession(self._hello, self._ids), self)
        super().connect()

    def _come_back(self) -> None:
        asyncio.get_running_loop().call_later(_BACK_SECONDS, self.connect)

    def on_wanted(self, wanted: SeatWanted) -> None:
        """Send a bot."""
        name = f"house{len(self.bots) + 1}"
        bot = HouseBot(self.net, name, wanted.ticket, lazy=self._lazy)
        self.bots.append(bot)
        bot.connect()

    def go(self) -> None:
        """Disconnect all house bots and the control connection."""
        super().go()
        for bot in self.bots:
            bot.go()
