"""Golden texts of Railroad Ink.

The kit as a whole runs on every game in `tests/rules/test_conformance.py` and `tests/leak`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from rules.core.conformance import Perft, perft, playthrough, read_case, read_perft
from rules.railroad_ink import GAME

HERE: Final = Path(__file__).parent
PERFT: Final = list(
    read_perft((HERE / "perft.txt").read_text(encoding="utf-8"), {GAME.info.key: GAME})
)


@pytest.mark.parametrize("wanted", PERFT, ids=[each.line for each in PERFT])
def test_a_game_begins_in_so_many_ways(wanted: Perft) -> None:
    assert perft(wanted.case, len(wanted.counts), wanted.seed) == wanted.counts


def test_a_whole_game_looks_as_it_did() -> None:
    """`python -m rules.core.conformance playthrough railroad_ink seats=2` writes this text."""
    stored = (HERE / "playthrough.txt").read_text(encoding="utf-8").splitlines()
    assert list(playthrough(read_case(GAME, ["seats=2"]), 1)) == stored
