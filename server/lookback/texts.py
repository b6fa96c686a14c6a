"""A course as words: a position of it, a list of its moves, the minutes of the whole game."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.visibility import Eyes
from bluebear.server.lookback.course import Course, Station
from bluebear.server.lookback.slices import Slices
from bluebear.server.room.options import value_said
from bluebear.server.sentences import event_lines, say

LISTED: Final = 20
"""Moves that a list shows: a screen, with the line that was typed."""
MINUTES_CHARS: Final = 80_000
"""Minutes end after so much and say how they go on: what waits to be sent is bounded."""


def position_text(course: Course, eyes: Eyes, lang: Lang, number: int, steps: int) -> str:
    """The table after a move, with what that move was."""
    station = course.steps(eyes)[number]
    game = course.game
    page = TextPage(lang=lang, name_of=station.name_of)
    head = say("answer.past_at", lang, move=number, moves=steps, when=_when(station))
    told = event_lines(station.events, eyes, lang, game, station.name_of)
    board = game.text(game.seen(station.state, eyes), eyes, page).board()
    return "\n".join([head, *told, board])


def list_text(course: Course, eyes: Eyes, lang: Lang) -> str:
    """The newest moves with their numbers."""
    steps = course.steps(eyes)
    shown = list(enumerate(steps))[-LISTED:]
    head = say("answer.past_list", lang, moves=len(steps) - 1)
    return "\n".join([head, *(_line(course, n, each, eyes, lang) for n, each in shown)])


async def minutes_text(course: Course, eyes: Eyes, lang: Lang, first: int, slices: Slices) -> str:
    """The game as readable text, from a move on."""
    steps = course.steps(eyes)
    lines = _head(course, steps, lang) if first <= 0 else []
    size = 0
    for number, station in list(enumerate(steps))[max(0, first) :]:
        line = _line(course, number, station, eyes, lang)
        size += len(line)
        if size > MINUTES_CHARS:
            return "\n".join(
                [*lines, say("answer.minutes_more", lang, id=course.game_id, move=number)]
            )
        lines.append(line)
        await slices.rest()
    return "\n".join([*lines, *_scores(course, steps[-1], lang)])


def _head(course: Course, steps: Sequence[Station], lang: Lang) -> list[str]:
    table = steps[0].table
    names = tuple(chair.name for chair in table.seats.values())
    times = [station.at for station in course.stations if station.at]
    known = course.game.info.options
    chosen = tuple(
        f"{known[name].typed_name(lang)}={value_said(known[name], text, lang)}"
        for name, text in table.options.items()
        if name in known and text != known[name].write(known[name].default)
    )
    title = course.game.info.name(lang)
    when = _time(times[0]) if times else ""
    lines = [say("answer.minutes_head", lang, game=title, id=course.game_id, when=when)]
    lines.append(say("answer.minutes_seats", lang, names=names))
    if table.fork is not None:
        lines.append(say("answer.fork_of", lang, id=table.fork.id, move=table.fork.move))
    if chosen:
        lines.append(say("answer.options_set", lang, options=chosen))
    return [*lines, ""]


def _line(course: Course, number: int, station: Station, eyes: Eyes, lang: Lang) -> str:
    told = event_lines(station.events, eyes, lang, course.game, station.name_of)
    return f"{number}. {' '.join(told)}".rstrip()


def _scores(course: Course, last: Station, lang: Lang) -> list[str]:
    """How the scores came about, in the game's own words."""
    ending = last.table.ending
    if ending is None:
        return []
    phrases = course.game.phrases
    return [
        f"  {last.name_of(line.seat)}: {phrases.say(f'score.{line.key}', lang)} {line.points}"
        for line in ending.breakdown
    ]


def _when(station: Station) -> str:
    return _time(station.at) if station.at else ""


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
