"""Who is connected to this server, at all nodes together.

`Crowd` answers look-ups. `Attending` says who is connected here: to the store, by which other nodes
find a person, and to those nodes; at once for one who comes alone, else gathered for a second. Now
and then all people are said again: a database that was away may have forgotten.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from bluebear.rules.core.suggest import nearest
from bluebear.server.cluster.peers import NodeMessage, Peers
from bluebear.server.commands.needs import Companion
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.presence import Presence
from bluebear.server.limits import ONLINE_SHOWN
from bluebear.server.observe import log
from bluebear.server.people.names import name_key
from bluebear.server.store import JournalError, Store, leases, people
from bluebear.server.tasks import Tasks

KNOWN_SECONDS: Final = 2.0
"""So long what the store says of who is there is good enough for a list of names."""


class Company(NodeMessage, frozen=True):
    """Which of these people are connected, and the ids of the rooms that they are in."""

    people: list[str]
    answer: ClassVar[object] = list[tuple[Companion, list[str]]]


class Crowded(NodeMessage, frozen=True):
    """The people (ids) who have connected to a node, and who have no connection left there."""

    node: str
    come: list[str]
    gone: list[str]


class Crowd:
    """Owned by the app."""

    def __init__(self, presence: Presence, peers: Peers, store: Store) -> None:
        self._presence = presence
        self._peers = peers
        self._store = store
        self._known: Sequence[tuple[str, str]] = ()
        self._total = 0
        self._known_until = 0.0
        peers.hears(Company, lambda message: self._here(message.people))

    async def named(self, name: str) -> tuple[str, str] | None:
        """See `Connected`. Raises NotRead."""
        found = self._presence.named(name)
        if found is not None or self._peers.nodes is None:
            return found
        row = await self._store.read(people.named, name_key(name))
        if row is None or row.id not in await self._peers.where([row.id]):
            return None
        return row.id, row.name

    async def near(self, name: str) -> tuple[str, ...]:
        """See `Connected`."""
        if self._peers.nodes is None:
            return self._presence.near(name)
        await self._look()
        far = {name_key(called): called for _, called in self._known}
        names = (*self._presence.near(name), *map(far.__getitem__, nearest(name_key(name), far)))
        return tuple(dict.fromkeys(names))

    async def some(self, limit: int) -> tuple[tuple[str, str], ...]:
        """See `Connected`."""
        found = dict(self._presence.some(limit))
        if self._peers.nodes is not None:
            await self._look()
            for person, name in self._known[: limit - len(found)]:
                found.setdefault(person, name)
        return tuple(sorted(found.items(), key=lambda known: known[1]))

    async def count(self) -> int:
        """See `Connected`."""
        if self._peers.nodes is not None:
            await self._look()
        return max(self._total, len(self._presence))

    async def company(self, people: Sequence[str]) -> list[tuple[Companion, list[str]]]:
        """See `Connected`."""
        found = {each.person: (each, rooms) for each, rooms in self._here(people)}
        asked: dict[str, list[str]] = {}
        for person, nodes in (await self._peers.where(people)).items():
            for node in nodes:
                asked.setdefault(node, []).append(person)
        questions = (self._peers.ask([node], Company(some)) for node, some in asked.items())
        for answers in await asyncio.gather(*questions):
            for answer in answers:
                for each, rooms in answer:
                    known = found.get(each.person)
                    found[each.person] = (
                        (each, rooms) if known is None else _both(*known, each, rooms)
                    )
        return [found[person] for person in people if person in found]

    def _here(self, people: Sequence[str]) -> list[tuple[Companion, list[str]]]:
        return [each for each in map(self._presence.company, people) if each is not None]

    async def _look(self) -> None:
        """Read who is there, if that was not done just now; names and a number, no more."""
        nodes, now = self._peers.nodes, asyncio.get_running_loop().time()
        if nodes is None or now < self._known_until:
            return
        self._known_until = now + KNOWN_SECONDS
        try:
            self._known, self._total = await nodes.read(leases.crowd, ONLINE_SHOWN)
        except JournalError as problem:
            log(logging.WARNING, "presence not read", why=str(problem))


def _both(
    one: Companion, rooms: list[str], other: Companion, more: list[str]
) -> tuple[Companion, list[str]]:
    """Somebody who is at two edges."""
    away = one.away if one.away is not None else other.away
    known = replace(one, since=min(one.since, other.since), away=away)
    return known, list(dict.fromkeys((*rooms, *more)))


GATHER_SECONDS: Final = 1.0
"""Between two times that the store is told who has come and gone."""
AGAIN_SECONDS: Final = 60.0
"""After so long everybody who is here is said again."""
PIECE: Final = 1_000
"""People that one statement speaks of."""


class Attending:
    """Owned by the app of an edge; `open` it once there is a store."""

    def __init__(
        self,
        presence: Presence,
        peers: Peers,
        tasks: Tasks,
    ) -> None:
        self._presence = presence
        self._peers = peers
        self._start = tasks.start
        self._changed: dict[str, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._again: asyncio.TimerHandle | None = None
        self._busy = False
        self._turn = asyncio.Lock()
        """Others hear of it in order, and nobody here waits for them."""
        self._told_at = float("-inf")
        if peers.nodes is not None:
            presence.heed(self._noted, self._noted)

    def open(self) -> None:
        """Say everybody again now and then, from now on."""
        if self._peers.nodes is not None:
            loop = asyncio.get_running_loop()
            self._again = loop.call_later(AGAIN_SECONDS, self._say_all)

    def close(self) -> None:
        """Say nothing more."""
        for timer in (self._timer, self._again):
            if timer is not None:
                timer.cancel()

    def _say_all(self) -> None:
        self._changed.update(dict.fromkeys(self._presence.people()))
        self._soon()
        self.open()

    def _noted(self, connection: Connection) -> None:
        """A connection of somebody has come or gone."""
        self._changed[connection.person] = None
        self._soon()

    def _soon(self) -> None:
        if self._timer is None and not self._busy and self._changed:
            loop = asyncio.get_running_loop()
            when = max(loop.time(), self._told_at + GATHER_SECONDS)
            self._timer = loop.call_at(when, self._flush)

    def _flush(self) -> None:
        self._timer = None
        self._start(self._tell())

    async def _tell(self) -> None:
        nodes = self._peers.nodes
        assert nodes is not None
        self._busy, self._told_at = True, asyncio.get_running_loop().time()
        people = list(self._changed)[:PIECE]
        for person in people:
            del self._changed[person]
        come = [person for person in people if self._presence.of(person)]
        gone = [person for person in people if not self._presence.of(person)]
        try:
            await nodes.change(leases.attend, come, gone)
        except JournalError as problem:
            log(logging.WARNING, "presence not written", why=str(problem))
            self._changed = {**dict.fromkeys(people), **self._changed}
        else:
            self._start(self._tell_others(Crowded(self._peers.node, come, gone)))
        finally:
            self._busy = False
            self._soon()

    async def _tell_others(self, message: Crowded) -> None:
        async with self._turn:
            await self._peers.ask(self._peers.ids, message)
