"""An engine's side of its links: the places of all edges, and what they want of its rooms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

import msgspec

from bluebear.protocol import MSGPACK, Ask, Code
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.commands.acts import Enter as EnterAct
from bluebear.server.commands.acts import NewRoom
from bluebear.server.commands.needs import Offers, Sources
from bluebear.server.link.calls import Calls
from bluebear.server.link.frames import (
    Answered,
    Attach,
    Call,
    Changed,
    Elsewhere,
    Enter,
    Farewell,
    FetchArgs,
    Frame,
    Invited,
    Known,
    Leave,
    Line,
    Made,
    Make,
    Moved,
    NoteAccount,
    QueryArgs,
    Question,
    Relabel,
    Rename,
    Sync,
    Told,
    offers_of,
)
from bluebear.server.link.member import Member
from bluebear.server.link.relay import Said
from bluebear.server.link.values import act_of
from bluebear.server.link.wire import Link
from bluebear.server.net.budget import Budgets
from bluebear.server.rooms.access import NodeStats, RoomStatus
from bluebear.server.rooms.leases import NotLeaseHolder
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.store import Summary
from bluebear.server.tasks import Tasks


class Inward:
    """Owned by the node; the `Ends` of all its links to edges."""

    def __init__(
        self,
        engine: RoomRegistry,
        share: Callable[[], NodeStats],
        tasks: Tasks,
        budgets: Budgets,
    ) -> None:
        self._budgets = budgets
        self._engine = engine
        self._share_here = share
        self._start = tasks.start
        self._places: dict[Link, dict[int, Member]] = {}
        self._edges: dict[str, Link] = {}
        """The links by the ids of their edges."""
        self._coming: dict[Member, list[Frame]] = {}
        """Places that go into a room which is being loaded, with what they want meanwhile."""
        self.giving = Giving(engine, self._tell)
        """By whom rooms go elsewhere."""
        self.calls = Calls(
            {
                "lines": self._lines,
                "status": self._status,
                "query": self._query,
                "away": self._away,
                "save_all": self._save_all,
                "share": self._share,
                "pass_on": self._pass_on,
            },
            tasks,
        )
        self.deposed = False

    @property
    def links(self) -> int:
        """How many edges are there."""
        return len(self._places)

    # The ends of links.

    def opened(self, link: Link, node: str) -> None:
        """See `Ends`."""
        if self.deposed:
            link.close()
            return
        self._places[link] = {}
        self._edges[node] = link

    def ended(self, link: Link) -> None:
        """See `Ends`: its members are gone, and come again by another one."""
        self.calls.broken(link)
        for node in [node for node, each in self._edges.items() if each is link]:
            del self._edges[node]
        for member in self._places.pop(link, {}).values():
            self._forget(member)

    def heard(self, link: Link, frame: Frame) -> None:
        """See `Ends`."""
        if self.deposed:
            return
        match frame:
            # Before what is rarer: each is a question more for whatever stands below.
            case Line():
                member = self._places[link].get(frame.place)
                if member is not None:
                    self._said(member, frame)
            case Known(place=place, number=number, who=who):
                member = self._places[link].get(place)
                if member is None:
                    made = Member(link, place, number, who, self._version_of, self._budgets)
                    self._places[link][place] = made
                else:
                    member.is_known(who)
            case Call():
                self.calls.called(link, frame)
            case Told():
                self.calls.told(link, frame)
            case Rename() | NoteAccount():
                self._told_of(frame)
            case Enter() | Make() | Attach() | Leave() | Sync() | Relabel() | Question():
                member = self._places[link].get(frame.place)
                if member is not None:
                    self._wanted(member, frame)
            case _:  # a farewell, or what no edge says
                link.close()

    def _told_of(self, frame: Rename | NoteAccount) -> None:
        """Somebody in a room is called otherwise, or has an account now."""
        if isinstance(frame, Rename):
            self._engine.rename(frame.person, frame.name, {frame.room})
        else:
            self._engine.note_account(frame.person, {frame.room})

    # Places.

    def _said(self, member: Member, line: Line) -> None:
        """A line, which waits where its member is still on its way in."""
        coming = self._coming.get(member)
        if coming is not None:
            coming.append(line)
        elif self._has(member):
            self._engine.line(member, member.room, line.say, line.text, line.at)

    def _wanted(self, member: Member, frame: Frame) -> None:
        if isinstance(frame, Line):
            self._said(member, frame)
            return
        coming = self._coming.get(member)
        if isinstance(frame, Leave):
            self._places[member.link].pop(member.place, None)
            self._forget(member, lost=not frame.went)
        elif coming is not None:
            coming.append(frame)
        elif isinstance(frame, Enter | Make | Attach):
            self._goes_in(member, frame)
        elif isinstance(frame, Question | Sync | Relabel):
            self._inside_it(member, frame)

    def _inside_it(self, member: Member, frame: Question | Sync | Relabel) -> None:
        """Something is wanted of the room that a member is in."""
        match frame:
            case Question(ask=ask):
                if self._has(member):
                    self._start(self._ask(member, ask))
            case Sync():
                self._engine.sync(member, member.room)
            case Relabel():
                self._engine.relabel(member, member.room)

    def _goes_in(self, member: Member, frame: Enter | Make | Attach) -> None:
        match frame:
            case Enter(say=say, room=room, invite=invite, password=password):
                if room in self.giving.moving:
                    member.link.send(Elsewhere(member.place, room))
                else:
                    self._engine.enter(member, EnterAct(room, invite, password), say)
            case Make(say=say, act=act):
                made = act_of(act)
                if isinstance(made, NewRoom):
                    self._start(self._make(member, made, say))
            case Attach(room=room, away=away):
                self._attach(member, room, away)

    def _has(self, member: Member) -> bool:
        """Whether the member's room is here; else it is told to go where it is.

        Lines for a room that moves wait at the edge, which hears when it has moved.
        """
        room = member.room
        if room in self.giving.moving:
            return False
        live = self._engine.room(room)
        if live is not None:
            return True
        member.link.send(Elsewhere(member.place, room))
        return False

    def _attach(self, member: Member, room: str, away: int | None) -> None:
        if room in self.giving.moving:
            member.link.send(Elsewhere(member.place, room))
            return
        live = self._engine.room(room)
        if live is not None and not live.closed:
            live.timer.was_here(away)
            live.attach(member)
        else:
            self._coming[member] = []
            self._start(self._load_and_attach(member, room, away))

    async def _load_and_attach(self, member: Member, room: str, away: int | None) -> None:
        try:
            live = await self._engine.load(room)
        except NotLeaseHolder:
            member.link.send(Elsewhere(member.place, room))
            self._coming.pop(member, None)
            return
        except Refusal as refusal:
            # The edge asks again; a room that is held back for ever has no members to begin with.
            known = refusal.code == Code.NOT_SAVED
            member.room = room
            if known:
                member.link.send(Elsewhere(member.place, room))
            else:
                member.left(member.number)
            self._coming.pop(member, None)
            return
        frames = self._coming.pop(member, [])
        if member.gone:
            return
        live.timer.was_here(away)
        live.attach(member)
        for frame in frames:
            self._wanted(member, frame)

    async def _make(self, member: Member, act: NewRoom, say: str) -> None:
        there = await self._engine.new_room(member, act, say)
        member.link.send(Made(member.place, there))

    async def _ask(self, member: Member, ask: bytes) -> None:
        asked = MSGPACK.decode_client(ask)
        if isinstance(asked, Ask):
            await self._engine.ask(member, member.room, asked)
            member.link.send(Answered(member.place, asked.id))

    def _forget(self, member: Member, *, lost: bool = True) -> None:
        member.gone, member.lost = True, lost
        self._coming.pop(member, None)
        if member.room:
            self._engine.leave(member, member.room)

    def _version_of(self, member: Member) -> int | None:
        return self._engine.version(member, member.room)

    # What edges ask.

    async def _lines(self, link: Link, args: bytes) -> object:
        return await self._engine.lines(msgspec.msgpack.decode(args, type=list[str]))

    async def _status(self, link: Link, args: bytes) -> RoomStatus | None:
        return await self._engine.status(msgspec.msgpack.decode(args, type=str))

    async def _query(self, link: Link, args: bytes) -> object:
        sent = msgspec.msgpack.decode(args, type=QueryArgs)
        kinds = {each.__name__: each for each in self._engine.hooks.queries}
        if sent.name not in kinds:
            # A later version asks for it; it goes on as if this process were not there.
            raise NotAllowed("not_saved")
        member = self._member(link, sent.place) if sent.place else None
        room = sent.room if member is None else member.room
        return await self._engine.query(msgspec.convert(sent.query, kinds[sent.name]), room, member)

    async def _away(self, link: Link, args: bytes) -> None:
        room, person, until = msgspec.msgpack.decode(args, type=tuple[str, str, int])
        await self._engine.due.be_away_in(room, person, until)

    async def _save_all(self, link: Link, args: bytes) -> int:
        return await self._engine.save_all()

    async def _share(self, link: Link, args: bytes) -> NodeStats:
        return self._share_here()

    async def _pass_on(self, link: Link, args: bytes) -> msgspec.Raw:
        """What one edge says to another one."""
        other = self._edges.get(msgspec.msgpack.decode(args, type=Said).to)
        if other is None:
            raise NotAllowed("not_saved")
        return msgspec.Raw(await self.calls.ask(other, "passed", msgspec.Raw(args)))

    def _member(self, link: Link, place: int) -> Member:
        member = self._places.get(link, {}).get(place)
        if member is None:
            raise NotAllowed("not_in_room")
        return member

    # What edges are told.

    def changed(self, row: Summary) -> None:
        """See `RoomListener`."""
        self._tell(Changed())

    def attended(self) -> None:
        """See `RoomListener`."""
        self._tell(Changed())

    def invited(self, guest: str, host: str, room: str) -> None:
        """Somebody was invited: the edge where he is tells him."""
        self._tell(Invited(guest, host, room))

    def _tell(self, frame: Frame) -> None:
        for link in self._places:
            link.send(frame)

    async def fetch(self, sources: Sources, person: str) -> Offers:
        """What an edge has looked up: edges know who is connected.

        Raises NotAllowed (not_saved) if there is none.
        """
        for link in self._places:
            return offers_of(await self.calls.ask(link, "fetch", FetchArgs(sources, person)))
        raise NotAllowed("not_saved")

    # Moving and ending.

    def cut(self) -> None:
        """Be nobody's owner any more: this engine says nothing, and hears nothing."""
        self.deposed = True
        for link in list(self._places):
            link.send(Farewell())
            link.close()


REST_SECONDS: Final = 0.02
"""Between two looks at a room that ends what it does before it moves."""
AT_ONCE: Final = 8
"""Rooms that move side by side: each waits for a commit, and holds the loop a little."""


class Keeper(Protocol):
    """Lets go of rooms; `carried` goes along with them."""

    async def hand_over(self, room: str, carried: bytes) -> bool:
        """Make the room another engine's; False: nobody takes it."""

    async def give_up(self, room: str, carried: bytes) -> bool:
        """Make the room nobody's; False: that could not be written."""


Give: TypeAlias = Callable[[str, bytes], Coroutine[Any, Any, bool]]


class Giving:
    """Owned by an engine's side of its links; `tell` tells all edges."""

    def __init__(self, engine: RoomRegistry, tell: Callable[[Moved], None]) -> None:
        self._engine = engine
        self._tell = tell
        self.moving: set[str] = set()
        """The rooms that are on their way; lines for them wait at the edges."""

    async def give_away(self, keeper: Keeper) -> None:
        """Hand all rooms over; each ends what it does before, and its members follow."""
        await self._let_go(keeper.hand_over)

    async def give_up(self, keeper: Keeper) -> None:
        """Let all rooms be nobody's."""
        await self._let_go(keeper.give_up)

    async def _let_go(self, give: Give) -> None:
        rooms = [room for room, live in self._engine.live.items() if live.exists]
        turns = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*map(partial(self._give, give, turns), rooms))

    async def _give(self, give: Give, turns: asyncio.Semaphore, room: str) -> None:
        async with turns:
            live = self._engine.room(room)
            if live is None or room in self.moving:
                return
            self.moving.add(room)
            try:
                # A room that told when it rests would do so after each line; few ever move.
                while not live.at_rest:  # noqa: ASYNC110
                    await asyncio.sleep(REST_SECONDS)
                await give(room, await self._engine.let_go(live))
            finally:
                self.moving.discard(room)
                self._tell(Moved(room))
