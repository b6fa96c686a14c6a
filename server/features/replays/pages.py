"""Parts of a course, for given eyes: steps of a replay, sentences of the log, texts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, NotRequired, TypedDict

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.merge_patch import Shaped, canonical
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.visibility import Eyes
from bluebear.server.features.replays.course import Course, Station
from bluebear.server.room.options import format_value, minute_of
from bluebear.server.sentences import event_lines, event_views, say

STEPS_MAX: Final = 200
"""Steps of one answer, and versions of one page of the log."""
PAGE_BYTES: Final = 96 * 1024
"""An answer ends after so much: others wait in the same queue, which has 256 KiB."""

LISTED: Final = 20
"""Moves that a list shows: a screen, with the line that was typed."""
MINUTES_CHARS: Final = 80_000
"""Minutes end after so much and say how they go on: what waits to be sent is bounded."""


class LoggedLine(TypedDict):
    """A sentence of the log."""

    version: int
    at: int
    text: str


class History(TypedDict):
    """Sentences of the log. `first`: the version in which the game began; `next`: the version to go
    on from where not all of them fitted in.
    """

    lines: list[LoggedLine]
    first: NotRequired[int]
    next: NotRequired[int]


class StepTexts(TypedDict):
    """What happened in a step of a game."""

    version: int
    at: int
    events: list[Shaped]
    text: list[str]


class ReplayStep(StepTexts):
    """A step and the patch to its view from that before."""

    patch: Shaped


_ReplaySteps = TypedDict("_ReplaySteps", {"from": int, "then": list[ReplayStep]})


class ReplayPage(StepTexts, _ReplaySteps):
    """The view at the step `from`, and the patches to those after it; `steps`: the last one."""

    id: str
    game: str
    hash: str
    eyes: list[int]
    steps: int
    view: Shaped


async def replay_page(
    course: Course, eyes: Eyes, lang: Lang, first: int, data_hash: str
) -> ReplayPage:
    """A page from a step on; one that is not there stands for the nearest."""
    steps = course.steps(eyes)
    first = min(max(first, 0), len(steps) - 1)
    start = steps[first]
    view = course.view(start, eyes)
    then: list[ReplayStep] = []
    size = len(canonical(view))
    for station in steps[first + 1 : first + 1 + STEPS_MAX]:
        texts = _step_texts(course, station, eyes, lang)
        step: ReplayStep = {**texts, "patch": station.patch(eyes)}
        size += len(canonical(step))
        if size > PAGE_BYTES and then:
            break
        then.append(step)
        await asyncio.sleep(0)
    return {
        "id": course.game_id,
        "game": course.game.info.key,
        "hash": data_hash,
        "eyes": sorted(eyes),
        "steps": len(steps) - 1,
        "from": first,
        **_step_texts(course, start, eyes, lang),
        "view": view,
        "then": then,
    }


def _step_texts(course: Course, station: Station, eyes: Eyes, lang: Lang) -> StepTexts:
    return {
        "version": station.version_for(eyes),
        "at": station.at,
        "events": event_views(station.events, eyes),
        "text": _sentences(course, station, eyes, lang),
    }


def _sentences(course: Course, station: Station, eyes: Eyes, lang: Lang) -> list[str]:
    key = (station.version, eyes, lang)
    if key not in course.sentences:
        events = station.events
        course.sentences[key] = event_lines(events, eyes, lang, course.game, station.name_of)
    return course.sentences[key]


async def history_page(course: Course, eyes: Eyes, lang: Lang, first: int, count: int) -> History:
    """The sentences of up to `count` versions from one on; nothing is older than the game."""
    first = max(first, course.stations[0].version)
    end = first + min(max(count, 1), STEPS_MAX)
    stations = [each for each in course.stations if first <= each.version_for(eyes) < end]
    body: History = {"first": course.stations[0].version, "lines": []}
    size = 0
    for station in stations:
        sentences = _sentences(course, station, eyes, lang)
        size += sum(len(line.encode()) for line in sentences)
        if size > PAGE_BYTES and body["lines"]:
            return {**body, "next": station.version_for(eyes)}
        body["lines"] += [
            {"version": station.version_for(eyes), "at": station.at, "text": each}
            for each in sentences
        ]
        await asyncio.sleep(0)
    return body


def position_text(course: Course, eyes: Eyes, lang: Lang, number: int, steps: int) -> str:
    """The table after a move, with what that move was."""
    station = course.steps(eyes)[number]
    game = course.game
    page = TextPage(lang=lang, name_of=station.name_of)
    when = f"{minute_of(station.at)} UTC" if station.at else ""
    head = say("answer.past_at", lang, move=number, moves=steps, when=when)
    sentences = _sentences(course, station, eyes, lang)
    board = game.text(game.seen(station.state, eyes), eyes, page).board()
    return "\n".join([head, *sentences, board])


def list_text(course: Course, eyes: Eyes, lang: Lang) -> str:
    """The newest moves with their numbers."""
    steps = course.steps(eyes)
    shown = list(enumerate(steps))[-LISTED:]
    head = say("answer.past_list", lang, moves=len(steps) - 1)
    return "\n".join([head, *(_line(course, n, each, eyes, lang) for n, each in shown)])


async def minutes_text(course: Course, eyes: Eyes, lang: Lang, first: int) -> str:
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
        await asyncio.sleep(0)
    return "\n".join([*lines, *_scores(course, steps[-1], lang)])


def _head(course: Course, steps: Sequence[Station], lang: Lang) -> list[str]:
    table = steps[0].table
    names = tuple(chair.name for chair in table.seats.values())
    times = [station.at for station in course.stations if station.at]
    options = course.game.info.options
    chosen = tuple(
        f"{options[name].typed_name(lang)}={format_value(options[name], text, lang)}"
        for name, text in table.options.items()
        if name in options and text != options[name].write(options[name].default)
    )
    title = course.game.info.name(lang)
    when = f"{minute_of(times[0])} UTC" if times else ""
    lines = [say("answer.minutes_head", lang, game=title, id=course.game_id, when=when)]
    lines.append(say("answer.minutes_seats", lang, names=names))
    if table.fork is not None:
        lines.append(say("answer.fork_of", lang, id=table.fork.id, move=table.fork.move))
    if chosen:
        lines.append(say("answer.options_set", lang, options=chosen))
    return [*lines, ""]


def _line(course: Course, number: int, station: Station, eyes: Eyes, lang: Lang) -> str:
    return f"{number}. {' '.join(_sentences(course, station, eyes, lang))}".rstrip()


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
