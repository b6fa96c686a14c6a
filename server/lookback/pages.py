"""Parts of a course, for given eyes: steps of a replay, sentences of the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bluebear.rules.core.merge_patch import Shaped, canonical
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.visibility import Eyes
from bluebear.server.lookback.course import Course, Station
from bluebear.server.lookback.slices import Slices
from bluebear.server.sentences import event_lines, event_views

STEPS_MAX: Final = 200
"""Steps of one answer, and versions of one page of the log."""
PAGE_BYTES: Final = 96 * 1024
"""An answer ends after so much: others wait in the same queue, which has 256 KiB."""


async def replay_page(course: Course, eyes: Eyes, lang: Lang, first: int, slices: Slices) -> Shaped:
    """The view at a step and the patches to those after it.

    A step that is not there stands for the nearest: the beginning, or the newest.
    """
    steps = course.steps(eyes)
    first = min(max(first, 0), len(steps) - 1)
    start = steps[first]
    view = course.view(start, eyes)
    body: Shaped = {
        "id": course.game_id,
        "game": course.game.info.key,
        "eyes": sorted(eyes),
        "steps": len(steps) - 1,
        "from": first,
        **_told(course, start, eyes, lang),
        "view": view,
    }
    then: list[Mapping[str, Any]] = []  # Any: plain trees
    size = len(canonical(view))
    for station in steps[first + 1 : first + 1 + STEPS_MAX]:
        step = {**_told(course, station, eyes, lang), "patch": station.patch(eyes)}
        size += len(canonical(step))
        if size > PAGE_BYTES and then:
            break
        then.append(step)
        await slices.rest()
    return {**body, "then": then}


def _told(course: Course, station: Station, eyes: Eyes, lang: Lang) -> Shaped:
    told = station.events
    return {
        "version": station.version_for(eyes),
        "at": station.at,
        "events": event_views(told, eyes),
        "text": event_lines(told, eyes, lang, course.game, station.name_of),
    }


async def history_page(
    course: Course, eyes: Eyes, lang: Lang, first: int, count: int, slices: Slices
) -> Shaped:
    """The sentences of up to `count` versions from one on; nothing is older than the game.

    `next` is the version to go on from where not all of them fitted in.
    """
    first = max(first, course.stations[0].version)
    end = first + min(max(count, 1), STEPS_MAX)
    stations = [each for each in course.stations if first <= each.version_for(eyes) < end]
    lines: list[Mapping[str, Any]] = []  # Any: plain trees
    body: Shaped = {"first": course.stations[0].version, "lines": lines}
    size = 0
    for station in stations:
        told = event_lines(station.events, eyes, lang, course.game, station.name_of)
        size += sum(len(line.encode()) for line in told)
        if size > PAGE_BYTES and lines:
            return {**body, "next": station.version_for(eyes)}
        lines += [
            {"version": station.version_for(eyes), "at": station.at, "text": each} for each in told
        ]
        await slices.rest()
    return body
