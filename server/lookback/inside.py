"""What is asked of a room in memory by somebody who is in it: answered where the room is."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from bluebear.protocol import Answer, Ask, Branch
from bluebear.protocol import Game as GameData
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.visibility import SPECTATOR, Eyes, Seat
from bluebear.server.commands.acts import LookBack as LookBackAct
from bluebear.server.commands.acts import RunCommand
from bluebear.server.commands.asked import answer_of_scene
from bluebear.server.commands.native import error_of
from bluebear.server.commands.needs import Found, Wanted
from bluebear.server.commands.scene import Scene
from bluebear.server.lookback.course import Course, Station
from bluebear.server.lookback.lookback import LookBack
from bluebear.server.lookback.pages import STEPS_MAX, history_page, replay_page
from bluebear.server.lookback.slices import Slices
from bluebear.server.lookback.texts import list_text, minutes_text, position_text
from bluebear.server.room.fold_context import logged_for
from bluebear.server.room.snapshot import record_of
from bluebear.server.room.state import versions_for
from bluebear.server.rooms.members import MemberConnection
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.sentences import event_lines


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a room's game has come: its id, whether it is over, whether it has begun, and how
    many entries must be folded before its course can be shown.
    """

    game_id: str
    over: bool
    begun: bool
    owed: int
    entries: int = 0


@dataclass(frozen=True, slots=True)
class Looked:
    """A look back in words: at which game, and the move at which it stands; None: at no one."""

    text: str
    game_id: str
    move: int | None = None


class Inside(Protocol):
    """The look into rooms in memory. Whoever asks pays before, by what `standing` says."""

    async def standing(self, room: str) -> Standing | None:
        """How far the game has come; None if the room is not in memory."""

    async def record(self, client: MemberConnection, room: str) -> str:
        """The record of the room's game, as somebody may have it.

        Raises NotAllowed: not_in_room, no_record, version_gap.
        """

    async def look_back(
        self, client: MemberConnection, room: str, act: LookBackAct, at: int
    ) -> Looked:
        """A look back in words at the room's game, by somebody who stood at move `at` of it.

        Raises NotAllowed: not_in_room, not_playing, no_such_move, version_gap, not_saved.
        """

    async def ask(self, client: MemberConnection, room: str, asked: Ask) -> None:
        """Answer a question about the room, or say why not. Raises NotAllowed (not_in_room)."""


def eyes_of_seat(seat: Seat | None) -> Eyes:
    """What somebody sees from a seat; None: from none."""
    return SPECTATOR if seat is None else frozenset((seat,))


def number_in(asked: Ask, name: str, default: int) -> int:
    """A whole number among the arguments; NotAllowed (bad_message) for anything else."""
    found = asked.args.get(name, default)
    if isinstance(found, bool) or not isinstance(found, int):
        raise NotAllowed("bad_message")
    return found


async def look_at(course: Course, eyes: Eyes, lang: Lang, act: LookBackAct, at: int) -> Looked:
    """A course in words. Raises NotAllowed (no_such_move)."""
    if act.what == "minutes":
        first = int(act.move) if act.move.isdigit() else 0
        return Looked(await minutes_text(course, eyes, lang, first, Slices()), course.game_id)
    if act.what == "history" and not act.move:
        return Looked(list_text(course, eyes, lang), course.game_id)
    steps = len(course.steps(eyes)) - 1
    move = _move_meant(act.move, at, steps)
    return Looked(position_text(course, eyes, lang, move, steps), course.game_id, move)


def station_at(course: Course, eyes: Eyes, move: int) -> Station:
    """The station of a course after a move by its number. Raises NotAllowed (no_such_move)."""
    steps = course.steps(eyes)
    return steps[_move_meant(str(move), 0, len(steps) - 1)]


def _move_meant(move: str, at: int, steps: int) -> int:
    """The number of a move that was typed, where somebody stands at one already."""
    steps_by_word = {"": at, "next": at + 1, "back": at - 1, "first": 0, "last": steps}
    number = int(move) if move.isdigit() else steps_by_word[move]
    if not 0 <= number <= steps:
        raise NotAllowed("no_such_move", given=number, numbers=f"0-{steps}")
    return number


class RoomsInside:
    """The look into the rooms of one engine; owned by the app."""

    def __init__(
        self,
        engine: RoomRegistry,
        courses: LookBack,
        game_data: Mapping[str, GameData],
        fetch: Callable[[Wanted, str], Coroutine[Any, Any, Found]],
    ) -> None:
        self._engine = engine
        self._courses = courses
        self._game_data = game_data
        self._fetch = fetch

    async def standing(self, room: str) -> Standing | None:
        """See `Inside`."""
        live = self._engine.room(room)
        if live is None:
            return None
        table = live.room.table
        begun, over = live.room.game is not None, table.ending is not None
        entries = versions_for(live.room, SPECTATOR)(live.room.version)
        return Standing(table.game_id, over, begun, self._courses.owed(live.room), entries)

    async def record(self, client: MemberConnection, room: str) -> str:
        """See `Inside`."""
        live = self._live(room)
        if live.game is None:
            raise NotAllowed("version_gap", given=live.room.table.game)
        seat = live.room.seat_of(client.person)
        return record_of(live.room_for(client), live.game, eyes_of_seat(seat))

    async def look_back(
        self, client: MemberConnection, room: str, act: LookBackAct, at: int
    ) -> Looked:
        """See `Inside`."""
        live = self._live(room)
        course = await self._courses.running(live.room_for(client))
        return await look_at(course, _eyes_in(live, client), client.lang, act, at)

    async def ask(self, client: MemberConnection, room: str, asked: Ask) -> None:
        """See `Inside`."""
        live = self._engine.room(room)
        try:
            body = await self._answer(client, room, asked)
            if isinstance(body, RunCommand):
                client.perform(room, replace(body, ask=asked.id), "")
                return
        except Refusal as refusal:
            game = None if live is None else live.game
            client.send(error_of(refusal, asked.id, client.lang, game))
        else:
            client.send(Answer(id=asked.id, what=asked.what, body=body))

    async def _answer(self, client: MemberConnection, room: str, asked: Ask) -> Branch | RunCommand:
        match asked.what:
            case "replay":
                return await self._replay(client, room, number_in(asked, "from", 0))
            case "history":
                return await self._history(client, room, asked)
            case _:
                return await answer_of_scene(
                    asked.what,
                    asked.args,
                    partial(self._scene, client, room),
                    lambda wanted: self._fetch(wanted, client.person),
                )

    def _scene(self, client: MemberConnection, room: str, found: Found | None) -> Scene:
        return self._live(room).scene(client, found)

    def _live(self, room: str) -> RoomActor:
        live = self._engine.room(room)
        if live is None:
            raise NotAllowed("not_in_room")
        return live

    async def _replay(self, client: MemberConnection, room: str, first: int) -> Branch:
        live = self._live(room)
        course = await self._courses.running(live.room_for(client))
        eyes = _eyes_in(live, client)
        data = self._game_data.get(course.game.info.key)
        page = await replay_page(course, eyes, client.lang, first, Slices())
        return {**page, "hash": "" if data is None else data.hash}

    async def _history(self, client: MemberConnection, room: str, asked: Ask) -> Branch:
        """Sentences of the room's log: the kept tail, or from a version on."""
        live = self._live(room)
        if "from" not in asked.args:
            return {"lines": _tail(live, client)}
        first, count = number_in(asked, "from", 0), number_in(asked, "count", STEPS_MAX)
        if live.room_for(client).game is None:
            lines = [line for line in _tail(live, client) if line["version"] >= first]
            return {"lines": lines[: max(count, 1)]}
        course = await self._courses.running(live.room_for(client))
        eyes = _eyes_in(live, client)
        return await history_page(course, eyes, client.lang, first, count, Slices())


def _tail(live: RoomActor, client: MemberConnection) -> list[dict[str, Any]]:  # Any: plain trees
    room, eyes, lang = live.room_for(client), _eyes_in(live, client), client.lang
    seen = versions_for(room, eyes)
    return [
        {"version": seen(logged.version), "at": logged.at, "text": line}
        for logged in logged_for(room)
        for line in event_lines(logged.events, eyes, lang, live.game, room.name_of)
    ]


def _eyes_in(live: RoomActor, client: MemberConnection) -> Eyes:
    member = live.present.members.get(client)
    return SPECTATOR if member is None else member.audience.eyes
