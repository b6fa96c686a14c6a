"""Time that a turn has left, when the engine that counted it is no more."""

from __future__ import annotations

import asyncio

import pytest

from bluebear.clients.sdk.client_events import RoomId
from bluebear.rules.core.visibility import Seat
from tests.sim.cluster import Cluster, cluster
from tests.sim.simulated_clients import Person
from tests.sim.test_cluster import two_in_a_room
from tests.sim.virtual_loop import virtual

TURN_SECONDS = 60
THOUGHT_SECONDS = 40


async def on_the_clock(made: Cluster) -> tuple[Person, Person, RoomId]:
    """Two people at two nodes play with a clock, and one of them has thought for long."""
    ayu, ben, room = await two_in_a_room(made)
    for each in (ayu, ben):
        assert (await each.line("/join", room)).ok
    for line in (f"/option clock {TURN_SECONDS}+0", "/start"):
        assert (await ayu.line(line, room)).ok
    await asyncio.sleep(THOUGHT_SECONDS)
    return ayu, ben, room


def left(made: Cluster, room: RoomId) -> float:
    """The seconds that the player on turn has left, by the clock of the room's node."""
    owner = made.owner_of(room)
    table = owner.room(room).room.table
    [seat] = table.turn
    deadline = table.seats[Seat(seat)].deadline
    assert deadline is not None
    return float(deadline - owner.clock.now()) / 1000


@pytest.mark.expects_log("a node dies")
@virtual
async def test_who_thinks_while_his_node_is_killed_gets_no_time_anew() -> None:
    async with cluster() as made:
        _, ben, room = await on_the_clock(made)
        before = left(made, room)
        assert before == pytest.approx(TURN_SECONDS - THOUGHT_SECONDS, abs=1)
        await made.owner_of(room).kill()
        # The lease and loading cost no player time; thinking afterwards does.
        while not (made.find_owner(room) and made.hosts_with(room)):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        await asyncio.sleep(1)
        assert before - 2.5 <= left(made, room) <= before
        assert (await ben.line("still here", room)).ok


@pytest.mark.expects_log("a node dies")
@virtual
async def test_the_clock_of_a_killed_node_rings_on_the_next_one() -> None:
    async with cluster() as made:
        ayu, _, room = await on_the_clock(made)
        version = ayu.view.version
        await made.owner_of(room).kill()
        await asyncio.sleep(TURN_SECONDS - THOUGHT_SECONDS + 10)
        assert any("@clock" in line for line in await made.lines(room))
        assert ayu.view.version > version
