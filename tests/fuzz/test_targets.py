"""Every kept input, and some new ones by a seed: nothing but the listed errors comes out.

`python -m tests.fuzz` looks for more, led by coverage. Another seed: `FUZZ_SEED=7 FUZZ_RUNS=20000
pytest tests/fuzz/test_targets.py`.
"""

from __future__ import annotations

import os
from typing import Final

import pytest

from tests.fuzz import corpus_files
from tests.fuzz.__main__ import hunt, main
from tests.fuzz.coverage_engine import Guided
from tests.fuzz.engine import HAS_ATHERIS
from tests.fuzz.mutator import Mutator
from tests.fuzz.seeded_bug import PLANTED
from tests.fuzz.targets import TARGETS

SEED: Final = os.environ.get("FUZZ_SEED", "20261122")
RUNS: Final = int(os.environ.get("FUZZ_RUNS", "0"))
ENOUGH: Final = 300_000
"""Inputs within which an engine that is led by coverage finds the planted mistake."""

EACH = pytest.mark.parametrize("name", TARGETS)


@EACH
def test_every_seed_and_every_stored_input_is_borne(name: str) -> None:
    target = TARGETS[name]
    for data in (*target.seeds(), *corpus_files.stored(name)):
        target.judge(data)


@EACH
def test_mutated_inputs_meet_listed_errors_only(name: str) -> None:
    target = TARGETS[name]
    pool = [*target.seeds(), *corpus_files.stored(name)]
    mutator = Mutator(f"{SEED} {name}", tuple(target.terms()))
    for _ in range(RUNS or target.runs):
        target.judge(mutator.made(pool))


def test_no_corpus_lies_there_without_a_target() -> None:
    assert {path.stem for path in corpus_files.FOLDER.glob("*.txt")} <= set(TARGETS)


def test_chance_alone_does_not_find_the_planted_mistake() -> None:
    mutator = Mutator(SEED, ())
    for _ in range(ENOUGH // 20):
        PLANTED.judge(mutator.made([b"...."]))


def test_our_engine_finds_the_planted_mistake() -> None:
    guided = Guided(PLANTED, SEED, [b"...."])
    with pytest.raises(AssertionError, match="planted"):
        guided.go_on(ENOUGH)
    assert guided.current[:4] == b"bear"


@pytest.mark.skipif(not HAS_ATHERIS, reason="atheris has no wheel for this system")
def test_atheris_finds_the_planted_mistake() -> None:
    result, _, _ = hunt(PLANTED, engine="atheris", seed=1, seconds=0, runs=ENOUGH, keep=False)
    assert [data[:4] for data in result] == [b"bear"]


def test_one_input_can_be_attempted_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["client-json", "--input", "b'{'"]) == 0
    assert capsys.readouterr().out == "Unreadable\n"


def test_the_targets_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    output = capsys.readouterr().out
    assert all(name in output for name in TARGETS)
