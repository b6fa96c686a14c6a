"""Does every game that is found keep the contract, with every two options and number of seats?"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Final

import pytest

from bluebear.rules.core.conformance.case import Case, cases, read_case
from bluebear.rules.core.conformance.lesson_checks import check_lessons, check_situations
from bluebear.rules.core.conformance.playthrough import digests
from bluebear.rules.core.conformance.random_play import walk
from bluebear.rules.core.conformance.static_checks import check_catalogue
from bluebear.rules.core.conformance.step_checks import check_case
from bluebear.rules.core.game import Game
from bluebear.rules.core.lessons import lessons_of, situations_of
from tests.rules.core.walked_changes import walk_changes
from tests.rules.game_files import GAMES, ROOT

CASES: Final = [case for game in GAMES.values() for case in cases(game)]

RUN_EACH: Final = """
import sys
from bluebear.rules.core.conformance.__main__ import main

for command in sys.argv[1:]:
    main(command.split())
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


def test_another_process_with_another_hash_seed_plays_the_same() -> None:
    commands = [
        f"digests {key} --first-seed 5 --package {game.package.rpartition('.')[0] or game.package}"
        for key, game in GAMES.items()
    ]
    done = subprocess.run(
        [sys.executable, "-c", RUN_EACH, *commands],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "12345"},
        capture_output=True,
        text=True,
        check=True,
    )
    here = [digest for game in GAMES.values() for digest in digests(read_case(game, []), 5)]
    assert done.stdout.splitlines() == here
