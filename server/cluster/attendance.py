"""Who is connected to this server, at all nodes together.

`Attending` writes who is connected here to the store, by which other nodes find a person, and
notifies those nodes; at once for one who comes alone, else gathered for a second. Now and then all
people are written again: a database may have forgotten them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from bluebear.protocol import Bye, Close, Note
from bluebear.server.cluster.peers import NodeMessage, Peers
from bluebear.server.cluster.presence import Presence
from bluebear.server.limits import CONNECTIONS_PER_PERSON
from bluebear.server.net.rate_limits import network_of
from bluebear.server.rooms.connection import Connection
from bluebear.server.runtime import Tasks, log, log_bug
from bluebear.server.sentences import say
from bluebear.server.store import JournalError, Nodes, leases


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
