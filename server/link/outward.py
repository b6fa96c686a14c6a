"""An edge's side: rooms behind links, as `RoomAccess` for the edge.

Each connection in a room is a place at the engine that has the room. When a link breaks, or a room
moves, its places go where the room is then, and say again what was not answered, under the same
ids: the journal knows whatever was written.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from bluebear.protocol import Ask, Error, RoomNumber, Version
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.clock import Clock
from bluebear.server.commands.acts import Enter as EnterAct
from bluebear.server.commands.acts import NewRoom
from bluebear.server.commands.needs import Offers, RoomLine, Sources
from bluebear.server.edge.connection import Connection
from bluebear.server.link.calls import Calls
from bluebear.server.link.finder import Finder
from bluebear.server.link.frames import (
    Attach,
    Call,
    Changed,
    Done,
    Enter,
    Farewell,
    Frame,
    Invited,
    Line,
    Make,
    Moved,
    NoteAccount,
    Push,
    QueryArgs,
    Relabel,
    Rename,
    Sync,
    Told,
    ToPlace,
    fetch_of,
    lines_of,
)
from bluebear.server.link.places import Place, Places
from bluebear.server.link.relay import Relay
from bluebear.server.link.values import pack_act
from bluebear.server.link.wire import Link
from bluebear.server.observe import count, log
from bluebear.server.rooms.access import NodeStats, RoomQuery, RoomStatus
from bluebear.server.rooms.correspondence import rooms_to_tell
from bluebear.server.rooms.house_bots import BotAssignment, BotDispatcher
from bluebear.server.rooms.lines import Deduplicator
from bluebear.server.rooms.members import MemberConnection
from bluebear.server.store import Store
from bluebear.server.store.nodes import Nodes
from bluebear.server.tasks import Tasks
from bluebear.server.tokens import FreshBytes


class Outward:
    """Owned by the node; the `Ends` of all its links to engines.

    `changed` and `invited` are told what engines say to all edges, `fetch` looks up for them.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        fresh: FreshBytes,
        nodes: Nodes,
        own: str,
        finder: Finder,
        tasks: Tasks,
    ) -> None:
        self.house = BotDispatcher(fresh)
        """Nobody's: bots of the house come to their engine by themselves."""
        self.changed: Callable[[object], None] = _nothing
        self.invited: Callable[[str, str, str], None] = _nobody
        self.fetch: Callable[[Sources, str], Coroutine[Any, Any, Offers]] = _no_look_ups
        self._store = store
        self._clock = clock
        self._start = tasks.start
        self._repeats = Deduplicator(store, tasks, self)
        self._places = Places(finder, tasks, partial(self._repeats.look_up, go_in=False))
        self.calls = Calls({"fetch": self._fetched, "passed": self._passed}, tasks)
        self.finder = finder
        self.relay = Relay(nodes, own, finder, self.calls, tasks)
        """The way to other edges."""

    # What the edge asks: lines and members.

    def line(
        self, client: MemberConnection, room: str, say_id: str, text: str, at: int | None
    ) -> None:
        """See `RoomAccess`."""
        place = self._places.of(_connection(client), room)
        if place is None:
            client.refuse(say_id, NotAllowed("not_in_room"))
        else:
            self._places.ask(place, Line(place.at, say_id, text, at))

    def enter(self, client: MemberConnection, act: EnterAct, say_id: str) -> None:
        """See `RoomAccess`."""
        place = self._places.go(_connection(client), act.room)
        frame = Enter(place.at, say_id, act.room, act.invite, act.password)
        self._places.ask(place, frame)

    def attach(self, client: MemberConnection, room: str) -> None:
        """See `RoomAccess`."""
        place = self._places.go(_connection(client), room)
        place.inside = True
        if place.link is not None:
            place.link.send(Attach(place.at, room))

    def leave(self, client: MemberConnection, room: str) -> None:
        """See `RoomAccess`."""
        place = self._places.of(_connection(client), room)
        if place is not None:
            self._places.leave(place)

    def sync(self, client: MemberConnection, room: str) -> None:
        """See `RoomAccess`."""
        place = self._places.of(_connection(client), room)
        if place is not None and place.link is not None:
            place.link.send(Sync(place.at))

    def relabel(self, client: MemberConnection, room: str) -> None:
        """See `RoomAccess`."""
        place = self._places.of(_connection(client), room)
        if place is not None and place.link is not None:
            self._places.introduce(place)
            place.link.send(Relabel(place.at))

    def rename(self, person: str, name: str, rooms: set[str]) -> None:
        """See `RoomAccess`."""
        for place in self._places.everywhere():
            if place.connection.person == person:
                self._places.introduce(place)
        for room in rooms:
            link = self._places.link_of(room)
            if link is not None:
                link.send(Rename(room, person, name))

    def note_account(self, person: str, rooms: set[str]) -> None:
        """See `RoomAccess`."""
        for place in self._places.everywhere():
            if place.connection.person == person:
                self._places.introduce(place)
        for room in rooms:
            link = self._places.link_of(room)
            if link is not None:
                link.send(NoteAccount(room, person))

    def version(self, client: MemberConnection, room: str) -> Version | None:
        """See `RoomAccess`: as of the last act that its engine has sent here."""
        place = self._places.of(_connection(client), room)
        return None if place is None or place.version is None else Version(place.version)

    def look_up(
        self, client: MemberConnection, say_id: str, otherwise: Error, *, go_in: bool
    ) -> None:
        """See `RoomAccess`."""
        self._repeats.look_up(client, say_id, otherwise, go_in=go_in)

    def number_of(self, client: MemberConnection, room: str) -> RoomNumber | None:
        """See `RepeatedRooms`."""
        return _connection(client).number_of(room)

    def version_of(self, client: MemberConnection, room: str, version: int) -> Version | None:
        """See `RepeatedRooms`: only the engine of the room can say."""
        return None

    def take_post(self, client: MemberConnection, post: BotAssignment) -> str | None:
        """See `RoomAccess`: no seat of the house is here."""
        return None

    async def new_room(self, client: MemberConnection, act: NewRoom, say_id: str) -> bool:
        """See `RoomAccess`."""
        place = self._places.make(_connection(client), Make(0, say_id, pack_act(act)))
        return False if place.made is None else await place.made

    async def lines(self, rooms: Collection[str]) -> Mapping[str, RoomLine]:
        """See `RoomAccess`: every engine says which of them it has."""
        asked = [self.calls.ask(link, "lines", list(rooms)) for link in self.finder.links]
        told = await asyncio.gather(*asked, return_exceptions=True)
        found: dict[str, RoomLine] = {}
        for each in told:
            if isinstance(each, bytes):
                found.update(lines_of(each))
            elif not isinstance(each, Refusal):
                raise each
        return found

    async def be_away(self, person: str, until: int) -> None:
        """See `RoomAccess`."""
        here = {place.room for place in self._places.everywhere()}
        for room in await rooms_to_tell(self._store, person, self._clock.now(), here):
            link = await self.finder.link_of(room)
            await self.calls.ask(link, "away", (room, person, until))

    async def save_all(self) -> int:
        """See `RoomAccess`."""
        asked = [self.calls.ask(link, "save_all", None) for link in self.finder.links]
        return sum([msgspec.msgpack.decode(await each, type=int) for each in asked])

    def shares(self) -> Sequence[tuple[str, Coroutine[Any, Any, NodeStats]]]:
        """See `RoomAccess`."""
        return [(name, self._share_of(link)) for name, link in self.finder.engines]

    async def _share_of(self, link: Link | None) -> NodeStats:
        if link is None:
            raise NotAllowed("not_saved")
        return msgspec.msgpack.decode(await self.calls.ask(link, "share", None), type=NodeStats)

    async def query(
        self, sent: RoomQuery, room: str = "", client: MemberConnection | None = None
    ) -> Any:  # Any: `sent.reply`
        """See `RoomAccess`."""
        place = None if client is None else self._places.inside(_connection(client), room)
        if place is not None:
            link: Link | None = _link(place)
        else:
            link = self._places.link_of(room) if room else self.finder.link_for(sent.key())
        if link is None:
            return None
        args = QueryArgs(type(sent).__name__, room, 0 if place is None else place.at, sent)
        told = await self.calls.ask(link, "query", args)
        return msgspec.msgpack.decode(told, type=sent.reply)

    async def status(self, room: str) -> RoomStatus | None:
        """See `RoomAccess`."""
        link = self._places.link_of(room)
        if link is None:
            return None
        told = await self.calls.ask(link, "status", room)
        return msgspec.msgpack.decode(told, type=RoomStatus | None)

    async def ask(self, client: MemberConnection, room: str, asked: Ask) -> None:
        """See `RoomAccess`: the engine answers by itself."""
        place = self._places.inside(_connection(client), room)
        self._places.question(place, asked)

    def stop(self) -> None:
        """The edge ends: who loses his room's engine by that does not look for it."""
        self._places.stopped = True

    # The ends of links.

    def opened(self, link: Link, node: str) -> None:
        """See `Ends`."""
        self.finder.opened(link, node)

    def ended(self, link: Link) -> None:
        """See `Ends`: its places look where their rooms are now."""
        count("links.broken")
        self.finder.ended(link)
        self.calls.broken(link)
        self._places.broken(link)

    def heard(self, link: Link, frame: Frame) -> None:
        """See `Ends`."""
        match frame:
            case Push(places=places, frame=body):
                self._places.push(link, places, body)
            # Before what is rarer: each is a question more for whatever stands below.
            case Done():
                self._places.told(link, frame)
            case Call():
                self.calls.called(link, frame)
            case Told():
                self.calls.told(link, frame)
            case Changed():
                self.changed(None)
            case Invited(guest=guest, host=host, room=room):
                self.invited(guest, host, room)
            case Farewell():
                self.finder.farewell(link)
                link.close()
            case Moved(room=room):
                self._places.moved(link, room)
            case _ if isinstance(frame, ToPlace):
                self._places.told(link, frame)
            case _:
                log(logging.ERROR, "an engine has said what edges say", frame=type(frame).__name__)
                link.close()

    async def _passed(self, link: Link, args: bytes) -> object:
        return await self.relay.passed(link, args)

    async def _fetched(self, link: Link, args: bytes) -> Offers:
        asked = fetch_of(args)
        return await self.fetch(asked.sources, asked.person)


def _connection(client: MemberConnection) -> Connection:
    if not isinstance(client, Connection):
        raise TypeError("places are of connections")
    return client


def _link(place: Place) -> Link:
    if place.link is None:
        raise NotAllowed("not_saved")
    return place.link


def _nothing(told: object) -> None:
    return None


def _nobody(guest: str, host: str, room: str) -> None:
    return None


async def _no_look_ups(sources: Sources, person: str) -> Offers:
    raise NotAllowed("not_saved")
