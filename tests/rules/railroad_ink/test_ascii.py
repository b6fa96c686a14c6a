"""Can roads, railways and every piece be told apart without box characters?"""

from __future__ import annotations

import pytest

from bluebear.rules.railroad_ink.rules.pieces import ORIENTATIONS, Line
from bluebear.rules.railroad_ink.text.ascii_board import ASCII, LINED, Signs, draw_piece


@pytest.mark.parametrize("signs", [LINED, ASCII])
def test_roads_and_railways_have_separate_signs(signs: Signs) -> None:
    assert set(signs.lines[Line.ROAD]) & set(signs.lines[Line.RAILWAY]) == {" "}


@pytest.mark.parametrize("signs", [LINED, ASCII])
def test_pieces_that_join_other_sides_look_different(signs: Signs) -> None:
    drawn: dict[str, set[object]] = {}
    for piece, turns in ORIENTATIONS.items():
        for turn, arms in turns.items():
            looks = "\n".join(draw_piece(piece, turn, signs))
            has_station = signs.station in looks
            drawn.setdefault(looks, set()).add((arms, has_station))
    assert [looks for looks, intended in drawn.items() if len(intended) > 1] == []
