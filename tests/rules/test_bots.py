"""Does every house bot play whole games by its moves alone?

`python -m tests.tools.bench.bots all --games 1000 --players greedy` plays many more.
"""

from __future__ import annotations

from typing import Final

import pytest

from bluebear.rules.core.conformance.case import Case, cases
from bluebear.rules.core.visibility import Seat
from tests.rules.game_files import GAMES
from tests.tools.bench.bots import play

TABLES: Final = [
    pytest.param(case, bot, number, id=f"{bot} {case}")
    for game in GAMES.values()
    for bot in game.bots
    for number, case in enumerate(list({case.seats: case for case in cases(game)}.values()))
]
"""For each number of seats the last option set: a bot is not made for the defaults only."""


@pytest.mark.parametrize(("case", "bot", "seed"), TABLES)
def test_a_bot_plays_against_itself_and_at_random(case: Case, bot: str, seed: int) -> None:
    """It always says one of its moves, and the games end."""
    seats = [Seat(seat) for seat in range(1, case.seats + 1)]
    options = {each: case.options[each] for each in case.game.info.options if each in case.options}
    for among in ([bot] * case.seats, [(bot, "random")[seat % 2] for seat in seats]):
        played = play(case.game, dict(zip(seats, among, strict=True)), seed, options)
        assert played.moves > 0
