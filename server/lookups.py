"""Fetches what lines need beyond their room: rows of rooms and people, and who is connected."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, wraps
from typing import Any, Final, ParamSpec, TypeVar

from bluebear.rules.core.lessons import lessons_of
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.cluster.attendance import OnlinePeople
from bluebear.server.commands.scene import Companion, Listing, Offers, RoomLine, Source, Sources
from bluebear.server.limits import (
    EMPTY_ROOM_SECONDS,
    LISTING_SIZE,
    ONLINE_SHOWN,
    PAGES_RETRY_MS,
    PAGES_WAITED_FOR,
)
from bluebear.server.net.pages import pack_json
from bluebear.server.people.account import Kind, account_of
from bluebear.server.people.people import People
from bluebear.server.room.options import option_labels, options_for
from bluebear.server.room.state import Phase
from bluebear.server.rooms.active_room import Resources
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.loading import FinishedGame, about_room, line_of, read_finished, row_of
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.runtime import Clock, log, token_hash
from bluebear.server.store import JournalError, Page, Store, StreamId, Summary, Window, rooms

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
"""A row like that of a private room, which no one else may know of."""

ROOMS_OF_ONE: Final = 200
"""Rooms of one person that are looked at: more than the bounds on making and playing allow."""

_RUNNING: Final = (Phase.PLAYING.value, Phase.PAUSED.value)


_P = ParamSpec("_P")
_T = TypeVar("_T")
_Read = Callable[_P, Coroutine[Any, Any, _T]]


def _read(method: _Read[_P, _T]) -> _Read[_P, _T]:
    """Raises NotAllowed (not_saved) where the store does not answer."""

    @wraps(method)
    async def read(*args: _P.args, **options: _P.kwargs) -> _T:
        try:
            return await method(*args, **options)
        except JournalError as problem:
            log(logging.ERROR, "not looked up", why=str(problem))
            raise NotAllowed("not_saved") from problem

    return read


class LookUps:
    """Reads what a server command needs; owned by the app. Raises NotAllowed (not_saved)."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        connected: OnlinePeople,
        people: People,
        rooms: RoomRegistry,
    ) -> None:
        self._store = store
        self._people = people
        self._clock = clock
        self._connected = connected
        self.rooms = rooms
        """Whose rooms in memory know better than their rows."""
        self._reading = asyncio.Lock()
        self._readers = 0

    async def offers(self, sources: Sources, person: str) -> Offers:
        """What the candidates of arguments rest on, for a person."""
        rooms: tuple[RoomLine, ...] = ()
        if Source.LISTED in sources:
            rooms, _ = await self.list_rooms(Listing())
        return Offers(
            online=await self.online() if Source.ONLINE in sources else (),
            my_rooms=await self.my_rooms(person) if Source.MY_ROOMS in sources else (),
            rooms=rooms,
        )

    # Rooms.

    @_read
    async def room(self, number: str, person: str) -> RoomLine | None:
        """The room with a number, unless it was guessed by a person who may not know of it.

        A number that no room has is judged like that of a hidden one, so both take as long.
        """
        row = await self._store.read(rooms.room, StreamId(number))
        is_visible = line_of(row or _NO_ROOM).is_visible_to(person)
        return await self._open(row if is_visible else None)

    @_read
    async def room_of_invite(self, hashed: str) -> RoomLine | None:
        """The room to which an invite leads, by the hash of its token."""
        return await self._open(await self._store.read(rooms.of_invite, hashed))

    async def _open(self, row: Summary | None) -> RoomLine | None:
        """A room unless it is closed."""
        if row is None:
            return None
        (line,) = await self.lines((row,))
        is_closed = line.phase not in _RUNNING and not line.awake and line.at < self._since()
        return None if is_closed else line

    @_read
    async def my_rooms(self, person: str) -> tuple[RoomLine, ...]:
        """The rooms in which a person has a seat or is the host, the newest first."""
        rows = await self._store.read(
            rooms.rooms_of, person, since=self._since(), limit=ROOMS_OF_ONE
        )
        return tuple(await self.lines(rows))

    @_read
    async def list_rooms(self, listing: Listing) -> tuple[tuple[RoomLine, ...], int]:
        """One page of the list of rooms, and how many rooms all pages have.

        NotAllowed (busy) where too many pages are waited for.
        """
        if self._readers >= PAGES_WAITED_FOR:
            raise NotAllowed("busy", retry_ms=PAGES_RETRY_MS)
        page = await self.page(listing)
        return tuple(await self.lines(page.rows)), page.total

    # People.

    @_read
    async def online(self) -> tuple[tuple[str, str], ...]:
        """Ids and names of those who are connected, by name, as many as are shown."""
        return await self._connected.some(ONLINE_SHOWN)

    @_read
    async def count_online(self) -> int:
        """How many people are connected."""
        return await self._connected.count()

    @_read
    async def find_connected(self, name: str) -> tuple[tuple[str, str] | None, tuple[str, ...]]:
        """Id and exact name of a connected person who has a name; else names that are similar."""
        match = await self._connected.named(name)
        return match, (() if match else await self._connected.near(name))

    @_read
    async def find_person(
        self, name: str, *, registered: bool = False
    ) -> tuple[tuple[str, str] | None, tuple[str, ...]]:
        """Id and exact name of who has a name, see `People.find`; else names that are similar."""
        row = await self._people.find(name, registered=registered)
        if row is None:
            return None, await self._connected.near(name)
        return (row.id, row.name), ()

    async def keeps_off(self, person: str, by: str) -> bool:
        """Whether a person has blocked another one."""
        row = await self._people.person(person)
        return row is not None and account_of(row).lists.has(Kind.BLOCK, by)

    @_read
    async def company(
        self, people: Sequence[str], *, with_rooms: bool = True
    ) -> tuple[Companion, ...]:
        """Those of some people who are connected, with the rooms that they are in."""
        there = await self._connected.company(people)
        ids = {each for _, rooms in there for each in rooms} if with_rooms else set()
        cached = dict(await self.rooms.lines(ids)) if ids else {}
        if far := ids.difference(cached):
            rows = await self._store.read(rooms.of_streams, map(StreamId, far))
            cached |= {str(row.stream): line_of(row) for row in rows}
        return tuple(replace(each, rooms=_those(rooms, cached)) for each, rooms in there)

    # Finished games.

    @_read
    async def finished_game(self, person: str, game_id: str) -> FinishedGame:
        """A finished game that a person may look at. Raises NotAllowed: no_such_record, not_saved.

        A private room's game is for people who may know of the room.
        """
        game = await read_finished(self._store, game_id)
        if game is not None and game.private:
            line = await self.room(game.room, person)
            if line is None or not (person in line.admitted or line.of(person)):
                game = None
        if game is None:
            raise NotAllowed("no_such_record", given=game_id)
        return game

    @_read
    async def about_finished(self, game_id: str) -> dict[str, Any] | None:  # Any: a plain tree
        """What the public may know of a finished game; None of one of a private room."""
        game = await read_finished(self._store, game_id)
        if game is None or game.private:
            return None
        seats = list(game.names)
        return {"game": game.game, "seats": seats, "steps": game.steps, "ended": game.at}

    def game_shown(self, connection: Connection, room: str) -> str:
        """The id of the game that is just over in a room, or stepped through.

        Raises NotAllowed (no_replay) if it is none.
        """
        live = self.rooms.room(room)
        if live is not None and live.is_over:
            return live.room.table.game_id
        if connection.replaying[0]:
            return connection.replaying[0]
        raise NotAllowed("no_replay")

    # Pages.

    async def page(self, listing: Listing) -> Page:
        """The rows of one page of the list of rooms. Raises NotRead.

        One at a time: people who turn many pages delay others who do, and no commit for longer than
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
                return await self._store.read(rooms.window, window)
        finally:
            self._readers -= 1

    async def lines(self, rows: Sequence[Summary]) -> list[RoomLine]:
        """Rows, with what the rooms in memory know better."""
        cached = await self.rooms.lines({str(row.stream) for row in rows}) if rows else {}
        return [_fresh(row, cached) for row in rows]

    def _since(self) -> int:
        """Resting rooms without people for longer are closed."""
        return self._clock.now() - int(EMPTY_ROOM_SECONDS * 1000)


def _fresh(row: Summary, cached: Mapping[str, RoomLine]) -> RoomLine:
    line = line_of(row)
    now = cached.get(row.stream)
    return line if now is None else replace(now, at=line.at)


def _those(rooms: Iterable[str], cached: Mapping[str, RoomLine]) -> tuple[RoomLine, ...]:
    return tuple(cached[room] for room in rooms if room in cached)


class PublicInfo:
    """Replies to `/about` paths; owned by the app. `tells` of rooms: no password is asked for."""

    def __init__(
        self,
        resources: Resources,
        look_ups: LookUps,
        *,
        tells: bool,
    ) -> None:
        self._resources = resources
        self._look_ups = look_ups
        self._tells = tells

    @property
    def public_url(self) -> str:
        """The address of this server, by now."""
        return self._resources.public_url

    async def about(self, path: str) -> bytes:
        """What is asked before there is a name: of the server, an invite, a room, an old game."""
        match path.split("/")[2:]:
            case []:
                return self._server_info
            case _ if not self._tells:
                # Where newcomers need a password, rooms are shown only to people who have given it.
                return pack_json(None)
            case ["invite", token]:
                is_by_number, search = False, self._look_ups.room_of_invite(token_hash(token))
            case ["room", number]:
                # By number only what is listed: numbers can be guessed, and here no tries count.
                is_by_number, search = True, self._look_ups.room(number, "")
            case ["game", game_id]:
                return pack_json(await self._game(game_id))
            case _:
                return pack_json(None)
        try:
            line = await search
        except NotAllowed:
            line = None
        if line is not None and is_by_number and not line.listed:
            line = None
        # null, not 404: to know nothing of a room is an answer like any other.
        return pack_json(None if line is None else about_room(line))

    async def _game(self, game_id: str) -> dict[str, Any] | None:  # Any: a plain tree
        try:
            return await self._look_ups.about_finished(game_id)
        except NotAllowed:
            return None

    @cached_property
    def _server_info(self) -> bytes:
        """Packed when the first browser asks: most servers of tests never meet one."""
        games = [
            {
                "key": game.info.key,
                "name": {"en": game.info.en, "ja": game.info.ja},
                "seats": {"min": game.info.min_seats, "max": game.info.max_seats},
                "minutes": game.info.minutes,
                "lessons": len(lessons_of(game.package)),
                "options": [option_labels(option) for option in options_for(game).values()],
            }
            for game in self._resources.games.values()
        ]
        return pack_json({"server": self._resources.version, "games": games})
