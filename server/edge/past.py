"""What somebody may see of the past: records, replays, the log, and what is said of old games."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bluebear.protocol import Answer, Ask
from bluebear.protocol import Game as GameData
from bluebear.rules.core.record import Digested, Record, beginning, parse_record
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Eyes, Seat
from bluebear.server.commands.acts import ForkGame, LookBack
from bluebear.server.edge.connection import Connection
from bluebear.server.journal import JournalError, Store
from bluebear.server.lookback.course import Course
from bluebear.server.lookback.inside import Inside, Standing, look_at, number_in, station_at
from bluebear.server.lookback.lookback import LookBack as Courses
from bluebear.server.lookback.pages import STEPS_MAX, replay_page
from bluebear.server.lookback.slices import Slices
from bluebear.server.lookups import LookUps
from bluebear.server.net.rate_limits import Cost
from bluebear.server.observe import log
from bluebear.server.rooms.loading import FinishedGame, read_finished

RECORD_LINES_A_STEP: Final = 16
"""Lines of a running game's record that are put into words in the time of a step."""
RECORD_STEPS: Final = 50
"""What a finished game's record costs, which is only read and sent."""


@dataclass(frozen=True, slots=True)
class Past:
    """Owned by the app."""

    store: Store
    inside: Inside
    lookback: Courses
    game_data: Mapping[str, GameData]
    look_ups: LookUps

    # Records.

    async def record(self, connection: Connection, room: str, game_id: str) -> str:
        """The record of the room's game, or of a finished one that the asker may have.

        Raises NotAllowed: not_in_room, no_record, no_such_record, version_gap, not_saved, too_much.
        """
        standing = await self._standing(room)
        if standing is not None and game_id in ("", standing.game_id):
            self._take(connection, 1 + standing.entries // RECORD_LINES_A_STEP)
            return await self.inside.record(connection, room)
        if not game_id:
            raise NotAllowed("not_in_room")
        self._take(connection, RECORD_STEPS)
        return (await self.finished(connection, game_id)).text

    async def _standing(self, room: str) -> Standing | None:
        return await self.inside.standing(room) if room else None

    async def finished(self, connection: Connection, game_id: str) -> FinishedGame:
        """A finished game that somebody may look at. Raises NotAllowed: no_such_record, not_saved.

        A private room's game is for those who may know of the room.
        """
        found = await self._read(game_id)
        if found is None or not await self._may_have(connection, found):
            raise NotAllowed("no_such_record", given=game_id)
        return found

    async def _read(self, game_id: str) -> FinishedGame | None:
        try:
            return await read_finished(self.store, game_id)
        except JournalError as problem:
            log(logging.ERROR, "record not loaded", why=str(problem))
            raise NotAllowed("not_saved") from problem

    async def _may_have(self, connection: Connection, game: FinishedGame) -> bool:
        if not game.private:
            return True
        person = connection.person
        line = await self.look_ups.room(game.room, person)
        return line is not None and (person in line.admitted or line.of(person))

    async def about(self, game_id: str) -> dict[str, Any] | None:  # Any: a plain tree
        """What anybody may know of a finished game; None of one of a private room."""
        found = await self._read(game_id)
        if found is None or found.private:
            return None
        return {
            "game": found.game,
            "seats": list(found.names),
            "steps": found.steps,
            "ended": found.at,
        }

    # Replays.

    async def replay(self, connection: Connection, room: str, asked: Ask) -> Answer | None:
        """A page of a finished game; None: of the running one, and its room has answered.

        Raises NotAllowed: what `record` raises, and not_playing, too_much.
        """
        game_id, first = str(asked.args.get("id", "")), number_in(asked, "from", 0)
        if await self._is_inside(connection, room, game_id):
            await self.inside.ask(connection, room, asked)
            return None
        course, eyes = await self._course(connection, game_id)
        data = self.game_data.get(course.game.info.key)
        page = await replay_page(course, eyes, connection.lang, first, Slices())
        body = {**page, "hash": "" if data is None else data.hash}
        return Answer(id=asked.id, what=asked.what, body=body)

    async def _is_inside(self, connection: Connection, room: str, game_id: str) -> bool:
        """Whether it is the game of the room that is asked for; then the look at it is paid."""
        standing = await self._standing(room)
        if standing is None:
            return False
        if game_id and (standing.over or game_id != standing.game_id):
            return False
        self._take(connection, STEPS_MAX + standing.owed)
        return True

    async def _course(self, connection: Connection, game_id: str) -> tuple[Course, Eyes]:
        """The course of a finished game, and the eyes to look at it with: all of them."""
        if not game_id:
            raise NotAllowed("not_in_room")
        self._take(connection, STEPS_MAX)
        game = await self.finished(connection, game_id)
        if not self.lookback.has(game_id):
            self._take(connection, game.lines)
        course = await self.lookback.finished(parse_record(game.text), game.times)
        return course, frozenset(map(Seat, range(1, len(game.seats) + 1)))

    async def text(self, connection: Connection, room: str, act: LookBack) -> str:
        """A look back in words, for whoever typed that.

        Raises NotAllowed: what `replay` raises, no_replay, no_such_move.
        """
        game_id = act.game_id
        if act.what == "replay":
            game_id = await self.meant(connection, room, game_id)
        known, move = connection.replaying
        if await self._is_inside(connection, room, game_id):
            standing = await self._standing(room)
            at = move if standing is not None and known == standing.game_id else 0
            looked = await self.inside.look_back(connection, room, act, at)
        else:
            course, eyes = await self._course(connection, game_id)
            at = move if known == course.game_id else 0
            looked = await look_at(course, eyes, connection.lang, act, at)
        if looked.move is not None:
            connection.replaying = (looked.game_id, looked.move)
        return looked.text

    async def meant(self, connection: Connection, room: str, game_id: str) -> str:
        """Which game is meant: the one named, just over here, or stepped through.

        Raises NotAllowed (no_replay) if it is none.
        """
        if game_id:
            return game_id
        standing = await self._standing(room)
        if standing is not None and standing.over:
            return standing.game_id
        if connection.replaying[0]:
            return connection.replaying[0]
        raise NotAllowed("no_replay")

    def _take(self, connection: Connection, steps: int) -> None:
        """What a look back costs, in steps; NotAllowed (too_much) before anything is done."""
        connection.spend(Cost.STEPS, float(steps))

    # Forks.

    async def beginning(self, connection: Connection, act: ForkGame) -> tuple[FinishedGame, Record]:
        """A finished game, and its beginning up to a move, for a room in which it goes on.

        Raises NotAllowed: what `replay` raises, no_such_move, fork_running, fork_over.
        """
        for room in connection.rooms.values():
            standing = await self._standing(room)
            if standing is not None and standing.begun and not standing.over:
                if standing.game_id == act.game_id:
                    raise NotAllowed("fork_running", id=act.game_id)
        course, eyes = await self._course(connection, act.game_id)
        station = station_at(course, eyes, act.move)
        if course.game.result(station.state) is not None:
            raise NotAllowed("fork_over", move=act.move)
        game = await self.finished(connection, act.game_id)
        record = parse_record(game.text)
        lines = _lines_until(record, station.version)
        self._take(connection, lines)
        return game, beginning(record, lines, act.move)

    # The log.

    async def history(self, connection: Connection, room: str, asked: Ask) -> None:
        """Sentences of the room's log: the kept tail, or from a version on.

        Raises NotAllowed: not_in_room, too_much.
        """
        if "from" in asked.args:
            standing = await self._standing(room)
            if standing is None:
                raise NotAllowed("not_in_room")
            if standing.begun:
                self._take(connection, STEPS_MAX + standing.owed)
        await self.inside.ask(connection, room, asked)


def _lines_until(record: Record, steps: int) -> int:
    """How many lines of a record lead to its step of this number: digests are none."""
    ends = [n for n, line in enumerate(record.lines, 1) if not isinstance(line, Digested)]
    return ends[steps - 1] if steps else 0
