"""A storm over a cluster: people play and talk in several rooms while nodes, bus and store fail.

Then the weather turns, nodes that are over are started anew, and what must hold is looked at.
Everything follows from the seed: `python -m tests.sim.cluster_mutants --seeds 7 --only none`
repeats the storm of seed 7.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from unittest import mock

from bluebear.clients.sdk.client_events import Reply, RoomId
from bluebear.protocol import JSON, MSGPACK, Version, Want
from bluebear.server import limits
from bluebear.server.people import passwords
from bluebear.server.runtime import COUNTERS
from bluebear.server.store import leases
from tests.server.hashes import QuickHasher
from tests.sim import network
from tests.sim.chaos import NEVER, Wanderer
from tests.sim.cluster import Cluster
from tests.sim.cluster_checks import faults_of, left_behind, settled
from tests.sim.cluster_faults import LOOK_SECONDS, THERE_SECONDS, FaultSchedule
from tests.sim.network import Wire
from tests.sim.simulated_clients import Person
from tests.sim.simulation import all_games

GAMES: Final = ("sealed", "duel", "sealed", "journey")
ANSWER_SECONDS: Final = 30.0
"""A line is answered within this, whatever happens: a client that has lost its node reconnects and
sends the line again, and the next owner of the room waits for the lease of the last one."""
CALM_SECONDS: Final = 40.0
"""Within this, all people are back and have their replies; else the checks run all the same."""
OVER_SECONDS: Final = 600.0
"""A storm takes a tenth of that; only one that hangs uses it up."""
AT_ONCE_SECONDS: Final = 5.0
"""In good weather a line is answered within this, also while its room moves."""
QUIET_SECONDS: Final = 1.5
DEAD_SECONDS: Final = THERE_SECONDS
"""A node notices a connection that is half open within this; really it takes longer."""
SKEW_MS: Final = 3000
PASSWORD: Final = "hush"
SECRET: Final = "~inside~"
"""Sent in the private room only: a person who has it in a frame was in there."""

WANTS: Final[tuple[frozenset[Want], ...]] = (
    frozenset({"moves", "text"}),
    frozenset({"moves", "events", "short"}),
)


class Roamer(Wanderer):
    """Plays, talks, and goes from room to room; `purse` is shared by their connections."""

    def __init__(self, made: Cluster, name: str, purse: dict[str, str]) -> None:
        chance = made.chance_of(f"looks {name}")
        super().__init__(
            made,
            name,
            codec=chance.choice((JSON, MSGPACK)),
            wants=chance.choice(WANTS),
            token=purse.get("token"),
        )
        self.cluster = made
        self.purse = purse
        self._token = purse.get("token", "")
        self.may: list[tuple[RoomId, str]] = []
        """The rooms that the person visits, and the lines they send to be admitted."""
        self.sent_at: dict[str, float] = {}
        self.slow: list[str] = []
        self.longest = 0.0

    def newest_token(self) -> str | None:
        """See `Person.newest_token`."""
        return self.purse.get("token")

    def on_frame(self, wire: Wire, frame: bytes) -> None:
        """See `network.Client`: both connections have the newest token, as tabs of a browser."""
        super().on_frame(wire, frame)
        if self.session.token and self.session.token != self._token:
            self._token = self.purse["token"] = self.session.token

    def say(self, text: str, room: RoomId | None = None, *, at: Version | None = None) -> str:
        """See `Person.say`."""
        line = super().say(text, room, at=at)
        self.sent_at[line] = asyncio.get_running_loop().time()
        return line

    def on_reply(self, reply: Reply) -> None:
        """See `Person.on_reply`."""
        began = self.sent_at.pop(reply.id, None)
        if began is not None:
            took = asyncio.get_running_loop().time() - began
            self.longest = max(self.longest, took)
            if took > ANSWER_SECONDS:
                self.slow.append(
                    f"{self.sent_lines[reply.id].text!r} was answered after {took:.0f} s"
                )

    async def live(self) -> None:
        """Do things until cancelled."""
        while True:
            await asyncio.sleep(self.chance.expovariate(1.4) + 0.05)
            if self.wire is None or not self.session.welcomed or len(self.sent_at) > 6:
                continue
            if self.may and self.chance.random() < 0.12:
                self.goal, terms = self.chance.choice(self.may)
                if self.goal not in self.session.mirror.rooms:
                    self.say(f"/room {terms}")
                continue
            self._act()

    def _act(self) -> None:
        room = self.goal
        if room is None or room not in self.session.mirror.rooms:
            return
        chances: dict[Callable[[RoomId], None], int] = {
            self._play: 30,
            self._talk: 16,
            self._again: 8,
            self._vote: 3,
            self._undo: 2,
            self._sit: 4,
            self._stand: 2,
            self._look: 4,
            self._sync: 2,
            self._leave_room: 2,
            self._rename: 1,
            self._create_room: 2,
            self.flow: 4,
        }
        self.chance.choices(list(chances), list(chances.values()))[0](room)

    def _talk(self, room: RoomId) -> None:
        mark = SECRET if room == self.may[-1][0] else "~"
        self.say(f"{mark}{self.name}{len(self.sent_lines)}", room)

    def _create_room(self, room: RoomId) -> None:
        self.say(f"/newroom duel {self.chance.choice(('public', 'private', f'public {PASSWORD}'))}")

    def _rename(self, room: RoomId) -> None:
        self.say(f"/nick {self.name}{self.chance.randrange(9)}", room)

    def flow(self, room: RoomId) -> None:
        """Several lines at once: they wait for each other."""
        for _ in range(self.chance.randrange(2, 5)):
            self._talk(room)


@dataclass(slots=True)
class Report:
    """How a storm went."""

    faults: list[str]
    versions: int
    longest: float
    """Seconds for which clients waited for a reply."""
    troubles: Counter[str]


async def storm(seed: int) -> Report:
    """One simulation from its seed. Passwords are hashed at once: argon2 would be most of it.

    Raises TimeoutError when it does not come to its end.
    """
    with (
        mock.patch.object(passwords, "_HASHER", QuickHasher()),
        mock.patch.object(limits, "IDLE_ROOM_SECONDS", 0.0),
        mock.patch.object(network, "DEAD_SECONDS", DEAD_SECONDS),
    ):
        async with asyncio.timeout(OVER_SECONDS):
            return await _storm(seed)


async def _storm(seed: int) -> Report:
    chosen = GAMES[seed % len(GAMES)]
    games = {key: game for key, game in all_games().items() if key in (chosen, "duel", "journey")}
    made = Cluster(seed, nodes=2 + seed % 3 // 2, games=games, skew=SKEW_MS, rough=True)
    before = Counter(COUNTERS)
    await made.start()
    people = await _people(made)
    rooms = await _open_rooms(made, people, chosen)
    tasks = [asyncio.create_task(person.live()) for person in people]
    fault_schedule = FaultSchedule(made, people)
    await fault_schedule.rage()
    faults = await fault_schedule.calm()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await _until_quiet(made, people)
    await _drain_in_peace(made, people, rooms[0])
    faults += await _continues(people)
    faults += await _makes_a_room(people)
    await settled(made)
    faults += await faults_of(made, rooms, SECRET)
    faults += [f"{each.name}: {slow}" for each in people for slow in each.slow]
    faults += [f"counted: {name}" for name in NEVER if COUNTERS[name] != before[name]]
    versions = made.shared.disk.rows("SELECT count(*) FROM entry")[0][0]
    longest = max(person.longest for person in people)
    await made.go_home()
    faults += left_behind(made)
    await made.end()
    await fault_schedule.end()
    return Report(faults, versions, longest, fault_schedule.troubles)


async def _people(made: Cluster) -> list[Roamer]:
    """Four people, two of them with two connections each; one more has the list of rooms open."""
    people = []
    for name in ("Ayu", "Ben", "Chie", "Dan"):
        person = made.add(Roamer(made, name, {}))
        await person.met()
        people.append(person)
    for first in people[:2]:
        second = made.add(Roamer(made, f"{first.name}, too", first.purse))
        await second.met()
        people.append(second)
    watcher = made.add(Person(made, "Zoe"))
    await watcher.met()
    return people


async def _open_rooms(made: Cluster, people: list[Roamer], game: str) -> list[RoomId]:
    """A room with a game, one with a password, and a private one for two."""
    rooms: list[RoomId] = []
    for host, line in zip(
        people,
        (f"/newroom {game}", f"/newroom journey public {PASSWORD}", "/newroom duel private"),
        strict=False,
    ):
        assert (await host.line(line)).ok
        assert host.here is not None
        rooms.append(host.here)
    for person in people:
        person.may = [(rooms[0], rooms[0]), (rooms[1], f"{rooms[1]} {PASSWORD}")]
        person.goal = rooms[0]
        if person is not people[0]:
            assert (await person.line(f"/room {rooms[0]}")).ok
    for person in people[:3]:
        assert (await person.line("/join", rooms[0])).ok
    assert (await people[0].line("/start", rooms[0])).ok
    host, guest = people[2], people[0]
    assert (await host.line(f"/invite {guest.name}", rooms[2])).ok
    assert (await guest.line(f"/room {rooms[2]}")).ok
    for each in people:
        each.may.append((rooms[2], rooms[2]))
    return rooms


async def _until_quiet(made: Cluster, people: list[Roamer]) -> None:
    """Wait until all people are back and have been answered, or it takes too long."""
    loop = asyncio.get_running_loop()
    until = loop.time() + CALM_SECONDS
    quiet = 0.0
    while loop.time() < until and quiet < QUIET_SECONDS:
        await asyncio.sleep(LOOK_SECONDS)
        back = all(
            person.wire and person.session.welcomed and not person.sent_at for person in people
        )
        # An idle client notices late that its node stands still.
        back = back and not any(wire.open for host in made.hung for wire in host.wires)
        quiet = quiet + LOOK_SECONDS if back else 0.0


async def _drain_in_peace(made: Cluster, people: list[Roamer], room: RoomId) -> None:
    """The node of a room drains it while people talk, and continues to run.

    Its end does not help a person who was not told where the room is, nor a line that was dropped.
    """
    host = made.find_owner(room)
    if host is None or len(made.alive()) < 2:
        return
    await host.nodes.write(leases.drain, host.name)
    for person in people:
        if room in person.session.mirror.rooms:
            person.flow(room)
    await asyncio.sleep(made.chance.uniform(0, 0.006))
    drains = asyncio.create_task(host.drain())
    for person in people:
        if room in person.session.mirror.rooms:
            person.flow(room)
        await asyncio.sleep(made.chance.uniform(0, 0.004))
    await drains
    until = asyncio.get_running_loop().time() + AT_ONCE_SECONDS
    while any(person.sent_at or not _is_back(person) for person in people):
        if asyncio.get_running_loop().time() > until:
            break  # what is missing is said by the checks
        await asyncio.sleep(LOOK_SECONDS)


def _is_back(person: Roamer) -> bool:
    """Whether a person is in all their rooms, wherever these are."""
    rooms = person.session.mirror.rooms
    return person.session.welcomed and all(person.number(room) is not None for room in rooms)


async def _makes_a_room(people: list[Roamer]) -> list[str]:
    """The list of rooms changes once more, and a node may not hear of it."""
    for person in people:
        try:
            async with asyncio.timeout(AT_ONCE_SECONDS):
                reply = await person.line("/newroom duel public")
        except TimeoutError:
            return [f"{person.name} gets no answer to a new room"]
        if reply.ok:
            return []
        if reply.code not in ("too_many_rooms", "restarting"):
            return [f"{person.name} cannot make a room: {reply.code}"]
        await asyncio.sleep(1)  # by then it comes to another node
    return []


async def _continues(people: list[Roamer]) -> list[str]:
    """Every person in a room gets a reply there, and the game continues."""
    faults = []
    for person in people:
        for room in list(person.session.mirror.rooms):
            if not person.session.welcomed or person.number(room) is None:
                faults.append(f"{person.name} has not come back")
                continue
            try:
                async with asyncio.timeout(AT_ONCE_SECONDS):
                    reply = await person.line("at last", room)
            except TimeoutError:
                faults.append(f"{person.name} gets no answer in {room}")
                continue
            if not reply.ok:
                faults.append(f"{person.name} cannot speak in {room}: {reply.code}")
        faults += [
            f"{person.name}: {saying.text!r} was never answered"
            for line, saying in person.sent_lines.items()
            if line not in person.replies
        ]
    return faults
