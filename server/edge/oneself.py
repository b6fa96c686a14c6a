"""What all connections of one person have in common, at whichever edge each of them is."""

from __future__ import annotations

import asyncio
from typing import Final

from bluebear.protocol import Bye, Close, Note
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.others import Others
from bluebear.server.edge.presence import Presence
from bluebear.server.edge.words import ComesToo, Known, Replaced
from bluebear.server.limits import CONNECTIONS_PER_PERSON
from bluebear.server.net.budget import network_of
from bluebear.server.sentences import say
from bluebear.server.tasks import Tasks

_COMES: Final = {
    "elsewhere": ("note.elsewhere_near", "note.elsewhere_far"),
    "old_token": ("note.old_token_near", "note.old_token_far"),
}
"""The sentences where both have one address, and where not."""


class Oneself:
    """Owned by the app."""

    def __init__(
        self,
        presence: Presence,
        others: Others,
        tasks: Tasks,
    ) -> None:
        self.presence = presence
        self._others = others
        self._start = tasks.start
        others.hears(Replaced, lambda word: self._replace(word.person, word.count))
        others.hears(ComesToo, self._somebody_comes)

    def tried(self, connection: Connection, person: str) -> None:
        """Somebody was not let in as a person, by a token that was replaced."""
        word = ComesToo(person, network_of(connection.address), "old_token")
        self._tell(word)
        self._others.tell_of(person, word)

    def comes(self, connection: Connection) -> None:
        """A connection is about to be somebody's: his others are told of it."""
        network = network_of(connection.address)
        self._tell(ComesToo(connection.person, network, "elsewhere"))

    def has_come(self, connection: Connection) -> None:
        """It is: where he has too many, the oldest end."""
        person = connection.person
        self._replace(person, len(self._staying(person)) - CONNECTIONS_PER_PERSON)
        if self._others.way is not None:
            self._start(self._comes_too(connection))

    async def _comes_too(self, connection: Connection) -> None:
        """The same for his connections at other edges."""
        person = connection.person
        nodes = (await self._others.elsewhere([person])).get(person, ())
        word = ComesToo(person, network_of(connection.address), "elsewhere")
        told = await asyncio.gather(*(self._others.ask([node], word) for node in nodes))
        known: dict[str, Known] = {n: each[0] for n, each in zip(nodes, told, strict=True) if each}
        if not known or connection.gone:
            return
        for each in known.values():
            if each.away is not None:
                self.presence.goes_away(person, each.away)
        ages = [(each.came_at, "") for each in self._staying(person)]
        ages += [(at, node) for node, each in known.items() for at in each.came]
        for node in {node for _, node in ages}:
            surplus = sorted(ages)[:-CONNECTIONS_PER_PERSON]
            count = sum(each == node for _, each in surplus)
            if count and node:
                await self._others.ask([node], Replaced(person, count))
            else:
                self._replace(person, count)

    def _staying(self, person: str) -> list[Connection]:
        return [each for each in self.presence.of(person) if not each.closing]

    def _replace(self, person: str, count: int) -> None:
        for oldest in self._staying(person)[: max(0, count)]:
            oldest.send(Bye(why="replaced", text=say("bye.replaced", oldest.lang)))
            oldest.close(Close.REPLACED, "replaced")

    def _somebody_comes(self, word: ComesToo) -> Known:
        self._tell(word)
        came = [each.came_at for each in self._staying(word.person)]
        return Known(came, self.presence.away(word.person))

    def _tell(self, word: ComesToo) -> None:
        """Tell somebody who is here that somebody comes as him; it may be he, or a thief."""
        for each in self._staying(word.person):
            near, far = _COMES[word.code]
            key = near if network_of(each.address) == word.network else far
            each.send(Note(code=word.code, text=say(key, each.lang)))
