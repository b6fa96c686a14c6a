"""The pieces: section 2 of the rules, and where each fits in every turn at every side."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Final

import pytest

from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.connectivity import NO_LINES, added, lines_of
from bluebear.rules.railroad_ink.rules.pieces import (
    CANONICAL,
    COMMON_FACES,
    FACINGS,
    FITTING,
    FOURTH_FACES,
    LINES,
    NUMBER,
    ORIENTATIONS,
    SIDES,
    SPECIALS,
    SQUARES,
    STATIONS,
    TURNS,
    WEIGHTS,
    Facing,
    Line,
    Piece,
    Side,
    Square,
    Turn,
    arms_text,
    drawn_in,
    parts_of_spot,
)
from tests.rules.railroad_ink.scene import drawn, exit_at, lines, table

TABLE: Final = {
    (Piece(columns[0]), Turn(turn)): arms
    for line in Path(__file__).with_name("pieces.txt").read_text(encoding="utf-8").splitlines()
    if (columns := line.split()) and not line.startswith("#")
    for turn, arms in zip(columns[1::2], columns[2::2], strict=True)
}


@pytest.mark.rule("railroad_ink 2.1", "railroad_ink 2.2")
def test_the_arms_of_every_piece_are_those_of_the_table() -> None:
    made = {
        (piece, turn): arms_text(arms)
        for piece, listed in ORIENTATIONS.items()
        for turn, arms in listed.items()
    }
    assert made == TABLE


@pytest.mark.rule("railroad_ink 2.1")
def test_only_the_overpass_keeps_two_kinds_apart() -> None:
    mixed = {piece for (piece, _), arms in TABLE.items() if "H" in arms and "R" in arms}
    assert mixed - STATIONS == {Piece.OVERPASS}
    assert mixed > STATIONS
    assert len(STATIONS & set(SPECIALS)) == 4


@pytest.mark.rule("railroad_ink 2.2")
def test_only_the_curved_station_differs_from_its_mirror_image() -> None:
    assert {piece for piece, turn in TABLE if turn.endswith("m")} == {Piece.STATION_CURVE}


@pytest.mark.rule("railroad_ink 2.2")
@pytest.mark.parametrize("piece", list(Piece))
def test_every_turn_stands_for_the_first_that_looks_the_same(piece: Piece) -> None:
    for turn in TURNS:
        canonical = CANONICAL[piece][turn]
        assert TURNS.index(canonical) <= TURNS.index(turn)
        assert CANONICAL[piece][canonical] == canonical
        assert canonical in ORIENTATIONS[piece]


@pytest.mark.rule("railroad_ink 2.2")
@pytest.mark.parametrize(
    ("piece", "turn", "canonical"),
    [
        ("rail_straight", "2", "0"),
        ("rail_straight", "3m", "1"),
        ("road_curve", "0m", "3"),
        ("road_t", "1m", "1"),
        ("overpass", "3", "1"),
        ("special_3", "2m", "0"),
        ("station_curve", "1m", "1m"),
    ],
)
def test_turns_that_look_the_same_are_one(piece: str, turn: str, canonical: str) -> None:
    assert CANONICAL[Piece(piece)][Turn(turn)] == canonical


def surroundings(facing: Facing) -> dict[Square, tuple[Piece, Turn]]:
    """Pieces around D4 whose arms towards it are those of a facing."""
    straight = {Line.ROAD: Piece.ROAD_STRAIGHT, Line.RAILWAY: Piece.RAIL_STRAIGHT}
    made = {}
    for side, square in zip(SIDES, ("D3", "E4", "D5", "C4"), strict=True):
        line = facing[side]
        if line is not None:
            made[Square(square)] = straight[line], Turn(str(side % 2))
    return made


@pytest.mark.rule("railroad_ink 5.2", "railroad_ink 5.3", "railroad_ink 5.4")
@pytest.mark.parametrize("piece", list(Piece))
def test_a_piece_fits_in_each_turn_at_each_side_as_the_table_says(piece: Piece) -> None:
    """81 surroundings of D4, drawn for real, and all turns, judged by the letters of the table."""
    signs = {None: ".", Line.ROAD: "H", Line.RAILWAY: "R"}
    for facing in product((None, *LINES), repeat=4):
        around_d4 = surroundings(facing).items()
        paper = lines_of((NUMBER[square], *drawing) for square, drawing in around_d4)
        assert paper.facing(NUMBER[Square("D4")]) == facing
        around = [signs[line] for line in facing]
        wanted = []
        for (kind, turn), arms in TABLE.items():
            if kind is piece:
                meets = [(arm, met) for arm, met in zip(arms, around, strict=True) if arm != "."]
                joined = any(arm == met for arm, met in meets)
                clash = any(met not in (".", arm) for arm, met in meets)
                if joined and not clash:
                    wanted.append(turn)
        number = paper.facing_number(NUMBER[Square("D4")])
        assert FACINGS[number] == facing
        assert list(FITTING[piece][number]) == wanted, facing


def test_the_number_of_a_facing_is_written_in_base_3() -> None:
    for number, facing in enumerate(FACINGS):
        digits = (0 if line is None else 1 + LINES.index(line) for line in facing)
        assert number == sum(d * w for d, w in zip(digits, WEIGHTS, strict=True))


@pytest.mark.rule("railroad_ink 5.2")
def test_an_empty_board_is_faced_by_its_exits_only() -> None:
    faced = [SQUARES[parts_of_spot(spot)[0]] for spot in NO_LINES.free_spots()]
    assert faced == sorted(["B1", "D1", "F1", "G2", "G4", "G6", "B7", "D7", "F7", "A2", "A4", "A6"])
    for number, square in enumerate(SQUARES):
        exits = tuple(exit_at(square, side) for side in SIDES)
        assert NO_LINES.facing(number) == exits


def test_a_drawn_square_is_not_free() -> None:
    made = added(NO_LINES, Piece.STATION_STRAIGHT, Turn("0"), NUMBER[Square("B1")])
    assert NUMBER[Square("B1")] not in made.spots
    assert made.is_drawn(NUMBER[Square("B1")])
    assert drawn_in(made.ink) == 1 << NUMBER[Square("B1")]
    assert made.facing(NUMBER[Square("B2")])[Side.N] is Line.RAILWAY


def test_no_facing_takes_more_orientations_than_the_bound_counts() -> None:
    """`legal_bound`: so many in each square, five drawings to take back, and /done."""
    most = 0
    for number in range(len(FACINGS)):
        counts = {piece: len(FITTING[piece][number]) for piece in Piece}
        common = sorted((counts[face] for face in COMMON_FACES), reverse=True)[:3]
        fourth = max(counts[face] for face in FOURTH_FACES)
        specials = sum(counts[route] for route in SPECIALS)
        most = max(most, sum(common) + fourth + specials)
    assert GAME.info.legal_bound == most * len(SQUARES) + 5 + 1


def test_legal_drawings_are_those_that_fit_somewhere() -> None:
    """Against the table, on a real board, without the numbers of facings."""
    text = "A4 road_t 2, B4 overpass 1, A2 rail_curve 2, D1 station_curve 0m"
    before = table(text, dice="rail_t rail_t road_curve station_curve")
    contents = drawn(text)
    wanted = []
    for (piece, turn), arms in TABLE.items():
        for square in SQUARES:
            if square in contents:
                continue
            met = []
            for side, arm in enumerate(arms):
                other = facing_square(square, side)
                drawn_there = contents.get(other) if other else None
                if drawn_there is not None:
                    letter = TABLE[drawn_there.piece, drawn_there.turn][(side + 2) % 4]
                else:
                    exit_ = exit_at(square, Side(side))
                    letter = {None: ".", "road": "H", "railway": "R"}[exit_]
                met.append((arm, letter))
            clash = any(arm != "." and there not in (".", arm) for arm, there in met)
            if not clash and any(arm != "." and arm == there for arm, there in met):
                head = f"draw {piece}" if piece not in SPECIALS else f"special {piece[-1]}"
                wanted.append(f"/{head} {square} {turn}")
    rolled = ("/draw rail_t", "/draw road_curve", "/draw station_curve", "/special")
    assert lines(before) == sorted(line for line in wanted if line.startswith(rolled))


def facing_square(square: Square, side: int) -> Square | None:
    column, row = ord(square[0]) + (0, 1, 0, -1)[side], int(square[1]) + (-1, 0, 1, 0)[side]
    inside = ord("A") <= column <= ord("G") and 1 <= row <= 7
    return Square(f"{chr(column)}{row}") if inside else None
