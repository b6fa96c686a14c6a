"""Keeps the courses that somebody has looked at lately; makes one at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from bluebear.rules.core.record import Record, RecordError
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.visibility import SPECTATOR
from bluebear.server.journal import JournalError, Store
from bluebear.server.lookback.course import Course
from bluebear.server.lookback.finished import finished_course
from bluebear.server.lookback.running import RunningCourse
from bluebear.server.lookback.slices import Slices
from bluebear.server.observe import LOG, count, log
from bluebear.server.room.fold_context import Games, version_of
from bluebear.server.room.state import Room, versions_for

_KEPT: Final = 8
"""Courses of each kind in memory, if they are short."""
_STATIONS_KEPT: Final = 10_000
"""The stations of all of them: some 4 KiB each, since states share what did not change."""

C = TypeVar("C", RunningCourse, Course)


class LookBack:
    """Owned by the app."""

    def __init__(self, store: Store, games: Games) -> None:
        self._store = store
        self._games = games
        self._running: dict[str, RunningCourse] = {}
        self._finished: dict[str, Course] = {}
        self._turn = asyncio.Lock()

    def owed(self, room: Room) -> int:
        """How many entries have to be folded before the course of a room's game can be shown.

        As spectators count, since whoever pays for them learns the number.
        """
        known, seen = self._running.get(room.table.game_id), versions_for(room, SPECTATOR)
        return max(0, seen(room.version) - (0 if known is None else seen(known.version)))

    async def running(self, room: Room) -> Course:
        """The course of the game that a room plays, up to this version of it.

        Raises NotAllowed: not_playing, version_gap (other rules than it was begun with), not_saved.
        """
        game_id = room.table.game_id
        if room.game is None:
            raise NotAllowed("not_playing")
        async with self._turn:
            # Taken out, so that one that has failed halfway is not looked at again.
            found = self._running.pop(game_id, None) or RunningCourse(self._games, room)
            await self._follow(found, room)
            _keep(self._running, game_id, found)
        return found.course.until(room.version)

    async def _follow(self, course: RunningCourse, room: Room) -> None:
        try:
            await course.follow(self._store, room, Slices())
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
            found = self._finished.pop(head.id, None)
            try:
                found = found or await finished_course(game, record, times, Slices())
            except RecordError as problem:
                log(logging.ERROR, "record not played", game=head.id, why=str(problem))
                raise NotAllowed("version_gap", given=head.game) from problem
            except Exception as bug:  # the boundary: as above
                raise _broken(bug, head.id) from bug
            _keep(self._finished, head.id, found)
        return found


def _broken(bug: Exception, game_id: str) -> NotAllowed:
    LOG.error("bug", exc_info=bug, extra={"fields": {"game": game_id}})
    count("bugs")
    return NotAllowed("internal", reference=game_id)


def _keep(courses: dict[str, C], game_id: str, course: C) -> None:
    """Put a course in, the newest last; those that nobody has looked at for longest go."""
    courses[game_id] = course
    while len(courses) > 1 and (len(courses) > _KEPT or _stations(courses) > _STATIONS_KEPT):
        del courses[next(iter(courses))]


def _stations(courses: Mapping[str, RunningCourse | Course]) -> int:
    return sum(each.length for each in courses.values())
