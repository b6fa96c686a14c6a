"""Promise A1 for the whole server: what was answered `done` survives kill -9 at any point.

    python -m tests.tools.crash.kill9 --kills 1000 [--from 12]

Eight clients play Manhattan in two rooms of a real server, each room with one spectator. The parent
kills the server, at a random moment or at a fail point, and starts it again on the same file. The
clients are not notified: they reconnect, take a snapshot, and continue until their games are over.

The command plays rounds of 25 kills, each on a file and by a seed of its own, and prints the result
after each, so that a long run may be stopped and continued with `--from`. It fails for what was
lost, not for a machine that had no processor for the server: its timeout counts only the seconds in
which the server did not wait for one.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
import traceback
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from bluebear.clients.sdk import Backoff, Client, NeedSync, RoomId, RoomView, Welcomed
from bluebear.protocol import Branch, canonical
from bluebear.rules import games
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Seat
from bluebear.server.rooms.loading import read_record, read_room
from bluebear.server.store import SqliteStore, StreamId, streams
from tests.support.views import view_of
from tests.tools.load.history_check import faults_of
from tests.tools.load.player import Player
from tests.tools.servers import ServerProcess

SEED: Final = 20261121
"""What is done when; the processes' own timing is never the same."""
EACH: Final = 25
"""Kills in a round of the command."""
ROOMS: Final = 2
SEATS: Final = 4
ANSWERS_MAX: Final = 40
"""A life that ends at a random moment has so many answers at most."""
PASSES_MAX: Final = 30
"""A life that ends at a fail point passes it so often at most."""
POINTS: Final = (
    "store.before_insert",
    "store.before_commit",
    "store.after_commit",
    "store.before_write",
    "store.after_write",
)
LOOKS_MAX: Final = 10_000
"""A net, no measurement: about 20 s of looking whether there were enough answers."""

QUICK: Final = Backoff(first_seconds=0.05, longest_seconds=0.2)


class Room:
    """Four players and a spectator, who play one game after the other. Owned by a test."""

    def __init__(self, url: str, number: int, rng: random.Random) -> None:
        self._url = url
        self._number = number
        self._rng = rng
        self.id = RoomId("")
        self.players: list[Player] = []
        self.finished: list[str] = []

    @property
    def answers(self) -> int:
        return sum(len(player.sent_lines) for player in self.players)

    @property
    def views(self) -> list[RoomView]:
        return [player.client.room(self.id) for player in self.players]

    async def come_in(self, stack: AsyncExitStack) -> None:
        for index in range(SEATS + 1):
            client = Client(
                self._url,
                name=f"R{self._number}P{index}",
                wants={"moves"} if index < SEATS else {"text", "events"},
                bot=True,
                backoff=QUICK,
            )
            player = Player(
                await stack.enter_async_context(client), FastChance(self._rng.getrandbits(32))
            )
            self.players.append(player)
            if index == 0:
                room = (await player.say("/newroom manhattan")).room
                assert room is not None
                self.id = room
            else:
                await player.say(f"/room {self.id}")
            if index < SEATS:
                await player.say("/join", self.id)

    async def play(self, enough: asyncio.Event) -> None:
        """Play until it is enough, and the last game to its end."""
        host = self.players[0]
        while not enough.is_set():
            if self.finished:
                await host.say("/again", self.id)
            await host.say("/start", self.id)
            await self.finish()

    async def finish(self) -> None:
        """Play the present game to its end."""
        await asyncio.gather(*(player.play(self.id) for player in self.players))
        self.finished.append(str(_table(self.views[0])["game_id"]))

    async def say_goodbye(self) -> None:
        """Send a last line, and wait until all clients have received it."""
        version = (await self.players[0].say("that was it", self.id)).version
        assert version is not None
        for player in self.players:
            await player.catch_up(self.id, version)


def _table(view: RoomView) -> Branch:
    table = view.view["room"]
    assert isinstance(table, dict)
    return table


@asynccontextmanager
async def two_rooms(url: str, rng: random.Random) -> AsyncIterator[list[Room]]:
    async with AsyncExitStack() as stack:
        rooms = [Room(url, number, rng) for number in range(ROOMS)]
        for room in rooms:
            await room.come_in(stack)
        yield rooms


async def live_and_die(server: ServerProcess, rooms: Sequence[Room], rng: random.Random) -> None:
    """Let a server that is up be killed after some answers, at a random moment."""
    answers = sum(room.answers for room in rooms) + rng.randint(0, ANSWERS_MAX)
    for _ in range(LOOKS_MAX):
        if sum(room.answers for room in rooms) >= answers:
            break
        await asyncio.sleep(rng.uniform(0, 0.004))
    assert server.alive, server.complaints()
    await server.kill()


def fault_of(number: int, rng: random.Random) -> str:
    """What a life dies of, of all lives in turn; "" for a random moment."""
    if number % 2 == 0:
        return ""
    point = POINTS[number // 2 % len(POINTS)]
    # Rows beside the entries are written when a game ends, and with a snapshot: seldom.
    passes = 1 if point.endswith("_write") else rng.randint(1, PASSES_MAX)
    return f"{point}:{passes}:kill"


async def check(data: Path, rooms: Sequence[Room]) -> None:
    """Hold what the clients were told against the journal of a server that is no more."""
    journal = SqliteStore(data / "bluebear.sqlite")
    try:
        for room in rooms:
            await check_entries(journal, room)
            await check_views(journal, room)
            for game_id in room.finished:
                assert await read_record(journal, game_id) is not None, f"no record of {game_id}"
    finally:
        await journal.close()


async def check_entries(journal: SqliteStore, room: Room) -> None:
    """Every line that was answered `done` is there, once, at the version of the answer."""
    entries = await journal.read(streams.load, StreamId(room.id))
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    history = [act for player in room.players for act in player.history()]
    named = [(entry.actor, entry.client_id, entry.seq) for entry in entries if entry.client_id]
    assert list(faults_of(history, named)) == []
    for player in room.players:
        answered = [
            (sent.reply.id, sent.reply.version)
            for sent in player.sent_lines
            if not sent.text.startswith("/room ")
        ]
        stored = [(entry.client_id, entry.seq) for entry in entries if entry.actor == player.actor]
        assert stored == answered


async def check_views(journal: SqliteStore, room: Room) -> None:
    """Every mirror is what those eyes see of the room that the journal holds."""
    loaded = await read_room(journal, games(), room.id)
    assert loaded is not None
    assert not loaded.problem
    stored = loaded.room
    game = games()[stored.table.game]
    for mirror in room.views:
        assert mirror.version == stored.version
        eyes = frozenset(Seat(seat) for seat in mirror.eyes)
        assert canonical(mirror.view) == canonical(view_of(stored, game, eyes))


class Played(NamedTuple):
    """What a round has seen: answers that were checked, and games that were played to their end."""

    answers: int
    games: int


async def round_of(data: Path, seed: int, kills: int) -> Played:
    """Play while the server is killed so often; AssertionError for whatever was lost or doubled."""
    rng = random.Random(seed)
    enough = asyncio.Event()
    async with (
        ServerProcess(data, more=("--bench",)) as server,
        two_rooms(server.url, rng) as rooms,
    ):
        async with asyncio.TaskGroup() as playing:
            for room in rooms:
                playing.create_task(room.play(enough))
            fault = ""
            for number in range(1, kills + 1):
                if fault:
                    assert await server.ended() == -9
                else:
                    await live_and_die(server, rooms, rng)
                fault = fault_of(number, rng) if number < kills else ""
                await server.start(faults=fault)
            enough.set()
        for room in rooms:
            await room.say_goodbye()
        assert await server.stop() == 0
        assert not server.complaints(), server.complaints()[:3]
        await check(data, rooms)
        for player in (player for room in rooms for player in room.players):
            assert player.count(Welcomed) > kills // 2, "it did not come back"
            assert player.count(NeedSync) == 0
        return Played(sum(room.answers for room in rooms), sum(len(r.finished) for r in rooms))


def main(argv: Sequence[str]) -> int:
    """Play as many rounds as are asked for, and say what came of each."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.crash.kill9",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--kills", type=int, default=1000, help=f"in all, in rounds of {EACH}")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first round")
    given = parser.parse_args(argv)
    bad = answers = finished = 0
    rounds = range(given.first, -(-given.kills // EACH))
    for number in rounds:
        began, kills = time.monotonic(), min(EACH, given.kills - number * EACH)
        with tempfile.TemporaryDirectory() as folder:
            try:
                played = asyncio.run(round_of(Path(folder), SEED + number, kills))
            except Exception:  # noqa: BLE001 - whatever it is, it is told
                bad += 1
                print(f"round {number}: {traceback.format_exc()}", flush=True)
                continue
        answers, finished = answers + played.answers, finished + played.games
        print(
            f"round {number}: {kills} kills, {played.answers} answers, {played.games} games,"
            f" {time.monotonic() - began:.0f} s",
            flush=True,
        )
    print(
        f"{max(0, given.kills - given.first * EACH)} kills, {answers} answers, {finished} games,"
        f" {bad} of {len(rounds)} rounds bad"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
