"""The conformance kit: checks that every game must pass, as functions without a test framework.

`check_catalogue(game)` needs no play. `check_case(case, seeds)` plays random games and checks every
position and step. `check_worlds(case, seeds)` finds leaks, `check_flags(game, flags)` events that
declare `reveals` and reveal nothing. `cases(game)` lists the set-ups to play.
`check_lessons(game)` plays its lessons.
Every fault is a ConformanceError, which names the command that reproduces it:

    python -m bluebear.rules.core.conformance check KEY
    python -m bluebear.rules.core.conformance playthrough KEY seats=2 --first-seed 7
"""

from __future__ import annotations

from collections.abc import Sequence

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import Case, ConformanceError, cases, read_case
from bluebear.rules.core.conformance.flags import Flags
from bluebear.rules.core.conformance.lesson_checks import check_lessons
from bluebear.rules.core.conformance.playthrough import digests, perft, playthrough
from bluebear.rules.core.conformance.position_checks import check_position
from bluebear.rules.core.conformance.random_play import Position, Step, is_checked, start, walk
from bluebear.rules.core.conformance.static_checks import check_catalogue
from bluebear.rules.core.conformance.step_checks import check_events, check_step
from bluebear.rules.core.conformance.two_worlds import Pairs, check_flags, check_worlds


def check_case(case: Case, seeds: Sequence[int], *, tries: int = 8) -> int:
    """Play a random game for each seed, every second one wild; return the number of moves played.

    After `ALL_CHECKED` moves of a game, positions are checked less and less often. At each checked
    position `tries` legal and as many illegal moves are tried. Raises ConformanceError.
    """
    moves = 0
    for seed in seeds:
        choice = FastChance(seed)
        position = start(case, seed)
        check_events(position)
        for step in walk(case, seed, wild=bool(seed % 2)):
            if is_checked(step.before.number):
                check_position(step.before, choice, tries=tries)
                check_step(step)
            position = step.after
            moves += 1
        check_position(position, choice, tries=tries)
        _check_result(position)
    return moves


def _check_result(at: Position) -> None:
    game = at.case.game
    result = game.result(at.state)
    if result is None or sorted(each.seat for each in result.standings) != at.seats():
        raise at.fault("the result does not place every seat")
    for line in result.breakdown:
        if line.rule not in game.rules:
            raise at.fault(f"score {line.key} rests on {line.rule}, which is no paragraph")
        if f"score.{line.key}" not in game.phrases:
            raise at.fault(f"no phrase score.{line.key}")


__all__ = [
    "Case",
    "ConformanceError",
    "Flags",
    "Pairs",
    "Position",
    "Step",
    "cases",
    "check_case",
    "check_catalogue",
    "check_flags",
    "check_lessons",
    "check_position",
    "check_step",
    "check_worlds",
    "digests",
    "perft",
    "playthrough",
    "read_case",
    "start",
    "walk",
]
