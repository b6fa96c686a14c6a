"""Hints: a worker's evaluation of a seat's view, as advice for the server to show."""

from __future__ import annotations

import json
from typing import Any, Final, cast

from bluebear.clients.bots.search.decide import EvaluatedMove, SearchResult
from bluebear.clients.bots.search.jobs import Job, NoRulesError
from bluebear.clients.bots.search.worker import LostError
from bluebear.clients.bots.search.worker_pool import BusyError, Workers
from bluebear.clients.sdk import HintWanted
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.search_model import STRONG

SECONDS: Final = 1.0
"""Time limit of a hint."""
EQUALS_MAX: Final = 3
"""Maximum number of equally good lines named."""
TERMS_MAX: Final = 3
"""Maximum number of terms named as reasons."""
PLAN_MAX: Final = 8
"""Maximum number of further lines of a plan named."""

Json = dict[str, Any]  # Any: a plain tree
Opinion = EvaluatedMove[str]
FAILED: Final[Json] = {"kind": "failed"}


async def thought_line(wanted: HintWanted, workers: Workers, chance: Chance) -> str:
    """The line of the reply to the server, after a worker's search. Always replies."""
    job = Job(
        wanted.game,
        wanted.rules,
        cast(Shaped, wanted.view),
        wanted.seat,
        wanted.lines,
        STRONG,
        SECONDS,
        chance.pick(2**32),
    )
    try:
        advice = advice_of(await workers.think(wanted.room, job), wanted.lines)
    except (BusyError, LostError, NoRulesError, RuntimeError):
        advice = FAILED
    return f"/thought {wanted.number} {json.dumps(advice, separators=(',', ':'))}"


def advice_of(answer: SearchResult[str], lines: tuple[str, ...]) -> Json:
    """The advice of a result: tenths of a point, lines, and, where chances may be shown as numbers,
    percentages.
    """
    if len(lines) == 1:
        return {"kind": "only", "line": answer.best}
    compared = [each for each in answer.judged if each.playouts]
    best = next((each for each in compared if each.move == answer.best), None)
    rest = [each for each in compared if each.move != answer.best]
    if best is not None and rest:
        return _judged(best, rest, answer)
    if answer.planned:
        after = [each.move for each in answer.after[:PLAN_MAX]]
        return {"kind": "plan", "line": answer.best, "after": after}
    return {"kind": "sight", "line": answer.best}


def _judged(best: Opinion, rest: list[Opinion], answer: SearchResult[str]) -> Json:
    """The best line compared with the other candidates, the better ones first."""
    second = rest[0]
    equal = [each.move for each in rest if best.chance - each.chance <= best.error]
    other = next((each for each in rest if each.move == answer.greedy), second)
    return {
        "kind": "judged",
        "line": best.move,
        "chance": round(100 * best.chance) if answer.in_numbers else None,
        "next": second.move,
        "second": round(100 * second.chance) if answer.in_numbers else None,
        "equal": equal[:EQUALS_MAX],
        "other": other.move,
        "terms": _differences(best, other),
        "reply": best.reply or "",
    }


def _differences(best: Opinion, other: Opinion) -> list[tuple[str, int]]:
    """The largest differences between the best line and another, in tenths of a point."""
    theirs = dict(other.terms)
    made = [(name, round(10 * (points - theirs.get(name, 0.0)))) for name, points in best.terms]
    made.sort(key=lambda each: -abs(each[1]))
    return [each for each in made[:TERMS_MAX] if each[1]]
