"""Can every board be heard, and does every short form keep what matters in a few lines?"""

from __future__ import annotations

import re

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.visibility import SPECTATOR, Seat
from tests.rules.game_files import GAMES

DRAWN = re.compile("[\u2500-\u25ff×·]|[|+#=_-]{3}")
"""What a screen reader spells: box characters, frames made of other signs."""
MOVES = 40


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("key", ["manhattan", "railroad_ink", "tokai", "itc", "tokugawa"])
def test_a_game_is_reported_without_pictures_and_shown_in_few_lines(key: str, lang: Lang) -> None:
    game, chance = GAMES[key], FastChance(1)
    outcome = game.setup(game.info.complete({}), 2, chance)
    page = TextPage(lang=lang)
    for number in range(MOVES):
        seat = min(outcome.to_move)
        legal = game.plain(outcome.state, seat)
        outcome = game.play(outcome.state, seat, legal[chance.pick(len(legal))], chance)
        if number % 5:
            continue
        for eyes in (SPECTATOR, frozenset({Seat(1)})):
            view = game.seen(outcome.state, eyes)
            reading = game.text(view, eyes, page).linear_board()
            assert not DRAWN.search(reading), DRAWN.search(reading)
            names = [page.seat(Seat(1)), page.seat(Seat(2))]
            assert all(name in reading for name in names), "everybody is told of"
            for lines in (6, 12, 18, 20, 35):
                short = game.text(view, eyes, TextPage(lang=lang, lines=lines)).short().splitlines()
                assert len(short) <= lines
            assert game.text(view, eyes, page).full() == game.text(view, eyes, page).board()
            assert game.text(view, eyes, TextPage(lang=lang, linear=True)).full() == reading
