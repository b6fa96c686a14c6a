"""Do the figures count what they say?"""

from __future__ import annotations

from bluebear.rules.core.chance import FastChance
from bluebear.rules.tokugawa.rules.state import Ending
from tests.rules.tokugawa.figures import RANDOM, played, report_lines, series
from tests.rules.tokugawa.worked import A, B


def test_every_game_is_counted_once_by_ending_and_by_winner() -> None:
    games = series(["greedy", RANDOM], 4)
    assert [game.line[A] for game in games] == ["greedy", RANDOM, "greedy", RANDOM]
    lines = list(report_lines(games))
    assert lines[0] == "4 games"
    for line in lines[3:]:
        numbers = [int(term.strip(",;")) for term in line.split() if term.strip(",;").isdigit()]
        assert sum(numbers) == 4, line


def test_a_game_is_played_to_its_end() -> None:
    game = played({A: RANDOM, B: RANDOM}, FastChance(7), {"max_rounds": 3})
    assert (game.table.ending, game.table.round) == (Ending.ROUNDS, 3)
    assert game.moves > 16
