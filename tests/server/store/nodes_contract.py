"""What nodes over one store must keep, as scenes; each implementation's test file runs them all."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Protocol

import pytest

from bluebear.server.features.matchmaking import match_requests
from bluebear.server.features.matchmaking.match_requests import MatchRequest
from bluebear.server.runtime import COUNTERS
from bluebear.server.store import (
    Deposed,
    Fenced,
    Nodes,
    NotOpened,
    NotSaved,
    Outgoing,
    Store,
    StreamId,
    Written,
    leases,
    outbox,
    rooms,
    streams,
)
from bluebear.server.store.leases import (
    BEAT_SECONDS,
    LEASE_SECONDS,
    START_LEASE_SECONDS,
    START_SECONDS,
    Attendant,
    Node,
    Owner,
)
from bluebear.server.store.schema import ALONE
from bluebear.server.store.types import Append, Entry, PersonRow, person_stream
from tests.server.store.contract import OTHER, ROOM, line
from tests.server.store.store_contract import LINE, room

UNOWNED = StreamId("r9")


def at_node(person: str) -> Attendant:
    """A person who is connected to a node, and in no room."""
    return Attendant(person, 1, None, ())


class SharedStore(Protocol):
    """Where nodes meet: one store, whose time goes on by request."""

    def nodes(self) -> Nodes:
        """What one more process has of the nodes; closed at the end of the test."""

    def store(self, nodes: Nodes, node: Node) -> Store:
        """What a node reads and writes by; closed at the end of the test."""

    async def wait(self, seconds: float) -> None:
        """Let the store's clock go on."""


@dataclass
class Process:
    """A process that has joined."""

    nodes: Nodes
    node: Node
    store: Store

    @property
    def id(self) -> str:
        return self.node.id


async def joined(shared: SharedStore, name: str) -> Process:
    nodes = shared.nodes()
    node = await nodes.join(name, address=f"/run/{name}", version="1.2")
    return Process(nodes, node, shared.store(nodes, node))


async def beating(
    shared: SharedStore, *processes: Process, seconds: float = START_LEASE_SECONDS + 1.0
) -> None:
    """Let time go on while these beat."""
    for _ in range(int(seconds / BEAT_SECONDS)):
        await shared.wait(BEAT_SECONDS)
        for each in processes:
            await each.nodes.change(leases.beat)


async def due(process: Process, now: int) -> list[Outgoing]:
    return await process.store.write(outbox.claim, process.store.writer, now, 9)


async def deposed(shared: SharedStore, by: Process, node: Process) -> None:
    await beating(shared, by)
    assert await by.nodes.change(leases.depose, node.id, await generation_of(by, node))


async def generation_of(who: Process, node: Process) -> int:
    [results] = [each for each in await who.nodes.read(leases.living) if each.id == node.id]
    return results.generation


class NodesContract:
    """Subclasses give the fixture `shared`."""

    # Who is there.

    async def test_who_has_joined_is_seen_by_all(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        assert one.id != two.id
        await shared.wait(1.5)
        assert await one.nodes.change(leases.beat) == "alive"
        first, second = await two.nodes.read(leases.living)
        assert (first.id, first.generation) == (one.id, one.node.generation)
        assert (first.name, first.address) == ("one", "/run/one")
        assert (first.version, first.state) == ("1.2", "alive")
        assert first.beat_seconds is not None
        assert first.beat_seconds < 1
        assert second.id == two.id
        assert second.beat_seconds is not None
        assert second.beat_seconds >= 1.5

    async def test_who_leaves_is_dead_and_writes_nothing_more(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        assert await one.store.append([line(1)]) == [Written(1)]
        assert await one.nodes.change(leases.claim, ROOM) == 1
        await one.nodes.change(leases.leave)
        await one.nodes.change(leases.leave)
        assert [each.id for each in await two.nodes.read(leases.living)] == [two.id]
        assert isinstance((await one.store.append([line(2)]))[0], Deposed)
        assert await two.nodes.change(leases.claim, ROOM) == 2

    async def test_a_name_is_not_taken_from_a_node_that_lives(self, shared: SharedStore) -> None:
        old = await joined(shared, "one")
        with pytest.raises(NotOpened) as refused:
            await joined(shared, "one")
        assert refused.value.code == "node_lives"
        assert await old.nodes.change(leases.beat) == "alive"
        await old.nodes.change(leases.leave)
        buried = COUNTERS["nodes.buried"]
        assert (await joined(shared, "one")).id != old.id, "one that has left is not waited for"
        assert COUNTERS["nodes.buried"] == buried

    async def test_a_name_is_free_when_its_node_has_not_beaten(self, shared: SharedStore) -> None:
        old = await joined(shared, "one")
        await shared.wait(LEASE_SECONDS + BEAT_SECONDS)
        buried = COUNTERS["nodes.buried"]
        new = await joined(shared, "one")
        assert COUNTERS["nodes.buried"] == buried + 1, "an alert counts it"
        assert [each.id for each in await new.nodes.read(leases.living)] == [new.id]
        with pytest.raises(Deposed):
            await old.nodes.change(leases.beat)
        assert isinstance((await old.store.append([line(1)]))[0], Deposed)
        assert await new.store.append([line(1)]) == [Written(1)]

    async def test_a_node_that_has_just_started_may_be_late(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        await beating(shared, one, two, seconds=START_SECONDS - LEASE_SECONDS)
        await beating(shared, two, seconds=LEASE_SECONDS + 1.0)
        assert not await two.nodes.change(leases.depose, one.id, one.node.generation)
        await one.nodes.change(leases.beat)
        await beating(shared, one, two, seconds=START_SECONDS + 1.0)
        await beating(shared, two, seconds=LEASE_SECONDS + 1.0)
        assert await two.nodes.change(leases.depose, one.id, one.node.generation)

    async def test_a_node_that_is_to_drain_hears_it_by_its_beat(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        assert await one.nodes.change(leases.claim, ROOM) == 1
        assert not await two.nodes.write(leases.drain, "nobody")
        assert await two.nodes.write(leases.drain, "one")
        assert await one.nodes.change(leases.beat) == "draining"
        assert await one.nodes.change(leases.claim, ROOM) == 2
        assert await one.nodes.change(leases.claim, OTHER) is None
        await two.nodes.change(leases.claim, OTHER)
        assert await two.nodes.change(leases.give, OTHER, one.id, 1) is None
        assert await one.store.append([line(1)]) == [Written(1)]
        assert await one.nodes.change(leases.give, ROOM, two.id, 2) == 3

    # Deposing.

    async def test_who_does_not_beat_is_deposed_and_its_late_write_is_refused(
        self, shared: SharedStore
    ) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        assert await one.store.append([line(1)]) == [Written(1)]
        await beating(shared, two)
        assert await two.nodes.change(leases.depose, one.id, one.node.generation)
        assert isinstance((await one.store.append([line(2)]))[0], Deposed)
        with pytest.raises(Deposed):
            await one.store.write(rooms.touch, [ROOM], 9_000)
        with pytest.raises(Deposed):
            await one.nodes.change(leases.beat)
        with pytest.raises(Deposed):
            await one.nodes.change(leases.claim, ROOM)
        assert await two.store.append([line(2)]) == [Written(2)]
        assert [entry.seq for entry in await two.store.read(streams.load, ROOM)] == [1, 2]

    async def test_who_beats_is_not_deposed(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        await beating(shared, one, two)
        assert not await two.nodes.change(leases.depose, one.id, one.node.generation)
        await beating(shared, two, seconds=LEASE_SECONDS - BEAT_SECONDS)
        assert not await two.nodes.change(leases.depose, one.id, one.node.generation)

    async def test_who_has_not_beaten_long_enough_itself_deposes_no_person(
        self, shared: SharedStore
    ) -> None:
        """A store that was unreachable for long makes no node depose the others."""
        one, two = await joined(shared, "one"), await joined(shared, "two")
        await beating(shared, one, two)
        await shared.wait(60)
        assert not await two.nodes.change(leases.depose, one.id, one.node.generation)
        await two.nodes.change(leases.beat)
        assert not await two.nodes.change(leases.depose, one.id, one.node.generation)
        await beating(shared, two, seconds=LEASE_SECONDS - BEAT_SECONDS)
        assert not await two.nodes.change(leases.depose, one.id, one.node.generation)
        await beating(shared, two, seconds=2 * BEAT_SECONDS)
        assert await two.nodes.change(leases.depose, one.id, one.node.generation)

    async def test_of_two_who_depose_at_once_one_does_it(self, shared: SharedStore) -> None:
        one = await joined(shared, "one")
        two, three = await joined(shared, "two"), await joined(shared, "three")
        await beating(shared, two, three)
        done = await asyncio.gather(
            two.nodes.change(leases.depose, one.id, one.node.generation),
            three.nodes.change(leases.depose, one.id, one.node.generation),
        )
        assert sorted(done) == [False, True]
        assert not await two.nodes.change(leases.depose, one.id, one.node.generation + 1)
        assert not await two.nodes.change(leases.depose, "nobody", 1)

    # Rooms.

    async def test_of_two_who_claim_at_once_one_has_the_room(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        assert await one.nodes.read(leases.owner, ROOM) is None
        claims = await asyncio.gather(
            one.nodes.change(leases.claim, ROOM), two.nodes.change(leases.claim, ROOM)
        )
        assert sorted(claims, key=str) == [1, None]
        has, misses = (one, two) if claims[0] else (two, one)
        assert await misses.nodes.read(leases.owner, ROOM) == Owner(
            has.id, f"/run/{'one' if has is one else 'two'}", 1
        )
        assert await misses.nodes.change(leases.claim, ROOM) is None
        assert await misses.nodes.read(leases.owned, has.id) == {ROOM: 1}

    async def test_what_was_sent_before_a_room_was_claimed_again_is_refused(
        self, shared: SharedStore
    ) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        assert await one.nodes.change(leases.claim, ROOM) == 1
        assert await one.nodes.change(leases.claim, ROOM) == 2
        assert await one.nodes.change(leases.give, ROOM, two.id, 1) is None
        assert not await one.nodes.change(leases.release, ROOM, 1)
        assert await two.nodes.read(leases.owned, one.id) == {ROOM: 2}

    async def test_only_the_owner_gives_and_lets_go_and_only_since_its_epoch(
        self, shared: SharedStore
    ) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        assert await one.nodes.change(leases.claim, ROOM) == 1
        assert await two.nodes.change(leases.give, ROOM, two.id, 1) is None
        assert not await two.nodes.change(leases.release, ROOM, 1)
        assert await one.nodes.change(leases.give, ROOM, "nobody", 1) is None
        assert await one.nodes.change(leases.give, ROOM, two.id, 1) == 2
        assert await one.nodes.change(leases.give, ROOM, two.id, 1) is None
        assert not await one.nodes.change(leases.release, ROOM, 1)
        assert not await two.nodes.change(leases.release, ROOM, 1)
        assert await two.nodes.change(leases.release, ROOM, 2)
        assert await one.nodes.read(leases.owner, ROOM) is None
        assert await two.nodes.read(leases.owned, two.id) == {}
        assert await one.nodes.change(leases.claim, ROOM) == 3

    async def test_rooms_of_a_dead_node_are_anybodys_and_its_epoch_is_over(
        self, shared: SharedStore
    ) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        for each in (ROOM, OTHER):
            assert await one.nodes.change(leases.claim, each) == 1
        assert await two.nodes.change(leases.claim, ROOM) is None
        await deposed(shared, two, one)
        assert await two.nodes.read(leases.owner, ROOM) is None
        assert await two.nodes.read(leases.owned, one.id) == {ROOM: 1, OTHER: 1}
        assert await two.nodes.change(leases.claim, ROOM) == 2
        assert await two.nodes.read(leases.owned, one.id) == {OTHER: 1}
        with pytest.raises(Deposed):
            await one.nodes.change(leases.give, ROOM, two.id, 1)
        with pytest.raises(Deposed):
            await one.nodes.change(leases.release, OTHER, 1)

    async def test_due_rooms_are_claimed_by_one_each(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        rooms = [
            replace(LINE, stream=StreamId(f"d{number}"), deadline=1_000 + number, invites=())
            for number in range(6)
        ]
        later = replace(LINE, deadline=5_000)
        asleep = replace(LINE, stream=OTHER, deadline=None, invites=())
        written = await one.store.append([room(each) for each in (*rooms, later, asleep)])
        assert written == [Written(1)] * 8
        await two.nodes.change(leases.claim, rooms[0].stream)
        ours, yours = await asyncio.gather(
            one.nodes.change(leases.claim_due, 2_000, 2),
            two.nodes.change(leases.claim_due, 2_000, 2),
        )
        rest = await one.nodes.change(leases.claim_due, 2_000, 9)
        # Who looked before the other's claim, and claims after it, has come too late for some.
        assert max(len(ours), len(yours)) == 2
        assert set(ours) | set(yours) | set(rest) == {each.stream for each in rooms[1:]}
        assert not set(ours) & set(yours)
        assert await two.nodes.read(leases.owned, one.id) == {**ours, **rest}
        await one.nodes.write(leases.drain, "two")
        assert await two.nodes.change(leases.claim_due, 9_000, 9) == {}

    async def test_the_soonest_due_rooms_are_claimed_first(self, shared: SharedStore) -> None:
        one = await joined(shared, "one")
        rooms = [
            replace(LINE, stream=StreamId(f"d{number}"), deadline=3_000 - number, invites=())
            for number in range(3)
        ]
        await one.store.append([room(each) for each in rooms])
        assert await one.nodes.change(leases.claim_due, 9_000, 1) == {rooms[2].stream: 1}

    # Entries.

    async def test_two_who_write_one_stream_get_one_number_each(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        answers = await asyncio.gather(
            *(who.store.append([line(1, f"{who.id}")]) for who in (one, two))
        )
        assert sorted(map(str, answers)) == sorted(map(str, [[Written(1)], [Fenced(1)]]))

    async def test_what_is_sent_out_is_sent_by_one_node_as_long_as_it_lives(
        self, shared: SharedStore
    ) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        first, second = Outgoing("a", 100, b"x"), Outgoing("b", 200, b"y")
        entry = Entry(ROOM, 1, "p:ayu", "", ("/x",), {}, 50)
        await one.store.append([Append(entry, outgoing=(first, second))])
        assert await due(two, 100) == [first]
        assert await due(one, 200) == [second]
        assert await due(two, 200) == [first]
        await two.store.write(outbox.settle, ["a"], [])
        await deposed(shared, two, one)
        assert await due(two, 200) == [second]
        with pytest.raises(Deposed):
            await due(one, 200)

    async def test_what_a_server_alone_was_to_send_is_sent_by_the_nodes_after_it(
        self, shared: SharedStore
    ) -> None:
        one = await joined(shared, "one")
        message = Outgoing("a", 100, b"x")
        entry = Entry(ROOM, 1, "p:ayu", "", ("/x",), {}, 50)
        await one.store.append([Append(entry, outgoing=(message,))])
        assert await one.store.write(outbox.claim, ALONE, 200, 9) == [message]
        assert await due(one, 200) == []
        assert await due(await joined(shared, "two"), 200) == [message]

    # What goes along with a room, and what one node has for itself.

    async def test_what_a_room_carries_passes_to_its_next_owner_once(
        self, shared: SharedStore
    ) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        assert await one.nodes.change(leases.claim, ROOM) == 1
        assert await one.nodes.change(leases.handover_state, ROOM) == b""
        assert await one.nodes.change(leases.give, ROOM, two.id, 1, b"times") == 2
        assert await one.nodes.change(leases.handover_state, ROOM) == b""
        assert await two.nodes.change(leases.handover_state, ROOM) == b"times"
        assert await two.nodes.change(leases.handover_state, ROOM) == b""
        assert await two.nodes.change(leases.give, ROOM, one.id, 2, b"others") == 3
        assert await one.nodes.change(leases.claim, ROOM) == 4
        assert await one.nodes.change(leases.release, ROOM, 4)
        assert await two.nodes.change(leases.claim, ROOM) == 5
        assert await two.nodes.change(leases.handover_state, ROOM) == b""

    async def test_what_the_dead_were_handed_is_nobodys(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        assert await one.nodes.change(leases.claim, ROOM) == 1
        assert await one.nodes.change(leases.give, ROOM, two.id, 1, b"times") == 2
        await deposed(shared, one, two)
        assert await one.nodes.change(leases.claim, ROOM) == 3
        assert await one.nodes.change(leases.handover_state, ROOM) == b""

    async def test_one_node_has_what_it_reserves_as_long_as_it_lives(
        self, shared: SharedStore
    ) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        assert await one.nodes.change(leases.reserve, "rooms p-ayu")
        assert await one.nodes.change(leases.reserve, "rooms p-ayu")
        assert not await two.nodes.change(leases.reserve, "rooms p-ayu")
        assert await two.nodes.change(leases.reserve, "rooms p-ben")
        await two.nodes.change(leases.unreserve, "rooms p-ayu")
        assert not await two.nodes.change(leases.reserve, "rooms p-ayu")
        await one.nodes.change(leases.unreserve, "rooms p-ayu")
        assert await two.nodes.change(leases.reserve, "rooms p-ayu")
        await deposed(shared, one, two)
        assert await one.nodes.change(leases.reserve, "rooms p-ayu")

    async def test_of_two_that_reserve_at_once_one_has_it(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        for number in range(20):
            results = await asyncio.gather(
                *(each.nodes.change(leases.reserve, f"rooms p-{number}") for each in (one, two))
            )
            assert sorted(results) == [False, True]

    # People.

    async def test_people_are_where_they_are_connected(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        ben = Attendant("p-ben", 7, "lunch", ("r2", "r1"))
        await one.nodes.change(leases.attend, [at_node("p-ayu"), ben], [])
        await two.nodes.change(leases.attend, [at_node("p-ayu")], ["nobody"])
        await one.store.append([_called("p-ayu", "Ayu"), _called("p-ben", "Ben")])
        rows = await two.nodes.read(leases.attendants, two.id, ["p-ben", "p-cho"])
        assert rows == [(one.id, "Ben", ben)]
        rows = await one.nodes.read(leases.attendants, one.id, ["p-ayu"])
        assert rows == [(two.id, "Ayu", at_node("p-ayu"))]
        assert await two.nodes.read(leases.list_online, 9) == (
            [("p-ayu", "Ayu"), ("p-ben", "Ben")],
            2,
        )
        assert await two.nodes.read(leases.list_online, 1) == ([("p-ayu", "Ayu")], 2)
        await one.nodes.change(leases.attend, [], ["p-ben"])
        await deposed(shared, two, one)
        rows = await two.nodes.read(leases.attendants, "", ["p-ayu", "p-ben"])
        assert rows == [(two.id, "Ayu", at_node("p-ayu"))]
        assert await two.nodes.read(leases.list_online, 9) == ([("p-ayu", "Ayu")], 1)
        await two.nodes.change(leases.attend, [], ["p-ayu"])
        assert await two.nodes.read(leases.list_online, 9) == ([], 0)

    async def test_of_two_who_request_a_match_at_once_one_finds_the_other(
        self, shared: SharedStore
    ) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        await asyncio.gather(*(_requests_match(who) for who in (one, two)))
        rows = list((await one.store.read(match_requests.read)).values())
        assert rows[0].offer == rows[1].offer is not None
        assert {row.node for row in rows} == {one.id, two.id}
        await one.store.write(
            match_requests.change, 1, one.id, lambda rows: rows.cancel(one.id, "")
        )
        assert await two.store.read(match_requests.read) == {
            (two.id, "duel"): MatchRequest(
                two.id,
                "duel",
                2,
                2,
                since=rows[0].since if rows[0].node == two.id else rows[1].since,
                node=two.id,
            )
        }
        await deposed(shared, two, one)
        with pytest.raises(Deposed):
            await _requests_match(one)

    async def test_a_dead_node_changes_nothing_of_that(self, shared: SharedStore) -> None:
        one, two = await joined(shared, "one"), await joined(shared, "two")
        await deposed(shared, two, one)
        with pytest.raises(Deposed):
            await one.nodes.change(leases.attend, [at_node("p-ayu")], [])
        with pytest.raises(NotSaved):
            await one.nodes.change(leases.depose, two.id, two.node.generation)
        assert await one.nodes.read(leases.owned, UNOWNED) == {}


async def _requests_match(who: Process) -> None:
    """A person at a node wants to play with another one."""
    match_request = MatchRequest(who.id, "duel", 2, 2, node=who.id)
    await who.store.write(match_requests.change, 1, who.id, lambda rows: rows.add(match_request))


def _called(person: str, name: str) -> Append:
    """The entry of a person who has come once."""
    row = PersonRow(person, 1, name, name.lower(), human=True, tokens=(), used=1)
    return Append(Entry(person_stream(person), 1, "server", "", ("@guest",), {}, 1), None, row)
