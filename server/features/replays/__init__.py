"""Replays: `/record`, `/minutes`, `/history`, `/replay`, `/fork`, and the queries for such data.

A `Course` is a game step by step: `courses` makes it of the journal of a room (`running`), or of
the record of a game that is over (`finished`); `pages` has its parts as one viewer sees them. A
running game is shown by the process that has its room. All of it is made in short pieces, so that
a long game never holds the loop; a connection pays before.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final, Literal

from bluebear.protocol import Ask, Branch
from bluebear.rules.core.record import Record, format_record, parse_record
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice, Lexicon, fold
from bluebear.rules.core.visibility import SPECTATOR, Eyes, Seat
from bluebear.server.commands.acts import ANSWERED, NewRoom, Tell
from bluebear.server.commands.command import (
    OVER,
    PAUSED,
    PLAYING,
    Arguments,
    Command,
    anywhere,
    in_room,
)
from bluebear.server.commands.scene import Scene
from bluebear.server.features.feature import Context, Feature, Question, Services
from bluebear.server.features.replays import pages
from bluebear.server.features.replays.course import Course, beginning, ends_of
from bluebear.server.features.replays.courses import Courses
from bluebear.server.limits import ROOMS_PER_CONNECTION
from bluebear.server.net.rate_limits import Cost
from bluebear.server.people.account import Scope, account_of
from bluebear.server.room.fold_context import logged_for
from bluebear.server.room.snapshot import record_of
from bluebear.server.room.state import Privacy, versions_for
from bluebear.server.rooms.active_room import ActiveRoom
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.loading import FinishedGame
from bluebear.server.rooms.views import data_of
from bluebear.server.sentences import event_lines

RECORD_LINES_A_STEP: Final = 16
"""Lines of a running game's record that are put into words in the time of a step."""
RECORD_STEPS: Final = 50
"""What a finished game's record costs, which is only read and sent."""
_DIGITS: Final = 10
"""Numbers of moves are shorter."""
_STEPS: Final = Lexicon(
    [
        Choice("next", ("次", "進む"), ("n",)),
        Choice("back", ("前", "戻る"), ("b",)),
        Choice("first", ("最初",)),
        Choice("last", ("最後",)),
    ]
)

What = Literal["history", "replay", "minutes"]


def _look(what: What, scene: Scene, given: Arguments) -> Arguments:
    """What is looked at; a number or a step may stand where the game would."""
    game_id, move = given.get("game_id", ""), given.get("move", "")
    if game_id and not move and (step := _step(game_id)):
        return {"what": what, "move": step}
    step = _step(move)
    if move and not step:
        raise NotUnderstood("bad_word", argument="move", given=move, candidates=_STEPS.values)
    return {"what": what, "game_id": game_id, "move": step}


def _step(given: str) -> str:
    """A number or the name of a step; "" for any other word."""
    if given.isascii() and given.isdigit() and len(given) < _DIGITS:
        return given
    matches = _STEPS.find(fold(given)) if given else ()
    return matches[0] if len(matches) == 1 else ""


def _fork(scene: Scene, given: Arguments) -> Arguments:
    """A finished game goes on from after a move, which is named by its number."""
    move = _step(given["move"])
    if not move.isdigit():
        raise NotUnderstood("bad_word", argument="move", given=given["move"], candidates=("0", "1"))
    return {**given, "move": int(move)}


class Replays(Feature):
    """Shows games that run or are over, move by move, and lets finished ones go on."""

    name = "replays"
    answers: ClassVar = {"replay": pages.ReplayPage, "history": pages.History}
    marks_refusals = False

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.courses = Courses(services.store, services.games)

    # Records.

    @Command("record game_id?", anywhere(), names=("記録", "棋譜"))
    async def record(self, ctx: Context, game_id: str = "") -> Tell:
        """`/record`: of the room's game, or of a finished one by its id."""
        return Tell("record", await self._record(ctx, game_id))

    @Question("record")
    async def answer_record(self, ctx: Context, query: Ask) -> Branch:
        """The query `record`."""
        return {"text": await self._record(ctx, str(query.args.get("id", "")))}

    async def _record(self, ctx: Context, game_id: str) -> str:
        """Raises NotAllowed: not_in_room, no_record, no_such_record, version_gap, not_saved,
        too_much.
        """
        connection, active = ctx.connection, self.services.rooms.room(ctx.room)
        if active is not None and game_id in ("", active.room.table.game_id):
            entries = active.room.version_for(SPECTATOR)
            connection.spend(Cost.STEPS, 1 + entries // RECORD_LINES_A_STEP)
            if active.game is None:
                raise NotAllowed("version_gap", given=active.room.table.game)
            shown, eyes = active.room_for(connection), active.eyes_of(connection)
            return record_of(shown, active.game, eyes)
        if not game_id:
            raise NotAllowed("not_in_room")
        connection.spend(Cost.STEPS, RECORD_STEPS)
        return (await self.services.look_ups.finished_game(connection.person, game_id)).text

    # Replays.

    @Command("minutes game_id? move?", anywhere(), partial(_look, "minutes"), ("対局記録",))
    @Command("history move?", in_room(PLAYING, PAUSED, OVER), partial(_look, "history"), ("履歴",))
    @Command("replay game_id? move?", anywhere(), partial(_look, "replay"), ("再生",))
    async def show(self, ctx: Context, what: What, game_id: str = "", move: str = "") -> Tell:
        """A position or the minutes of a game: of the room's, or of another by its id.

        `move` is a number, or one of "next", "back", "first", "last"; "" where none was given.
        Raises NotAllowed (no_such_move).
        """
        connection, room = ctx.connection, ctx.room
        if what == "replay":
            game_id = game_id or self.services.look_ups.game_shown(connection, room)
        course, eyes = await self._course(ctx, game_id)
        if what == "minutes":
            first = int(move) if move.isdigit() else 0
            return Tell(what, await pages.minutes_text(course, eyes, ctx.lang, first))
        if what == "history" and not move:
            return Tell(what, pages.list_text(course, eyes, ctx.lang))
        replayed, at = connection.replaying
        steps = len(course.steps(eyes)) - 1
        number = _move_number(move, at if replayed == course.game_id else 0, steps)
        connection.replaying = course.game_id, number
        return Tell(what, pages.position_text(course, eyes, ctx.lang, number, steps))

    @Question("replay")
    async def answer_replay(self, ctx: Context, query: Ask) -> pages.ReplayPage:
        """The query `replay`: a page of a finished game, or of the one of the sender's room."""
        game_id, first = str(query.args.get("id", "")), _number_in(query, "from", 0)
        course, eyes = await self._course(ctx, game_id)
        game = self.services.games.get(course.game.info.key)
        data_hash = "" if game is None else data_of(game).hash
        return await pages.replay_page(course, eyes, ctx.lang, first, data_hash)

    async def _course(self, ctx: Context, game_id: str) -> tuple[Course, Eyes]:
        """The course of the game of the sender's room, or of a finished one by its id."""
        active = self.services.rooms.room(ctx.room)
        if active is not None:
            is_running = not active.is_over and game_id == active.room.table.game_id
            if not game_id or is_running:
                return await self._running(active, ctx.connection)
        return await self._finished(ctx.connection, game_id)

    async def _running(self, active: ActiveRoom, connection: Connection) -> tuple[Course, Eyes]:
        """The course of a room's game, and the eyes of a member."""
        connection.spend(Cost.STEPS, pages.STEPS_MAX + self.courses.owed(active.room))
        return await self.courses.running(active.room_for(connection)), active.eyes_of(connection)

    async def _finished(self, connection: Connection, game_id: str) -> tuple[Course, Eyes]:
        """The course of a finished game, and the eyes to look at it with: all of them."""
        if not game_id:
            raise NotAllowed("not_in_room")
        connection.spend(Cost.STEPS, pages.STEPS_MAX)
        game = await self.services.look_ups.finished_game(connection.person, game_id)
        if not self.courses.has(game_id):
            connection.spend(Cost.STEPS, game.lines)
        course = await self.courses.finished(parse_record(game.text), game.times)
        return course, frozenset(map(Seat, range(1, len(game.names) + 1)))

    # The log.

    @Question("history")
    async def answer_history(self, ctx: Context, query: Ask) -> pages.History:
        """The query `history`: the kept tail of the log, or sentences from a version on."""
        client, active = ctx.connection, self.services.rooms.room(ctx.room)
        if active is None:
            raise NotAllowed("not_in_room")
        if "from" not in query.args:
            return {"lines": _tail(active, client)}
        first, count = _number_in(query, "from", 0), _number_in(query, "count", pages.STEPS_MAX)
        if active.room_for(client).game is None:
            lines = [line for line in _tail(active, client) if line["version"] >= first]
            return {"lines": lines[: max(count, 1)]}
        course, eyes = await self._running(active, client)
        return await pages.history_page(course, eyes, ctx.lang, first, count)

    # Forks.

    @Command("fork game_id move", anywhere(), _fork, ("分岐",), given_scope=Scope.HOST)
    async def fork(self, ctx: Context, game_id: str, move: int) -> Tell:
        """`/fork`: make a room in which a game goes on, and invite those who sat there.

        The game of a private room goes on in a private one, for people who may know of the first.
        """
        connection, pins = ctx.connection, self.services.resources.pins
        if len(connection.rooms) >= ROOMS_PER_CONNECTION:
            raise NotAllowed("too_many_rooms_at_once")
        game, record = await self._beginning(connection, game_id, move)
        if not pins.offers(game.game):
            raise NotAllowed("not_offered", given=game.game, candidates=pins.offered)
        guests = await self._guests(connection, game)
        privacy = Privacy.PRIVATE if game.private else Privacy.PUBLIC
        room = NewRoom(game.game, privacy.value, "", format_record(record), guests)
        await self.services.making.make(connection, room, ctx.say_id)
        return ANSWERED

    async def _beginning(
        self, connection: Connection, game_id: str, move: int
    ) -> tuple[FinishedGame, Record]:
        """A finished game, and its beginning up to a move.

        Raises NotAllowed: what a replay raises, no_such_move, fork_running, fork_over.
        """
        for room in connection.rooms.values():
            active = self.services.rooms.room(room)
            if active is not None and active.room.game is not None and not active.is_over:
                if active.room.table.game_id == game_id:
                    raise NotAllowed("fork_running", id=game_id)
        course, eyes = await self._finished(connection, game_id)
        steps = course.steps(eyes)
        station = steps[_move_number(str(move), 0, len(steps) - 1)]
        if course.game.result(station.state) is not None:
            raise NotAllowed("fork_over", move=move)
        look_ups = self.services.look_ups
        game = await look_ups.finished_game(connection.person, game_id)
        record = parse_record(game.text)
        lines = _lines_until(record, station.version)
        connection.spend(Cost.STEPS, lines)
        return game, beginning(record, lines, move)

    async def _guests(self, connection: Connection, game: FinishedGame) -> dict[str, str]:
        """The people who sat there, without those who block the sender."""
        services, guests = self.services, {}
        room = await services.look_ups.room(game.room, connection.person) if game.private else None
        for name in dict.fromkeys(game.names):
            row = await services.people.find(name)
            if row is None or row.id == connection.person:
                continue
            if connection.person in account_of(row).lists.unheard:
                continue
            if game.private and (room is None or row.id in room.banned):
                continue
            if room is None or row.id in room.admitted or room.of(row.id):
                guests[row.id] = row.name
        return guests


def _number_in(query: Ask, name: str, default: int) -> int:
    """A whole number among the arguments; NotAllowed (bad_message) for anything else."""
    number = query.args.get(name, default)
    if isinstance(number, bool) or not isinstance(number, int):
        raise NotAllowed("bad_message")
    return number


def _move_number(move: str, at: int, steps: int) -> int:
    """The number of a move that was typed, by a person who stands at one already."""
    named_steps = {"": at, "next": at + 1, "back": at - 1, "first": 0, "last": steps}
    number = int(move) if move.isdigit() else named_steps[move]
    if not 0 <= number <= steps:
        raise NotAllowed("no_such_move", given=number, numbers=f"0-{steps}")
    return number


def _lines_until(record: Record, steps: int) -> int:
    """How many lines of a record lead to its step of this number: digests are none."""
    return ends_of(record)[steps - 1] if steps else 0


def _tail(active: ActiveRoom, client: Connection) -> list[pages.LoggedLine]:
    room, eyes, lang = active.room_for(client), active.eyes_of(client), client.lang
    seen = versions_for(room, eyes)
    return [
        {"version": seen(logged.version), "at": logged.at, "text": line}
        for logged in logged_for(room)
        for line in event_lines(logged.events, eyes, lang, active.game, logged.name_of)
    ]
