"""The board and its exits: section 1 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.railroad_ink.rules.pieces import (
    CENTRE,
    EXITS,
    INSIDE,
    NUMBER,
    SIDES,
    SQUARES,
    Side,
    Square,
    neighbour,
    numbers_in,
)
from tests.rules.railroad_ink import slow
from tests.rules.railroad_ink.scene import exit_at


@pytest.mark.rule("railroad_ink 1.1")
def test_there_are_49_squares_named_by_column_and_row() -> None:
    assert len(SQUARES) == 49
    assert list(SQUARES) == sorted(f"{column}{row}" for column in "ABCDEFG" for row in range(1, 8))


@pytest.mark.rule("railroad_ink 1.1")
@pytest.mark.parametrize(
    ("square", "around"),
    [
        ("A1", [None, "B1", "A2", None]),
        ("D4", ["D3", "E4", "D5", "C4"]),
        ("G7", ["G6", None, None, "F7"]),
    ],
)
def test_rows_go_south_and_columns_east(square: str, around: list[str | None]) -> None:
    results = [neighbour(NUMBER[Square(square)], side) for side in SIDES]
    assert [None if number is None else SQUARES[number] for number in results] == around


def test_every_square_has_the_neighbours_that_its_name_says() -> None:
    for number, square in enumerate(SQUARES):
        for side in SIDES:
            there = neighbour(number, side)
            assert (None if there is None else SQUARES[there]) == slow.beside(square, side)
            assert (there is not None) == bool(INSIDE[side] >> number & 1)


@pytest.mark.rule("railroad_ink 1.2")
def test_there_are_twelve_exits_in_turn_road_and_railway() -> None:
    listed = [f"{each.side.name} {each.square} {each.line}" for each in EXITS]
    assert listed == [
        *("N B1 road", "N D1 railway", "N F1 road"),
        *("E G2 railway", "E G4 road", "E G6 railway"),
        *("S B7 road", "S D7 railway", "S F7 road"),
        *("W A2 railway", "W A4 road", "W A6 railway"),
    ]


@pytest.mark.rule("railroad_ink 1.2")
def test_exits_lie_outside_of_the_border() -> None:
    assert all(neighbour(NUMBER[each.square], each.side) is None for each in EXITS)
    assert exit_at(Square("A4"), Side.W) == "road"
    assert exit_at(Square("A4"), Side.N) is None


@pytest.mark.rule("railroad_ink 1.3")
def test_the_centre_is_nine_squares() -> None:
    assert [SQUARES[number] for number in numbers_in(CENTRE)] == [
        f"{column}{row}" for column in "CDE" for row in "345"
    ]
