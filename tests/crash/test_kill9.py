"""Promise A1 for the whole server: what was answered `done` survives kill -9 at any point.

Eight clients play Manhattan in two rooms of a real server, and somebody watches each. The parent
kills the server, at a random moment or at a fail point, and starts it again on the same file. The
clients know nothing of it: they come back, take a snapshot, and go on until their games are over.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from clients.sdk import Backoff, Client, Farewell, NeedSync, Reply, RoomId, RoomView, Welcomed
from protocol import Branch, canonical
from rules import games
from rules.core.chance import Fast
from rules.core.vision import Seat
from server.engine.loading import read_record, read_room
from server.engine.publish import view_of
from server.journal import SqliteJournal, StreamId
from tests.load.history import faults_of
from tests.load.player import Player
from tests.load.process import ServerProcess

pytestmark = pytest.mark.slow_loop

SEED: Final = int(os.environ.get("BLUEBEAR_SEED", "20261121"))
"""What is done when; the name of the test says it. The processes' own timing is never the same."""
KILLS: Final = int(os.environ.get("BLUEBEAR_KILLS", "30"))
"""On every commit; before a release it is told more."""

ROOMS: Final = 2
SEATS: Final = 4
ANSWERS_MAX: Final = 40
"""A life that ends at a random moment has so many answers at most."""
PASSES_MAX: Final = 30
"""A life that ends at a fail point passes it so often at most."""
POINTS: Final = (
    "journal.before_insert",
    "journal.before_commit",
    "journal.after_commit",
    "journal.before_snapshot",
    "journal.after_snapshot",
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
        return sum(len(player.said) for player in self.players)

    @property
    def views(self) -> list[RoomView]:
        return [player.client.room(self.id) for player in self.players]

    async def come_in(self, stack: AsyncExitStack) -> None:
        for place in range(SEATS + 1):
            client = Client(
                self._url,
                name=f"R{self._number}P{place}",
                wants={"moves"} if place < SEATS else {"text", "events"},
                bot=True,
                backoff=QUICK,
            )
            player = Player(
                await stack.enter_async_context(client), Fast(self._rng.getrandbits(32))
            )
            self.players.append(player)
            if place == 0:
                room = (await player.say("/newroom manhattan")).room
                assert room is not None
                self.id = room
            else:
                await player.say(f"/room {self.id}")
            if place < SEATS:
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
        """Say a last line, and wait until everybody has heard it."""
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
    # A room takes a snapshot every 200 entries only: the first one has to do.
    passes = 1 if "snapshot" in point else rng.randint(1, PASSES_MAX)
    return f"{point}:{passes}:kill"


async def check(data: Path, rooms: Sequence[Room]) -> None:
    """Hold what the clients were told against the journal of a server that is no more."""
    journal = SqliteJournal(data / "bluebear.sqlite")
    try:
        for room in rooms:
            await check_entries(journal, room)
            await check_views(journal, room)
            for game_id in room.finished:
                assert await read_record(journal, game_id) is not None, f"no record of {game_id}"
    finally:
        await journal.close()


async def check_entries(journal: SqliteJournal, room: Room) -> None:
    """Every line that was answered `done` is there, once, at the version of the answer."""
    entries = await journal.load(StreamId(room.id))
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    history = [act for player in room.players for act in player.history()]
    named = [(entry.actor, entry.client_id, entry.seq) for entry in entries if entry.client_id]
    assert list(faults_of(history, named)) == []
    for player in room.players:
        answered = [
            (said.reply.id, said.reply.version)
            for said in player.said
            if not said.text.startswith("/room ")
        ]
        stored = [(entry.client_id, entry.seq) for entry in entries if entry.actor == player.actor]
        assert stored == answered


async def check_views(journal: SqliteJournal, room: Room) -> None:
    """Every mirror is what those eyes see of the room that the journal holds."""
    loaded = await read_room(journal, games(), room.id)
    assert loaded is not None
    assert not loaded.held
    stored = loaded.room
    game = games()[stored.table.game]
    for mirror in room.views:
        assert mirror.version == stored.version
        eyes = frozenset(Seat(seat) for seat in mirror.eyes)
        assert canonical(mirror.view) == canonical(view_of(stored, game, eyes))


@pytest.mark.parametrize("seed", [SEED])
async def test_no_answered_line_is_lost_however_often_the_server_is_killed(
    tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    enough = asyncio.Event()
    async with (
        ServerProcess(tmp_path, more=("--bench",)) as server,
        two_rooms(server.url, rng) as rooms,
    ):
        async with asyncio.TaskGroup() as playing:
            for room in rooms:
                playing.create_task(room.play(enough))
            fault = ""
            for number in range(1, KILLS + 1):
                if fault:
                    assert await server.ended() == -9
                else:
                    await live_and_die(server, rooms, rng)
                fault = fault_of(number, rng) if number < KILLS else ""
                await server.start(faults=fault)
            enough.set()
        for room in rooms:
            await room.say_goodbye()
        assert await server.stop() == 0
        assert server.complaints() == []
        await check(tmp_path, rooms)
        for player in (player for room in rooms for player in room.players):
            assert player.count(Welcomed) > KILLS // 2, "it did not come back"
            assert player.count(NeedSync) == 0


async def test_a_line_repeated_under_its_old_id_is_answered_as_before(tmp_path: Path) -> None:
    lines = ("/newroom manhattan", "/join", "/bot random", "/start", "hello")
    ids = bytes(12)
    async with ServerProcess(tmp_path, more=("--bench",)) as server:
        async with Client(server.url, name="Ayu", bot=True, id_start=ids) as ayu:
            before = await say_all(ayu, lines)
            token = ayu.token
        await server.kill()
        await server.start()
        async with Client(server.url, token=token, bot=True, id_start=ids) as ayu:
            again = await say_all(ayu, lines)
            # The first one leads into the room once more, as it is by now.
            assert (again[0].room, again[1:]) == (before[0].room, before[1:])
            assert len(ayu.mirror.rooms) == 1
        await server.stop()
    journal = SqliteJournal(tmp_path / "bluebear.sqlite")
    [room] = [one.stream for one in await journal.summaries()]
    stored = [entry.lines[0] for entry in await journal.load(room) if entry.client_id]
    await journal.close()
    assert stored == ["/newroom manhattan public", "/join 1", "/bot random 2", "/start", "hello"]


async def say_all(client: Client, lines: Sequence[str]) -> list[Reply]:
    """Say the first line in the lobby, and the others in the room that it leads to."""
    answers: list[Reply] = []
    room: RoomId | None = None
    for line in lines:
        reply = await client.say(line, room=room)
        assert reply.ok, f"{line}: {reply.text}"
        answers.append(reply)
        room = reply.room
    return answers


async def test_a_planned_stop_says_when_to_come_back_and_the_game_goes_on(tmp_path: Path) -> None:
    rng = random.Random(SEED + 1)
    enough = asyncio.Event()
    async with (
        ServerProcess(tmp_path, more=("--bench",)) as server,
        two_rooms(server.url, rng) as rooms,
    ):
        async with asyncio.TaskGroup() as playing:
            for room in rooms:
                playing.create_task(room.play(enough))
            for _ in range(LOOKS_MAX):
                if min(room.answers for room in rooms) >= 60:
                    break
                await asyncio.sleep(0.001)
            assert await server.stop() == 0
            assert not server.note.exists()
            await server.start()
            enough.set()
        for room in rooms:
            await room.say_goodbye()
        assert await server.stop() == 0
        await check(tmp_path, rooms)
        assert server.complaints() == []
        for player in (player for room in rooms for player in room.players):
            assert player.count(Farewell) > 0
