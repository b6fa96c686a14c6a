"""Promise I1: planned restarts of a server with many rooms in mid-game lose nothing.

    python -m tests.tools.load restarts --rooms 200 --times 20

Two people in each room play game after game, and go on after each restart: their clients
come back by themselves. In the end what they were told is held against the file, and each mirror
against the room that is loaded from it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, NamedTuple

from bluebear.clients.sdk import Backoff, Client, RoomId
from bluebear.protocol import canonical
from bluebear.rules import games
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Seat
from bluebear.server.rooms.loading import read_room
from bluebear.server.store import SqliteStore, StreamId, streams
from tests.support.views import view_of
from tests.tools.load.history_check import faults_of
from tests.tools.load.player import Player
from tests.tools.servers import ServerProcess

SEATS: Final = 2
LINES: Final = 2
"""Lines that each host says between two restarts."""
QUICK: Final = Backoff(first_seconds=0.05, longest_seconds=1.0)


class Restarted(NamedTuple):
    """What came of it: answers that were checked, seconds until each was heard again, faults."""

    answers: int
    away: list[float]
    faults: list[str]


class Pair:
    """Two people and their room."""

    def __init__(self, url: str, number: int) -> None:
        self._url = url
        self._number = number
        self.room = RoomId("")
        self.players: list[Player] = []

    async def begin(self, stack: AsyncExitStack) -> None:
        for seat in range(1, SEATS + 1):
            name = f"R{self._number}S{seat}"
            client = Client(self._url, name=name, wants={"moves"}, bot=True, backoff=QUICK)
            player = Player(
                await stack.enter_async_context(client), FastChance(2 * self._number + seat)
            )
            self.players.append(player)
            if seat == 1:
                self.room = (await player.say("/newroom manhattan")).room or self.room
                await player.say("/join", self.room)
            else:
                await player.take_a_seat(self.room)

    async def play(self, enough: asyncio.Event) -> None:
        """Play one game after the other until it is enough, and the last one to its end."""
        while True:
            await self.players[0].say("/start", self.room)
            await asyncio.gather(*(player.play(self.room) for player in self.players))
            if enough.is_set():
                return
            await self.players[0].say("/again", self.room)

    async def talk(self) -> float:
        """Say some lines; the seconds until the first was answered."""
        began = time.monotonic()
        await self.players[0].say("still here", self.room)
        away = time.monotonic() - began
        for _ in range(LINES - 1):
            await self.players[0].say("and so on", self.room)
        return away


async def restarts(
    data: Path, rooms: int, times: int, tell: Callable[[str], None] = lambda text: None
) -> Restarted:
    """Restart a server so often while all rooms are in mid-game; `tell` hears of each."""
    away: list[float] = []
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(ServerProcess(data, more=("--bench",)))
        pairs = [Pair(server.url, number) for number in range(rooms)]
        for pair in pairs:
            await pair.begin(stack)
        enough = asyncio.Event()
        playing = [asyncio.create_task(pair.play(enough)) for pair in pairs]
        for number in range(1, times + 1):
            await asyncio.gather(*(pair.talk() for pair in pairs))
            assert await server.stop() == 0
            await server.start()
            lately = await asyncio.gather(*(pair.talk() for pair in pairs))
            tell(f"restart {number}: everybody is back, the last one after {max(lately):.1f} s")
            away += lately
        enough.set()
        await asyncio.gather(*playing)
        for pair in pairs:
            last = (await pair.players[0].say("that was it", pair.room)).version or 0
            for player in pair.players:
                await player.catch_up(pair.room, last)
        assert await server.stop() == 0
        faults = [f"complaint: {line}" for line in server.complaints()]
        faults += await _faults(data, pairs)
    answers = sum(len(player.sent_lines) for pair in pairs for player in pair.players)
    return Restarted(answers, away, faults)


async def _faults(data: Path, pairs: list[Pair]) -> list[str]:
    faults: list[str] = []
    journal = SqliteStore(data / "bluebear.sqlite")
    try:
        for pair in pairs:
            entries = await journal.read(streams.load, StreamId(pair.room))
            named = [(each.actor, each.client_id, each.seq) for each in entries if each.client_id]
            reported = [act for player in pair.players for act in player.history()]
            faults += [f"{pair.room}: {fault}" for fault in faults_of(reported, named)]
            loaded = await read_room(journal, games(), pair.room)
            assert loaded is not None
            game = games()[loaded.room.table.game]
            for player in pair.players:
                mirror = player.client.room(pair.room)
                eyes = frozenset(Seat(seat) for seat in mirror.eyes)
                if canonical(mirror.view) != canonical(view_of(loaded.room, game, eyes)):
                    faults.append(f"{pair.room}: {player.client.name} sees another table")
    finally:
        await journal.close()
    return faults
