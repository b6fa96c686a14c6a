"""House bots: play the seats that the server assigns until it takes them back.

One control connection receives the assignments; each seat has its own connection, admitted by a
ticket. Nothing reconnects here: the server restarts this program, and assigns a lost seat again.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
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

LOCAL_SERVER: Final = Silence(line=15.0, line_answer=8.0)
"""A server on the same machine may be blocked, but no network can fail in between; and a connection
closed here is not opened again.
"""

log = logging.getLogger(__name__)


def fresh_chance() -> Chance:
    """Unpredictable random numbers; independent of the game's dice."""
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
        self._client = partial(
            Client, url, bot=True, agent=AGENT, backoff=None, silence=LOCAL_SERVER
        )
        self._token = token
        self._games = games
        self._chance = chance
        self._workers = workers or Workers()
        self._analysing = asyncio.Semaphore(1)

    async def run(self) -> None:
        """Play assigned seats until the control connection ends. Raises ClientError."""
        try:
            await self._run()
        finally:
            await self._workers.close()

    async def _run(self) -> None:
        async with self._client(token=self._token) as control, asyncio.TaskGroup() as seats:
            playing = set[asyncio.Task[None]]()
            thoughts: dict[int, asyncio.Task[None]] = {}
            async for happening in control.happenings():
                if isinstance(happening, SeatWanted):
                    task = seats.create_task(self._play(happening))
                    playing.add(task)
                    task.add_done_callback(playing.discard)
                elif isinstance(happening, HintWanted | AnalysisWanted):
                    self._handle_query(control, happening, seats, thoughts)
            for task in (*playing, *thoughts.values()):
                task.cancel()

    def _handle_query(
        self,
        control: Client,
        wanted: HintWanted | AnalysisWanted,
        tasks: asyncio.TaskGroup,
        thoughts: dict[int, asyncio.Task[None]],
    ) -> None:
        """Answer or cancel a query of the server."""
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
            # One at a time: the first is answered sooner, and players wait for fewer jobs.
            async with self._analysing:
                lines = await analysed_lines(wanted, self._workers, self._games, self._chance())
        with suppress(ClientClosed):
            for line in lines:
                await control.say(line)

    async def _play(self, wanted: SeatWanted) -> None:
        """Play one seat until the server takes it back."""
        try:
            # A local connection has no bytes to save.
            seat = self._client(token=wanted.ticket, wants={"moves"}, short=False)
            async with seat as client:
                chosen = player(wanted.strategy, self._games, self._chance(), self._workers)
                pace = wanted.pace_ms / 1000
                await Player(client, chosen, pace=pace).play(until_over=False)
        except ClientError as trouble:
            log.info("room %s, seat %d: not admitted: %s", wanted.room, wanted.seat, trouble)
