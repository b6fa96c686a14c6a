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
from contextlib import suppress
from typing import Final

from bluebear.clients.bots.analysis_jobs import analysed_lines
from bluebear.clients.bots.hints import thought_line
from bluebear.clients.bots.player import Player
from bluebear.clients.bots.search.worker_pool import Workers
from bluebear.clients.bots.search_bot import player
from bluebear.clients.bots.strategies import Games
from bluebear.clients.sdk import (
    AnalysisWanted,
    Client,
    ClientClosed,
    ClientError,
    HintWanted,
    SeatWanted,
    Silence,
)
from bluebear.rules.core.chance import Chance, FastChance

AGENT: Final = "bluebear-house"

HELD_UP: Final = Silence(line=15.0, line_answer=8.0)
"""A server on the same machine may be held up, but no cable is pulled between us; and who is cut
here does not come back by itself.
"""

log = logging.getLogger(__name__)


def fresh_chance() -> Chance:
    """Draws that nobody can foresee; a bot's dice are no part of the game's."""
    return FastChance(int.from_bytes(os.urandom(8), "big"))


class HouseBots:
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
        self._analysing = asyncio.Semaphore(1)

    async def run(self) -> None:
        """Play wanted seats until the control connection ends. Raises Trouble."""
        try:
            await self._run()
        finally:
            await self._workers.close()

    async def _run(self) -> None:
        async with (
            Client(
                self._url,
                token=self._token,
                bot=True,
                agent=AGENT,
                backoff=None,
                silence=HELD_UP,
            ) as control,
            asyncio.TaskGroup() as seats,
        ):
            playing = set[asyncio.Task[None]]()
            thoughts: dict[int, asyncio.Task[None]] = {}
            async for happening in control.happenings():
                if isinstance(happening, SeatWanted):
                    task = seats.create_task(self._play(happening))
                    playing.add(task)
                    task.add_done_callback(playing.discard)
                elif isinstance(happening, HintWanted | AnalysisWanted):
                    self._asked(control, happening, seats, thoughts)
            for task in (*playing, *thoughts.values()):
                task.cancel()

    def _asked(
        self,
        control: Client,
        wanted: HintWanted | AnalysisWanted,
        tasks: asyncio.TaskGroup,
        thoughts: dict[int, asyncio.Task[None]],
    ) -> None:
        """Think about a question of the server, or stop thinking about one."""
        if isinstance(wanted, HintWanted) and not wanted.lines:
            if wanted.number in thoughts:
                thoughts[wanted.number].cancel()
            return
        task = thoughts[wanted.number] = tasks.create_task(self._think(control, wanted))
        task.add_done_callback(lambda _: thoughts.pop(wanted.number, None))

    async def _think(self, control: Client, wanted: HintWanted | AnalysisWanted) -> None:
        if isinstance(wanted, HintWanted):
            lines = [await thought_line(wanted, self._workers, self._chance())]
        else:
            # One at a time: the first is there sooner, and players wait for fewer pieces.
            async with self._analysing:
                lines = await analysed_lines(wanted, self._workers, self._games, self._chance())
        with suppress(ClientClosed):
            for line in lines:
                await control.say(line)

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
                silence=HELD_UP,
                short=False,  # there is no wire between us and the server
            ) as client:
                chosen = player(wanted.strategy, self._games, self._chance(), self._workers)
                pace = wanted.pace_ms / 1000
                await Player(client, chosen, pace=pace).play(until_over=False)
        except ClientError as trouble:
            log.info("room %s, seat %d: not admitted: %s", wanted.room, wanted.seat, trouble)
