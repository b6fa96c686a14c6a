"""Engines and edges that do not hear each other, and what goes along with a room that moves."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

import pytest

from bluebear.clients.sdk.client_events import RoomId
from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import AWAY_SECONDS
from bluebear.server.link.finder import Dial
from bluebear.server.node import EdgeNode, EngineNode
from bluebear.server.rooms.room_actor import RoomActor
from tests.sim.cluster import Cluster, cluster
from tests.sim.simulated_clients import Person
from tests.sim.virtual_loop import virtual

PATIENCE: Final = 9.0
"""Until an unreachable node is given up, and people count as present where they send from."""


async def game_of_two(made: Cluster, *options: str) -> tuple[Person, Person, RoomId]:
    """Ayu at the first edge and Ben at the second, at one table that plays."""
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
    result: RoomActor = made.owner_of(room).app.engine.room(room)
    return result


def cut_off(made: Cluster, address: str, *edges: str) -> None:
    """From now on these edges do not reach an engine any more."""
    for name in edges:
        host = made.hosts[name]
        assert isinstance(host.node, EdgeNode)
        finder = host.node.finder
        finder._dial = partial(dial_but, address, finder._dial)
        for end in list(host.ends):
            assert end.other is not None
            if end.other.host.name == address:
                end.close()


async def dial_but(cut: str, dial: Dial, address: str) -> None:
    """Dial any engine but one."""
    if address == cut:
        raise ConnectionRefusedError(address)
    await dial(address)


@pytest.mark.expects_log("an engine that no edge reaches")
@virtual
async def test_an_engine_without_any_edge_gives_its_rooms_up() -> None:
    async with cluster() as made:
        ayu, ben, room = await game_of_two(made)
        first = made.owner_of(room)
        cut_off(made, first.name, *made.edges)
        line = ayu.say("meanwhile", room)
        await asyncio.sleep(PATIENCE)
        assert [reply.ok for reply in ayu.replies[line]] == [True]
        assert made.owner_of(room) is not first
        assert not first.app.engine.live
        assert isinstance(first.node, EngineNode)
        assert not first.node.over.is_set()
        assert (await ben.line("after", room)).ok
        assert ayu.endings == ben.endings == [], "nobody's connection was dropped"


@pytest.mark.expects_log("an engine that one edge does not reach")
@virtual
async def test_an_edge_that_alone_misses_an_engine_sends_its_people_away() -> None:
    async with cluster() as made:
        ayu, ben, room = await game_of_two(made)
        first = made.owner_of(room)
        cut_off(made, first.name, "edge1")
        line = ayu.say("meanwhile", room)
        made.edges.remove("edge1")  # clients that reconnect come to the other one
        await asyncio.sleep(PATIENCE)
        assert [ending.reason for ending in ayu.endings] == ["restart"]
        assert not ben.endings
        assert [reply.ok for reply in ayu.replies[line]] == [True]
        assert made.owner_of(room) is first
        made.edges.insert(0, "edge1")


@pytest.mark.expects_log("an engine that is not reached")
@virtual
async def test_who_wants_a_new_room_where_an_engine_is_not_reached_gets_one_on_another_node() -> (
    None
):
    async with cluster() as made:
        ayu = await made.person("Ayu")
        cut_off(made, "engine1", "edge1")
        await asyncio.sleep(6)
        for _ in range(3):
            assert (await ayu.line("/newroom manhattan public")).ok
            assert ayu.here is not None
            assert made.owner_of(ayu.here).name == "engine2"
            assert (await ayu.line("/lobby")).ok


@pytest.mark.expects_log("an engine stands still while nobody may depose it")
@virtual
async def test_no_person_is_sent_away_from_an_engine_that_stands_still() -> None:
    async with cluster() as made:
        ayu, ben, room = await game_of_two(made)
        first = made.owner_of(room)
        first.freeze()
        cut_off(made, first.name, *made.edges)
        rest = [host.nodes for host in made.hosts.values() if host is not first]
        for _ in range(6):  # their own beats have gaps
            for each in rest:
                each.is_cut = True
            await asyncio.sleep(1.1)
            for each in rest:
                each.is_cut = False
            await asyncio.sleep(0.6)
        await asyncio.sleep(PATIENCE)
        assert made.owner_of(room) is not first
        assert ayu.endings == ben.endings == []
        first.thaw()
        await asyncio.sleep(1)


@virtual
async def test_an_engine_that_ends_says_so_and_its_rooms_go_on_at_once() -> None:
    async with cluster() as made:
        ayu, ben, room = await game_of_two(made)
        first = made.owner_of(room)
        await first.close()
        await asyncio.sleep(1)
        assert made.owner_of(room) is not first
        assert (await ben.line("after", room)).ok
        await asyncio.sleep(1)
        assert ayu.view.version == ben.view.version


@virtual
async def test_a_turn_continues_where_it_was_when_its_engine_is_drained() -> None:
    async with cluster() as made:
        _, _, room = await game_of_two(made, "clock 120+5")
        first, before = made.owner_of(room), live(made, room)
        [deadline] = [chair.deadline for chair in before.room.seats.values() if chair.deadline]
        await asyncio.sleep(90)
        assert isinstance(first.node, EngineNode)
        await first.life.wait(first.node.drain())
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
async def test_who_is_absent_is_absent_as_long_when_his_engine_is_drained() -> None:
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
        assert isinstance(first.node, EngineNode)
        await first.life.wait(first.node.drain())
        await asyncio.sleep(5)
        assert other.wire is not None
        assert made.owner_of(room) is not first
        assert not live(made, room).room.table.votes
        await asyncio.sleep(10)
        assert live(made, room).room.table.votes, "it is asked whether he is to be replaced"


@virtual
async def test_no_person_counts_as_absent_since_his_engine_was_drained() -> None:
    async with cluster() as made:
        _, _, room = await game_of_two(made)
        await asyncio.sleep(3 * AWAY_SECONDS)
        first = made.owner_of(room)
        assert isinstance(first.node, EngineNode)
        await first.life.wait(first.node.drain())
        await asyncio.sleep(5)
        assert made.owner_of(room) is not first
        assert not live(made, room).room.table.votes
