"""Keeps the records of games that are over, with the ratings that they change.

The ratings are stored in the commit of the record, each as the change that follows the one that is
there; where another game was quicker they are worked out anew. So a game counts once, and none is
lost, whatever dies when.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from bluebear.rules.core.game import Game
from bluebear.server.clock import Clock
from bluebear.server.commands.acts import Write
from bluebear.server.journal import (
    Append,
    Entry,
    NotRead,
    NotSaved,
    Outrun,
    RatingRow,
    Store,
    StreamId,
)
from bluebear.server.limits import DISK_RETRY_SECONDS
from bluebear.server.observe import count
from bluebear.server.people.rating import RatedGame, rated_facts, rows_after, standing_of
from bluebear.server.room.keeping import Rated
from bluebear.server.room.rating import rated_game
from bluebear.server.room.records import record_of
from bluebear.server.room.state import Room, links_of
from bluebear.server.rooms.loading import RECORD_PREFIX
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.rooms.timers import SERVER_ACTOR

_T = TypeVar("_T")
_PRIVATE: Final = "private"


class Recorder:
    """Owned by the engine."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        start: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._start = start

    def look(self, live: RoomActor) -> None:
        """Keep the record of a game that has ended; a second one of the same game is fenced off."""
        room, game = live.room, live.game
        if room.table.ending is None or live.recorded == room.table.game_id:
            return
        live.recorded = room.table.game_id
        if game is not None and room.head is not None:
            self._start(self._keep(live, room, game))

    async def _keep(
        self,
        live: RoomActor,
        room: Room,
        game: Game[Any],  # Any: each game has a state class of its own
    ) -> None:
        """Until the disk takes it, also where that is full for long; then tell of the ratings."""
        entry = self._entry(room, game)
        rated = rated_game(room, entry.at)
        rows: Sequence[RatingRow] = ()
        while True:
            if rated is not None:
                rows = rows_after(rated, await self._before(rated))
                entry = replace(entry, facts={**entry.facts, **rated_facts(rated, rows)})
            answer = (await self._store.append((Append(entry, ratings=tuple(rows)),)))[0]
            if isinstance(answer, Outrun):
                continue
            if not isinstance(answer, NotSaved):
                break
            count("journal.record_not_saved")
            await asyncio.sleep(DISK_RETRY_SECONDS)
        if rated is not None and rated.places and not live.closed:
            await self._tell(live, rated)

    def _entry(self, room: Room, game: Game[Any]) -> Entry:  # Any: as above
        table = room.table
        return Entry(
            stream=StreamId(RECORD_PREFIX + table.game_id),
            seq=1,
            actor="server",
            client_id="",
            lines=(record_of(room, game, frozenset()),),
            facts={
                "room": table.id,
                "private": table.privacy.value == _PRIVATE,
                "times": [link.at for link in links_of(room.recorded)],
            },
            at=self._clock.now(),
        )

    async def _before(self, game: RatedGame) -> dict[str, RatingRow | None]:
        """The rows that a game changes, as they are now."""
        return {
            person: await self._read(partial(self._store.rating, game.key(person)))
            for person in game.concerned
        }

    async def _read(self, read: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
        """What the disk says, as soon as it can say it."""
        while True:
            try:
                return await read()
            except NotRead:
                await asyncio.sleep(DISK_RETRY_SECONDS)

    async def _tell(self, live: RoomActor, game: RatedGame) -> None:
        """Tell the room what the game has made of the ratings, unless it knows."""
        known = await self._before(game)
        changes: list[list[int | str]] = []
        for seat, person in enumerate(game.players, 1):
            who = await self._read(partial(self._store.person, person))
            name = "?" if who is None else who.name
            changes += [
                [seat, name, recent.points, recent.change]
                for recent in standing_of(known[person]).recent
                if recent.game_id == game.id
            ]
        if len(changes) == len(game.players):
            write = Write.of(Rated(game.id), {"ratings": changes})
            live.act(SERVER_ACTOR, lambda: write)
