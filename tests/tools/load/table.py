"""Players around a table who play one game after the other."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Final

from bluebear.clients.sdk import Client, Lost, Missed, NeedSync, RoomId
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Seat
from tests.tools.load.live_server import Running
from tests.tools.load.player import Player

SEATS: Final = 4


class Table:
    """Players in one room, who play game after game. Owned by a test."""

    def __init__(
        self, server: Running, number: int, *, game: str = "manhattan", seats: int = SEATS
    ) -> None:
        self._server = server
        self._number = number
        self._game = game
        self._seats = seats
        self.players: list[Player] = []
        self.room = RoomId("")
        self.finished = 0

    async def sit_down(self, stack: AsyncExitStack) -> None:
        """Come to a new room, one after the other; the stack sends them home."""
        for seat in range(1, self._seats + 1):
            # Every other player reads JSON: both codecs are played through whole games.
            client = Client(
                self._server.url,
                name=f"T{self._number}S{seat}",
                wants={"moves"},
                bot=True,
                codec="json" if seat % 2 else "msgpack",
            )
            player = Player(
                await stack.enter_async_context(client), FastChance(100 * self._number + seat)
            )
            self.players.append(player)
            if seat == 1:
                room = (await player.say(f"/newroom {self._game}")).room
                assert room is not None
                self.room = room
                await player.say("/join", room)
            else:
                await player.take_a_seat(self.room)

    async def play(self, games: int) -> None:
        """Play so many games from start to end."""
        host = self.players[0]
        for number in range(games):
            if number:
                await host.say("/again", self.room)
            await host.say("/start", self.room)
            await asyncio.gather(*(player.play(self.room) for player in self.players))
            self.finished += 1

    async def check(self) -> None:
        """Compare every mirror with the server's view; no client had to request a snapshot."""
        room = self._server.room(self.room).room
        for player in self.players:
            eyes = frozenset(Seat(seat) for seat in player.client.room(self.room).eyes)
            await player.catch_up(self.room, room.version_for(eyes))
            self._server.check(player.client, self.room)
            assert [player.count(kind) for kind in (NeedSync, Missed, Lost)] == [0, 0, 0]
