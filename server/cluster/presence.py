"""Who is connected to this server at this moment: people, with their connections; at all nodes.

Among several nodes it writes who is connected here to the store, by which other nodes find a
person, and notifies those nodes; at once for one who comes alone, else gathered for a second. Every
minute all people are written again: a database may have forgotten them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Final

from bluebear.protocol import Codec, Note
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.suggest import nearest
from bluebear.server.cluster.peers import NodeMessage, Peers
from bluebear.server.commands.scene import Companion
from bluebear.server.people.account import Kind
from bluebear.server.people.names import name_key
from bluebear.server.rooms.connection import Connection
from bluebear.server.runtime import Tasks, log, log_bug
from bluebear.server.sentences import say
from bluebear.server.store import JournalError, Nodes, leases

Heed = Callable[[Connection], None]
"""Is told of a connection."""

_NEAR_AMONG: Final = 500
"""Names among which a similar one is looked for: a hint must not cost a walk over all."""
_AT_ONCE: Final = 200
"""So many get their frame before others have a turn of the loop."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A note for many people, in each language; `code` says how it is meant.

    `room` is the room that it is about, "" for none; `text` are the sender's own words.
    """

    code: str
    texts: Mapping[Lang, str]
    room: str = ""
    text: str = ""


class PresenceChanged(NodeMessage, frozen=True):
    """The people (ids) who have connected to a node, and who have no connection left there."""

    node: str
    come: list[str]
    left: list[str]


GATHER_SECONDS: Final = 1.0
"""At least so long (seconds) between two writings of presence."""
AGAIN_SECONDS: Final = 60.0
"""After so long all people who are here are sent again."""
PIECE: Final = 1_000
"""People that one statement speaks of."""


class Presence:
    """Owned by the app; `open` it once there is a store."""

    def __init__(self, peers: Peers, tasks: Tasks) -> None:
        self._peers = peers
        self._start = tasks.start
        self._connections: dict[str, list[Connection]] = {}
        # Several for a moment only: when a name goes from one person to another.
        self._by_key: dict[str, list[str]] = {}
        self.away_texts: dict[str, str] = {}
        self._on_connected: list[Heed] = []
        self._on_disconnected: list[Heed] = []
        self._changed: dict[str, None] = {}
        """The people that other nodes are to learn of."""
        self._stirred = asyncio.Event()

    def open(self) -> None:
        """Write who is here, from now on."""
        if self._peers.nodes is not None:
            self._start(self._write(self._peers.nodes))

    def heed(self, connected: Heed, disconnected: Heed) -> None:
        """Call these with every connection that has come or gone."""
        self._on_connected.append(connected)
        self._on_disconnected.append(disconnected)

    def connected(self, connection: Connection) -> int:
        """A hello was accepted; how many connections the person has now."""
        connections = self._connections.setdefault(connection.person, [])
        connections.append(connection)
        self._remember(connection.name, connection.person)
        self._note(connection.person)
        for heed in self._on_connected:
            heed(connection)
        return len(connections)

    def disconnected(self, connection: Connection) -> None:
        """A connection has ended; the person is gone with the last one."""
        connections = self._connections.get(connection.person)
        if connections is None or connection not in connections:
            return
        connections.remove(connection)
        if not connections:
            del self._connections[connection.person]
            self.away_texts.pop(connection.person, None)
            self._forget(connection.name, connection.person)
        self._note(connection.person)
        for heed in self._on_disconnected:
            heed(connection)

    def renamed(self, person: str, old: str, name: str) -> None:
        """A person has another name."""
        self._forget(old, person)
        if person in self._connections:
            self._remember(name, person)

    def _remember(self, name: str, person: str) -> None:
        people = self._by_key.setdefault(name_key(name), [])
        if person not in people:
            people.append(person)

    def _forget(self, name: str, person: str) -> None:
        key = name_key(name)
        people = self._by_key.get(key, [])
        if person in people:
            people.remove(person)
            if not people:
                del self._by_key[key]

    def of(self, person: str) -> list[Connection]:
        """The connections of a person, oldest first."""
        return self._connections.get(person, [])

    def company(self, person: str) -> tuple[Companion, list[str]] | None:
        """A person without their rooms, and the rooms that they are in, the latest first."""
        connections = self._connections.get(person)
        if not connections:
            return None
        rooms = [room for each in reversed(connections) for room in reversed(each.rooms.values())]
        since = min(each.since for each in connections)
        companion = Companion(person, connections[0].name, since, self.away_texts.get(person))
        return companion, list(dict.fromkeys(rooms))

    def set_away(self, person: str, text: str | None) -> None:
        """A person who is here will not answer for a while; None: they are back."""
        if text is None:
            self.away_texts.pop(person, None)
        elif person in self._connections:
            self.away_texts[person] = text
        self.changed(person)

    def changed(self, person: str) -> None:
        """A person who is here is in other rooms, is away or back."""
        if person in self._connections:
            self._note(person)

    def _note(self, person: str) -> None:
        if self._peers.nodes is not None:
            self._changed[person] = None
            self._stirred.set()

    def clear_away(self, person: str) -> bool:
        """A person has sent a line; whether they were away."""
        was_away = self.away_texts.pop(person, None) is not None
        if was_away:
            self.changed(person)
        return was_away

    def blocks(self, person: str, by: str) -> bool:
        """Whether a person who is here keeps another one off."""
        return any(each.lists.has(Kind.BLOCK, by) for each in self.of(person))

    def notify_in_room(
        self, person: str, sender: Connection, room: str, code: str, key: str
    ) -> None:
        """Send a person a sentence about the sender, on their connections in a room."""
        for each in heeding(self.of(person), sender.person):
            number = each.number_of(room)
            if number is not None:
                text = say(key, each.lang, name=sender.name)
                each.send(Note(room=number, code=code, text=text))

    def connections(self) -> list[Connection]:
        """All connections, house bots not counted."""
        return [
            each
            for connections in self._connections.values()
            for each in connections
            if not each.is_house
        ]

    def in_lobby(self) -> list[Connection]:
        """The connections that are in no room, house bots not counted."""
        return [each for each in self.connections() if not each.rooms]

    def named(self, name: str) -> tuple[str, str] | None:
        """Id and exact name of the person with this name, or one that looks like it."""
        people = self._by_key.get(name_key(name))
        if people is None:
            return None
        ids = {self._connections[person][0].name: person for person in people}
        called = name if name in ids else next(iter(ids))
        return ids[called], called

    def near(self, name: str) -> tuple[str, ...]:
        """Names that are similar to one."""
        some = dict(islice(self._by_key.items(), _NEAR_AMONG))
        return tuple(
            self._connections[some[each][0]][0].name for each in nearest(name_key(name), some)
        )

    def some(self, count: int) -> tuple[tuple[str, str], ...]:
        """Ids and names of so many people, by name."""
        some = islice(self._connections.items(), count)
        return tuple(sorted(((p, each[0].name) for p, each in some), key=lambda each: each[1]))

    def __len__(self) -> int:
        return len(self._connections)

    # Written for other nodes.

    async def _write(self, nodes: Nodes) -> None:
        loop = asyncio.get_running_loop()
        again_at = loop.time() + AGAIN_SECONDS
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(again_at):
                    await self._stirred.wait()
            began = loop.time()
            if began >= again_at:
                again_at = began + AGAIN_SECONDS
                self._changed.update(dict.fromkeys(self._connections))
            await self._flush(nodes)
            if not self._changed:
                self._stirred.clear()
            await asyncio.sleep(began + GATHER_SECONDS - loop.time())

    async def _flush(self, nodes: Nodes) -> None:
        people = list(self._changed)[:PIECE]
        for person in people:
            del self._changed[person]
        try:
            if people:
                await self._tell(nodes, people)
        except Exception as problem:  # noqa: BLE001  # the boundary: later changes are written, too
            self._changed = {**dict.fromkeys(people), **self._changed}
            if isinstance(problem, JournalError):
                log(logging.WARNING, "presence not written", why=str(problem))
            else:
                log_bug(problem)

    async def _tell(self, nodes: Nodes, people: Sequence[str]) -> None:
        here = {p: each for p in people if (each := self.company(p)) is not None}
        come, left = list(here), [person for person in people if person not in here]
        rows = [leases.Attendant(p, c.since, c.away, rooms) for p, (c, rooms) in here.items()]
        await nodes.change(leases.attend, rows, left)
        self._peers.tell(PresenceChanged(self._peers.node, come, left))


def heeding(connections: Iterable[Connection], person: str) -> list[Connection]:
    """Those that hear what a person says."""
    return [each for each in connections if person not in each.unheard]


async def broadcast(listeners: Sequence[Connection], act: Announcement, name: str) -> None:
    """Send an announcement of the person called `name`, some at a time.

    Frames are made once for each codec and language.
    """
    frames: dict[tuple[Codec, Lang], bytes] = {}
    for first in range(0, len(listeners), _AT_ONCE):
        for each in listeners[first : first + _AT_ONCE]:
            form = each.codec, each.lang
            if form not in frames:
                text, original = act.texts[each.lang], act.text or None
                note = Note(code=act.code, text=text, name=name, said=original)
                frames[form] = each.codec.encode(note)
            each.push(frames[form])
        await asyncio.sleep(0)
