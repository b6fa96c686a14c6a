"""People and rooms on two nodes, and one of the nodes in trouble."""

from __future__ import annotations

import asyncio
import json
import os
import random
from typing import Final

import pytest

from bluebear.clients.sdk.client_events import Noted, RoomId
from bluebear.protocol import Think, Wanted
from bluebear.server.limits import ROOM_QUEUE_PER_PERSON
from bluebear.server.ops.node import ClusterNode
from tests.sim import cluster_faults
from tests.sim.cluster import Cluster, Host, cluster
from tests.sim.cluster_chaos import storm
from tests.sim.cluster_checks import SETTLED_SECONDS, lists
from tests.sim.cluster_mutants import MUTANTS, notices
from tests.sim.simulated_clients import Person
from tests.sim.virtual_loop import run, virtual

SEEDS: Final = int(os.environ.get("BLUEBEAR_CLUSTER_SEEDS", "400"))
"""As many as the time of the suite allows; by command more: see docs/reliability.md."""
STORMS_A_TEST: Final = 10
NOTICED: Final = {
    "fence ignored": 4,
    "loads what it has not claimed": 0,
    "given while loaded": 0,
    "members not told of a move": 0,
}
"""Seeds by which mistakes made on purpose are noticed; all of them are tried by command."""


async def two_in_a_room(made: Cluster) -> tuple[Person, Person, RoomId]:
    """Two people at two nodes, in one room."""
    ayu, ben = await made.person("Ayu"), await made.person("Ben")
    assert len({id(each.wire.process) for each in (ayu, ben) if each.wire}) == 2
    assert (await ayu.line("/newroom manhattan")).ok
    room = ayu.here
    assert room is not None
    assert (await ben.line(f"/room {room}")).ok
    return ayu, ben, room


def node(person: Person) -> str:
    """The node at which a person is connected."""
    assert person.wire is not None
    return str(person.wire.process.name)  # type: ignore[attr-defined]  # a host, see Cluster.dial


@pytest.mark.parametrize("unreached", [{0}, {1}, {0, 1}])
@virtual
async def test_rooms_are_given_to_a_node_that_clients_reach_if_there_is_one(
    unreached: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cluster(nodes=3) as made:
        people = [await made.person(f"P{number}") for number in range(12)]
        for each in people:
            assert (await each.line("/newroom manhattan")).ok
        host = made.hosts["node1"]
        rooms = list(host.running.epochs)
        peers = ["node2", "node3"]
        names = {peers[each] for each in unreached}

        async def find_unreached(node: ClusterNode) -> None:
            node.unreached = dict.fromkeys(names, "refused")

        monkeypatch.setattr(ClusterNode, "find_unreached", find_unreached)
        await host.drain()
        await asyncio.sleep(2)
        owners = {made.owner_of(room).name for room in rooms}
        assert owners == ({*peers} - names or {*peers})


@virtual
async def test_people_at_two_nodes_play_in_one_room() -> None:
    async with cluster() as made:
        ayu, ben, room = await two_in_a_room(made)
        for each in (ayu, ben):
            assert (await each.line("/join")).ok
        assert (await ayu.line("hello", room)).ok
        await asyncio.sleep(1)
        assert any("hello" in line for line in ben.text)
        assert ayu.view.version == ben.view.version
        assert made.hosts_with(room) == [made.owner_of(room)]
        assert node(ben) == node(ayu) == made.owner_of(room).name, "he went where the room is"
        assert (await ben.line("/who")).ok
        assert (await ben.line("/lobby")).ok
        assert ben.here is None


async def move(room: RoomId, *players: Person) -> None:
    """The player on turn plays the first line that the server offers."""
    for each in players:
        view = each.session.mirror.rooms[room]
        for seat in view.deciding_seats:
            assert (await each.line(view.moves[seat].lines[0], room)).ok
            await asyncio.sleep(1)
            return
    raise AssertionError("somebody is to move")


@virtual
async def test_a_spectator_at_another_node_sees_the_game_late_wherever_its_room_is() -> None:
    async with cluster() as made:
        ayu, ben, room = await two_in_a_room(made)
        emi = await made.person("Emi")
        assert (await emi.line(f"/room {room}")).ok
        for each in (ayu, ben):
            assert (await each.line("/join", room)).ok
        for line in ("/option watchdelay 3", "/start"):
            assert (await ayu.line(line, room)).ok
        await asyncio.sleep(1)
        start = emi.view.version
        for _ in range(5):
            await move(room, ayu, ben)
        assert (ayu.view.version, emi.view.version) == (start + 5, start + 2)
        first = made.owner_of(room)
        await first.drain()
        await asyncio.sleep(2)
        assert made.owner_of(room) is not first
        assert (ayu.view.version, emi.view.version) == (start + 5, start + 2)
        await move(room, ayu, ben)
        assert (ayu.view.version, emi.view.version) == (start + 6, start + 3)


@pytest.mark.expects_log("a node dies")
@virtual
async def test_a_node_is_killed_and_the_room_continues_on_another_node() -> None:
    async with cluster() as made:
        ayu, ben, room = await two_in_a_room(made)
        assert (await ayu.line("before", room)).ok
        first = made.owner_of(room)
        line = ayu.say("meanwhile", room)
        await first.kill()
        await asyncio.sleep(5)
        assert [reply.ok for reply in ayu.replies[line]] == [True]
        assert made.owner_of(room) is not first
        assert (await ben.line("after", room)).ok
        await asyncio.sleep(1)
        sent = [each.split(" ", 1)[1] for each in await made.lines(room)]
        assert [each for each in sent if each[0] != "/"] == ["before", "meanwhile", "after"]
        assert ayu.view.version == ben.view.version


@virtual
async def test_a_node_that_is_drained_gives_its_rooms_away() -> None:
    async with cluster() as made:
        ayu, ben, room = await two_in_a_room(made)
        first = made.owner_of(room)
        lines = [ayu.say(f"line {number}", room) for number in range(3)]
        await first.drain()
        lines += [ben.say(f"more {number}", room) for number in range(3)]
        await asyncio.sleep(2)
        replies = {**ayu.replies, **ben.replies}
        assert [[reply.ok for reply in replies[line]] for line in lines] == [[True]] * 6
        assert made.owner_of(room) is not first
        assert ayu.endings == ben.endings == [], "they went by themselves"
        assert node(ben) == node(ayu) == made.owner_of(room).name
        assert made.hosts_with(room) == [made.owner_of(room)]


class Unlucky(random.Random):
    """Whatever may go wrong does, and takes as long as it can."""

    def random(self) -> float:
        return 0.0

    def uniform(self, a: float, b: float) -> float:
        return b


async def given_late() -> None:
    """A room whose giving the store does after its engine gave that up stays where it is."""
    async with cluster() as made:
        ayu, ben, room = await two_in_a_room(made)
        first = made.owner_of(room)
        first.nodes.use(Unlucky())
        first.nodes.is_doubtful = True
        await first.drain()
        first.nodes.is_doubtful = False
        assert made.shared.late, "the store has not done it yet"
        assert (await ayu.line("meanwhile", room)).ok
        await asyncio.sleep(2)
        assert (await ben.line("after", room)).ok
        assert not made.shared.late
        assert made.hosts_with(room) == [made.owner_of(room)] == [first]
        assert made.shared.faults == []


@pytest.mark.expects_log("the way to the store breaks")
def test_a_room_that_is_given_after_its_node_gave_that_up_stays_where_it_is() -> None:
    run(given_late())


async def died_with_its_hint() -> None:
    """The node of a new room dies before its hint is sent: other nodes list the room."""
    async with cluster() as made:
        ayu, ben = await made.person("Ayu"), await made.person("Ben")
        assert node(ayu) != node(ben)
        assert (await ben.line("/lobby")).ok
        await asyncio.sleep(1)
        assert (await ayu.line("/newroom manhattan public")).ok
        room = ayu.here
        assert room is not None
        first = made.owner_of(room)
        ayu.go()
        await first.kill()
        await asyncio.sleep(SETTLED_SECONDS)
        assert await lists(made) == []
        assert room in ben.session.mirror.lobby["rooms"]  # type: ignore[operator]  # a tree


@pytest.mark.expects_log("a node dies")
def test_a_room_is_listed_whose_node_died_with_its_hint() -> None:
    run(died_with_its_hint())


async def bursts() -> None:
    """Who has had replies to as many lines as may wait may send as many again."""
    async with cluster() as made:
        ayu, _, room = await two_in_a_room(made)
        for burst in range(3):
            lines = [ayu.say(f"{burst} {n}", room) for n in range(ROOM_QUEUE_PER_PERSON)]
            await asyncio.sleep(1)
            assert [[reply.ok for reply in ayu.replies[line]] for line in lines] == [[True]] * 4


def test_who_was_answered_may_send_as_many_lines_again() -> None:
    run(bursts())


SCENES: Final = {
    "epoch not compared": given_late,
    "claimed under the old epoch": given_late,
    "doubt not minded": given_late,
    "hints trusted": died_with_its_hint,
}
"""Storms seldom come to where these mistakes matter; for `late replies count`, see `test_moved`."""


@pytest.mark.expects_log("the way to the store breaks, a node dies, and a mistake on purpose")
@pytest.mark.parametrize("mistake", SCENES)
def test_a_mistake_that_storms_seldom_meet_is_noticed_by_its_scene(mistake: str) -> None:
    with MUTANTS[mistake](), pytest.raises(AssertionError):
        run(SCENES[mistake]())


@pytest.mark.expects_log("a node is cut off")
@virtual
async def test_a_node_that_stood_still_owns_nothing_when_it_continues() -> None:
    async with cluster() as made:
        ayu, ben, room = await two_in_a_room(made)
        first = made.owner_of(room)
        first.freeze()
        line = ayu.say("meanwhile", room)
        await asyncio.sleep(6)
        assert [reply.ok for reply in ayu.replies[line]] == [True]
        second = made.owner_of(room)
        assert second is not first
        first.thaw()
        await asyncio.sleep(2)
        assert first.node is not None
        assert first.node.over.is_set()
        assert (await ben.line("after", room)).ok
        assert made.owner_of(room) is second


@virtual
@pytest.mark.expects_log("a node dies")
@pytest.mark.parametrize("wait", [0.001 * step for step in range(3, 9)])
async def test_what_was_sent_behind_a_goodbye_is_answered_as_it_was_stored(wait: float) -> None:
    async with cluster() as made:
        ayu, ben, room = await two_in_a_room(made)
        ayu.say("/lobby", room)
        line = ayu.say("last words", room)
        await asyncio.sleep(wait)
        await made.owner_of(room).kill()
        await asyncio.sleep(20)
        assert (await ben.line("after", room)).ok
        stored = any(each == f"{line} last words" for each in await made.lines(room))
        assert [reply.ok for reply in ayu.replies[line]] == [stored]


@virtual
async def test_a_person_in_rooms_of_two_nodes_has_a_connection_to_each() -> None:
    async with cluster() as made:
        ayu, ben = await made.person("Ayu"), await made.person("Ben")
        for each in (ayu, ben):
            assert (await each.line("/newroom manhattan public")).ok
        first, second = ayu.here, ben.here
        assert first is not None
        assert second is not None
        assert (await ben.line(f"/room {first}")).ok
        assert len(list(ben.nodes)) == 2
        assert made.owner_of(first) is not made.owner_of(second)
        for room in (first, second):
            assert (await ben.line("hello", room)).ok
        assert (await ayu.line("/tell ben psst", first)).ok
        await asyncio.sleep(1)
        assert [each.text for each in ben.notes if each.code == "whisper"] == ["Ayu whispers: psst"]
        assert not [each for each in ben.notes if each.code == "elsewhere"]
        await made.owner_of(second).drain()
        await asyncio.sleep(2)
        assert made.owner_of(second) is made.owner_of(first)
        assert len(list(ben.nodes)) == 1, "one is enough again"
        for room in (first, second):
            assert (await ben.line("hello", room)).ok


@virtual
async def test_no_stranger_learns_of_a_private_room_by_where_it_is() -> None:
    async with cluster() as made:
        ayu, ben = await made.person("Ayu"), await made.person("Ben")
        assert (await ayu.line("/newroom manhattan private")).ok
        refused = [await ben.line(f"/room {number}") for number in (ayu.here, "999999")]
        assert {reply.code for reply in refused} == {"room_unknown"}
        assert node(ben) != node(ayu)


@pytest.mark.expects_log("all kinds of trouble")
@pytest.mark.parametrize("first", range(0, SEEDS, STORMS_A_TEST))
def test_storms_over_a_cluster_leave_nothing_wrong(first: int) -> None:
    for seed in range(first, first + STORMS_A_TEST):
        report = run(storm(seed))
        again = f"python -m tests.sim.cluster_mutants --only none --seeds {seed}"
        assert report.faults == [], again
        assert report.versions > 10, again


@pytest.mark.expects_log("all kinds of trouble")
@pytest.mark.parametrize("seconds", [5.0, 6.0])
def test_a_storm_ends_with_its_fault_schedule(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """A drain that waits for a node standing still learns at the end of all nodes that it died."""
    monkeypatch.setattr(cluster_faults, "FAULT_SECONDS", seconds)
    assert run(storm(0)).faults == []


@pytest.mark.expects_log("all kinds of trouble")
def test_the_same_seed_gives_the_same_storm_over_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[object] = []

    def witness(made: Cluster, *frame: object) -> None:
        received.append((asyncio.get_running_loop().time(), *frame))

    monkeypatch.setattr(Cluster, "witness", witness)
    run(storm(3))
    first, received = received, []
    run(storm(3))
    assert first == received
    assert len(first) > 100


@pytest.mark.expects_log("mistakes on purpose")
@pytest.mark.parametrize(("mistake", "seed"), NOTICED.items())
def test_a_mistake_in_the_code_of_nodes_is_noticed(mistake: str, seed: int) -> None:
    with MUTANTS[mistake]():
        assert notices(seed)


@pytest.mark.parametrize("mistake", MUTANTS)
def test_each_mistake_is_one_in_the_code_as_it_is(mistake: str) -> None:
    with MUTANTS[mistake]():
        pass  # what it changes is there


class HouseProcess:
    """The house bots' process of a node: replies at once, and records its queries."""

    def __init__(self, host: Host, *, answers: bool = True) -> None:
        self.queries: list[Think] = []
        self._answers = answers
        self._house = host.app.engine.house
        self._house.control(self)  # type: ignore[arg-type]  # no real process

    def send(self, question: Think | Wanted) -> None:
        if isinstance(question, Think):
            self.queries.append(question)
            if self._answers:
                asyncio.get_running_loop().call_soon(self._answer, question)

    def _answer(self, question: Think) -> None:
        if question.record is not None:
            reported: dict[str, object] = {"names": ["Ayu", "Ben"], "text": {"en": "so it went"}}
            reported |= {"decisions": True, "numbers": True, "steps": [], "chances": []}
            reported |= {"sums": [], "worse": [], "points": []}
            self._house.on_line(f"/analysed {question.number} . {json.dumps(reported)}")
        elif question.lines:
            reported = {"kind": "sight", "line": question.lines[0]}
            self._house.on_line(f"/thought {question.number} {json.dumps(reported)}")


def notes(person: Person, code: str) -> list[str]:
    """The notes that a person received under a code."""
    return [each.text for each in person.events if isinstance(each, Noted) and each.code == code]


@virtual
async def test_hints_and_analyses_come_over_nodes_and_a_game_is_analysed_once() -> None:
    async with cluster() as made:
        processes = [HouseProcess(host) for host in made.hosts.values()]
        ayu, ben, room = await two_in_a_room(made)
        lines = ((ayu, "/join"), (ben, "/join"), (ayu, "/option hints on"), (ayu, "/startnosave"))
        for person, line in lines:
            assert (await person.line(line)).ok
        await asyncio.sleep(1)
        asker, other = (ayu, ben) if (await ayu.line("/hint")).ok else (ben, ayu)
        assert asker is ayu or (await ben.line("/hint")).ok
        await asyncio.sleep(1)
        [hint] = notes(asker, "hint")
        assert hint.startswith(asker.view.moves[min(asker.view.moves)].lines[0])
        assert notes(other, "hint") == []
        assert (await ben.line("/resign !")).ok
        await asyncio.sleep(1)
        game_id = asker.view.view["room"]["game_id"]  # type: ignore[index,call-overload]  # a tree
        for person in (ayu, ben):
            assert (await person.line(f"/analyse {game_id}")).ok
            await asyncio.sleep(1)
            assert notes(person, "analysis")[-1] == "so it went"
        assert len([each for process in processes for each in process.queries if each.record]) == 1
        assert made.hosts_with(room)


@virtual
async def test_a_running_game_is_replayed_over_nodes() -> None:
    async with cluster() as made:
        ayu, ben, _ = await two_in_a_room(made)
        for person, line in ((ayu, "/join"), (ben, "/join"), (ayu, "/startnosave")):
            assert (await person.line(line)).ok
        await asyncio.sleep(1)
        for line, code in (
            ("/record", "record"),
            ("/history 0", "history"),
            ("/minutes", "minutes"),
        ):
            assert (await ayu.line(line)).ok
            assert "Ayu" in notes(ayu, code)[-1]


@pytest.mark.expects_log("a node dies")
@virtual
async def test_an_analysis_that_died_with_its_node_is_made_by_the_next() -> None:
    async with cluster() as made:
        processes = {host: HouseProcess(host, answers=False) for host in made.hosts.values()}
        ayu, ben, _ = await two_in_a_room(made)
        for person, line in ((ayu, "/join"), (ben, "/join"), (ayu, "/startnosave")):
            assert (await person.line(line)).ok
        assert (await ben.line("/resign !")).ok
        await asyncio.sleep(1)
        assert (await ayu.line("/analyse")).ok
        await asyncio.sleep(1)
        [maker] = [host for host, process in processes.items() if process.queries]
        await maker.kill()
        await asyncio.sleep(10)
        assert (await ayu.line("/analyse")).ok
        await asyncio.sleep(1)
        assert [bool(each.queries) for host, each in processes.items() if host is not maker] == [1]
