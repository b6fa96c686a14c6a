"""What is shown of a table where there are few lines?"""

from __future__ import annotations

import pytest

from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.text_layout import columns
from bluebear.rules.core.texts import PAGE, GameTexts, SummaryBlock, TextPage
from bluebear.rules.core.visibility import SPECTATOR
from tests.rules.game_files import GAMES

REST = "(The rest: /look; all of it: /board.)"


def short(most: int, *parts: SummaryBlock, width: int = 80, lang: Lang = "en") -> list[str]:
    class Blocks(GameTexts[None]):
        def summary_blocks(self) -> tuple[SummaryBlock, ...]:
            return parts

    page = TextPage(lang, width, lines=most)
    return Blocks(GAMES["duel"], None, SPECTATOR, page).short().split("\n")


def test_what_fits_is_shown_completely_and_in_order() -> None:
    assert short(
        4, SummaryBlock(1, ["a", "b"]), SummaryBlock(0, ["c"]), SummaryBlock(2, ["d"])
    ) == ["a", "b", "c", "d"]


def test_the_parts_of_low_rank_are_shown_and_the_rest_is_named() -> None:
    parts = (
        SummaryBlock(0, ["a"]),
        SummaryBlock(2, ["b", "b"]),
        SummaryBlock(1, ["c", "c"]),
        SummaryBlock(3, ["d"]),
    )
    assert short(5, *parts) == ["a", "c", "c", "d", REST]


def test_a_section_that_does_not_fit_is_left_out_completely() -> None:
    assert short(3, SummaryBlock(0, ["a"]), SummaryBlock(1, ["b", "b", "b"])) == ["a", REST]


def test_what_must_be_shown_is_cut_at_the_last_line() -> None:
    assert short(3, SummaryBlock(0, ["a", "b", "c", "d"])) == ["a", "b", REST]


@pytest.mark.parametrize("lang", LANGS)
def test_the_rest_is_named_on_a_narrow_page_too(lang: Lang) -> None:
    lines = short(10, SummaryBlock(0, ["a"] * 30), width=20, lang=lang)
    assert len(lines) == 10
    assert max(map(columns, lines)) <= 20


def test_a_board_falls_into_its_paragraphs() -> None:
    class Drawn(GameTexts[None]):
        def board(self) -> str:
            return "a\nb\n\nc\n"

    blocks = Drawn(GAMES["duel"], None, SPECTATOR, PAGE).summary_blocks()
    assert blocks == [SummaryBlock(0, ["a", "b"]), SummaryBlock(1, ["c"])]
