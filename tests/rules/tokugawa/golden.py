"""Whole games as records: what `records/*.record` were made with.

    python -m tests.rules.tokugawa.golden

writes them anew. That is for a new version of the rules only: a record that no longer verifies
is a finished game that a change of the rules would have changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rules.tokugawa import GAME
from tests.rules.writing import Script, write_all

RECORDS: Final = Path(__file__).with_name("records")

SCRIPTS: Final[Mapping[str, Script]] = {
    "greedy_capital": Script(2, {}, choices=3, greedy=frozenset({1, 2})),
    "greedy_contracts": Script(2, {}, choices=12, greedy=frozenset({1, 2})),
    "greedy_and_random": Script(
        2, {"short": True}, choices=2, greedy=frozenset({2}), undone=frozenset({3, 20})
    ),
    "random_rounds": Script(
        2, {"max_rounds": 12}, choices=3, undone=frozenset({17}), by_clock=frozenset({5, 30, 31})
    ),
    "random_without_limit": Script(2, {"max_rounds": 0}, choices=6),
}


if __name__ == "__main__":
    write_all(GAME, SCRIPTS, RECORDS)
