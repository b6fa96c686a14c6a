"""What follows from people's lists: who is told that somebody has come or gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from bluebear.protocol import Note
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.acts import KeepOnList
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.others import Others
from bluebear.server.edge.presence import Presence
from bluebear.server.edge.words import Crowded, ListsChanged
from bluebear.server.limits import GONE_SECONDS
from bluebear.server.people.account import account_of
from bluebear.server.people.lists import Kind, Lists
from bluebear.server.people.people import People
from bluebear.server.sentences import say


class Circles:
    """Owned by the app."""

    def __init__(
        self,
        people: People,
        presence: Presence,
        others: Others,
        start: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._people = people
        self._presence = presence
        self._others = others
        self._start = start
        self._watchers: dict[str, set[str]] = {}
        """Who of those connected watches for somebody, by the watched one's id."""
        self._far: dict[str, set[str]] = {}
        """At which other edges those are for whom somebody here watches."""
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        presence.heed(self._has_come, self._has_gone)
        others.hears(Crowded, self._crowded)
        others.hears(ListsChanged, self._changed_elsewhere)
        others.heed_loss(self._lost)

    async def keep(self, connection: Connection, act: KeepOnList) -> None:
        """Put somebody on a list or take him off. Raises NotAllowed (not_saved)."""
        row = await self._people.keep_on_list(connection.person, act.kind, act.other, on=act.on)
        self._keeps(connection.person, account_of(row).lists)
        self._others.tell_of(connection.person, ListsChanged(connection.person))
        key = "note.list_on" if act.on else "note.list_off"
        text = say(key, connection.lang, name=act.other.name, command=f"/{act.kind}")
        connection.send(Note(code="list", text=text))

    def _keeps(self, person: str, lists: Lists) -> None:
        """Somebody who is here keeps these lists from now on."""
        mine = self._presence.of(person)
        if mine:
            self._forget(person, mine[0].lists)
            for each in mine:
                each.lists = lists
            self._learn(person, lists)

    async def _changed_elsewhere(self, word: ListsChanged) -> None:
        row = await self._people.person(word.person)
        if row is not None:
            self._keeps(word.person, account_of(row).lists)

    def _has_come(self, connection: Connection) -> None:
        """A connection has said who it is; the first one of somebody is news."""
        person = connection.person
        self._learn(person, connection.lists)
        leaving = self._leaving.pop(person, None)
        if leaving is not None:
            leaving.cancel()
        elif len(self._presence.of(person)) == 1 and person not in self._far:
            self._tell(person, connection.name, connection.lists, "came", "note.came")

    def _has_gone(self, connection: Connection) -> None:
        """A connection has ended; after the last one of somebody those who watch hear of it."""
        person = connection.person
        if self._presence.of(person):
            return
        self._forget(person, connection.lists)
        if person not in self._far:
            self._leaves(person, connection.name, connection.lists)

    def _leaves(self, person: str, name: str, lists: Lists) -> None:
        """Somebody is nowhere any more: after a while that is news."""
        if person in self._watchers and person not in self._leaving:
            loop = asyncio.get_running_loop()
            timer = loop.call_later(GONE_SECONDS, self._left, person, name, lists)
            self._leaving[person] = timer

    def _left(self, person: str, name: str, lists: Lists) -> None:
        del self._leaving[person]
        self._tell(person, name, lists, "went", "note.went")

    # At other edges.

    async def _crowded(self, word: Crowded) -> None:
        """Some have come to another edge, and some have gone from there."""
        for person in word.come:
            if person in self._watchers:
                nodes = self._far.setdefault(person, set())
                news = not nodes and not self._presence.of(person)
                nodes.add(word.node)
                leaving = self._leaving.pop(person, None)
                if leaving is not None:
                    leaving.cancel()
                elif news:
                    await self._tell_of(person, "came", "note.came")
        for person in word.gone:
            if self._is_gone_from(person, word.node):
                await self._leaves_far(person)

    def _lost(self, node: str) -> None:
        """An edge is no more, and with it all who were there."""
        for person in list(self._far):
            if self._is_gone_from(person, node):
                self._start(self._leaves_far(person))

    def _is_gone_from(self, person: str, node: str) -> bool:
        """Take somebody from an edge; whether he is nowhere any more."""
        nodes = self._far.get(person, set())
        if node not in nodes:
            return False
        nodes.discard(node)
        if nodes:
            return False
        del self._far[person]
        return not self._presence.of(person)

    async def _leaves_far(self, person: str) -> None:
        name, lists = await self._known(person)
        if person not in self._far and not self._presence.of(person):
            self._leaves(person, name, lists)

    async def _tell_of(self, person: str, what: str, key: str) -> None:
        name, lists = await self._known(person)
        self._tell(person, name, lists, what, key)

    async def _known(self, person: str) -> tuple[str, Lists]:
        """What somebody is called, and his lists; by a list that he is on if he is nobody's."""
        try:
            row = await self._people.person(person)
        except NotAllowed:
            row = None
        if row is not None:
            return row.name, account_of(row).lists
        watching = (self._presence.of(each) for each in self._watchers.get(person, ()))
        listed = (other for mine in watching for other in mine[0].lists.watch)
        return next((other.name for other in listed if other.id == person), person), Lists()

    async def _look_for(self, people: list[str]) -> None:
        """Learn at which other edges some are for whom nobody here watched until now."""
        for person, nodes in (await self._others.elsewhere(people)).items():
            if person in self._watchers:
                self._far.setdefault(person, set()).update(nodes)

    def _tell(self, person: str, name: str, lists: Lists, what: str, key: str) -> None:
        for watcher in self._watchers.get(person, ()):
            if lists.has(Kind.BLOCK, watcher):
                continue
            for each in self._presence.of(watcher):
                each.send(Note(code=what, text=say(key, each.lang, name=name)))

    def _learn(self, person: str, lists: Lists) -> None:
        new = [other.id for other in lists.watch if other.id not in self._watchers]
        for other in lists.watch:
            self._watchers.setdefault(other.id, set()).add(person)
        if new and self._others.way is not None:
            self._start(self._look_for(new))

    def _forget(self, person: str, lists: Lists) -> None:
        for other in lists.watch:
            watchers = self._watchers.get(other.id)
            if watchers is not None:
                watchers.discard(person)
                if not watchers:
                    del self._watchers[other.id]
                    self._far.pop(other.id, None)

    def close(self) -> None:
        """Nobody is told anything any more."""
        for timer in self._leaving.values():
            timer.cancel()
