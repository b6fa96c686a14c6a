"""What somebody may see of the past: records, replays, the log, and what is said of old games."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from protocol import Ask, Branch
from protocol import Game as GameData
from rules.core.record import Digested, Record, beginning, parse_record
from rules.core.refusal import NotAllowed
from rules.core.vision import SPECTATOR, Eyes, Seat
from server.commands.acts import ForkGame, LookBack
from server.commands.needs import Found, Wanted
from server.edge.bounds import Cost
from server.edge.budgets import Budgets, too_much
from server.edge.connection import Connection
from server.engine.engine import Engine
from server.engine.live import LiveRoom
from server.engine.loading import FinishedGame, read_finished
from server.journal import JournalError, Store
from server.lookback.course import Course
from server.lookback.lookback import LookBack as Courses
from server.lookback.pages import STEPS_MAX, history_page, replay_page
from server.lookback.slices import Slices
from server.lookback.texts import list_text, minutes_text, position_text
from server.observe import log
from server.room.log import logged_for
from server.room.records import record_of
from server.room.state import Origin, Room, versions_for
from server.sentences import event_lines


@dataclass(frozen=True, slots=True)
class Past:
    """Owned by the app."""

    store: Store
    engine: Engine
    lookback: Courses
    game_data: Mapping[str, GameData]
    fetch: Callable[[Wanted, str], Coroutine[Any, Any, Found]]
    budgets: Budgets

    # Records.

    async def record(self, connection: Connection, room_id: str, game_id: str) -> str:
        """The record of the room's game, or of a finished one that the asker may have.

        Raises NotAllowed: not_in_room, no_record, no_such_record, version_gap, not_saved.
        """
        live = self.engine.room(room_id)
        if live is not None and game_id in ("", live.room.table.game_id):
            if live.game is None:
                raise NotAllowed("version_gap", given=live.room.table.game)
            seat = live.room.seat_of(connection.person)
            return record_of(live.room, live.game, _eyes(seat))
        if not game_id:
            raise NotAllowed("not_in_room")
        return (await self._finished(connection, game_id)).text

    async def _finished(self, connection: Connection, game_id: str) -> FinishedGame:
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
        found = await self.fetch(Wanted(room=game.room), connection.person)
        line, person = found.room, connection.person
        return line is not None and (person in line.admitted or line.of(person))

    async def about(self, game_id: str) -> dict[str, Any] | None:  # Any: a plain tree
        """What anybody may know of a finished game; None of one of a private room."""
        found = await self._read(game_id)
        if found is None or found.private:
            return None
        return {
            "game": found.game,
            "seats": list(found.seats),
            "steps": found.steps,
            "ended": found.at,
        }

    # Replays.

    async def replay(self, connection: Connection, room_id: str, asked: Ask) -> Branch:
        """A page of the running game of the room, as the asker saw it, or of a finished one.

        Raises NotAllowed: what `record` raises, and not_playing, too_much.
        """
        game_id, first = str(asked.args.get("id", "")), _number(asked, "from", 0)
        course, eyes = await self._course(connection, room_id, game_id)
        data = self.game_data.get(course.game.info.key)
        page = await replay_page(course, eyes, connection.lang, first, Slices())
        return {**page, "hash": "" if data is None else data.hash}

    async def _course(
        self, connection: Connection, room_id: str, game_id: str
    ) -> tuple[Course, Eyes]:
        """The course of the room's game, or of a finished one, and the eyes to look at it with."""
        live = self.engine.room(room_id)
        runs = live is not None and live.room.table.ending is None
        if live is not None and (not game_id or (runs and game_id == live.room.table.game_id)):
            self._take(connection, STEPS_MAX + self.lookback.owed(live.room))
            course = await self.lookback.running(live.room)
            return course, _eyes_in(live, connection)
        if not game_id:
            raise NotAllowed("not_in_room")
        self._take(connection, STEPS_MAX)
        game = await self._finished(connection, game_id)
        if not self.lookback.has(game_id):
            self._take(connection, game.lines)
        course = await self.lookback.finished(parse_record(game.text), game.times)
        return course, frozenset(map(Seat, range(1, len(game.seats) + 1)))

    async def text(self, connection: Connection, room_id: str, act: LookBack) -> str:
        """A look back in words, for whoever typed that.

        Raises NotAllowed: what `replay` raises, no_replay, no_such_move.
        """
        lang, game_id = connection.lang, act.game_id
        if act.what == "replay":
            game_id = self._replayed(connection, room_id, game_id)
        course, eyes = await self._course(connection, room_id, game_id)
        if act.what == "minutes":
            first = int(act.move) if act.move.isdigit() else 0
            return await minutes_text(course, eyes, lang, first, Slices())
        if act.what == "history" and not act.move:
            return list_text(course, eyes, lang)
        steps = len(course.steps(eyes)) - 1
        known, at = connection.replaying
        move = _move_meant(act.move, at if known == course.game_id else 0, steps)
        connection.replaying = (course.game_id, move)
        return position_text(course, eyes, lang, move, steps)

    def _replayed(self, connection: Connection, room_id: str, game_id: str) -> str:
        """Which game is meant by `/replay`: the one named, just over here, or stepped through."""
        if game_id:
            return game_id
        live = self.engine.room(room_id)
        if live is not None and live.room.table.ending is not None:
            return live.room.table.game_id
        if connection.replaying[0]:
            return connection.replaying[0]
        raise NotAllowed("no_replay")

    def _take(self, connection: Connection, steps: int) -> None:
        """What a look back costs, in steps; NotAllowed (too_much) before anything is done."""
        now = asyncio.get_running_loop().time()
        wait = self.budgets.take(
            Cost.STEPS,
            now,
            address=connection.link.address,
            person=connection.person,
            amount=float(steps),
        )
        if wait:
            raise too_much(wait)

    # Forks.

    async def origin(self, connection: Connection, act: ForkGame) -> tuple[FinishedGame, Origin]:
        """A finished game, and its position after a move, for a room in which it goes on.

        Raises NotAllowed: what `replay` raises, no_such_move, fork_running, fork_over.
        """
        for room_id in connection.rooms.values():
            live = self.engine.room(room_id)
            if live is not None and live.room.table.game_id == act.game_id and _runs(live.room):
                raise NotAllowed("fork_running", id=act.game_id)
        course, eyes = await self._course(connection, "", act.game_id)
        steps = course.steps(eyes)
        _move_meant(str(act.move), 0, len(steps) - 1)
        station = steps[act.move]
        if course.game.result(station.state) is not None:
            raise NotAllowed("fork_over", move=act.move)
        game = await self._finished(connection, act.game_id)
        record = parse_record(game.text)
        lines = _lines_until(record, station.version)
        self._take(connection, lines)
        return game, await self.lookback.origin(beginning(record, lines, act.move))

    # The log.

    async def history(self, connection: Connection, room_id: str, asked: Ask) -> Branch:
        """Sentences of the room's log: the kept tail, or from a version on.

        Raises NotAllowed: not_in_room, version_gap, not_saved, too_much.
        """
        live = self.engine.room(room_id)
        if live is None:
            raise NotAllowed("not_in_room")
        if "from" not in asked.args:
            return {"lines": _tail(live, connection)}
        first, count = _number(asked, "from", 0), _number(asked, "count", STEPS_MAX)
        if live.room.game is None:
            lines = [line for line in _tail(live, connection) if line["version"] >= first]
            return {"lines": lines[: max(count, 1)]}
        self._take(connection, STEPS_MAX + self.lookback.owed(live.room))
        course = await self.lookback.running(live.room)
        eyes = _eyes_in(live, connection)
        return await history_page(course, eyes, connection.lang, first, count, Slices())


def _move_meant(move: str, at: int, steps: int) -> int:
    """The number of a move that was typed, where somebody stands at one already."""
    steps_by_word = {"": at, "next": at + 1, "back": at - 1, "first": 0, "last": steps}
    number = int(move) if move.isdigit() else steps_by_word[move]
    if not 0 <= number <= steps:
        raise NotAllowed("no_such_move", given=number, numbers=f"0-{steps}")
    return number


def _runs(room: Room) -> bool:
    return room.game is not None and room.table.ending is None


def _lines_until(record: Record, steps: int) -> int:
    """How many lines of a record lead to its step of this number: digests are none."""
    ends = [n for n, line in enumerate(record.lines, 1) if not isinstance(line, Digested)]
    return ends[steps - 1] if steps else 0


def _tail(live: LiveRoom, connection: Connection) -> list[dict[str, Any]]:  # Any: plain trees
    room, eyes, lang = live.room, _eyes_in(live, connection), connection.lang
    seen = versions_for(room, eyes)
    return [
        {"version": seen(logged.version), "at": logged.at, "text": line}
        for logged in logged_for(room)
        for line in event_lines(logged.events, eyes, lang, live.game, room.name_of)
    ]


def _eyes_in(live: LiveRoom, connection: Connection) -> Eyes:
    member = live.present.members.get(connection)
    return SPECTATOR if member is None else member.audience.eyes


def _eyes(seat: Seat | None) -> Eyes:
    return SPECTATOR if seat is None else frozenset((seat,))


def _number(asked: Ask, name: str, default: int) -> int:
    """A whole number among the arguments; NotAllowed (bad_message) for anything else."""
    found = asked.args.get(name, default)
    if isinstance(found, bool) or not isinstance(found, int):
        raise NotAllowed("bad_message")
    return found
