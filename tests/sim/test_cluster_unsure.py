"""A commit of which a node cannot tell whether it was stored, with people at two nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bluebear.server.store import Answer, Append, NotSaved
from bluebear.server.store.postgres import STATEMENT_SECONDS
from tests.sim.cluster import cluster
from tests.sim.test_cluster import two_in_a_room
from tests.sim.virtual_loop import virtual
from tests.support.simulated_store import SimulatedStore

LONG_SECONDS = 10.0
"""Longer than any node stores the address of a person who has disconnected."""


def lose_results(store: SimulatedStore, commits: int) -> None:
    """So many commits are not stored, and their writer does not know."""
    left = commits
    append = store.append

    async def unsure(batch: Sequence[Append]) -> list[Answer]:
        nonlocal left
        if not left:
            return await append(batch)
        left -= 1
        return [NotSaved("nobody knows", certain=False) for _ in batch]

    store.append = unsure  # type: ignore[method-assign]  # an instance of its own


@pytest.mark.expects_log("nobody can tell whether an entry was stored")
@virtual
async def test_people_stay_in_a_room_that_was_read_back_from_the_store() -> None:
    async with cluster() as made:
        ayu, ben, room = await two_in_a_room(made)
        store = made.owner_of(room).store
        assert store is not None
        lose_results(store, 1)
        refused = await ayu.line("into the dark", room)
        assert (refused.ok, refused.code) == (False, "not_saved")
        for number in range(int(LONG_SECONDS)):
            for each in (ayu, ben):
                reply = await each.line(f"line {number}", room)
                assert reply.ok, reply.text
            await asyncio.sleep(1)
        sent = [each.split(" ", 1)[1] for each in await made.lines(room)]
        spoken = [each for each in sent if each[0] != "/"]
        assert spoken == [f"line {n // 2}" for n in range(2 * int(LONG_SECONDS))]
        assert ayu.view.version == ben.view.version


@pytest.mark.expects_log("nobody can tell whether an entry was stored")
@virtual
async def test_what_was_sent_while_the_room_is_read_back_is_reported_in_it() -> None:
    async with cluster() as made:
        ayu, _, room = await two_in_a_room(made)
        store = made.owner_of(room).store
        assert store is not None
        lose_results(store, 1)
        lines = []
        for number in range(8):
            lines.append(ayu.say(f"line {number}", room))
            await asyncio.sleep(0.01)
        await asyncio.sleep(2)
        codes = {reply.code for line in lines for reply in ayu.replies[line] if not reply.ok}
        assert codes <= {"not_saved", "busy"}


@pytest.mark.expects_log("the database is away")
@virtual
async def test_lines_wait_for_a_database_that_is_away_and_are_stored_once() -> None:
    async with cluster() as made:
        ayu, ben, room = await two_in_a_room(made)
        for host in made.hosts.values():
            host.nodes.is_cut = True
        lines = [(each, each.say(f"{each.name} waits", room)) for each in (ayu, ben)]
        await asyncio.sleep(5)
        assert not any(each.replies.get(line) for each, line in lines)
        for host in made.hosts.values():
            host.nodes.is_cut = False
        await asyncio.sleep(1)
        assert all(each.replies[line][0].ok for each, line in lines)
        assert (await ayu.line("/who")).ok
        sent = [each.split(" ", 1)[1] for each in await made.lines(room)]
        assert sorted(each for each in sent if each[0] != "/") == ["Ayu waits", "Ben waits"]


@pytest.mark.expects_log("the database is away")
@virtual
async def test_a_line_is_refused_where_the_database_is_away_for_too_long() -> None:
    async with cluster() as made:
        ayu, _, room = await two_in_a_room(made)
        loop = asyncio.get_running_loop()
        for host in made.hosts.values():
            host.nodes.is_cut = True
        began = loop.time()
        refused = await ayu.line("too long", room)
        assert (refused.ok, refused.code) == (False, "not_saved")
        assert STATEMENT_SECONDS <= loop.time() - began < STATEMENT_SECONDS + 1
        began = loop.time()
        assert (await ayu.line("still away", room)).code == "not_saved"
        assert loop.time() - began < 1, "what comes later does not wait as long again"
        for host in made.hosts.values():
            host.nodes.is_cut = False
        await asyncio.sleep(2)
        assert (await ayu.line("back", room)).ok


@pytest.mark.expects_log("a node is cut off, and deposed")
@virtual
async def test_a_line_at_a_node_that_is_cut_off_is_answered_at_the_next_one() -> None:
    async with cluster() as made:
        ayu, _, room = await two_in_a_room(made)
        host = made.owner_of(room)
        host.nodes.is_cut = True
        line = ayu.say("held", room)
        await asyncio.sleep(4)
        assert not ayu.replies.get(line)
        host.nodes.is_cut = False
        await asyncio.sleep(4)
        assert [reply.ok for reply in ayu.replies[line]] == [True]
        assert made.owner_of(room) is not host
