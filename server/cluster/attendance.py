"""Who is connected to this server, at all nodes together.

`OnlinePeople` answers look-ups. `Attending` writes who is connected here to the store, by which
other nodes find a person, and notifies those nodes; at once for one who comes alone, else gathered
for a second. Now and then all people are written again: a database may have forgotten them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from bluebear.protocol import Bye, Close, Note
from bluebear.rules.core.suggest import nearest
from bluebear.server.cluster.peers import NodeMessage, Peers
from bluebear.server.cluster.presence import Presence
from bluebear.server.commands.scene import Companion
from bluebear.server.limits import CONNECTIONS_PER_PERSON, ONLINE_SHOWN
from bluebear.server.net.rate_limits import network_of
from bluebear.server.people.names import name_key
from bluebear.server.rooms.connection import Connection
from bluebear.server.runtime import Tasks, log, log_bug
from bluebear.server.sentences import say
from bluebear.server.store import JournalError, Nodes, Store, leases, people

FRESH_SECONDS: Final = 2.0
"""So long what the store says of who is there is good enough for a list of names."""


class PresenceChanged(NodeMessage, frozen=True):
    """The people (ids) who have connected to a node, and who have no connection left there."""

    node: str
    come: list[str]
    left: list[str]


class OnlinePeople:
    """Owned by the app."""

    def __init__(self, presence: Presence, peers: Peers, store: Store) -> None:
        self._presence = presence
        self._peers = peers
        self._store = store
        self._names: Sequence[tuple[str, str]] = ()
        self._total = 0
        self._fresh_until = 0.0

    async def named(self, name: str) -> tuple[str, str] | None:
        """See `Connected`. Raises NotRead."""
        result = self._presence.named(name)
        if result is not None or self._peers.nodes is None:
            return result
        row = await self._store.read(people.named, name_key(name))
        if row is None or not await self._peers.attendants([row.id]):
            return None
        return row.id, row.name

    async def near(self, name: str) -> tuple[str, ...]:
        """See `Connected`."""
        if self._peers.nodes is None:
            return self._presence.near(name)
        await self._look()
        far = {name_key(called): called for _, called in self._names}
        names = (*self._presence.near(name), *map(far.__getitem__, nearest(name_key(name), far)))
        return tuple(dict.fromkeys(names))

    async def some(self, limit: int) -> tuple[tuple[str, str], ...]:
        """See `Connected`."""
        result = dict(self._presence.some(limit))
        if self._peers.nodes is not None:
            await self._look()
            for person, name in self._names[: limit - len(result)]:
                result.setdefault(person, name)
        return tuple(sorted(result.items(), key=lambda each: each[1]))

    async def count(self) -> int:
        """See `Connected`."""
        if self._peers.nodes is not None:
            await self._look()
        return max(self._total, len(self._presence))

    async def company(self, people: Sequence[str]) -> list[tuple[Companion, Sequence[str]]]:
        """Those of some people who are connected, and the ids of their rooms, the latest first."""
        here = (each for each in map(self._presence.company, people) if each is not None)
        result: dict[str, tuple[Companion, Sequence[str]]]
        result = {each.person: (each, rooms) for each, rooms in here}
        for _, name, row in await self._peers.attendants(people):
            if row.person in result:
                result[row.person] = _both(*result[row.person], row)
            else:
                companion = Companion(row.person, name, row.since, row.away)
                result[row.person] = companion, row.rooms
        return [result[person] for person in people if person in result]

    async def _look(self) -> None:
        """Read who is there, if that was not done just now; names and a number, no more."""
        nodes, now = self._peers.nodes, asyncio.get_running_loop().time()
        if nodes is None or now < self._fresh_until:
            return
        self._fresh_until = now + FRESH_SECONDS
        try:
            self._names, self._total = await nodes.read(leases.list_online, ONLINE_SHOWN)
        except JournalError as problem:
            log(logging.WARNING, "presence not read", why=str(problem))


def _both(
    one: Companion, rooms: Sequence[str], row: leases.Attendant
) -> tuple[Companion, Sequence[str]]:
    """A person who is at another node, too."""
    away = one.away if one.away is not None else row.away
    both = replace(one, since=min(one.since, row.since), away=away)
    return both, list(dict.fromkeys((*rooms, *row.rooms)))


GATHER_SECONDS: Final = 1.0
"""At least so long (seconds) between two writings of presence."""
AGAIN_SECONDS: Final = 60.0
"""After so long all people who are here are sent again."""
PIECE: Final = 1_000
"""People that one statement speaks of."""


class Attending:
    """Owned by the app; `open` it once there is a store."""

    def __init__(self, presence: Presence, peers: Peers, tasks: Tasks) -> None:
        self._presence = presence
        self._peers = peers
        self._start = tasks.start
        self._changed: dict[str, None] = {}
        self._stirred = asyncio.Event()
        if peers.nodes is not None:
            presence.heed(self._noted, self._noted)
            presence.on_change = self.changed

    def open(self) -> None:
        """Write who is here, from now on."""
        if self._peers.nodes is not None:
            self._start(self._write(self._peers.nodes))

    def _noted(self, connection: Connection) -> None:
        self.changed(connection.person)

    def changed(self, person: str) -> None:
        """A person has connected or disconnected, is in other rooms, is away or back."""
        self._changed[person] = None
        self._stirred.set()

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
                self._changed.update(dict.fromkeys(self._presence.people()))
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
        here = {p: each for p in people if (each := self._presence.company(p)) is not None}
        come, left = list(here), [person for person in people if person not in here]
        rows = [leases.Attendant(p, c.since, c.away, rooms) for p, (c, rooms) in here.items()]
        await nodes.change(leases.attend, rows, left)
        self._peers.tell(PresenceChanged(self._peers.node, come, left))


_LOGIN_NOTICES: Final = {
    "elsewhere": ("note.elsewhere_near", "note.elsewhere_far"),
    "old_token": ("note.old_token_near", "note.old_token_far"),
}
"""The sentences where both have one address, and where not."""


class LoginNotice(NodeMessage, frozen=True):
    """A client connects as a person, from a network: the person is notified, it may be a thief.

    `code` is "elsewhere", "old_token" where the client was refused, or "" for one that has followed
    a room from another connection of the person: of that there is no notice.
    """

    person: str
    network: str
    code: str


class PersonSessions:
    """Owned by the app."""

    def __init__(self, presence: Presence, peers: Peers, tasks: Tasks) -> None:
        self.presence = presence
        self._peers = peers
        self._start = tasks.start
        peers.hears(LoginNotice, self._tell)

    def refused_token(self, connection: Connection, person: str) -> None:
        """A client was refused as a person, by a token that was replaced."""
        login = LoginNotice(person, network_of(connection.address), "old_token")
        self._tell(login)
        self._peers.tell(login)

    def connecting(self, connection: Connection) -> None:
        """A connection is about to be a person's: their others are notified."""
        self._tell(self._login_of(connection))

    def _login_of(self, connection: Connection) -> LoginNotice:
        code = "" if connection.beside else "elsewhere"
        return LoginNotice(connection.person, network_of(connection.address), code)

    def connected(self, connection: Connection) -> None:
        """It is theirs: of too many at this node the oldest end."""
        staying = self._staying(connection.person)
        for oldest in staying[: max(0, len(staying) - CONNECTIONS_PER_PERSON)]:
            oldest.send(Bye(why="replaced", text=say("bye.replaced", oldest.lang)))
            oldest.close(Close.REPLACED, "replaced")
        if self._peers.ids:
            self._peers.tell(self._login_of(connection))
            self._start(self._read_away(connection.person))

    async def _read_away(self, person: str) -> None:
        """A person who is away at another node is away here."""
        for _, _, row in await self._peers.attendants([person]):
            if row.away is not None:
                self.presence.set_away(person, row.away)

    def _staying(self, person: str) -> list[Connection]:
        return [each for each in self.presence.of(person) if not each.closing]

    def _tell(self, login: LoginNotice) -> None:
        """Notify a person who is here that a client connects as them; it may be a thief."""
        for each in self._staying(login.person) if login.code else ():
            near, far = _LOGIN_NOTICES[login.code]
            key = near if network_of(each.address) == login.network else far
            each.send(Note(code=login.code, text=say(key, each.lang)))
