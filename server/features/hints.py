"""Hints: `/hint` asks what a program would play; the process of house bots thinks about it.

It thinks by what the wire shows to the seat and by nothing else. No line waits for it: the reply is
a note, and where the game has moved on there is none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import msgspec
from msgspec import Struct

from bluebear.protocol import Note, Think
from bluebear.rules.core.phrases import JOINED, Lang
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.commands.acts import Write
from bluebear.server.commands.command import PLAYING, Arguments, Command, entry, room_here, seated
from bluebear.server.commands.native import line_for
from bluebear.server.commands.scene import Scene
from bluebear.server.features.feature import Feature, Services
from bluebear.server.limits import HINT_PATIENCE_SECONDS, HINTS_WAITING
from bluebear.server.room.fold_context import AnyGame, Folded
from bluebear.server.room.state import Actor, Phase
from bluebear.server.room.system_acts import Hint, check_hint
from bluebear.server.rooms.active_room import ActiveRoom
from bluebear.server.rooms.house_bots import NoReply
from bluebear.server.runtime import count
from bluebear.server.sentences import say
from bluebear.server.store import Entry

_LINES_MAX: Final = 8
"""Lines of a plan that are said: a round."""
_ROUNDED_FROM: Final = 100
"""From so many points on, tenths say nothing."""
_TERMS_MAX: Final = 3


class Advice(Struct, frozen=True, forbid_unknown_fields=True):
    """What the child says, as JSON.

    `kind`: `judged` by imagined games, with `chance` of 100 and the `next` best with its chance,
    `second`, both None in a stage of the game in which chances are not shown as numbers; `plan`,
    with what comes `after`; `sight`, by a first look; `only`, where nothing else is legal;
    `failed`. `equal` are lines as good as `line`. `terms` say by how many tenths of a point `line`
    does better than `other`, by the name of each term; `reply` is what the next other seat did most
    often.
    """

    kind: Literal["judged", "plan", "sight", "only", "failed"]
    line: str = ""
    chance: int | None = None
    next: str = ""
    second: int | None = None
    equal: tuple[str, ...] = ()
    other: str = ""
    terms: tuple[tuple[str, int], ...] = ()
    reply: str = ""
    after: tuple[str, ...] = ()


def read_advice(text: str, lines: tuple[str, ...]) -> Advice | None:
    """The advice of a JSON text for a seat that has these legal lines; None: there is none."""
    try:
        advice = msgspec.json.decode(text, type=Advice)
    except (msgspec.DecodeError, UnicodeError):
        return None
    named = [advice.line, *advice.equal, *(each for each in (advice.next, advice.other) if each)]
    return None if advice.kind == "failed" or not {*named} <= {*lines} else advice


def _sentences(advice: Advice, game: AnyGame, lang: Lang) -> Iterator[str]:
    """The advice, with lines as their reader types them."""
    line = line_for(advice.line, lang, game)
    match advice.kind:
        case "plan" if advice.after:
            lines = _listed([line_for(each, lang, game) for each in advice.after], lang)
            yield say("note.hint_plan", lang, line=line, lines=lines)
        case "plan":
            yield say("note.hint_plan_end", lang, line=line)
        case "only":
            yield say("note.hint_only", lang, line=line)
        case "judged":
            yield from _judged(advice, line, game, lang)
        case _:
            yield say("note.hint_sight", lang, line=line)


def _judged(advice: Advice, line: str, game: AnyGame, lang: Lang) -> Iterator[str]:
    if advice.equal:
        lines = _listed([line, *(line_for(each, lang, game) for each in advice.equal)], lang)
        if advice.chance is None:
            yield say("note.hint_equal_words", lang, lines=lines)
        else:
            yield say("note.hint_equal", lang, lines=lines, chance=advice.chance)
    else:
        following = line_for(advice.next, lang, game)
        chance, second = advice.chance, advice.second
        if chance is None or second is None:
            yield say("note.hint_better", lang, line=line, next=following)
        else:
            yield say("note.hint", lang, line=line, chance=chance, next=following, second=second)
    visible = () if game.thinker is None else game.thinker.named
    terms = [
        say(
            "note.hint_reason",
            lang,
            term=game.phrases.say(f"term.{name}", lang),
            amount=_amount(tenths / 10, game, lang),
        )
        for name, tenths in advice.terms[:_TERMS_MAX]
        if name in visible
    ]
    if terms and advice.other:
        other = line_for(advice.other, lang, game)
        yield say("note.hint_reasons", lang, other=other, terms=_listed(terms, lang))
    if advice.reply:
        yield say("note.hint_reply", lang, line=line_for(advice.reply, lang, game))


def _amount(points: float, game: AnyGame, lang: Lang) -> str:
    """So much of what a game counts in: points, or what its phrase `amount.term` says."""
    text = f"{points:+.1f}" if abs(points) < _ROUNDED_FROM else f"{points:+,.0f}"
    if game.phrases.find("amount.term") is not None:
        return game.phrases.say("amount.term", lang, {"points": text})
    return say("note.hint_amount", lang, points=text)


def _listed(parts: list[str], lang: Lang) -> str:
    return JOINED[lang].join(parts[:_LINES_MAX])


def _hint(scene: Scene, given: Arguments) -> Write:
    check_hint(room_here(scene).table, require(scene.game), require(scene.seat), scene.now)
    return entry(scene, Hint())


@dataclass(eq=False, slots=True)
class _Pending:
    """One question to the child. What is meant for a version before `since` is stale for the seat.

    `lines` are those that are legal for it.
    """

    live: ActiveRoom
    seat: Seat
    person: str
    since: int
    lines: tuple[str, ...]
    answer: asyncio.Future[str]


class Hints(Feature):
    """All hints in the rooms of one process; one at a time for a person."""

    name = "hints"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._bots = services.rooms.house
        self._pending: list[_Pending] = []

    def is_on(self, room: str) -> bool:
        """Hook: whether a move may end a hint that is being made in a room."""
        return any(each.live.id == room for each in self._pending)

    def entry_committed(self, live: ActiveRoom, entry: Entry, folded: Folded) -> None:
        """Hook: an entry may ask for a hint, or make one idle."""
        # Most entries are moves, while no hint is being made.
        for pending in list(self._pending) if self._pending else ():
            if pending.live.id == live.id and not _still_wanted(pending):
                self._drop(pending)
        if entry.lines[0] == Hint.head and (person := Actor(entry.actor).person):
            self._ask(live, person)

    def _ask(self, live: ActiveRoom, person: str) -> None:
        """Ask the child; a person who waits for another hint does not get that one."""
        for pending in [each for each in self._pending if each.person == person]:
            self._fail(pending)
        room, game, seat = live.room, live.game, live.room.seat_of(person)
        if game is None or seat is None:
            return
        lines = tuple(map(game.grammar.format, game.plain(room.game, seat)))
        question = Think(
            number=0,
            room=live.id,
            game=game.info.key,
            rules=None if room.head is None else room.head.rules,
            seat=int(seat),
            view=game.tree.view(room.game, frozenset((seat,))),
            lines=lines,
        )
        answer = self._bots.think(question, HINT_PATIENCE_SECONDS)
        pending = _Pending(live, seat, person, room.since[seat - 1], lines, answer)
        self._pending.append(pending)
        if len(self._pending) > HINTS_WAITING:
            self._fail(pending)
        else:
            answer.add_done_callback(lambda answer: self._answered(pending))

    def _answered(self, pending: _Pending) -> None:
        if pending not in self._pending:
            return
        try:
            advice = read_advice(pending.answer.result(), pending.lines)
        except NoReply:
            advice = None
        if advice is None:
            self._fail(pending)
            return
        self._pending.remove(pending)
        count("hints.given")
        self._send(pending, advice)

    def _fail(self, pending: _Pending) -> None:
        """There will be no answer; say so to the person who asked."""
        self._drop(pending)
        count("hints.failed")
        self._send(pending, None)

    def _drop(self, pending: _Pending) -> None:
        self._pending.remove(pending)
        pending.answer.cancel()

    def _send(self, pending: _Pending, advice: Advice | None) -> None:
        """A note to the person who asked, on each of their connections in that room."""
        game = pending.live.game
        for client in list(pending.live.present.members):
            if client.person == pending.person and game is not None:
                number, lang = client.number_of(pending.live.id), client.lang
                text, line = say("note.hint_failed", lang), None
                if advice is not None:
                    text = (" " if lang == "en" else "").join(_sentences(advice, game, lang))
                    line = advice.line
                client.send(Note(room=number, code="hint", text=text, said=line))

    def close(self) -> None:
        """Hook: the server stops."""
        for pending in list(self._pending):
            self._drop(pending)

    commands = (Command("hint", seated(PLAYING), _hint, names=("ヒント",)),)


def _still_wanted(pending: _Pending) -> bool:
    """Whether a line for the seat would not be stale, and come from the person who asked."""
    live, seat = pending.live, pending.seat
    if live.closed or live.room.table.phase is not Phase.PLAYING:
        return False
    if seat not in live.room.table.turn or live.room.seat_of(pending.person) != seat:
        return False
    return live.room.since[seat - 1] == pending.since
