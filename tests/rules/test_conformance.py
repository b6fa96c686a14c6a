"""Does every game that is found keep the contract, with every option set and number of seats?"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

import rules
from rules.core.conformance import (
    Case,
    Perft,
    cases,
    check_case,
    check_catalogue,
    digests,
    perft,
    playthrough,
    read_case,
    read_perft,
)
from rules.core.game import Game

ROOT: Final = Path(__file__).parents[2]
GOLDEN: Final = ROOT / "tests" / "games" / "golden"
FIXTURES: Final = rules.games(("tests.games",))
GAMES: Final = rules.games(("rules", "tests.games"))
CASES: Final = [case for game in GAMES.values() for case in cases(game)]
PERFT: Final = list(read_perft((GOLDEN / "perft.txt").read_text(encoding="utf-8"), FIXTURES))

games = pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))


@games
def test_names_phrases_and_bounds_are_complete(game: Game[Any]) -> None:
    check_catalogue(game)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_plain_and_a_wild_game_keep_the_contract(case: Case) -> None:
    check_case(case, [2, 3], tries=2)


@games
def test_another_process_with_another_hash_seed_plays_the_same(game: Game[Any]) -> None:
    package = game.package.rpartition(".")[0]
    command = ["digests", game.info.key, "--package", package, "--first-seed", "5"]
    done = subprocess.run(
        [sys.executable, "-m", "rules.core.conformance", *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "12345"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == list(digests(read_case(game, []), 5))


@pytest.mark.parametrize("wanted", PERFT, ids=[each.line for each in PERFT])
def test_a_game_begins_in_so_many_ways(wanted: Perft) -> None:
    assert perft(wanted.case, len(wanted.counts), wanted.seed) == wanted.counts


@pytest.mark.parametrize("key", list(FIXTURES))
def test_a_whole_game_looks_as_it_did(key: str) -> None:
    """The first line of the text says what `playthrough` was run with."""
    stored = (GOLDEN / f"{key}.txt").read_text(encoding="utf-8").splitlines()
    _, _, *words, seed = stored[0].split()
    case = read_case(FIXTURES[key], words)
    assert list(playthrough(case, int(seed.removeprefix("seed=")))) == stored
