"""Whole games as records: what `records/*.record` were made with.

    python -m tests.rules.manhattan.golden

writes them anew. That is for a new version of the rules only: a record that no longer verifies
is a finished game that a change of the rules would have changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rules.manhattan import GAME
from tests.rules.writing import Script, write_all

RECORDS: Final = Path(__file__).with_name("records")

SCRIPTS: Final[Mapping[str, Script]] = {
    "two_greedy": Script(2, {}, greedy=frozenset({1, 2})),
    "three_sixrounds": Script(3, {"sixrounds": True}, undone=frozenset({2, 17})),
    "four_random": Script(4, {}, by_clock=frozenset({1, 30, 31})),
    "four_turned": Script(4, {"turned_cards": True}, greedy=frozenset({2}), undone=frozenset({20})),
    "two_all_options": Script(2, {"sixrounds": True, "turned_cards": True}, greedy=frozenset({1})),
}


if __name__ == "__main__":
    write_all(GAME, SCRIPTS, RECORDS)
