"""Lessons: `/learn` opens one, goes on in it, and keeps which ones a person has finished.

A lesson is a room of its own for one person, which no list has and no store. The coach (option
`coach`) says once to a person what a new situation of a game asks for. Situations are data of the
game (`rules/core/lessons.py`). What was said is a note to that person alone, and is remembered with
them; no entry has it, so that a replay knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import ClassVar, Final

from msgspec import Struct

from bluebear.protocol import Note
from bluebear.rules.core.lessons import Situation, lessons_of, situations_of
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.slots import Choice
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.acts import ANSWERED, Act, GoLobby, NewRoom, RunCommand, Tell
from bluebear.server.commands.command import Arguments, Command, Topic, anywhere, entry
from bluebear.server.commands.scene import Scene
from bluebear.server.features.feature import ROW_BYTES, Context, Feature, Services
from bluebear.server.limits import LESSON_IDLE_MS, ROOMS_PER_CONNECTION, SPENDERS_MAX
from bluebear.server.net.rate_limits import Cost, put_recent
from bluebear.server.people.account import Preferences, with_learnt
from bluebear.server.room.fold_context import AnyGame, Folded
from bluebear.server.room.options import COACH, HINTS, choice, is_on
from bluebear.server.room.state import LessonState, Phase, Privacy, Room
from bluebear.server.room.system_acts import Learn
from bluebear.server.rooms.active_room import ActiveRoom
from bluebear.server.sentences import lesson_text, say
from bluebear.server.store import Entry

_NEXT: Final = "next"
_SHOW: Final = "show"
_SKIP: Final = "skip"
_KEYWORDS: Final = (Choice(_NEXT, ("次",)), Choice(_SHOW, ("見せて",)), Choice(_SKIP, ("終える",)))


class LessonStep(Struct, frozen=True):
    """A step of a lesson, and the places that it speaks of; `wanted`: a move ends it, else it is
    only read.
    """

    title: str
    text: str
    points: tuple[str, ...]
    wanted: bool


def _learn(scene: Scene, given: Arguments) -> Act:
    room, game, lang = scene.room, scene.game, scene.speaker.lang
    at = None if room is None else room.table.lesson
    what, inside = given.get("lesson", ""), ""
    if room is not None and at is not None:
        inside = f"{room.table.game}/{at.name}"
    if what not in (_NEXT, _SHOW, _SKIP, ""):
        given = {"game": what, "number": given.get("number", 0), "inside": inside}
        return RunCommand("learn", given)
    if at is None or game is None:
        if what:
            raise NotAllowed("no_lesson", candidates=("/learn",))
        return RunCommand("learn", {})
    if not what:
        step = lessons_of(game.package)[at.name].steps[at.step]
        title, text = step.title.text(lang), step.text.text(lang)
        data = LessonStep(title, text, step.points, wanted=bool(step.wanted))
        return Tell("lesson", lesson_text(game, at.name, at.step, lang), lambda: data)
    if what != _SKIP and not _is_last(at):
        return entry(scene, Learn(what))
    return RunCommand("learn", {"inside": inside, "finished": _is_last(at)})


def _is_last(at: LessonState) -> bool:
    return at.step == at.steps - 1


class Lessons(Feature):
    """Opens lessons and leads out of them; coaches the players of rooms that have the option."""

    name = "lessons"
    answers: ClassVar = {"lesson": LessonStep}
    topic = Topic.ROOMS

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._learnt: dict[str, set[str]] = {}
        """What people have learnt, as in their preferences; those spoken to last."""

    def is_on(self, room: str) -> bool:
        """Hook: whether it looks at the moves of a room."""
        live = self.services.rooms.room(room)
        return live is not None and live.exists and _speaks(live.room)

    def entry_committed(self, live: ActiveRoom, entry: Entry, folded: Folded) -> None:
        """Hook: speak to each player who is here, of what is new to them."""
        room = folded.room
        here = {client.person for client in live.present.members} if _speaks(room) else ()
        for seat, chair in room.seats.items():
            if chair.human and chair.person is not None and chair.person in here:
                self.services.tasks.start(self._look(live, folded, seat, chair.person))

    async def _look(self, live: ActiveRoom, folded: Folded, seat: Seat, person: str) -> None:
        """Say the first thing that is new to a person; what cannot be remembered is said again."""
        people, game, room = self.services.people, live.game, folded.room
        with suppress(Refusal):
            if person not in self._learnt:
                learnt = set((await people.preferences(person)).learnt)
                put_recent(self._learnt, person, self._learnt.get(person, learnt), SPENDERS_MAX)
            learnt = self._learnt[person]
            if game is None:
                return
            moves = game.plain(room.game, seat) if seat in room.table.turn else ()
            lines = [*map(game.grammar.format, moves)]
            for name, situation in situations_of(game.package).items():
                key = f"{game.info.key}/{name}"
                points = None if key in learnt else situation.points_at(seat, lines, folded.events)
                if points is not None:
                    learnt.add(key)
                    _say(live, person, situation, points)
                    await people.update_preferences(person, partial(with_learnt, lesson=key))
                    return

    @Command(
        "learn lesson:wish? number?",
        anywhere(),
        _learn,
        ("学ぶ",),
        is_query=True,
        choices={"lesson": _KEYWORDS},
    )
    async def learn(
        self,
        ctx: Context,
        game: str = "",
        number: int = 0,
        inside: str = "",
        *,
        finished: bool = False,
    ) -> Act | Tell | None:
        """`/learn`, where that is no line of a lesson.

        Opens a lesson of a game, by its number or the next one; or ends the one `inside`, the
        lesson of the room that the line was sent in (`GAME/LESSON`); `finished` says that its last
        step is read. Without a game the lessons are listed.
        """
        if ctx.is_query and (game or inside):
            raise NotAllowed("no_such_query", given=ctx.text)
        if game:
            return await self._open(ctx, game, number, inside)
        preferences = await self.services.people.preferences(ctx.connection.person)
        if not inside:
            text = "\n".join(self._listed(preferences, ctx))
            return Tell("lessons", text, lambda: self._ahead(preferences, ctx))
        if finished:
            ctx.connection.pay(ROW_BYTES)
            change = partial(with_learnt, lesson=inside)
            preferences = await self.services.people.update_preferences(
                ctx.connection.person, change
            )
        return self._leave(ctx, inside, preferences, finished=finished)

    async def _open(self, ctx: Context, key: str, number: int, inside: str) -> Act:
        """Raises NotAllowed: not_offered, no_lesson, too_many_rooms_at_once, too_much."""
        connection, services = ctx.connection, self.services
        game = services.games[key]
        preferences = await services.people.preferences(connection.person)
        if not services.resources.pins.offers(key):
            raise NotAllowed("not_offered", given=key, candidates=services.resources.pins.offered)
        names = tuple(lessons_of(game.package))
        if not 0 <= number <= len(names) or not names:
            raise NotAllowed("no_lesson", candidates=("/learn",))
        name = names[(number or _next(game, preferences) or 1) - 1]
        typed: tuple[str, ...] = ()
        begun = preferences.lesson
        if begun is not None and (begun.game, begun.lesson) == (key, name):
            typed = begun.typed if services.clock.now() - begun.at < LESSON_IDLE_MS else ()
        if not inside and len(connection.rooms) >= ROOMS_PER_CONNECTION:
            raise NotAllowed("too_many_rooms_at_once")
        services.resources.audit.check_open()
        connection.spend(Cost.ROOM)
        act = NewRoom(key, Privacy.PRIVATE, "", lesson=name, typed=typed)
        if not await services.rooms.new_room(connection, act, ctx.say_id):
            connection.refund(Cost.ROOM)
        return ANSWERED

    def _leave(self, ctx: Context, inside: str, preferences: Preferences, *, finished: bool) -> Act:
        """Back to the room that the person is in as well, or to the lobby."""
        connection, lang = ctx.connection, ctx.lang
        key, _, name = inside.partition("/")
        game = self.services.games[key]
        text = say("answer.lesson_left", lang)
        if finished:
            text = say("answer.lesson_finished", lang, title=lessons_of(game.package)[name].title)
            if after := _next(game, preferences):
                text += " " + _label("answer.lesson_next_one", game, after, ctx)
        joined = [room for room in connection.rooms.values() if room != ctx.room]
        return GoLobby(text, joined[-1] if joined else "")

    def _listed(self, preferences: Preferences, ctx: Context) -> Iterator[str]:
        """A line for each lesson, how it is opened and whether it is finished; which is next."""
        lang = ctx.lang
        yield say("answer.lessons", lang)
        for key in filter(self.services.resources.pins.offers, self.services.games):
            game = self.services.games[key]
            after = _next(game, preferences)
            for number, (name, lesson) in enumerate(lessons_of(game.package).items(), 1):
                head, called = ("/learn", key) if lang == "en" else ("/学ぶ", game.info.names.ja)
                text = f"{head} {called} {number}   {lesson.title.text(lang)}"
                if f"{key}/{name}" in preferences.learnt:
                    text = say("answer.lesson_done", lang, lesson=text)
                yield f"  {text}"
            if after:
                yield "    " + _label("answer.lesson_next_one", game, after, ctx)

    def _ahead(self, preferences: Preferences, ctx: Context) -> dict[str, object]:
        """By game: which lesson is next, in words, and whether the person knows any of it."""
        made: dict[str, object] = {}
        for key in filter(self.services.resources.pins.offers, self.services.games):
            game = self.services.games[key]
            after = _next(game, preferences)
            has_begun = any(each.startswith(f"{key}/") for each in preferences.learnt)
            label = _label("answer.lesson_ahead", game, after, ctx) if after else ""
            made[key] = {"label": label, "begun": has_begun}
        return made


def _next(game: AnyGame, preferences: Preferences) -> int:
    """The number of the first lesson of a game that a person has not finished; 0: there is none."""
    names = (f"{game.info.key}/{name}" for name in lessons_of(game.package))
    return next((at for at, name in enumerate(names, 1) if name not in preferences.learnt), 0)


def _label(key: str, game: AnyGame, number: int, ctx: Context) -> str:
    lessons, called = tuple(lessons_of(game.package).values()), game.info.name(ctx.lang)
    title, count = lessons[number - 1].title, len(lessons)
    return say(key, ctx.lang, game=called, number=number, count=count, title=title)


def _speaks(room: Room) -> bool:
    table = room.table
    return is_on(table, COACH) and table.phase is Phase.PLAYING and not table.rated


def _say(live: ActiveRoom, person: str, situation: Situation, points: Iterable[str]) -> None:
    """A note to a person on each of their connections in a room, which may offer a hint."""
    hint = "note.coach" if choice(live.room.table, HINTS) == "off" else "note.coach_hint"
    for client in list(live.present.members):
        if client.person == person:
            text = say(hint, client.lang, text=situation.text, rule=situation.rule)
            number = client.number_of(live.id)
            client.send(Note(room=number, code=COACH, text=text, said="\n".join(points)))
