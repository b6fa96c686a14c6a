"""The course of the game that a room plays, or has just played: from its journal."""

from __future__ import annotations

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.journal import Entry, Store, StreamId
from bluebear.server.lookback.course import Course, Station
from bluebear.server.lookback.slices import Slices
from bluebear.server.room.fold_context import Folded, Games, game_of
from bluebear.server.room.reducer import fold
from bluebear.server.room.snapshot import load_room
from bluebear.server.room.state import Room


class RunningCourse:
    """Follows one room through one game; it can be taken further as the game goes on.

    Owned by a `LookBack`, which lets one task at a time take it further.
    """

    def __init__(self, games: Games, room: Room) -> None:
        game = game_of(games, room)
        if game is None:
            raise NotAllowed("version_gap", given=room.table.game)
        self.course = Course(game, room.table.game_id)
        self._games = games
        self._stream = StreamId(room.table.id)
        self._room: Room | None = None

    @property
    def version(self) -> int:
        """How far the journal was followed."""
        return 0 if self._room is None else self._room.version

    @property
    def length(self) -> int:
        """How many stations it has so far."""
        return self.course.length

    async def follow(self, store: Store, now: Room, slices: Slices) -> None:
        """Follow the journal up to a version of the room.

        Raises NotRead, and NotAllowed (version_gap) where the rules are others than they were.
        """
        if self._room is None:
            self._room = await self._nearest(store, now)
        for entry in await store.load(self._stream, self.version):
            if entry.seq > now.version:
                return
            self._add(entry)
            await slices.rest()

    async def _nearest(self, store: Store, now: Room) -> Room | None:
        """The room of the newest snapshot, if that was taken before the game began."""
        chain = now.recorded
        began = 0
        while chain is not None:
            began, chain = chain.version, chain.before
        newest = await store.snapshot(self._stream)
        if newest is None or newest.seq >= began:
            return None
        try:
            room = load_room(newest.body, self._games)
        except (KeyError, ValueError, TypeError):
            return None
        return room if room.game is None else None

    def _add(self, entry: Entry) -> None:
        folded = fold(self._room, entry, self._games)
        if entry.digest and folded.digest and entry.digest != folded.digest:
            raise NotAllowed("version_gap", given=self.course.game.info.key)
        self._room = folded.room
        if folded.room.game is not None and folded.room.table.game_id == self.course.game_id:
            self.course.stations.append(_station(entry, folded, first=not self.course.stations))


def _station(entry: Entry, folded: Folded, *, first: bool) -> Station:
    room, changes = folded.room, folded.changes
    if first:
        return Station(entry.seq, entry.at, room.table, room.game, folded.events)
    return Station(
        version=entry.seq,
        at=entry.at,
        table=room.table,
        state=room.game,
        events=folded.events,
        table_patch=changes.table.public,
        game_patch=changes.game.public,
        owns=changes.game.private,
        quiet=room.quiet,
    )
