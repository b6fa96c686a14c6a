"""Does every game that is found keep the contract, with every two options and number of seats?"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Final

import pytest

from bluebear.rules.core.conformance.case import Case, cases, read_case
from bluebear.rules.core.conformance.lesson_checks import check_lessons, check_situations
from bluebear.rules.core.conformance.random_play import walk
from bluebear.rules.core.conformance.static_checks import check_catalogue
from bluebear.rules.core.conformance.step_checks import check_case
from bluebear.rules.core.game import Game
from bluebear.rules.core.lessons import lessons_of, situations_of
from tests.rules.core.walked_changes import walk_changes
from tests.rules.game_files import GAMES, ROOT

CASES: Final = [case for game in GAMES.values() for case in cases(game)]

PRINT: Final = """
from tests.rules.test_conformance import digests

print(*digests(), sep="\\n")
"""

games = pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))


@games
def test_names_phrases_and_bounds_are_complete(game: Game[Any]) -> None:
    check_catalogue(game)


@games
def test_lessons_can_be_played_to_their_end(game: Game[Any]) -> None:
    check_lessons(game, lessons_of(game.package))


@games
def test_every_situation_of_the_coach_occurs(game: Game[Any]) -> None:
    assert not check_situations(read_case(game, []), situations_of(game.package), range(1, 8))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_plain_and_a_wild_game_keep_the_contract(case: Case) -> None:
    check_case(case, [2, 3], tries=2)


@games
def test_a_move_changes_what_a_walk_through_both_states_finds(game: Game[Any]) -> None:
    listed = [*cases(game)]
    for step in (*walk(listed[0], 4), *walk(listed[-1], 5, wild=True)):
        assert step.after.made is not None
        walked = walk_changes(game.tree.plan, step.before.state, step.after.state)
        assert repr(step.after.made.changes) == repr(walked), step.line


def digests() -> list[str]:
    """A random game of each, one line `SEAT LINE DIGEST` for each move."""
    return [
        f"{step.seat} {step.line} {game.tree.digest(step.after.state)}"
        for game in GAMES.values()
        for step in walk(read_case(game, []), 5)
    ]


def test_another_process_with_another_hash_seed_plays_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRINT],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "12345"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == digests()
