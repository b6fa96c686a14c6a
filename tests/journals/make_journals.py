"""`python -m tests.journals.make_journals NAME`: write a new set of journals, beside the others.

A set is what the server of that day has written. It is never written again: the command refuses a
folder that is there. README.md says what is in a set.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
import tempfile
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar
from zlib import crc32

from server.config import Config
from server.journal import (
    Answer,
    Append,
    Entry,
    MemoryJournal,
    Page,
    PersonRow,
    Snapshot,
    SqliteJournal,
    StreamId,
    Summary,
    Window,
)
from server.journal.entry import Place
from tests.journals import reading
from tests.journals.playing import Plan, Table, gathered
from tests.sim.loop import run
from tests.sim.world import World

HERE: Final = Path(__file__).parent

T = TypeVar("T")


class FileJournal(MemoryJournal):
    """The real journal in a file, for a world in virtual time: its work takes no moment of it.

    Closing and opening it again is what a server does that is started again.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._loop = asyncio.new_event_loop()
        self._file: SqliteJournal | None = None
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def _do(self, work: Callable[[SqliteJournal], Coroutine[Any, Any, T]]) -> T:
        if self._file is None:
            self._file = SqliteJournal(self._path)
        return asyncio.run_coroutine_threadsafe(work(self._file), self._loop).result()

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """See `Journal.append`."""
        return self._do(lambda file: file.append(batch))

    async def load(self, stream: StreamId, after: int = 0) -> list[Entry]:
        """See `Journal.load`."""
        return self._do(lambda file: file.load(stream, after))

    async def snapshot(self, stream: StreamId) -> Snapshot | None:
        """See `Journal.snapshot`."""
        return self._do(lambda file: file.snapshot(stream))

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """See `Journal.save_snapshot`."""
        self._do(lambda file: file.save_snapshot(snapshot))

    async def summaries(self) -> list[Summary]:
        """See `Journal.summaries`."""
        return self._do(lambda file: file.summaries())

    async def find(self, actor: str, client_id: str) -> Place | None:
        """See `Journal.find`."""
        return self._do(lambda file: file.find(actor, client_id))

    async def room(self, stream: StreamId) -> Summary | None:
        """See `Store.room`."""
        return self._do(lambda file: file.room(stream))

    async def room_of_invite(self, hashed: str) -> Summary | None:
        """See `Store.room_of_invite`."""
        return self._do(lambda file: file.room_of_invite(hashed))

    async def rooms_of(self, person: str, *, since: int, limit: int) -> list[Summary]:
        """See `Store.rooms_of`."""
        return self._do(lambda file: file.rooms_of(person, since=since, limit=limit))

    async def window(self, window: Window) -> Page:
        """See `Store.window`."""
        return self._do(lambda file: file.window(window))

    async def touch(self, streams: Sequence[StreamId], at: int) -> None:
        """See `Store.touch`."""
        self._do(lambda file: file.touch(streams, at))

    async def person(self, person: str) -> PersonRow | None:
        """See `Store.person`."""
        return self._do(lambda file: file.person(person))

    async def person_named(self, key: str) -> PersonRow | None:
        """See `Store.person_named`."""
        return self._do(lambda file: file.person_named(key))

    async def person_of_token(self, hashed: str) -> PersonRow | None:
        """See `Store.person_of_token`."""
        return self._do(lambda file: file.person_of_token(hashed))

    async def counts(self) -> Mapping[str, int]:
        """See `Store.counts`."""
        return self._do(lambda file: file.counts())

    async def due(self, now: int, limit: int) -> list[StreamId]:
        """See `Store.due`."""
        return self._do(lambda file: file.due(now, limit))

    async def bring_in(self, rooms: Sequence[Summary], people: Sequence[PersonRow]) -> None:
        """See `Store.bring_in`."""
        self._do(lambda file: file.bring_in(rooms, people))

    async def close(self) -> None:
        """See `Journal.close`."""
        if self._file is not None:
            self._do(lambda file: file.close())
            self._file = None


Evening = Callable[[World], Coroutine[Any, Any, None]]


async def restart(world: World) -> None:
    """The operator starts the server again, which saves a snapshot of every room."""
    await world.stop()
    await asyncio.sleep(3)
    await world.start()
    await asyncio.sleep(30)


async def table(world: World, plan: Plan) -> Table:
    """A table at which a game has begun."""
    made = Table(world, plan, await gathered(world, *plan.people))
    await made.start()
    return made


async def manhattan(world: World) -> None:
    """A running game of four with a clock, finished ones of two and of three."""
    four = await table(
        world,
        Plan(
            "manhattan",
            ("Ayu", "Ben", "Chie"),
            options=("turned_cards on", "clock 60+5", "drawseat on"),
            bots=("greedy",),
        ),
    )
    two = await table(world, Plan("manhattan", ("Dan", "Emi"), ("clock 40+3",)))
    three = await table(world, Plan("manhattan", ("Fay", "Gil"), ("sixrounds on",), ("random",)))
    await asyncio.gather(four.play(9), two.play(20), three.play(12))
    await asyncio.gather(four.oversleep("Ben", 3), two.oversleep("Emi", 3))
    await restart(world)
    await four.play(4)
    await four.do("Ben", "I am back")
    await two.do("Emi", "so am I")
    await asyncio.gather(four.play(8), two.play(), three.play())
    await four.move_of("Ayu")
    await four.undo(four.people["Ayu"], accept=False)
    await four.play(2)


async def railroad_ink(world: World) -> None:
    """A running game of five, where one is away; finished ones of one, two and four."""
    five = await table(
        world,
        Plan("railroad_ink", ("Ayu", "Ben", "Chie", "Dan"), bots=("random",), undo=8),
    )
    two = await table(world, Plan("railroad_ink", ("Emi", "Fay"), ("auto_done on",)))
    one = await table(world, Plan("railroad_ink", ("Gil",)))
    await asyncio.gather(five.play(30), two.play(16), one.play())
    await restart(world)
    await five.stay_away("Chie")
    await asyncio.gather(five.play(25), two.play())


async def itc(world: World) -> None:
    """A running game of four with bots, finished ones of two and three."""
    four = await table(
        world,
        Plan(
            "itc",
            ("Ayu", "Ben", "Chie"),
            options=("green_die 6", "transport_pay off", "clock 300+20"),
            bots=("greedy",),
        ),
    )
    two = await table(world, Plan("itc", ("Dan", "Emi"), ("goal 40000", "max_rounds 12")))
    three = await table(
        world,
        Plan(
            "itc", ("Fay", "Gil"), ("goal 60000", "attack_limit off", "max_rounds 9"), ("random",)
        ),
    )
    await asyncio.gather(four.play(330), two.play(40), three.play(20))
    await restart(world)
    await asyncio.gather(four.play(90), two.play(), three.play())
    await four.oversleep("Ayu", 1)
    await four.play(3)


async def tokai(world: World) -> None:
    """A running game of five with every house rule, finished ones of two and three."""
    five = await table(
        world,
        Plan(
            "tokai",
            ("Ayu", "Ben", "Chie", "Dan"),
            options=("strict on", "openchoices on", "through 6", "settlelast on"),
            bots=("greedy",),
        ),
    )
    two = await table(world, Plan("tokai", ("Emi", "Fay"), ("turnlimit 60",)))
    three = await table(
        world, Plan("tokai", ("Gil", "Hal"), ("turnlimit 40", "through 2"), ("random",))
    )
    await asyncio.gather(five.play(130), two.play(30), three.play(20))
    await restart(world)
    await five.stay_away("Ben")
    await asyncio.gather(five.play(50), two.play(), three.play())
    five.people["Ben"].return_()
    await asyncio.sleep(10)
    await five.play(6)


async def tokai_choosing(world: World) -> None:
    """A game of six that is still being set up: what they have chosen is known to nobody else."""
    six = await table(world, Plan("tokai", ("Ayu", "Ben", "Chie", "Dan", "Emi", "Fay"), undo=0))
    await six.play(3)
    await restart(world)
    await six.play(1)


async def tokugawa(world: World) -> None:
    """A running game with a clock, and a finished short one."""
    running = await table(
        world, Plan("tokugawa", ("Ayu", "Ben"), ("clock 200+10",), greedy=0, undo=8)
    )
    short = await table(
        world, Plan("tokugawa", ("Chie",), ("short on", "max_rounds 30"), ("greedy",))
    )
    await asyncio.gather(running.play(90), short.play(30))
    await restart(world)
    await asyncio.gather(running.play(40), short.play())
    await running.oversleep("Ben", 1)
    await running.play(2)


async def house(world: World) -> None:
    """Rooms that are not played in: open, paused, voted on, resigned, void, and played again."""
    paused = await table(world, Plan("tokugawa", ("Chie", "Dan"), ("clock 100+5",)))
    opened = Table(world, Plan("manhattan", ("Ayu", "Ben")), await gathered(world, "Ayu", "Ben"))
    await opened.sit()
    for line in ("/option confirm on", "/option watch invited", "/password over the river"):
        await opened.do("Ayu", line)
    for line in ("/invite", "/invite Chie", "/start"):
        await opened.do("Ayu", line)
    await paused.play(5)
    await paused.do("Chie", "/pause")
    await paused.do("Dan", "/accept")
    voted = await table(world, Plan("itc", ("Emi", "Fay", "Gil")))
    await voted.play(6)
    resigned = await table(world, Plan("manhattan", ("Hal", "Ivy", "Jon"), undo=0))
    await resigned.play(5)
    await resigned.do("Ivy", "/resign !")
    void = await table(world, Plan("railroad_ink", ("Kay", "Leo")))
    await void.play(7)
    again = await table(world, Plan("manhattan", ("Mia", "Ned"), undo=0))
    await again.play(4)
    await again.do("Mia", "/resign !")
    await restart(world)
    await resigned.play(4)
    await resigned.do("Hal", "/nick Hari")
    await void.do("Kay", "/masterreset !")
    await void.do("Leo", "/accept")
    await again.do("Mia", "/again")
    await again.do("Ned", "/start")
    await again.play(3)
    await voted.play(2)
    await voted.do("Emi", "/masterreset !")
    await voted.do("Fay", "/accept")


EVENINGS: Final[Mapping[str, Evening]] = {
    "manhattan": manhattan,
    "railroad_ink": railroad_ink,
    "itc": itc,
    "tokai": tokai,
    "tokai_choosing": tokai_choosing,
    "tokugawa": tokugawa,
    "house": house,
}


def main(argv: list[str]) -> int:
    """Write a set."""
    [name, *wanted] = argv
    folder = HERE / name
    folder.mkdir()  # raises FileExistsError: a set is written once
    for each in wanted or EVENINGS:
        asyncio.run(write(folder, each))
    return 0


async def write(folder: Path, name: str) -> None:
    """One journal of a set, and what is to be said of it."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / f"{name}.sqlite"
        await asyncio.to_thread(play_on_file, path, EVENINGS[name])
        packed = gzip.compress(path.read_bytes(), mtime=0)
        (folder / f"{name}.sqlite.gz").write_bytes(packed)
        said = await expectation(path)
        text = json.dumps(said, ensure_ascii=False, indent=1)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        for room in said["rooms"].values():
            if room["record"]:
                record = await reading.kept_record(path, room["record"])
                (folder / f"{room['record']}.record").write_text(record, encoding="utf-8")


def play_on_file(path: Path, evening: Evening) -> None:
    async def whole() -> None:
        journal = FileJournal(path)
        world = World(
            crc32(path.name.encode()), config=Config(house=False, connections_per_address=1000)
        )
        world.journal = journal
        await world.start()
        world.open_house()
        await evening(world)
        await asyncio.sleep(5)
        # Not stopped: a server that stops would save a snapshot of the last version.
        await world.kill()
        for person in world.everybody:
            person.go()
        await asyncio.sleep(60)
        await journal.close()

    run(whole())


async def expectation(path: Path) -> reading.Plain:
    """What the present code says of a journal."""
    rooms: reading.Plain = {}
    stored = {each.id: each for each in await reading.stored(path)}
    async with reading.serving(path) as app:
        people = reading.people_of_server(app)
        loaded = await reading.rooms_of_server(app, stored)
    for room_id, each in stored.items():
        room = loaded[room_id]
        again, seen = reading.folded(each.entries)
        assert again == room, f"{room_id}: folded it is another room"
        over = room.table.ending is not None
        rooms[room_id] = {
            "about": reading.describe(room),
            "entries": len(each.entries),
            "snapshot_at": each.snapshot_at,
            "record": room.table.game_id if over else "",
            "versions": seen,
            "next": reading.go_on(room),
        }
    return {"people": people, "rooms": rooms}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
