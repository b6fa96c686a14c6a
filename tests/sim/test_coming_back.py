"""Connections break and return: nothing is doubled or skipped, and all clients see the truth."""

from __future__ import annotations

import asyncio

import pytest

from bluebear.clients.sdk.client_events import Entered, RoomId, Synced, Updated
from bluebear.protocol import MSGPACK, Close
from bluebear.rules.core.visibility import SPECTATOR, Seat
from bluebear.server.limits import CONNECTIONS_PER_PERSON
from tests.sim.fixtures import running, sit, two, written
from tests.sim.invariants import wired
from tests.sim.simulated_clients import Person, Sight
from tests.sim.simulation import World
from tests.sim.virtual_loop import virtual
from tests.support import stored_rows
from tests.support.views import view_of


def twin_of(world: World, person: Person, name: str) -> Person:
    """A second connection of the same person."""
    return world.add(Person(world, name, codec=MSGPACK, token=person.session.token))


async def enter(person: Person, room: RoomId) -> None:
    """Go into a room."""
    await person.met()
    assert (await person.line(f"/room {room}")).ok


def steps_of(sights: list[Sight]) -> list[tuple[int, bool]]:
    """Versions, and whether each was reached by an update."""
    return [(sight.version, sight.step) for sight in sights]


@pytest.mark.parametrize("times", [1, 2, 3, 4])
@virtual
async def test_a_line_that_is_sent_again_takes_effect_once(times: int) -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        line = ayu.say("once", room)
        for _ in range(times - 1):
            ayu.repeat(line)
        await asyncio.sleep(5)
        assert [each for each in await written(world, room) if each == "Ayu once"] == ["Ayu once"]
        assert {reply.version for reply in ayu.replies[line]} == {ayu.view.version}
        assert all(reply.ok for reply in ayu.replies[line])


@pytest.mark.parametrize("half_open", [False, True], ids=["cut", "half-open"])
@pytest.mark.parametrize("wait", [0.0005, 0.0015, 0.0035, 0.0045, 0.0055])
@virtual
async def test_wherever_the_wire_breaks_the_line_takes_effect_once(
    half_open: bool, wait: float
) -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        line = ayu.say("once", room)
        await asyncio.sleep(wait)
        assert ayu.wire is not None
        ayu.wire.cut(half_open=half_open)
        await asyncio.sleep(30)
        assert (await written(world, room))[-1] == "Ayu once"
        assert (await written(world, room)).count("Ayu once") == 1
        assert [reply.ok for reply in ayu.replies[line]] == [True]


@pytest.mark.parametrize("wait", [0.0005, 0.0015, 0.0035, 0.0045, 0.0055])
@virtual
async def test_whenever_the_server_dies_the_line_takes_effect_once(wait: float) -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        line = ayu.say("once", room)
        await asyncio.sleep(wait)
        await world.kill()
        await world.start()
        await asyncio.sleep(30)
        assert (await written(world, room)).count("Ayu once") == 1
        assert [reply.ok for reply in ayu.replies[line]] == [True]


@pytest.mark.parametrize("wait", [0.0005, 0.0015, 0.0035, 0.0045, 0.0055])
@virtual
async def test_a_new_room_is_made_once_and_its_maker_is_in_it(wait: float) -> None:
    async with running() as world:
        ayu = await world.person("Ayu")
        line = ayu.say("/newroom duel public")
        await asyncio.sleep(wait)
        assert ayu.wire is not None
        ayu.wire.cut()
        await asyncio.sleep(30)
        assert [reply.ok for reply in ayu.replies[line]] == [True]
        assert len(await world.journal.read(stored_rows.all_rooms)) == 1
        assert ayu.here is not None
        assert len(world.app.engine.live) == 1


@virtual
async def test_an_old_line_is_recognized_after_days_and_restarts() -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        line = ayu.say("once", room)
        await asyncio.sleep(1)
        first = ayu.replies[line]
        ayu.go()
        ben.go()
        await world.stop()
        await asyncio.sleep(3 * 24 * 3600)
        await world.start()
        ayu.return_()
        ben.return_()
        await asyncio.sleep(10)
        ayu.repeat(line)
        await asyncio.sleep(5)
        assert (await written(world, room)).count("Ayu once") == 1
        assert [(reply.ok, reply.version) for reply in ayu.replies[line]] == [
            (True, first[0].version)
        ] * 2


@virtual
async def test_who_returns_gets_one_snapshot_and_then_every_version() -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        assert ben.wire is not None
        ben.stays = False
        ben.wire.cut()
        for number in range(3):
            assert (await ayu.line(f"line {number}")).ok
        seen = len(ben.sights[room])
        ben.return_()
        await asyncio.sleep(5)
        for number in range(3, 5):
            assert (await ayu.line(f"line {number}")).ok
        now = ayu.view.version
        assert steps_of(ben.sights[room][seen:]) == [
            (now - 2, False),
            (now - 1, True),
            (now, True),
        ]
        assert [line for line in ben.log_of(room) if "line " in line][-1].endswith("line 2")


@virtual
async def test_who_returns_after_losing_his_seat_sees_no_hand() -> None:
    async with running() as world:
        ayu, ben, chie = await two(world, "Ayu", "Ben", "Chie")
        room = await sit(world, [ayu, ben, chie])
        seat = frozenset(Seat(int(seat)) for seat in ben.view.eyes)
        ben.go()
        await asyncio.sleep(2)
        assert (await ayu.line("/kick Ben !")).ok
        ben.return_()
        await enter(ben, room)
        assert ben.view.eyes == set()
        live = world.live(room)
        assert ben.view.view == wired(view_of(live.room, live.game, SPECTATOR))
        assert ben.view.view != wired(view_of(live.room, live.game, seat))


@virtual
async def test_both_connections_of_a_person_see_the_truth() -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        assert ayu.wire is not None
        ayu.wire.down.clog()
        ayu.wire.up.clog()
        second = twin_of(world, ayu, "Ayu's telephone")
        await enter(second, room)
        assert (await second.line("it is me")).ok
        assert second.view.eyes == ayu.view.eyes
        ayu.wire.down.release()
        ayu.wire.up.release()
        await asyncio.sleep(2)
        assert ayu.view.view == second.view.view
        assert ayu.view.version == second.view.version


@virtual
async def test_a_connection_too_many_closes_the_oldest_with_a_reason() -> None:
    async with running() as world:
        ayu = await world.person("Ayu")
        ayu.stays = False
        twins = [twin_of(world, ayu, f"tab {number}") for number in range(CONNECTIONS_PER_PERSON)]
        for twin in twins:
            await twin.met()
        await asyncio.sleep(2)
        assert [ending.code for ending in ayu.endings] == [Close.REPLACED]
        assert all(not twin.endings for twin in twins)


@virtual
async def test_a_half_open_connection_does_not_count_as_presence_for_ever() -> None:
    async with running() as world:
        ayu, ben = await two(world)
        await sit(world, [ayu, ben])
        assert ayu.wire is not None
        ayu.stays = False
        ayu.wire.cut(half_open=True)
        await asyncio.sleep(20)
        assert not ben.view.away
        await asyncio.sleep(10)
        assert ben.view.away == ("Ayu",)


@virtual
async def test_swizzled_wires_deliver_everything_in_order() -> None:
    async with running() as world:
        people = await two(world, "Ayu", "Ben", "Chie")
        room = await sit(world, people)
        wires = [person.wire for person in people if person.wire is not None]
        for wire in wires:
            wire.down.clog()
            people[0].say("while things are clogged", room)
            await asyncio.sleep(1)
        for wire in reversed(wires):
            wire.down.release()
            people[1].say("while they are released", room)
            await asyncio.sleep(1)
        await asyncio.sleep(2)
        for person in people:
            received = [each for each in person.events if isinstance(each, Entered | Synced)]
            assert len(received) <= 3
            versions = [each.version for each in person.events if isinstance(each, Updated)]
            assert versions[-6:] == list(range(versions[-1] - 5, versions[-1] + 1))
