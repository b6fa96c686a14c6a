"""The house's bots: whichever seat the server wants played is played, until it says stop.

One control connection hears of wanted seats; every seat is a connection of its own, admitted by
its ticket. Nothing here comes back by itself: the server starts us again, and wants a lost seat
once more.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from typing import Final

from clients.bots.player import Player
from clients.bots.search.workers import Workers
from clients.bots.searching import player
from clients.bots.strategies import Games
from clients.sdk import Client, SeatWanted, Trouble
from rules.core.chance import Chance, Fast

AGENT: Final = "bluebear-house"

log = logging.getLogger(__name__)


def fresh_chance() -> Chance:
    """Draws that nobody can foresee; a bot's dice are no part of the game's."""
    return Fast(int.from_bytes(os.urandom(8), "big"))


class House:
    """All house bots of one server, in the running loop."""

    def __init__(
        self,
        url: str,
        token: str,
        games: Games,
        *,
        chance: Callable[[], Chance] = fresh_chance,
        workers: Workers | None = None,
    ) -> None:
        self._url = url
        self._token = token
        self._games = games
        self._chance = chance
        self._workers = workers or Workers()

    async def run(self) -> None:
        """Play wanted seats until the control connection ends. Raises Trouble."""
        try:
            await self._run()
        finally:
            await self._workers.close()

    async def _run(self) -> None:
        async with (
            Client(self._url, token=self._token, bot=True, agent=AGENT, backoff=None) as control,
            asyncio.TaskGroup() as seats,
        ):
            playing = set[asyncio.Task[None]]()
            async for happening in control.happenings():
                if isinstance(happening, SeatWanted):
                    task = seats.create_task(self._play(happening))
                    playing.add(task)
                    task.add_done_callback(playing.discard)
            for task in playing:
                task.cancel()

    async def _play(self, wanted: SeatWanted) -> None:
        """Play one seat until the server takes it back."""
        try:
            async with Client(
                self._url,
                token=wanted.ticket,
                wants={"moves"},
                bot=True,
                agent=AGENT,
                backoff=None,
                short=False,  # there is no wire between us and the server
            ) as client:
                chosen = player(wanted.strategy, self._games, self._chance(), self._workers)
                pace = wanted.pace_ms / 1000
                await Player(client, chosen, pace=pace).play(until_over=False)
        except Trouble as trouble:
            log.info("room %s, seat %d: not admitted: %s", wanted.room, wanted.seat, trouble)
