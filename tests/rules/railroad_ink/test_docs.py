"""Are the forms in the tables of the pages for players of Railroad Ink understood?

What its blocks show is held to a stored game by `page.toml`.
"""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.rules.game_files import players_page
from tests.rules.railroad_ink.scene import play, table, typed

PAGE: Final = players_page("railroad_ink")
FORMS: Final = re.findall(
    r"^\| `(/(?:draw|d|\d|描く|special|s|特|erase|戻す|done|完了)[^`]*)`", PAGE, re.MULTILINE
)


@pytest.mark.parametrize("line", FORMS)
def test_every_form_in_the_tables_is_understood(line: str) -> None:
    """C4 takes a road T in one way only, and the curved station in any."""
    before = table(
        "A4 road_straight 1, B4 road_straight 1, C3 rail_straight 0",
        dice="rail_curve road_t rail_t station_curve",
    )
    if line.startswith(("/erase", "/戻す")):
        before = play(before, "/draw road_t C4 2")
    intended = typed(before, line)
    assert intended in {
        "/draw road_t C4 2",
        "/draw station_curve C4 2m",
        "/draw station_curve C4 0",
        "/special 2 B6 2",
        "/erase C4",
        "/done",
    }


def test_the_tables_have_forms() -> None:
    assert len(FORMS) == 23
