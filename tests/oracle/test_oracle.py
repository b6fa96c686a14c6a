"""Every game is the one that a second reader of its rule text has written."""

from __future__ import annotations

import pytest

from bluebear.rules import find_games
from tests.oracle.differential import cases_in_turn, matched
from tests.oracle.oracles import ORACLES

GAMES = dict.fromkeys(ORACLES, 10) | {
    "itc": 16,
    "manhattan": 60,
    "railroad_ink": 24,
    "tokai": 24,
    "tokugawa": 12,
}


@pytest.mark.parametrize("key", sorted(ORACLES))
def test_a_second_reading_of_the_rules_agrees(key: str) -> None:
    game = find_games().games[key]
    for case, seed in cases_in_turn(game, range(1, 1 + GAMES[key])):
        assert matched(ORACLES[key], case, seed).games == 1
