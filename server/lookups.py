"""Fetches what lines need beyond their room: rows of rooms and people, and who is connected.

`RoomMaker` makes rooms for people who have not too many of them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Concatenate, Final, NoReturn, ParamSpec, TypedDict, TypeVar
from weakref import WeakValueDictionary

from msgspec.structs import replace

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.suggest import nearest
from bluebear.server import limits
from bluebear.server.cluster.peers import Peers
from bluebear.server.cluster.presence import Presence
from bluebear.server.commands.acts import NewRoom
from bluebear.server.commands.scene import Companion, Offers, RoomLine, Source, Sources
from bluebear.server.net.rate_limits import Cost
from bluebear.server.people.account import Kind, account_of
from bluebear.server.people.audit import Audit
from bluebear.server.people.names import name_key
from bluebear.server.people.people import People, needs_store
from bluebear.server.room.options import GameEntry, OptionNames
from bluebear.server.room.state import Phase
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.loading import FinishedGame, line_of, read_finished, row_of
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.runtime import Clock, log
from bluebear.server.store import (
    RESTING,
    JournalError,
    Page,
    Store,
    StreamId,
    Summary,
    Window,
    leases,
    people,
    rooms,
)

FRESH_SECONDS: Final = 2.0
"""So long what the store says of who is there is good enough for a list of names."""

_NO_ROOM: Final = row_of(
    RoomLine(
        *(StreamId("0"), "manhattan", Phase.OPEN.value),
        private=True,
        names=("Ayu",),
        persons=("0",),
        free=3,
        host_person="0",
        admitted=frozenset("0"),
    ),
    1,
    None,
)
"""A row like that of a private room, which no one else may know of."""

ROOMS_OF_ONE: Final = 200
"""Rooms of one person that are looked at: more than the bounds on making and playing allow."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


class GameLink(TypedDict):
    """What the public may know of a finished game: when it `ended`, in ms since 1970."""

    game: str
    seats: tuple[str, ...]
    steps: int
    ended: int


class OfferedGame(GameEntry):
    """A game of this server; the names of its options with those that every room has."""

    lessons: int
    options: list[OptionNames]


class ServerInfo(TypedDict):
    """What the public may know of the server: its version and its games."""

    server: str
    games: list[OfferedGame]


class LookUps:
    """Reads what a server command needs; owned by the app. Raises NotAllowed (not_saved)."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        presence: Presence,
        peers: Peers,
        people: People,
        rooms: RoomRegistry,
    ) -> None:
        self._store = store
        self._people = people
        self._clock = clock
        self._presence = presence
        self._peers = peers
        self.rooms = rooms
        """Whose rooms in memory know better than their rows."""
        self._reading = asyncio.Lock()
        self._readers = 0
        self._names: Sequence[tuple[str, str]] = ()
        """Ids and names of people at all nodes, as last read, and how many there are."""
        self._total = 0
        self._fresh_until = 0.0

    async def _read(
        self,
        query: Callable[Concatenate[Any, _P], _T],  # Any: a connection of the store
        *args: _P.args,
        **more: _P.kwargs,
    ) -> _T:
        with needs_store(logging.ERROR, "not looked up"):
            return await self._store.read(query, *args, **more)

    async def offers(self, sources: Sources, person: str) -> Offers:
        """What the candidates of arguments rest on, for a person."""
        rooms: tuple[RoomLine, ...] = ()
        if Source.LISTED in sources:
            rooms, _ = await self.list_rooms(Window())
        return Offers(
            online=await self.online() if Source.ONLINE in sources else (),
            my_rooms=await self.my_rooms(person) if Source.MY_ROOMS in sources else (),
            rooms=rooms,
        )

    # Rooms.

    async def room(self, number: str, person: str) -> RoomLine | None:
        """The room with a number, unless it was guessed by a person who may not know of it.

        A number that no room has is judged like that of a hidden one, so both take as long.
        """
        line = self.rooms.findable_line(number)
        if line is not None and line.is_visible_to(person):
            return line
        row = await self._read(rooms.room, StreamId(number))
        is_visible = line_of(row or _NO_ROOM).is_visible_to(person)
        return await self._open(row if is_visible else None)

    async def room_of_invite(self, hashed: str) -> RoomLine | None:
        """The room to which an invite leads, by the hash of its token."""
        return await self._open(await self._read(rooms.of_invite, hashed))

    async def _open(self, row: Summary | None) -> RoomLine | None:
        """A room unless it is closed."""
        if row is None:
            return None
        (line,) = await self.lines((row,))
        is_closed = line.phase in RESTING and not line.awake and line.at < self._since()
        return None if is_closed else line

    async def my_rooms(self, person: str) -> tuple[RoomLine, ...]:
        """The rooms in which a person has a seat or is the host, the newest first."""
        rows = await self._read(rooms.rooms_of, person, since=self._since(), limit=ROOMS_OF_ONE)
        return tuple(await self.lines(rows))

    async def list_rooms(self, window: Window) -> tuple[tuple[RoomLine, ...], int]:
        """One page of the list of rooms, and how many rooms all pages have.

        NotAllowed (busy) where too many pages are waited for.
        """
        if self._readers >= limits.PAGES_WAITED_FOR:
            raise NotAllowed("busy", retry_ms=limits.PAGES_RETRY_MS)
        page = await self.page(window)
        return tuple(await self.lines(page.rows)), page.total

    # People, at all nodes together.

    async def online(self) -> tuple[tuple[str, str], ...]:
        """Ids and names of those who are connected, by name, as many as are shown."""
        result = dict(self._presence.some(limits.ONLINE_SHOWN))
        await self._look()
        for person, name in self._names[: limits.ONLINE_SHOWN - len(result)]:
            result.setdefault(person, name)
        return tuple(sorted(result.items(), key=lambda each: each[1]))

    async def count_online(self) -> int:
        """How many people are connected."""
        await self._look()
        return max(self._total, len(self._presence))

    async def find_connected(self, name: str) -> tuple[str, str]:
        """Id and exact name of a connected person. Raises NotAllowed (no_such_person)."""
        match = self._presence.named(name)
        if match is None and self._peers.nodes is not None:
            row = await self._read(people.named, name_key(name))
            if row is not None and await self._peers.attendants([row.id]):
                match = row.id, row.name
        return match or await self._refuse(name)

    async def find_person(self, name: str, *, registered: bool = False) -> tuple[str, str]:
        """Id and exact name of who has a name, see `People.find`. Raises NotAllowed
        (no_such_person).
        """
        row = await self._people.find(name, registered=registered)
        return await self._refuse(name) if row is None else (row.id, row.name)

    async def _refuse(self, name: str) -> NoReturn:
        """Raises NotAllowed (no_such_person), with the similar names of who is connected."""
        await self._look()
        far = {name_key(called): called for _, called in self._names}
        near = (*self._presence.near(name), *map(far.__getitem__, nearest(name_key(name), far)))
        raise NotAllowed("no_such_person", given=name, candidates=tuple(dict.fromkeys(near)))

    async def _look(self) -> None:
        """Read who is at other nodes, if that was not done just now; names and a number."""
        nodes, now = self._peers.nodes, asyncio.get_running_loop().time()
        if nodes is None or now < self._fresh_until:
            return
        self._fresh_until = now + FRESH_SECONDS
        try:
            self._names, self._total = await nodes.read(leases.list_online, limits.ONLINE_SHOWN)
        except JournalError as problem:
            log(logging.WARNING, "presence not read", why=str(problem))

    async def keeps_off(self, person: str, by: str) -> bool:
        """Whether a person has blocked another one."""
        row = await self._people.person(person)
        return row is not None and account_of(row).lists.has(Kind.BLOCK, by)

    async def company(
        self, people: Sequence[str], *, with_rooms: bool = True
    ) -> tuple[Companion, ...]:
        """Those of some people who are connected, with the rooms that they are in."""
        here = (each for each in map(self._presence.company, people) if each is not None)
        there: dict[str, tuple[Companion, Sequence[str]]]
        there = {each.person: (each, rooms) for each, rooms in here}
        for _, name, row in await self._peers.attendants(people):
            companion = Companion(row.person, name, row.since, row.away), row.rooms
            there[row.person] = _both(*there.get(row.person, companion), row)
        ids = {each for _, rooms in there.values() for each in rooms} if with_rooms else set()
        cached = dict(await self.rooms.lines(ids)) if ids else {}
        if far := ids.difference(cached):
            rows = await self._read(rooms.of_streams, map(StreamId, far))
            cached |= {str(row.stream): line_of(row) for row in rows}
        connected = [there[person] for person in people if person in there]
        return tuple(
            replace(each, rooms=tuple(cached[room] for room in rooms if room in cached))
            for each, rooms in connected
        )

    # Finished games.

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

    async def about_finished(self, game_id: str) -> GameLink | None:
        """What the public may know of a finished game; None of one of a private room."""
        game = await read_finished(self._store, game_id)
        if game is None or game.private:
            return None
        return {"game": game.game, "seats": game.names, "steps": game.steps, "ended": game.at}

    def game_shown(self, connection: Connection, room: str) -> str:
        """The id of the game that was over last in a room, or is stepped through.

        Raises NotAllowed (no_replay) if it is none.
        """
        live = self.rooms.room(room)
        if live is not None and live.is_over:
            return live.room.table.game_id
        game_id = connection.replaying[0] or ("" if live is None else live.recorded)
        if game_id:
            return game_id
        raise NotAllowed("no_replay")

    # Pages.

    async def page(self, window: Window) -> Page:
        """The rows of one page of the list of rooms.

        One at a time: people who turn many pages delay others who do, and no commit for longer than
        a page takes.
        """
        self._readers += 1
        try:
            async with self._reading:
                return await self._read(rooms.window, replace(window, since=self._since()))
        finally:
            self._readers -= 1

    async def lines(self, rows: Sequence[Summary]) -> list[RoomLine]:
        """Rows, with what the rooms in memory know better."""
        cached = await self.rooms.lines({str(row.stream) for row in rows}) if rows else {}
        pairs = ((row, cached.get(row.stream)) for row in rows)
        return [line_of(row) if now is None else replace(now, at=row.at) for row, now in pairs]

    def _since(self) -> int:
        """Resting rooms without people for longer are closed."""
        return self._clock.now() - int(limits.EMPTY_ROOM_SECONDS * 1000)


def _both(
    one: Companion, rooms: Sequence[str], row: leases.Attendant
) -> tuple[Companion, Sequence[str]]:
    """A person as one node has them, and as the row of a node does."""
    away = one.away if one.away is not None else row.away
    both = replace(one, since=min(one.since, row.since), away=away)
    return both, list(dict.fromkeys((*rooms, *row.rooms)))


class RoomMaker:
    """Makes rooms for connections, within the bounds of a person and of an address.

    Owned by the app.
    """

    def __init__(self, rooms: RoomRegistry, look_ups: LookUps, audit: Audit, peers: Peers) -> None:
        self._rooms = rooms
        self._look_ups = look_ups
        self._audit = audit
        self._peers = peers
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def make(self, connection: Connection, act: NewRoom, say_id: str) -> bool:
        """Make a room and let its maker enter; whether there is one, else the refusal was sent.

        One at a time for each person, also across nodes, so that their rooms are counted exactly.
        """
        person = connection.person
        turn = self._turns.setdefault(person, asyncio.Lock())
        async with turn:
            try:
                self._audit.check_open()
                self._rooms.check_makes_rooms()
                async with self._peers.only_here(f"rooms {person}"):
                    check_may_make(person, await self._look_ups.my_rooms(person))
                    connection.spend(Cost.ROOM)
                    made = await self._rooms.new_room(connection, act, say_id)
                    if not made:
                        connection.refund(Cost.ROOM)
                    return made
            except Refusal as refusal:
                connection.refuse(say_id, refusal)
                return False


def check_may_make(person: str, rooms: Iterable[RoomLine]) -> None:
    """NotAllowed (too_many_rooms, too_many_games) if a person has too many rooms for one more."""
    fresh = running = 0
    for room in rooms:
        fresh += room.host_person == person and room.phase == Phase.OPEN
        running += person in room.persons and room.phase in (Phase.PLAYING, Phase.PAUSED)
    if fresh >= limits.ROOMS_OPEN_PER_PERSON:
        raise NotAllowed("too_many_rooms", most=limits.ROOMS_OPEN_PER_PERSON)
    if running >= limits.ROOMS_UNFINISHED_PER_PERSON:
        raise NotAllowed("too_many_games", most=limits.ROOMS_UNFINISHED_PER_PERSON)
