"""Whole games as records: what `records/*.record` were made with.

    python -m tests.rules.itc.golden

writes them anew. That is for a new version of the rules only: a record that no longer verifies
is a finished game that a change of the rules would have changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rules.itc import GAME
from tests.rules.writing import Script, write_all

RECORDS: Final = Path(__file__).with_name("records")

SCRIPTS: Final[Mapping[str, Script]] = {
    "two_random": Script(2, {"goal": 60_000}, undone=frozenset({3, 40}), by_clock=frozenset({15})),
    "three_house_rules": Script(
        3,
        {"attack_limit": False, "transport_pay": False, "green_die": "6", "goal": 40_000},
        by_clock=frozenset({20, 21}),
    ),
    "four_greedy": Script(4, {}, greedy=frozenset({1, 2, 3, 4})),
    "six_mixed": Script(6, {"max_rounds": 8}, greedy=frozenset({2, 5}), undone=frozenset({100})),
}


if __name__ == "__main__":
    write_all(GAME, SCRIPTS, RECORDS)
