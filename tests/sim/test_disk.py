"""A disk that fails, a server that dies: what was answered is there, and the room goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from bluebear.clients.sdk.client_events import RoomId
from bluebear.server.limits import SNAPSHOT_EVERY
from tests.sim.fixtures import movers, running, sit, two, until_over, written
from tests.sim.simulated_clients import Person
from tests.sim.virtual_loop import run, virtual
from tests.support import faults


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    faults.disarm()
    yield
    faults.disarm()


async def game_with_fault(game: str, point: str, nth: int) -> bool:
    """Play a whole game while the nth pass of a fail point fails; whether it was reached."""
    async with running() as world:
        faults.arm(point, nth, "raise")
        people = await movers(world, "Ayu", "Ben", "Chie")
        room = await sit(world, people, game)
        await until_over(world, room)
        reached = not faults.waiting()
        faults.disarm()
    return reached


@pytest.mark.expects_log("the disk fails, and the server says so")
@pytest.mark.parametrize(
    ("game", "point", "stride"),
    [
        ("manhattan", "store.before_commit", 8),
        ("duel", "store.before_commit", 1),
        ("duel", "store.before_insert", 1),
        ("duel", "store.after_commit", 1),
    ],
)
def test_whichever_commit_of_a_game_fails_nothing_is_wrong_afterwards(
    game: str, point: str, stride: int
) -> None:
    nth = 1
    while run(game_with_fault(game, point, nth)):
        nth += stride
    assert nth > 20


@pytest.mark.expects_log("the disk fails, and the server says so")
@virtual
async def test_while_the_disk_is_full_people_hear_so_and_nothing_changes() -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        version, received = ayu.view.version, len(ben.frames)
        world.journal.fail_next(3)
        for _ in range(3):
            assert (await ayu.line("hello?")).code == "not_saved"
        assert world.live(room).room.version == version
        assert len(ben.frames) == received
        reply = await ayu.line("hello!")
        assert (reply.ok, reply.version) == (True, version + 1)


@pytest.mark.expects_log("the disk fails, and the server says so")
@pytest.mark.parametrize("is_stored", [True, False], ids=["kept", "lost"])
@virtual
async def test_where_no_person_can_tell_the_journal_is_prompted(is_stored: bool) -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        version = ayu.view.version
        if is_stored:
            world.whims.unsure_stored = 1
        else:
            world.whims.unsure_lost = 1
        reply = await ayu.line("hello?")
        assert reply.ok == is_stored
        await asyncio.sleep(2)
        assert ben.view.version == world.live(room).room.version == version + is_stored


@pytest.mark.expects_log("the disk fails, and the server says so")
@virtual
async def test_while_a_room_cannot_be_read_its_people_stay_and_hear_so() -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        world.whims.unsure_stored = 1
        world.whims.unread = 8
        line = ayu.say("hello?", room)
        await asyncio.sleep(0.1)
        assert (await ben.line("what is it?")).code == "not_saved"
        await asyncio.sleep(10)
        assert [reply.ok for reply in ayu.replies[line]] == [True]
        assert (await ben.line("there we are")).ok
        assert ayu.view.version == ben.view.version == world.live(room).room.version


@pytest.mark.parametrize("drained", [True, False], ids=["sent", "unsent"])
@virtual
async def test_what_was_done_before_the_server_died_is_done(drained: bool) -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        done = [ayu.say(f"line {number}", room) for number in range(5)]
        await asyncio.sleep(0.012)
        await world.kill(drained=drained)
        await world.start()
        await asyncio.sleep(10)
        talk = [line for line in await written(world, room) if line.startswith("Ayu line")]
        assert talk == [f"Ayu line {number}" for number in range(5)]
        assert all(ayu.replies[line][-1].ok for line in done)


@virtual
async def test_a_room_returns_as_it_was_left() -> None:
    async with running() as world:
        ayu, ben, chie = await two(world, "Ayu", "Ben", "Chie")
        rooms = [
            await sit(world, [ayu, ben], "sealed", options=["rounds 2", "watch none"], start=False),
            await sit(world, [ayu, ben, chie], "manhattan", options=["turned_cards on"]),
            await sit(world, [ben, chie], "duel"),
        ]
        assert (await ben.line("/resign !", rooms[2])).ok
        assert (await chie.line("good game", rooms[2])).ok
        assert (await ayu.line("/invite", rooms[0])).ok
        before = await looks(rooms, ayu, ben, chie)
        await world.kill()
        await world.start()
        await asyncio.sleep(10)
        assert await looks(rooms, ayu, ben, chie) == before


async def looks(rooms: list[RoomId], *people: Person) -> list[object]:
    """What each sees of each room, and the sentences of the log that comes with it."""
    for person in people:
        for room in rooms:
            person.sync(room)
    await asyncio.sleep(2)
    return [
        (person.name, room, person.session.mirror.rooms[room].view, person.log_of(room))
        for person in people
        for room in rooms
        if room in person.session.mirror.rooms
    ]


@virtual
async def test_a_long_room_returns_from_its_newest_snapshot() -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        while ayu.view.version <= SNAPSHOT_EVERY:
            assert (await ayu.line("and so on")).ok
            await asyncio.sleep(0.6)
        await world.kill()
        await world.start()
        await asyncio.sleep(10)
        assert (await ben.line("still here?")).ok
        assert len(ben.log_of(room)) == 50


@virtual
async def test_a_vote_and_its_time_outlive_the_server() -> None:
    async with running() as world:
        ayu, ben, chie = await two(world, "Ayu", "Ben", "Chie")
        room = await sit(world, [ayu, ben, chie])
        assert (await ayu.line("/pause")).ok
        await asyncio.sleep(20)
        await world.stop()
        await asyncio.sleep(3600)
        await world.start()
        await asyncio.sleep(5)
        assert (await ben.line("/accept")).ok
        assert world.live(room).room.table.phase == "paused"


@pytest.mark.expects_log("the disk fails, and the server says so")
@pytest.mark.parametrize("is_stored", [True, False], ids=["kept", "lost"])
@virtual
async def test_people_can_come_after_a_commit_of_which_no_person_can_tell(is_stored: bool) -> None:
    async with running() as world:
        await world.person("Ayu")
        if is_stored:
            world.whims.unsure_stored = 1
        else:
            world.whims.unsure_lost = 1
        await world.person("Ben")
        chie = await world.person("Chie")
        assert (await chie.line("/nick Chieko")).ok
