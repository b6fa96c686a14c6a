"""What goes along with a room that moves from node to node."""

from __future__ import annotations

import asyncio

from bluebear.clients.sdk.client_events import RoomId
from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import AWAY_SECONDS
from bluebear.server.rooms.room_actor import RoomActor
from tests.sim.cluster import Cluster, cluster
from tests.sim.simulated_clients import Person
from tests.sim.virtual_loop import virtual


async def game_of_two(made: Cluster, *options: str) -> tuple[Person, Person, RoomId]:
    """Ayu at the first node and Ben at the second, at one table that plays."""
    ayu, ben = await made.person("Ayu"), await made.person("Ben")
    assert (await ayu.line("/newroom manhattan public")).ok
    room = ayu.here
    assert room is not None
    assert (await ben.line(f"/room {room}")).ok
    for option in options:
        assert (await ayu.line(f"/option {option}")).ok
    for person in (ayu, ben):
        assert (await person.line("/join")).ok
    assert (await ayu.line("/start")).ok
    return ayu, ben, room


def live(made: Cluster, room: str) -> RoomActor:
    """The room where it is."""
    result: RoomActor = made.owner_of(room).room(room)
    return result


@virtual
async def test_a_node_that_ends_says_so_and_its_rooms_go_on_at_once() -> None:
    async with cluster() as made:
        ayu, ben, room = await game_of_two(made)
        first = made.owner_of(room)
        await first.close()
        await asyncio.sleep(4)
        assert made.owner_of(room) is not first
        assert (await ben.line("after", room)).ok
        await asyncio.sleep(1)
        assert ayu.view.version == ben.view.version


@virtual
async def test_a_turn_continues_where_it_was_when_its_node_is_drained() -> None:
    async with cluster() as made:
        _, _, room = await game_of_two(made, "clock 120+5")
        first, before = made.owner_of(room), live(made, room)
        [deadline] = [chair.deadline for chair in before.room.seats.values() if chair.deadline]
        await asyncio.sleep(90)
        await first.drain()
        await asyncio.sleep(1)
        after = live(made, room)
        assert after is not before
        [moved] = [chair.deadline for chair in after.room.seats.values() if chair.deadline]
        assert deadline <= moved < deadline + 1_000
        assert set(after.timer.waited(after.room).values()) in ({90}, {91})
        seat = Seat(after.room.table.turn[0])
        await asyncio.sleep(28)
        assert live(made, room).room.table.turn[0] == seat
        await asyncio.sleep(3)
        assert live(made, room).room.seats[seat].deadline != moved, "the time was up"


@virtual
async def test_who_is_absent_is_absent_as_long_when_his_node_is_drained() -> None:
    async with cluster() as made:
        ayu, ben, room = await game_of_two(made)
        table = live(made, room).room
        mover, other = (
            (ayu, ben) if "Ayu" in {table.name_of(s) for s in table.table.turn} else (ben, ayu)
        )
        mover.go()
        await asyncio.sleep(AWAY_SECONDS - 10)
        assert not live(made, room).room.table.votes
        first = made.owner_of(room)
        await first.drain()
        await asyncio.sleep(5)
        assert other.wire is not None
        assert made.owner_of(room) is not first
        assert not live(made, room).room.table.votes
        await asyncio.sleep(10)
        assert live(made, room).room.table.votes, "it is asked whether he is to be replaced"


@virtual
async def test_no_person_counts_as_absent_since_his_node_was_drained() -> None:
    async with cluster() as made:
        _, _, room = await game_of_two(made)
        await asyncio.sleep(3 * AWAY_SECONDS)
        first = made.owner_of(room)
        await first.drain()
        await asyncio.sleep(5)
        assert made.owner_of(room) is not first
        assert not live(made, room).room.table.votes
