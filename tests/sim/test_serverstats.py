"""The statistics of the whole server that an operator gets, at any node."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from bluebear.protocol import JSON
from bluebear.server.cluster.news import REPORT_SECONDS, NodeStats
from bluebear.server.cluster.room_leases import LATE_SECONDS
from bluebear.server.store.leases import LEASE_SECONDS
from tests.sim.cluster import Cluster, cluster
from tests.sim.simulated_clients import Person
from tests.sim.simulation import PEOPLE_WANT
from tests.sim.virtual_loop import virtual

MOMENT: Final = REPORT_SECONDS + 1
"""Until what each node has reported is known everywhere."""


def node_of(person: Person) -> str:
    """The node at which a person is connected."""
    assert person.wire is not None
    return str(person.wire.process.name)  # type: ignore[attr-defined]  # a host, see Cluster.dial


async def operator(made: Cluster, person: Person) -> None:
    """A registered person is made operator at their node."""
    assert (await person.line("/register good-pass-word")).ok
    host = made.hosts[node_of(person)]
    await host.life.wait(host.app.features.control["operator"](f"+{person.name}"))
    await asyncio.sleep(0.1)


async def room_of(person: Person) -> str:
    """A room that a person has created and joined."""
    assert (await person.line("/newroom manhattan public")).ok
    assert person.here is not None
    return str(person.here)


async def stats_text(person: Person) -> str:
    """The server statistics that a person receives."""
    assert (await person.line("/serverstats")).ok
    return [each.text for each in person.notes if each.code == "serverstats"][-1]


async def busy(made: Cluster) -> tuple[Person, Person]:
    """Ayu, an operator, at one node and Ben at the other; rooms at both nodes, a game in one."""
    ayu, ben = await made.person("Ayu"), await made.person("Ben")
    assert node_of(ayu) != node_of(ben)
    await operator(made, ayu)
    rooms = [await room_of(each) for each in (ayu, ben, ben, ben, ayu)]
    assert {made.owner_of(each).name for each in rooms} == set(made.names)
    assert (await ben.line(f"/room {ayu.here}")).ok
    for person in (ayu, ben):
        assert (await person.line("/join")).ok
    assert (await ayu.line("/start")).ok
    await asyncio.sleep(MOMENT)
    return ayu, ben


@virtual
async def test_the_complete_is_counted_at_whichever_node_it_is_prompted() -> None:
    async with cluster() as made:
        ayu, ben = await busy(made)
        rooms = sum(len(host.app.engine.live) for host in made.alive())
        entries = sum(host.app.writer.entries for host in made.hosts.values())
        assert rooms == 5
        text = await stats_text(ayu)
        assert text.split(", ", 1)[1].startswith("nodes: 2, the first of them up for 0 h")
        connections = sum(len(host.app.dispatcher.connections) for host in made.alive())
        counted = f"People here: 2, connections: {connections}, rooms in memory: {rooms}"
        assert f"{counted}, games going on: 1" in text
        assert text.endswith("troubles: -.")
        assert f" entries written: {entries}," in text
        assert (await ben.line("/serverstats")).code == "not_permitted"
        await operator(made, ben)
        assert (await stats_text(ben)).split(", entries")[0] == text.split(", entries")[0]


@virtual
async def test_who_is_at_both_nodes_is_one_person() -> None:
    async with cluster() as made:
        ayu, _ = await busy(made)
        await made.person("Kei")
        again = Person(made, "Ayu", codec=JSON, wants=PEOPLE_WANT, token=ayu.session.token)
        made.people.append(again)
        again.connect()
        await again.met()
        assert node_of(again) != node_of(ayu)
        await asyncio.sleep(MOMENT)
        assert "People here: 3," in await stats_text(ayu)


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "Not counted, since there was no answer: {}."),
        ("ja", "応答がなく、数に入っていません: {}。"),
    ],
)
@pytest.mark.expects_log("a process stands still for long")
@virtual
async def test_a_node_that_is_late_is_named_and_not_counted(lang: str, line: str) -> None:
    async with cluster() as made:
        ayu, ben = await busy(made)
        assert (await ayu.line(f"/lang {lang}")).ok
        silent = "node2" if node_of(ayu) == "node1" else "node1"
        made.hosts[silent].freeze()
        ben.stays = False
        await asyncio.sleep(LATE_SECONDS + 0.6)
        text = await stats_text(ayu)
        await made.hosts[silent].kill()
        assert text.splitlines()[1:] == [line.format(silent)]


@virtual
async def test_what_is_wrong_with_a_process_is_reported_with_its_name() -> None:
    async with cluster() as made:
        ayu, _ = await busy(made)
        made.hosts["node1"].app.health.disk_free = 0.01
        await asyncio.sleep(MOMENT)
        assert (await stats_text(ayu)).endswith("troubles: node1: disk.")


@pytest.mark.expects_log("bug")
@virtual
async def test_a_node_with_a_bug_in_its_report_is_not_deposed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken() -> NodeStats:
        raise ValueError("a bug")

    async with cluster() as made:
        ayu, _ = await busy(made)
        host = made.hosts[node_of(ayu)]
        monkeypatch.setattr(host.app, "share", broken)
        await asyncio.sleep(REPORT_SECONDS + 2 * LEASE_SECONDS)
        assert host in made.alive()
        assert (await ayu.line("/newroom manhattan")).ok
