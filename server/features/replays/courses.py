"""The courses of games, made from journals and from records; the newest few are kept."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Final, TypeVar

from bluebear.rules.core.record import Record, RecordError
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.visibility import SPECTATOR
from bluebear.server.features.replays.course import Course, Station, finished_course
from bluebear.server.room.fold_context import Games, game_of, version_of
from bluebear.server.room.reducer import fold
from bluebear.server.room.snapshot import load_room
from bluebear.server.room.state import Room, versions_for
from bluebear.server.runtime import log, log_bug
from bluebear.server.store import Entry, JournalError, Store, StreamId, streams

_MAX_COURSES: Final = 8
"""Courses of each kind in memory, if they are short."""
_MAX_STATIONS: Final = 10_000
"""The stations of all of them: some 4 KiB each, since states share what did not change."""


class RunningCourse(Course):
    """Follows one room through one game; it can be taken further as the game goes on.

    Owned by `Courses`, which lets one task at a time take it further.
    """

    def __init__(self, games: Games, room: Room) -> None:
        game = game_of(games, room)
        if game is None:
            raise NotAllowed("version_gap", given=room.table.game)
        super().__init__(game, room.table.game_id)
        self._games = games
        self._stream = StreamId(room.table.id)
        self._room: Room | None = None

    @property
    def version(self) -> int:
        """How far the journal was followed."""
        return 0 if self._room is None else self._room.version

    async def follow(self, store: Store, now: Room) -> None:
        """Follow the journal up to a version of the room.

        Raises NotRead, and NotAllowed (version_gap) where the rules are others than they were.
        """
        if self._room is None:
            self._room = await self._nearest(store, now)
        if self.version >= now.version:
            return
        for entry in await store.read(streams.load, self._stream, self.version):
            if entry.seq > now.version:
                return
            self._add(entry)
            await asyncio.sleep(0)

    async def _nearest(self, store: Store, now: Room) -> Room | None:
        """The room of the newest snapshot, if that was taken before the game began."""
        chain = now.recorded
        began = 0
        while chain is not None:
            began, chain = chain.version, chain.before
        newest = await store.read(streams.snapshot, self._stream)
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
            raise NotAllowed("version_gap", given=self.game.info.key)
        self._room = folded.room
        if folded.room.game is not None and folded.room.table.game_id == self.game_id:
            room, table, game = folded.room, folded.changes.table, folded.changes.game
            made = Station(entry.seq, entry.at, room.table, room.game, folded.events)
            if self.stations:
                made = made.changing(table.public, game.public, game.private, room.quiet)
            self.stations.append(made)


C = TypeVar("C", bound=Course)


class Courses:
    """The courses that were looked at lately; makes one at a time."""

    def __init__(self, store: Store, games: Games) -> None:
        self._store = store
        self._games = games
        self._running: dict[str, RunningCourse] = {}
        self._finished: dict[str, Course] = {}
        self._turn = asyncio.Lock()

    def owed(self, room: Room) -> int:
        """How many entries have to be folded before the course of a room's game can be shown.

        As spectators count, since the person who pays for them learns the number.
        """
        cached, seen = self._running.get(room.table.game_id), versions_for(room, SPECTATOR)
        return max(0, seen(room.version) - (0 if cached is None else seen(cached.version)))

    async def running(self, room: Room) -> Course:
        """The course of the game that a room plays, up to this version of it.

        Raises NotAllowed: not_playing, version_gap (other rules than it was begun with), not_saved.
        """
        game_id = room.table.game_id
        if room.game is None or room.table.lesson is not None:
            raise NotAllowed("not_playing")
        async with self._turn:
            # Taken out, so that one that has failed halfway is not looked at again.
            result = self._running.pop(game_id, None) or RunningCourse(self._games, room)
            await self._follow(result, room)
            _keep(self._running, game_id, result)
        return result.until(room.version)

    async def _follow(self, course: RunningCourse, room: Room) -> None:
        try:
            await course.follow(self._store, room)
        except JournalError as problem:
            log(logging.ERROR, "course not loaded", why=str(problem))
            raise NotAllowed("not_saved") from problem
        except Refusal as refusal:
            log(logging.ERROR, "course not folded", room=room.table.id, why=refusal.code)
            raise NotAllowed("version_gap", given=room.table.game) from refusal
        except Exception as bug:  # the boundary: rules that fail on an old entry are one trouble
            raise _broken(bug, room.table.game_id) from bug

    def has(self, game_id: str) -> bool:
        """Whether the course of a finished game is in memory."""
        return game_id in self._finished

    async def finished(self, record: Record, times: Sequence[int]) -> Course:
        """The course of a finished game; `times` are those of the record's lines, in ms.

        Raises NotAllowed (version_gap): the server has no such game, or other rules for it.
        """
        head = record.head
        game = version_of(self._games, head.game, head.rules)
        if game is None:
            raise NotAllowed("version_gap", given=head.game)
        async with self._turn:
            result = self._finished.pop(head.id, None)
            try:
                result = result or await finished_course(game, record, times)
            except RecordError as problem:
                log(logging.ERROR, "record not played", game=head.id, why=str(problem))
                raise NotAllowed("version_gap", given=head.game) from problem
            except Exception as bug:  # the boundary: as above
                raise _broken(bug, head.id) from bug
            _keep(self._finished, head.id, result)
        return result


def _broken(bug: Exception, game_id: str) -> NotAllowed:
    log_bug(bug, game=game_id)
    return NotAllowed("internal", reference=game_id)


def _keep(courses: dict[str, C], game_id: str, course: C) -> None:
    """Put a course in, the newest last; those not looked at for longest go."""
    courses[game_id] = course
    while len(courses) > 1 and (
        len(courses) > _MAX_COURSES
        or sum(len(e.stations) for e in courses.values()) > _MAX_STATIONS
    ):
        del courses[next(iter(courses))]
