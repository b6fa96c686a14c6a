"""`python -m tests.journals.record_journals NAME`: record a new set of journals, beside the others.

A set is what the server of that day has written. The command refuses a folder that is there; with
`--again` it records the set anew in its place, which is right only before a release has it.
README.md says what is in a set.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from bluebear.server.config import Config
from tests.journals import reader, stored_journal
from tests.journals.recorded_sessions import PATIENCE_SECONDS, PAUSE_SECONDS, Plan, Table, gathered
from tests.sim.simulated_clients import Person
from tests.sim.simulation import World
from tests.sim.virtual_loop import run
from tests.support.simulated_store import SimulatedStore

HERE: Final = Path(__file__).parent

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
    """A running game of five, where one is away; finished ones of one and two."""
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
    """A running game of four with bots, a finished one of two."""
    four = await table(
        world,
        Plan(
            "itc",
            ("Ayu", "Ben", "Chie"),
            options=("green_die 6", "transport_pay off", "clock 300+20"),
            bots=("greedy",),
        ),
    )
    two = await table(
        world, Plan("itc", ("Dan", "Emi"), ("goal 40000", "attack_limit off", "max_rounds 9"))
    )
    await asyncio.gather(four.play(240), two.play(40))
    await restart(world)
    await asyncio.gather(four.play(60), two.play())
    await four.oversleep("Ayu", 1)
    await four.play(3)


async def tokai(world: World) -> None:
    """A running game of five with every optional rule, a finished one of two."""
    five = await table(
        world,
        Plan(
            "tokai",
            ("Ayu", "Ben", "Chie", "Dan"),
            options=("strict on", "openchoices on", "through 6", "settlelast on"),
            bots=("greedy",),
        ),
    )
    two = await table(world, Plan("tokai", ("Emi", "Fay"), ("turnlimit 40", "through 2")))
    await asyncio.gather(five.play(70), two.play(30))
    await restart(world)
    await five.stay_away("Ben")
    await asyncio.gather(five.play(30), two.play())
    five.people["Ben"].return_()
    await asyncio.sleep(10)
    await five.play(6)


async def tokai_choosing(world: World) -> None:
    """A game of six in its setup, where each player's choice is hidden from all others."""
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


async def accounts(world: World) -> None:
    """A rated game to its end, and all that is kept of a person and belongs to no room."""
    people = await gathered(world, "Ayu", "Ben", "Chie")
    ayu, ben, chie = people
    for person in people[:2]:
        await events_text(person, f"/register the words of {person.name}")
    rated = Table(world, Plan("manhattan", ("Ayu", "Ben"), privacy="public"), people[:2])
    await rated.start()
    await rated.play(10)
    for line in ("/friends add Ben", "/block add Chie", "/mute add Chie", "/vacation 3"):
        await events_text(ayu, line)
    for line in ("/vacation off", "/token Robo play", "/token Silent read", "/revoke Robo"):
        await events_text(ayu, line)
    await events_text(chie, "/nick Chieko")
    await restart(world)
    await rated.play()
    await events_text(ayu, "/friends delete Ben")
    await events_text(chie, "/login Ben the words of Ben")
    await events_text(ben, "/logout all")


async def events_text(person: Person, line: str) -> None:
    """A line outside of any room that is accepted."""
    reply = await asyncio.wait_for(person.line(line), PATIENCE_SECONDS)
    assert reply.ok, f"{person.name} {line}: {reply}"
    await asyncio.sleep(PAUSE_SECONDS)


EVENINGS: Final[Mapping[str, Evening]] = {
    "manhattan": manhattan,
    "railroad_ink": railroad_ink,
    "itc": itc,
    "tokai": tokai,
    "tokai_choosing": tokai_choosing,
    "tokugawa": tokugawa,
    "house": house,
    "accounts": accounts,
}


def main(argv: list[str]) -> int:
    """Record a set."""
    names = [each for each in argv if each != "--again"]
    [name] = names
    folder = HERE / name
    if names != argv:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()  # raises FileExistsError: what a release has is recorded once
    for each, evening in EVENINGS.items():
        journal = SimulatedStore()
        run(played(each, evening, journal))
        asyncio.run(write(folder, each, journal))
    return 0


async def played(name: str, evening: Evening, journal: SimulatedStore) -> None:
    """Let an evening be played at a server on this journal."""
    config = Config(house=False, connections_per_address=1000)
    world = World(crc32(name.encode()), config=config)
    world.journal = journal
    await world.start()
    world.open_house()
    await evening(world)
    await asyncio.sleep(5)
    # Not stopped: a server that stops would save a snapshot of the last version.
    await world.kill()
    for person in world.all_people:
        person.go()
    await asyncio.sleep(60)


async def write(folder: Path, name: str, journal: SimulatedStore) -> None:
    """One journal of a set, and what is to be said of it."""
    packed = folder / f"{name}{stored_journal.SUFFIX}"
    packed.write_bytes(await stored_journal.pack(journal))
    with tempfile.TemporaryDirectory() as scratch:
        path = await reader.unpacked(packed, Path(scratch))
        sent = await expectation(path)
        assert sent["people"] == await reader.people_of_store(journal), "other people"
        text = json.dumps(sent, ensure_ascii=False, indent=1)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        for room in sent["rooms"].values():
            if room["record"]:
                record = await reader.stored_record(path, room["record"])
                (folder / f"{room['record']}.record").write_text(record, encoding="utf-8")


async def expectation(path: Path) -> reader.Plain:
    """What the present code says of a journal."""
    rooms: reader.Plain = {}
    stored = {each.id: each for each in await reader.stored(path)}
    async with reader.serving(path) as app:
        people = await reader.people_of_server(app)
        loaded = await reader.rooms_of_server(app, stored)
    for room_id, each in stored.items():
        room = loaded[room_id]
        again, seen = reader.folded(each.entries)
        assert again == room, f"{room_id}: folded it is another room"
        over = room.table.ending is not None
        rooms[room_id] = {
            "about": reader.describe(room),
            "entries": len(each.entries),
            "snapshot_at": each.snapshot_at,
            "record": room.table.game_id if over else "",
            "versions": seen,
            "next": reader.go_on(room),
        }
    return {"people": people, "rooms": rooms}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
