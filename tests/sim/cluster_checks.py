"""What must hold after a storm over a cluster, whatever has happened in it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bluebear.clients.sdk.client_events import RoomId
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.room.state import Privacy, Room
from bluebear.server.rooms.loading import read_room
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.store import StreamId, Window
from tests.sim.cluster import Cluster, Host
from tests.sim.invariants import (
    answers,
    counted,
    doubles,
    folds_of,
    read_journal,
    room_list_of,
    sights,
    wired,
)
from tests.sim.simulated_clients import Person
from tests.support.views import view_of

SETTLED_SECONDS: Final = 4.0
"""A node looks for itself what there is, where the hints have got lost, after three."""
LOOKS: Final = 5
"""So often it is waited for a list that stays the same."""

States = Mapping[StreamId, list[Room]]
"""What each room was after each of its entries."""


async def faults_of(made: Cluster, rooms: Sequence[RoomId], secret: str) -> list[str]:
    """Everything that does not hold; all nodes are there, and all wires are quiet."""
    stored = await read_journal(made.journal)
    faults = list(made.shared.faults)
    folds = folds_of(stored, made.games)
    versions = counted(stored, folds, made.games)
    states = {room: [each.room for each in folded] for room, folded in folds.items() if folded}
    for person in made.people:
        # A half-open connection of the same person at another node may still send what was refused
        # here.
        person.doubled.update(line for line, times in person.sent.items() if times > 1)
        faults += [f"{person.name}: {fault}" for fault in person.faults]
        faults += [
            f"{person.name}: {fault}" for fault in answers(person, stored, versions, far=True)
        ]
        faults += [f"{person.name}: {fault}" for fault in too_often(person)]
        faults += [f"{person.name}: {fault}" for fault in backwards(person)]
        faults += [f"{person.name}: {fault}" for fault in mirrors(person, made)]
    faults += doubles(stored)
    faults += sights(made, folds)
    faults += entitled(made, states)
    faults += overheard(made, states, rooms[-1], secret.encode())
    faults += await owners(made, states)
    faults += await lists(made)
    return faults


def too_often(person: Person) -> Iterator[str]:
    """Lines that were answered more often than they went out."""
    for line, replies in person.replies.items():
        if len(replies) > max(1, person.sent[line]):
            text = person.sent_lines[line].text
            yield f"{line} {text!r} was answered {len(replies)} times: {replies}"


def backwards(person: Person) -> Iterator[str]:
    """Versions that went back before the same eyes: an outdated node sent an update."""
    for room, seen in person.sights.items():
        newest: dict[frozenset[int], int] = {}
        for sight in seen:
            if sight.version < newest.get(sight.eyes, 0):
                yield f"{room}: version {sight.version} after {newest[sight.eyes]}"
            newest[sight.eyes] = int(sight.version)


def live_of(made: Cluster, room: str) -> RoomActor | None:
    """A room in the memory of who owns it."""
    host = made.find_owner(room)
    return None if host is None else host.app.engine.room(room)


def mirrors(person: Person, made: Cluster) -> Iterator[str]:
    """Rooms whose view at a client differs from their owner's."""
    for room, mirrored in person.session.mirror.rooms.items():
        live = live_of(made, room)
        if live is None or person.number(room) is None:
            yield f"is in room {room}, of which no node knows"
            continue
        seat = live.room.seat_of(person.person)
        eyes = frozenset(Seat(each) for each in mirrored.eyes)
        if eyes != ({seat} if seat else set()):
            yield f"{room}: has the eyes {set(eyes)} and sits at {seat}"
        version = live.room.version_for(eyes)
        if mirrored.version != version or not mirrored.sound:
            yield f"{room}: is at {mirrored.version}, the room at {version}"
        elif mirrored.view != wired(view_of(live.room, live.game, eyes)):
            yield f"{room}: sees another room at version {mirrored.version}"


def entitled(made: Cluster, states: States) -> Iterator[str]:
    """Views shown to a person through the eyes of another's seat, or of a room closed to them."""
    fitting: dict[tuple[str, frozenset[int]], dict[int, list[Room]]] = {}
    for person in made.people:
        for room, seen in person.sights.items():
            for sight in seen:
                eyes = frozenset(Seat(each) for each in sight.eyes)
                versions = fitting.get((room, eyes))
                if versions is None:
                    versions = fitting[room, eyes] = _by_version(
                        states.get(StreamId(room), []), eyes
                    )
                if not any(
                    _may_see(person, each, eyes) for each in versions.get(sight.version, ())
                ):
                    yield f"{room}: saw version {sight.version} with the eyes {set(eyes)}"
                    break


def _by_version(states: Sequence[Room], eyes: frozenset[Seat]) -> dict[int, list[Room]]:
    """The states of a room by the version that viewers with these eyes count."""
    results: dict[int, list[Room]] = {}
    for state in states:
        results.setdefault(int(state.version_for(eyes)), []).append(state)
    return results


def _may_see(person: Person, room: Room, eyes: frozenset[Seat]) -> bool:
    seat, table = room.seat_of(person.person), room.table
    if eyes != ({seat} if seat else set()):
        return False
    if not table.locked and table.privacy is not Privacy.PRIVATE:
        return True
    registered = {table.host_person, table.owner, *require(table.admitted)}
    return seat is not None or person.person in registered


def overheard(made: Cluster, states: States, room: RoomId, secret: bytes) -> Iterator[str]:
    """Frames that carried the talk of a room to a person who was never in it."""
    newest = states[StreamId(room)][-1]
    inside = {newest.table.host_person, newest.table.owner, *require(newest.table.admitted)}
    for person in made.people:
        if person.person not in inside and any(secret in frame for frame in person.frames):
            yield f"{person.name} was told what was said in {room}"


async def owners(made: Cluster, states: States) -> list[str]:
    """Rooms in more than one memory, and such as come back otherwise than they are."""
    results = [
        f"{host.name} stood still, was replaced, and has not noticed"
        for host in made.hung
        if host is not made.hosts[host.name] and not (host.dead or host.frozen or host.is_over)
    ]
    for (stream,) in made.shared.disk.rows("SELECT stream FROM room ORDER BY stream"):
        having = made.hosts_with(stream)
        if len(having) > 1:
            results.append(f"{stream}: is at {[host.name for host in having]}")
        live = live_of(made, stream)
        if live is None:
            continue
        if made.shared.owner(stream) != having[0].nodes.id:
            results.append(f"{stream}: is in the memory of who does not own it")
        loaded = await read_room(made.journal, made.games, stream)
        if loaded is None or loaded.problem or loaded.room != live.room:
            results.append(f"{stream}: loaded from its newest snapshot it is another room")
        if states[stream][-1] != live.room:
            results.append(f"{stream}: folded from its first entry it is another room")
        room = RoomId(stream)
        here = [person.name for person in made.people if room in person.session.mirror.rooms]
        if len(live.present.members) != len(here):
            results.append(f"{stream}: has {live.present.here}, and {here} are there")
    return results


async def settled(made: Cluster) -> None:
    """Wait until the list of rooms is unchanged for so long that every node must have it.

    A clock may run out at any time meanwhile.
    """
    for _ in range(LOOKS):
        before = await _there(made)
        await asyncio.sleep(SETTLED_SECONDS)
        if await _there(made) == before:
            return


async def _there(made: Cluster) -> object:
    """The list as it is."""
    host = made.alive()[0]
    return wired(await host.life.wait(room_list_of(host.app)._tree(Window())))


async def lists(made: Cluster) -> list[str]:
    """People in the lobby who see another list than there is."""
    results: list[str] = []
    trees: dict[Host, Any] = {}  # Any: a plain tree
    for person in made.people:
        lobby = person.session.mirror.lobby
        if not lobby or person.session.mirror.rooms or person.wire is None:
            continue
        host = next((h for h in made.alive() if person.wire in h.wires), None)
        if host is None:
            continue  # the node stands still, and an idle client notices that late
        if host not in trees:
            trees[host] = wired(await host.life.wait(room_list_of(host.app)._tree(Window())))
        if lobby["order"] != trees[host]["order"] or lobby["rooms"] != trees[host]["rooms"]:
            results.append(f"{person.name} sees another list of rooms than there is")
    return results


def left_behind(made: Cluster) -> list[str]:
    """What nodes still keep of people who have all gone home."""
    results: list[str] = []
    for host in made.alive():
        rooms = host.app.engine
        stored = {
            "rooms that move": rooms.moving,
            "connections": host.app.dispatcher.connections,
            "people in rooms": [live.id for live in rooms.live.values() if live.present.members],
        }
        results += [
            f"{host.name}: {name} are left: {what}" for name, what in stored.items() if what
        ]
    return results
