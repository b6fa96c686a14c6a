"""Fetches what lines need beyond their room: rows of rooms and people, and who is connected."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.clock import Clock
from bluebear.server.commands.needs import Companion, Found, Listing, RoomLine, Wanted
from bluebear.server.journal import JournalError, Page, Store, StreamId, Summary, Window
from bluebear.server.limits import (
    EMPTY_ROOM_SECONDS,
    LISTING_SIZE,
    ONLINE_SHOWN,
    PAGES_RETRY_MS,
    PAGES_WAITED_FOR,
    TOKEN_DAYS,
)
from bluebear.server.observe import log
from bluebear.server.people.account import account_of
from bluebear.server.people.lists import Kind, Lists
from bluebear.server.people.names import name_key
from bluebear.server.room.state import Phase
from bluebear.server.rooms.summary_rows import line_of, row_of

_NO_ROOM: Final = row_of(
    RoomLine(
        id=StreamId("0"),
        game="manhattan",
        phase=Phase.OPEN.value,
        listed=False,
        private=True,
        locked=False,
        names=("Ayu",),
        persons=("0",),
        turn=(),
        free=3,
        host_person="0",
        admitted=frozenset("0"),
        banned=frozenset(),
        invites=frozenset(),
        watch="all",
        at=0,
    ),
    1,
    None,
)
"""A row like that of a private room, which nobody may know of."""

ROOMS_OF_ONE: Final = 200
"""Rooms of one person that are looked at: more than the bounds on making and playing allow."""

_TOKEN_MS: Final = TOKEN_DAYS * 24 * 3600 * 1000
_RUNNING: Final = (Phase.PLAYING.value, Phase.PAUSED.value)


class Connected(Protocol):
    """Who is connected at this moment."""

    async def named(self, name: str) -> tuple[str, str] | None:
        """Id and exact name of somebody whose name this is, or looks like it. Raises NotRead."""

    async def near(self, name: str) -> tuple[str, ...]:
        """Names that are similar to one."""

    async def some(self, limit: int) -> tuple[tuple[str, str], ...]:
        """Ids and names of up to so many people, by name."""

    async def count(self) -> int:
        """How many people there are."""

    async def company(self, people: Sequence[str]) -> list[tuple[Companion, list[str]]]:
        """Those of some who are there, without their rooms; and the rooms, the latest first."""


InMemory = Callable[[Collection[str]], Coroutine[Any, Any, Mapping[str, RoomLine]]]
"""The lines of those rooms, by id, that are in memory: they know better than their rows."""


class LookUps:
    """Owned by the app."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        connected: Connected,
        in_memory: InMemory,
    ) -> None:
        self._store = store
        self._clock = clock
        self._connected = connected
        self._in_memory = in_memory
        self._reading = asyncio.Lock()
        self._readers = 0

    async def fetch(self, wanted: Wanted, person: str) -> Found:
        """What was wanted by somebody. Raises NotAllowed (not_saved) if the disk cannot say."""
        try:
            return await self._fetch(wanted, person)
        except JournalError as problem:
            log(logging.ERROR, "not looked up", why=str(problem))
            raise NotAllowed("not_saved") from problem

    async def _fetch(self, wanted: Wanted, person: str) -> Found:
        page = Page((), 0)
        if wanted.rooms is not None:
            if self._readers >= PAGES_WAITED_FOR:
                raise NotAllowed("busy", retry_ms=PAGES_RETRY_MS)
            page = await self.page(wanted.rooms)
        mine: Sequence[Summary] = ()
        if wanted.mine:
            since = self._since()
            mine = await self._store.rooms_of(person, since=since, limit=ROOMS_OF_ONE)
        who, near = await self._person(wanted)
        unwanted = who is not None and (await self._lists(who[0])).has(Kind.BLOCK, person)
        named = await self._room(wanted, person)
        company = await self._company(wanted, who)
        rows = [*page.rows, *mine, *([] if named is None else [named])]
        ids = {str(row.stream) for row in rows}.union(*(rooms for _, rooms in company))
        known = await self._in_memory(ids) if ids else {}
        return Found(
            room=None if named is None else self._unless_closed(_fresh(named, known)),
            person=who,
            rooms=tuple(_fresh(row, known) for row in page.rows),
            total=page.total,
            mine=tuple(_fresh(row, known) for row in mine),
            online=await self._connected.some(ONLINE_SHOWN) if wanted.online else (),
            present=await self._connected.count() if wanted.online or wanted.company else 0,
            near=near,
            company=tuple(
                replace(each, rooms=() if unwanted else _those(rooms, known))
                for each, rooms in company
            ),
            unwanted=unwanted,
        )

    async def _lists(self, person: str) -> Lists:
        row = await self._store.person(person)
        return Lists() if row is None else account_of(row).lists

    async def _company(
        self, wanted: Wanted, who: tuple[str, str] | None
    ) -> list[tuple[Companion, list[str]]]:
        """Who is connected, with the ids of their rooms: the one who is named, or all."""
        if not wanted.company:
            return []
        elif wanted.connected:
            people = [] if who is None else [who[0]]
        else:
            people = [person for person, _ in await self._connected.some(ONLINE_SHOWN)]
        return await self._connected.company(people)

    async def names_online(self, people: Sequence[str]) -> Mapping[str, str]:
        """The names of those of some people who are connected, by their ids."""
        return {each.person: each.name for each, _ in await self._connected.company(people)}

    async def page(self, listing: Listing) -> Page:
        """One page of the list of rooms. Raises NotRead.

        One at a time: whoever turns many pages delays others who do, and no commit for longer than
        a page takes.
        """
        window = Window(
            game=listing.game,
            phases=_RUNNING if listing.running else (),
            free=listing.free,
            since=self._since(),
            page=listing.page,
            size=LISTING_SIZE,
        )
        self._readers += 1
        try:
            async with self._reading:
                return await self._store.window(window)
        finally:
            self._readers -= 1

    async def lines(self, rows: Sequence[Summary]) -> list[RoomLine]:
        """Rows, with what the rooms in memory know better."""
        known = await self._in_memory({str(row.stream) for row in rows}) if rows else {}
        return [_fresh(row, known) for row in rows]

    async def _room(self, wanted: Wanted, person: str) -> Summary | None:
        """The room that is named, unless it was guessed by who may not know of it.

        A number that no room has is judged like that of a hidden one, so both take as long.
        """
        if wanted.room:
            row = await self._store.room(StreamId(wanted.room))
            line = line_of(row or _NO_ROOM)
            return row if line.is_known_to(person) else None
        if wanted.invite:
            return await self._store.room_of_invite(wanted.invite)
        return None

    def _unless_closed(self, line: RoomLine) -> RoomLine | None:
        closed = line.phase not in _RUNNING and not line.awake and line.at < self._since()
        return None if closed else line

    async def find_person(
        self, name: str, *, registered: bool = False
    ) -> tuple[tuple[str, str] | None, tuple[str, ...]]:
        """Id and exact name of who has a name; if there is none, names that are similar.

        A name that was not used for long is free again, unless `registered` ones are asked for.
        """
        row = await self._store.person_named(name_key(name))
        is_old = row is not None and row.used + _TOKEN_MS < self._clock.now()
        if row is None or (is_old and not (registered and row.kept)):
            return None, await self._connected.near(name)
        return (row.id, row.name), ()

    async def find_connected(self, name: str) -> tuple[tuple[str, str] | None, tuple[str, ...]]:
        """Id and exact name of a connected person who has a name; else names that are similar."""
        found = await self._connected.named(name)
        return found, (() if found else await self._connected.near(name))

    async def _person(self, wanted: Wanted) -> tuple[tuple[str, str] | None, tuple[str, ...]]:
        """Who has a name, and if nobody, who has a similar one."""
        if wanted.connected:
            return await self.find_connected(wanted.connected)
        return await self.find_person(wanted.person) if wanted.person else (None, ())

    def _since(self) -> int:
        """Resting rooms in which nobody was for longer are closed."""
        return self._clock.now() - int(EMPTY_ROOM_SECONDS * 1000)


def _fresh(row: Summary, known: Mapping[str, RoomLine]) -> RoomLine:
    line = line_of(row)
    now = known.get(row.stream)
    return line if now is None else replace(now, at=line.at)


def _those(rooms: Iterable[str], known: Mapping[str, RoomLine]) -> tuple[RoomLine, ...]:
    return tuple(known[room] for room in rooms if room in known)
