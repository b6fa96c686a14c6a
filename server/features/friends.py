"""Lists of people, `/mute`, `/friends`, `/watch`, `/block`; and notes on who is watched."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import ClassVar, Final

from msgspec import UNSET, Struct, UnsetType

from bluebear.protocol import Note
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.server.cluster.peers import NodeMessage
from bluebear.server.cluster.presence import PresenceChanged
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.command import Arguments, Command, Topic, anywhere
from bluebear.server.commands.native import line_for
from bluebear.server.commands.scene import ONLINE, Companion, Scene
from bluebear.server.features.feature import ROW_BYTES, Context, Feature, Services
from bluebear.server.limits import DISCONNECTED_SECONDS, LIST_MOST
from bluebear.server.people.account import Kind, Lists, Other, account_of
from bluebear.server.people.names import name_key
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.loading import RoomLink, about_room
from bluebear.server.sentences import say

_CHOICES: Final = (
    Choice("add", ("追加",)),
    Choice("delete", ("削除",), ("remove",)),
    Choice("list", ("一覧",)),
)
_ROOMS_SHOWN: Final = 3


class ListsChanged(NodeMessage, frozen=True):
    """A person has changed the lists that they keep of others: they are read again."""

    person: str


def _list(kind: Kind, *names: str) -> Command:
    """The command of a list."""

    def handle(scene: Scene, given: Arguments) -> Arguments:
        return {"kind": kind, "what": "add" if "name" in given else "list", **given}

    return Command(
        f"{kind.value} what? name?",
        anywhere(),
        handle,
        names,
        not_for_bots=True,
        offers=ONLINE,
        is_query=True,
        choices={"what": _CHOICES},
    )


class ListedPerson(Struct, frozen=True):
    """A person of a list, the rooms that one may know of, and with which words they are away."""

    name: str
    online: bool
    rooms: tuple[RoomLink, ...]
    away: str | UnsetType = UNSET


class ListedPeople(Struct, frozen=True):
    """A list of people."""

    people: tuple[ListedPerson, ...]


class Friends(Feature):
    """The lists of the people of this node; a watched person may be at any node."""

    name = "friends"
    answers: ClassVar = {each.value: ListedPeople for each in Kind}
    topic = Topic.PEOPLE

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._watchers: dict[str, set[str]] = {}
        """People of this node who watch a person, by the id of that one."""
        self._far: dict[str, set[str]] = {}
        """Other nodes where watched people are."""
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self.presence.heed(self._connected, self._disconnected)
        self.bus.hears(PresenceChanged, self._presence_changed)
        self.bus.hears(ListsChanged, self._lists_changed)
        self.bus.on_loss.append(self._node_lost)

    @_list(Kind.MUTE, "ミュート")
    @_list(Kind.FRIENDS, "友だち", "友達")
    @_list(Kind.WATCH, "見守り")
    @_list(Kind.BLOCK, "ブロック")
    async def edit(self, ctx: Context, kind: Kind, what: str, name: str = "") -> Tell | None:
        """Do `what` with a list of the caller: "add" or "delete" a name, or "list" it."""
        if what != "list" and ctx.is_query:
            raise NotAllowed("no_such_query", given=ctx.text)
        person = ctx.connection.person
        row = await self.services.people.person(person)
        lists = Lists() if row is None else account_of(row).lists
        if what == "list":
            return await self._show(ctx, kind, lists)
        if not name:
            raise NotUnderstood("command_missing", command=kind.value, argument="name")
        adds, listed = what == "add", lists.of(kind)
        other = await self._find(ctx, name) if adds else _listed(listed, name)
        if adds and len(listed) >= LIST_MOST and not lists.has(kind, other.id):
            raise NotAllowed("list_full", most=LIST_MOST)
        ctx.connection.pay(ROW_BYTES)
        row = await self.services.people.edit_list(person, kind, other, on=adds)
        self._set_lists(person, account_of(row).lists)
        self.bus.tell(ListsChanged(person))
        key = "note.list_on" if adds else "note.list_off"
        text = say(key, ctx.lang, name=other.name, command=line_for(f"/{kind}", ctx.lang, None))
        ctx.connection.send(Note(code="list", text=text))
        return None

    async def _find(self, ctx: Context, name: str) -> Other:
        match = await self.services.look_ups.find_person(name)
        if match[0] == ctx.connection.person:
            raise NotAllowed("list_self")
        return Other(*match)

    async def _show(self, ctx: Context, kind: Kind, lists: Lists) -> Tell:
        lang, listed = ctx.lang, lists.of(kind)
        if not listed:
            return Tell(
                kind, say("answer.list_empty", lang, command=line_for(f"/{kind}", lang, None))
            )
        company = await self.services.look_ups.company([each.id for each in listed])
        online = {each.person: each for each in company}
        people = tuple(_listed_person(ctx, each, online.get(each.id)) for each in listed)
        lines = (
            say("answer.list_online", lang, name=each.name) if each.online else each.name
            for each in people
        )
        return Tell(kind, "\n".join(lines), lambda: ListedPeople(people))

    def _set_lists(self, person: str, lists: Lists) -> None:
        """A person of this node has these lists."""
        connections = self.presence.of(person)
        if connections:
            self._forget(person, connections[0].lists)
            for each in connections:
                each.set_lists(lists)
            self._watch(person, lists)

    async def _lists_changed(self, message: ListsChanged) -> None:
        if self.presence.of(message.person):
            row = await self.services.people.person(message.person)
            if row is not None:
                self._set_lists(message.person, account_of(row).lists)

    def _connected(self, connection: Connection) -> None:
        """The first connection of a person is news."""
        person = connection.person
        self._watch(person, connection.lists)
        leaving = self._leaving.pop(person, None)
        if leaving is not None:
            leaving.cancel()
        elif len(self.presence.of(person)) == 1 and person not in self._far:
            self._notify(person, connection.name, connection.lists, "came", "note.came")

    def _disconnected(self, connection: Connection) -> None:
        """The end of the last connection of a person is news."""
        person = connection.person
        if self.presence.of(person):
            return
        self._forget(person, connection.lists)
        if person not in self._far:
            self._disconnect(person, connection.name, connection.lists)

    def _disconnect(self, person: str, name: str, lists: Lists) -> None:
        """A person is connected to no node: after a while that is news."""
        if person in self._watchers and person not in self._leaving:
            loop = asyncio.get_running_loop()
            timer = loop.call_later(DISCONNECTED_SECONDS, self._notify_left, person, name, lists)
            self._leaving[person] = timer

    def _notify_left(self, person: str, name: str, lists: Lists) -> None:
        del self._leaving[person]
        self._notify(person, name, lists, "went", "note.went")

    # Other nodes.

    async def _presence_changed(self, message: PresenceChanged) -> None:
        for person in message.come:
            if person in self._watchers:
                nodes = self._far.setdefault(person, set())
                news = not nodes and not self.presence.of(person)
                nodes.add(message.node)
                leaving = self._leaving.pop(person, None)
                if leaving is not None:
                    leaving.cancel()
                elif news:
                    name, lists = await self._name_and_lists(person)
                    self._notify(person, name, lists, "came", "note.came")
        await self._left(message.left, message.node)

    def _node_lost(self, node: str) -> None:
        self.services.tasks.start(self._left(list(self._far), node))

    async def _left(self, people: Iterable[str], node: str) -> None:
        """These people are connected to a node no more, and perhaps to none."""
        left = [person for person in people if node in self._far.get(person, ())]
        for person in left:
            self._far[person].discard(node)
            if not self._far[person]:
                del self._far[person]
        for person in left:
            name, lists = await self._name_and_lists(person)
            if person not in self._far and not self.presence.of(person):
                self._disconnect(person, name, lists)

    async def _name_and_lists(self, person: str) -> tuple[str, Lists]:
        """The name and lists of a person; the name by a list where there is no row."""
        try:
            row = await self.services.people.person(person)
        except NotAllowed:
            row = None
        if row is not None:
            return row.name, account_of(row).lists
        watching = (self.presence.of(each) for each in self._watchers.get(person, ()))
        listed = (other for connections in watching for other in connections[0].lists.watch)
        return next((other.name for other in listed if other.id == person), person), Lists()

    async def _find_nodes(self, people: list[str]) -> None:
        """Find the other nodes of people who are newly watched here."""
        for node, _, row in await self.bus.attendants(people):
            if row.person in self._watchers:
                self._far.setdefault(row.person, set()).add(node)

    def _notify(self, person: str, name: str, lists: Lists, what: str, key: str) -> None:
        for watcher in self._watchers.get(person, ()):
            if lists.has(Kind.BLOCK, watcher):
                continue
            for each in self.presence.of(watcher):
                each.send(Note(code=what, text=say(key, each.lang, name=name)))

    def _watch(self, person: str, lists: Lists) -> None:
        new = [other.id for other in lists.watch if other.id not in self._watchers]
        for other in lists.watch:
            self._watchers.setdefault(other.id, set()).add(person)
        if new and self.bus.nodes is not None:
            self.services.tasks.start(self._find_nodes(new))

    def _forget(self, person: str, lists: Lists) -> None:
        for other in lists.watch:
            watchers = self._watchers.get(other.id)
            if watchers is not None:
                watchers.discard(person)
                if not watchers:
                    del self._watchers[other.id]
                    self._far.pop(other.id, None)

    def close(self) -> None:
        """Hook: the server stops."""
        for timer in self._leaving.values():
            timer.cancel()


def _listed_person(ctx: Context, other: Other, online: Companion | None) -> ListedPerson:
    if online is None:
        return ListedPerson(other.name, online=False, rooms=())
    rooms = online.rooms_shown_to(ctx.connection.person, ctx.room)[:_ROOMS_SHOWN]
    away = UNSET if online.away is None else online.away
    return ListedPerson(online.name, online=True, rooms=tuple(map(about_room, rooms)), away=away)


def _listed(listed: Sequence[Other], name: str) -> Other:
    for other in listed:
        if name_key(other.name) == name_key(name):
            return other
    candidates = tuple(other.name for other in listed)
    raise NotAllowed("not_on_list", given=name, candidates=candidates)
