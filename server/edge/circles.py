"""What follows from people's lists: who is told that somebody has come or gone."""

from __future__ import annotations

import asyncio

from protocol import Note
from server.commands.acts import KeepOnList
from server.edge.connection import Connection
from server.edge.presence import Presence
from server.limits import GONE_SECONDS
from server.people.account import account_of
from server.people.lists import Kind, Lists
from server.people.people import People
from server.sentences import say


class Circles:
    """Owned by the app."""

    def __init__(self, people: People, presence: Presence) -> None:
        self._people = people
        self._presence = presence
        self._watchers: dict[str, set[str]] = {}
        """Who of those connected watches for somebody, by the watched one's id."""
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        presence.heed(self._has_come, self._has_gone)

    async def keep(self, connection: Connection, act: KeepOnList) -> None:
        """Put somebody on a list or take him off. Raises NotAllowed (not_saved)."""
        row = await self._people.keep_on_list(connection.person, act.kind, act.other, on=act.on)
        lists = account_of(row).lists
        self._forget(connection.person, connection.lists)
        for each in self._presence.of(connection.person):
            each.lists = lists
        self._learn(connection.person, lists)
        key = "note.list_on" if act.on else "note.list_off"
        text = say(key, connection.lang, name=act.other.name, command=f"/{act.kind}")
        connection.send(Note(code="list", text=text))

    def _has_come(self, connection: Connection) -> None:
        """A connection has said who it is; the first one of somebody is news."""
        person = connection.person
        self._learn(person, connection.lists)
        leaving = self._leaving.pop(person, None)
        if leaving is not None:
            leaving.cancel()
        elif len(self._presence.of(person)) == 1:
            self._tell(person, connection.name, connection.lists, "came", "note.came")

    def _has_gone(self, connection: Connection) -> None:
        """A connection has ended; after the last one of somebody those who watch hear of it."""
        person = connection.person
        if self._presence.of(person):
            return
        self._forget(person, connection.lists)
        if person in self._watchers and person not in self._leaving:
            loop = asyncio.get_running_loop()
            self._leaving[person] = loop.call_later(GONE_SECONDS, self._left, connection)

    def _left(self, connection: Connection) -> None:
        del self._leaving[connection.person]
        self._tell(connection.person, connection.name, connection.lists, "went", "note.went")

    def _tell(self, person: str, name: str, lists: Lists, what: str, key: str) -> None:
        for watcher in self._watchers.get(person, ()):
            if lists.has(Kind.BLOCK, watcher):
                continue
            for each in self._presence.of(watcher):
                each.send(Note(code=what, text=say(key, each.lang, name=name)))

    def _learn(self, person: str, lists: Lists) -> None:
        for other in lists.watch:
            self._watchers.setdefault(other.id, set()).add(person)

    def _forget(self, person: str, lists: Lists) -> None:
        for other in lists.watch:
            watchers = self._watchers.get(other.id)
            if watchers is not None:
                watchers.discard(person)
                if not watchers:
                    del self._watchers[other.id]

    def close(self) -> None:
        """Nobody is told anything any more."""
        for timer in self._leaving.values():
            timer.cancel()
