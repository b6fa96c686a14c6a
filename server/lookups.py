"""Fetches what lines need beyond their room: rows of rooms and people, and who is connected."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, Protocol

from rules.core.refusal import NotAllowed
from server.clock import Clock
from server.commands.needs import (
    Companion,
    Found,
    Listing,
    RatingList,
    RoomLine,
    TopAsked,
    Wanted,
)
from server.engine.summaries import line_of
from server.journal import JournalError, Page, RatingRow, Store, StreamId, Summary, Window
from server.limits import (
    EMPTY_ROOM_SECONDS,
    LISTING_SIZE,
    ONLINE_SHOWN,
    RATINGS_OF_ONE,
    TOKEN_DAYS,
    TOP_COUNTED,
)
from server.observe import log
from server.people.account import account_of
from server.people.lists import Kind, Lists
from server.room.state import Phase

ROOMS_OF_ONE: Final = 200
"""Rooms of one person that are looked at: more than the bounds on making and playing allow."""

_TOKEN_MS: Final = TOKEN_DAYS * 24 * 3600 * 1000
_RUNNING: Final = (Phase.PLAYING.value, Phase.PAUSED.value)


class Connected(Protocol):
    """Who is connected at this moment."""

    def named(self, key: str) -> tuple[str, str] | None:
        """Id and exact name of somebody by the key of his name."""

    def near(self, key: str) -> tuple[str, ...]:
        """Names that look like a key."""

    def some(self, count: int) -> tuple[tuple[str, str], ...]:
        """Ids and names of so many people, by name."""

    def company(self, person: str) -> tuple[Companion, list[str]] | None:
        """Somebody without his rooms, and the rooms that he is in, the latest first."""

    def __len__(self) -> int: ...


class LookUps:
    """Owned by the app.

    `fresh` puts in what a room in memory knows better than its row, `awake` is the line of a room
    in memory: of one with somebody in it.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        connected: Connected,
        fresh: Callable[[RoomLine], RoomLine],
        awake: Callable[[str], RoomLine | None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._connected = connected
        self._fresh = fresh
        self._awake = awake

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
            page = await self.page(wanted.rooms)
        mine: Iterable[Summary] = ()
        if wanted.mine:
            since = self._since()
            mine = await self._store.rooms_of(person, since=since, limit=ROOMS_OF_ONE)
        who, near = await self._person(wanted)
        lists = await self._lists(person) if wanted.lists else Lists()
        unwanted = who is not None and (await self._lists(who[0])).has(Kind.BLOCK, person)
        return Found(
            room=await self._room(wanted),
            person=who,
            rooms=self._lines(page.rows),
            total=page.total,
            mine=self._lines(mine),
            online=self._connected.some(ONLINE_SHOWN) if wanted.online else (),
            present=len(self._connected),
            near=near,
            company=self._company(wanted, who, lists, unwanted=unwanted),
            lists=lists,
            unwanted=unwanted,
            standings=await self._standings(wanted, who, person),
            top=await self._top(wanted.top, person),
        )

    async def _standings(
        self, wanted: Wanted, who: tuple[str, str] | None, person: str
    ) -> tuple[RatingRow, ...]:
        """How somebody stands: the one who was named, or whoever asks."""
        if not wanted.standings or (wanted.person and who is None):
            return ()
        whose = person if who is None else who[0]
        return tuple(await self._store.ratings_of(whose, RATINGS_OF_ONE))

    async def _top(self, asked: TopAsked | None, person: str) -> tuple[RatingList, ...]:
        if asked is None:
            return ()
        own = {
            row.seats: row
            for row in await self._store.ratings_of(person, RATINGS_OF_ONE)
            if row.game == asked.game
        }
        one = len(asked.seats) == 1
        return tuple(
            [await self._list(asked, seats, own.get(seats), counts=one) for seats in asked.seats]
        )

    async def _list(
        self, asked: TopAsked, seats: int, mine: RatingRow | None, *, counts: bool
    ) -> RatingList:
        """One list; where its own row stands is counted only if it is the only one."""
        store, game = self._store, asked.game
        rows = await store.ranked(game, seats, asked.first, asked.size)
        above, above_mine = 0, None
        if asked.first and rows:
            above = await store.better(game, seats, rows[0].row.score or 0, TOP_COUNTED)
        if counts and mine is not None and mine.score is not None:
            found = await store.better(game, seats, mine.score, TOP_COUNTED)
            above_mine = found if found < TOP_COUNTED else None
        return RatingList(seats, asked.first, tuple(rows), above, mine, above_mine)

    async def _lists(self, person: str) -> Lists:
        row = await self._store.person(person)
        return Lists() if row is None else account_of(row).lists

    def _company(
        self, wanted: Wanted, who: tuple[str, str] | None, lists: Lists, *, unwanted: bool
    ) -> tuple[Companion, ...]:
        """Who is connected, with his rooms: the one who is named, those on a list, or everybody.

        Whoever keeps the asker off is nowhere.
        """
        if wanted.lists:
            people = [each.id for each in lists.of(wanted.lists)]
        elif not wanted.company:
            return ()
        elif wanted.connected:
            people = [] if who is None else [who[0]]
        else:
            people = [person for person, _ in self._connected.some(ONLINE_SHOWN)]
        known = (each for each in map(self._connected.company, people) if each is not None)
        return tuple(
            replace(each, rooms=() if unwanted else tuple(filter(None, map(self._awake, rooms))))
            for each, rooms in known
        )

    async def page(self, listing: Listing) -> Page:
        """One page of the list of rooms. Raises NotRead."""
        window = Window(
            game=listing.game,
            phases=_RUNNING if listing.running else (),
            free=listing.free,
            since=self._since(),
            page=listing.page,
            size=LISTING_SIZE,
        )
        return await self._store.window(window)

    def line(self, row: Summary) -> RoomLine:
        """A row, with what the room in memory knows better."""
        return self._fresh(line_of(row))

    def _lines(self, rows: Iterable[Summary]) -> tuple[RoomLine, ...]:
        return tuple(map(self.line, rows))

    async def _room(self, wanted: Wanted) -> RoomLine | None:
        found: Summary | None = None
        if wanted.room:
            found = await self._store.room(StreamId(wanted.room))
        elif wanted.invite:
            found = await self._store.room_of_invite(wanted.invite)
        if found is None:
            return None
        line = self.line(found)
        closed = line.phase not in _RUNNING and not line.awake and line.at < self._since()
        return None if closed else line

    async def _person(self, wanted: Wanted) -> tuple[tuple[str, str] | None, tuple[str, ...]]:
        """Who has a name, and if nobody, who has a similar one."""
        if wanted.connected:
            found = self._connected.named(wanted.connected)
            return found, (() if found else self._connected.near(wanted.connected))
        if not wanted.person:
            return None, ()
        row = await self._store.person_named(wanted.person)
        is_old = row is not None and row.used + _TOKEN_MS < self._clock.now()
        if row is None or (is_old and not (wanted.standings and row.kept)):
            return None, self._connected.near(wanted.person)
        return (row.id, row.name), ()

    def _since(self) -> int:
        """Resting rooms in which nobody was for longer are closed."""
        return self._clock.now() - int(EMPTY_ROOM_SECONDS * 1000)
