"""The board and the pieces as geometry and as bits of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum, StrEnum
from functools import cache
from itertools import product
from typing import Final, NamedTuple, NewType

from bluebear.rules.core.merge_patch import Shaped

# The board as geometry: 7 x 7 squares, their sides, and the twelve exits (Rule: railroad_ink 1).
# Squares have numbers in the order of their names, `A1` 0, `A2` 1, ... `G7` 48, and a set of
# squares is a whole number with one bit for each. So a step south is one bit up, a step east seven
# bits.

Square = NewType("Square", str)
"""The name of a square: a column A to G, west to east, and a row 1 to 7, north to south."""

WIDTH: Final = 7
COLUMNS: Final = "ABCDEFG"
SQUARES: Final = tuple(
    Square(f"{column}{row}") for column in COLUMNS for row in range(1, WIDTH + 1)
)
NUMBER: Final = {square: number for number, square in enumerate(SQUARES)}


class Side(IntEnum):
    """The sides of a square, clockwise."""

    N = 0
    E = 1
    S = 2
    W = 3

    @property
    def opposite(self) -> Side:
        """The side of the neighbour that lies at this one."""
        return Side((self + 2) % 4)


SIDES: Final = tuple(Side)


class Line(StrEnum):
    """The two kinds of lines."""

    ROAD = "road"
    RAILWAY = "railway"


LINES: Final = tuple(Line)

STEPS: Final = (-1, WIDTH, 1, -WIDTH)
"""From a square to its neighbour at each side."""

ALL: Final = (1 << len(SQUARES)) - 1
_FIRST_COLUMN: Final = (1 << WIDTH) - 1
_FIRST_ROW: Final = sum(1 << at for at in range(0, len(SQUARES), WIDTH))

_EDGES: Final = (
    _FIRST_ROW,
    _FIRST_COLUMN << (WIDTH * (WIDTH - 1)),
    _FIRST_ROW << (WIDTH - 1),
    _FIRST_COLUMN,
)
"""The squares that have the border at each side."""

INSIDE: Final = tuple(ALL & ~edge for edge in _EDGES)
"""The squares that have a neighbour at each side."""

CENTRE: Final = sum(1 << NUMBER[Square(f"{column}{row}")] for column in "CDE" for row in (3, 4, 5))
"""Rule: railroad_ink 1.3."""


class Exit(NamedTuple):
    """A line that comes in from outside at a border square (Rule: railroad_ink 1.2)."""

    square: Square
    side: Side
    line: Line


EXITS: Final = tuple(
    Exit(Square(name), side, line)
    for side, names in (
        (Side.N, ("B1", "D1", "F1")),
        (Side.E, ("G2", "G4", "G6")),
        (Side.S, ("B7", "D7", "F7")),
        (Side.W, ("A2", "A4", "A6")),
    )
    for name, line in zip(
        names,
        (Line.ROAD, Line.RAILWAY, Line.ROAD)
        if side in (Side.N, Side.S)
        else (Line.RAILWAY, Line.ROAD, Line.RAILWAY),
        strict=True,
    )
)


def neighbour(number: int, side: Side) -> int | None:
    """The square at a side of a square; None at the border."""
    return number + STEPS[side] if INSIDE[side] >> number & 1 else None


def numbers_in(squares: int) -> list[int]:
    """The numbers of a set of squares, ascending."""
    found = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return found


# The pieces, their arms in every orientation, and where a piece fits (Rule: railroad_ink 2, 5).

Turn = NewType("Turn", str)
"""How a piece is turned: quarter turns clockwise, 0 to 3, after `m` was mirrored first."""

TURNS: Final = tuple(Turn(f"{quarter}{mirror}") for mirror in ("", "m") for quarter in range(4))
"""All of them; the first that gives the same arms is the canonical one (Rule: railroad_ink 2.2)."""


class Piece(StrEnum):
    """What can be drawn into a square: the nine faces of the dice and the six special routes."""

    RAIL_CURVE = "rail_curve"
    RAIL_T = "rail_t"
    RAIL_STRAIGHT = "rail_straight"
    ROAD_CURVE = "road_curve"
    ROAD_T = "road_t"
    ROAD_STRAIGHT = "road_straight"
    OVERPASS = "overpass"
    STATION_STRAIGHT = "station_straight"
    STATION_CURVE = "station_curve"
    SPECIAL_1 = "special_1"
    SPECIAL_2 = "special_2"
    SPECIAL_3 = "special_3"
    SPECIAL_4 = "special_4"
    SPECIAL_5 = "special_5"
    SPECIAL_6 = "special_6"


COMMON_FACES: Final = tuple(Piece)[:6]
"""On each of three dice, once (Rule: railroad_ink 3.1)."""
FOURTH_FACES: Final = tuple(Piece)[6:9]
"""On the fourth die, twice each."""
FACES: Final = COMMON_FACES + FOURTH_FACES
SPECIALS: Final = tuple(Piece)[9:]
SPECIAL_PIECES: Final = frozenset(SPECIALS)
"""To ask whether a piece is one."""

Arms = tuple[Line | None, ...]
"""What each side has, in the order N E S W."""

_H, _R = Line.ROAD, Line.RAILWAY

BASE_ARMS: Final[Mapping[Piece, Arms]] = {
    Piece.RAIL_CURVE: (_R, _R, None, None),
    Piece.RAIL_T: (_R, _R, None, _R),
    Piece.RAIL_STRAIGHT: (_R, None, _R, None),
    Piece.ROAD_CURVE: (_H, _H, None, None),
    Piece.ROAD_T: (_H, _H, None, _H),
    Piece.ROAD_STRAIGHT: (_H, None, _H, None),
    Piece.OVERPASS: (_H, _R, _H, _R),
    Piece.STATION_STRAIGHT: (_H, None, _R, None),
    Piece.STATION_CURVE: (_H, _R, None, None),
    Piece.SPECIAL_1: (_H, _H, _R, _H),
    Piece.SPECIAL_2: (_R, _R, _H, _R),
    Piece.SPECIAL_3: (_H, _H, _H, _H),
    Piece.SPECIAL_4: (_R, _R, _R, _R),
    Piece.SPECIAL_5: (_H, _H, _R, _R),
    Piece.SPECIAL_6: (_H, _R, _H, _R),
}
"""The arms at rotation 0."""

STATIONS: Final = frozenset(
    piece
    for piece, arms in BASE_ARMS.items()
    if {_H, _R} <= set(arms) and piece is not Piece.OVERPASS
)
"""The pieces that join road and railway (Rule: railroad_ink 2.1)."""


def turned(arms: Arms, turn: Turn) -> Arms:
    quarters = int(turn[0])
    if turn.endswith("m"):
        arms = (arms[0], arms[3], arms[2], arms[1])
    return tuple(arms[(side - quarters) % 4] for side in SIDES)


def arms_text(arms: Arms) -> str:
    """The arms as four characters, N E S W: `H` for a road, `R` for a railway, `.` for none."""
    return "".join({_H: "H", _R: "R", None: "."}[arm] for arm in arms)


def _orientations(piece: Piece) -> dict[Turn, Arms]:
    made: dict[Turn, Arms] = {}
    for turn in TURNS:
        arms = turned(BASE_ARMS[piece], turn)
        if arms not in made.values():
            made[turn] = arms
    return made


ORIENTATIONS: Final[Mapping[Piece, Mapping[Turn, Arms]]] = {
    piece: _orientations(piece) for piece in Piece
}
"""The different drawings of each piece, by canonical turn, in the order of their lines."""

CANONICAL: Final[Mapping[Piece, Mapping[Turn, Turn]]] = {
    piece: {
        turn: next(each for each, arms in drawn.items() if arms == turned(BASE_ARMS[piece], turn))
        for turn in TURNS
    }
    for piece, drawn in ORIENTATIONS.items()
}
"""For every turn the canonical one that gives the same arms."""


@cache  # bounded: 50 pieces in their turns
def letters_of(piece: Piece, turn: Turn) -> str:
    """The arms of a piece in a canonical turn as letters: `esw`, or `n-esw` with roads first."""
    arms = ORIENTATIONS[piece][turn]
    roads, rails = (
        "".join(side.name.lower() for side in SIDES if arms[side] is line) for line in LINES
    )
    return f"{roads}-{rails}" if roads and rails else roads or rails


Facing = tuple[Line | None, ...]
"""What faces a square at each side: the kind of the exit or of the neighbour's arm there."""


def named_sides(arms: Arms | Facing) -> tuple[str, ...]:
    """The sides that have something, with its kind: `road_n`."""
    sides = zip(SIDES, arms, strict=True)
    return tuple(f"{line}_{side.name.lower()}" for side, line in sides if line is not None)


def is_joined(arms: Arms, facing: Facing) -> bool:
    """Whether at least one arm meets its own kind (Rule: railroad_ink 5.2)."""
    return any(arm is not None and arm is met for arm, met in zip(arms, facing, strict=True))


def clashes(arms: Arms, facing: Sequence[Line | None]) -> list[Side]:
    """The sides where an arm would meet the other kind (Rule: railroad_ink 5.3)."""
    return [
        side for side in SIDES if arms[side] is not None and facing[side] not in (None, arms[side])
    ]


FACINGS: Final = tuple(product((None, _H, _R), repeat=len(SIDES)))
"""All 81; the number of one is written in base 3 with the side N first."""

WEIGHTS: Final = tuple(3 ** (len(SIDES) - 1 - side) for side in SIDES)
"""What a road at a side adds to the number of a facing; a railway adds twice as much."""

Spot = NewType("Spot", int)
"""A square and what faces it: the number of the square times 81, plus that of the facing."""


def parts_of_spot(spot: int) -> tuple[int, int]:
    """The number of the square and the number of what faces it."""
    return divmod(spot, len(FACINGS))


def spot_at(number: int, facing: int = 0) -> Spot:
    """The spot of a square that something faces, or nothing."""
    return Spot(number * len(FACINGS) + facing)


FITTING: Final[Mapping[Piece, tuple[tuple[Turn, ...], ...]]] = {
    piece: tuple(
        tuple(
            turn
            for turn, arms in drawn.items()
            if is_joined(arms, facing) and not clashes(arms, facing)
        )
        for facing in FACINGS
    )
    for piece, drawn in ORIENTATIONS.items()
}
"""For every piece and facing, by number, the canonical turns in which the piece may be drawn."""


# Everything drawn on one board as a single whole number: `Ink`.
# A set of lines has 98 bits: the squares with a road, then those with a railway. An ink is four
# such sets, the lines that leave their square at each side, then the squares that are drawn at all.
# Inks of different squares are put together with `|`.

Ink = NewType("Ink", int)

BLANK: Final = Ink(0)

HALF: Final = len(SQUARES)
"""How far the railways of a set of lines stand behind its roads."""
_LINES: Final = 2 * HALF
_BOTH_LINES: Final = (1 << _LINES) - 1
_DRAWN: Final = len(SIDES) * _LINES


def both(squares: int) -> int:
    """The lines of both kinds of some squares."""
    return squares | squares << HALF


def line_at(number: int, line: Line) -> int:
    """The line of a kind in a square."""
    return 1 << number + LINES.index(line) * HALF


def arm_at(number: int, side: Side, line: Line) -> Ink:
    """The arm of a kind at a side of a square."""
    return Ink(line_at(number, line) << side * _LINES)


def _stamp(piece: Piece, turn: Turn) -> int:
    made = 1 << _DRAWN
    for side, line in zip(SIDES, ORIENTATIONS[piece][turn], strict=True):
        if line is not None:
            made |= arm_at(0, side, line)
    return made


STAMPS: Final[Mapping[tuple[Piece, Turn], int]] = {
    (piece, turn): _stamp(piece, turn) for piece, turns in ORIENTATIONS.items() for turn in turns
}
"""The ink of each piece in each canonical turn, drawn at `A1`; shift it to another square."""


def arms_of(ink: Ink) -> tuple[int, int, int, int]:
    """The lines that leave their square at each side, N E S W."""
    return (
        ink & _BOTH_LINES,
        ink >> _LINES & _BOTH_LINES,
        ink >> 2 * _LINES & _BOTH_LINES,
        ink >> 3 * _LINES & _BOTH_LINES,
    )


_INSIDE: Final = tuple(both(inside) for inside in INSIDE)


_DOWN, _ACROSS = STEPS[Side.S], STEPS[Side.E]
_SOUTH, _EAST, _NEXT_WEST = 2 * _LINES, _LINES, 3 * _LINES + _ACROSS
_TO_SOUTH, _TO_EAST = _INSIDE[Side.S], _INSIDE[Side.E]


def joins_of(ink: Ink) -> tuple[int, int]:
    """The lines that meet their kind in the next square: southwards, eastwards."""
    return (
        ink >> _SOUTH & ink >> _DOWN & _TO_SOUTH,
        ink >> _EAST & ink >> _NEXT_WEST & _TO_EAST,
    )


def drawn_in(ink: Ink) -> int:
    return ink >> _DRAWN


def static() -> Shaped:
    """The arms of every piece in every turn, N E S W as `HR.`, and the exits, for clients."""
    return {
        "pieces": {
            piece.value: {
                "station": piece in STATIONS,
                "turns": {turn: arms_text(arms) for turn, arms in drawn.items()},
            }
            for piece, drawn in ORIENTATIONS.items()
        },
        "exits": [[each.square, each.side.name, each.line.value] for each in EXITS],
    }
