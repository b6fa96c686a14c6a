"""The pieces, their arms in every orientation, and where a piece fits (Rule: railroad_ink 2, 5)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from itertools import product
from typing import Final, NewType

from bluebear.rules.railroad_ink.squares import SIDES, Line, Side

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
    """The arms after a turn."""
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
        turn: next(each for each, arms in known.items() if arms == turned(BASE_ARMS[piece], turn))
        for turn in TURNS
    }
    for piece, known in ORIENTATIONS.items()
}
"""For every turn the canonical one that gives the same arms."""

Facing = tuple[Line | None, ...]
"""What faces a square at each side: the kind of the exit or of the neighbour's arm there."""


def is_joined(arms: Arms, facing: Facing) -> bool:
    """Whether at least one arm meets its own kind (Rule: railroad_ink 5.2)."""
    return any(arm is not None and arm is met for arm, met in zip(arms, facing, strict=True))


def clashes(arms: Arms, facing: Facing) -> list[Side]:
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
            for turn, arms in known.items()
            if is_joined(arms, facing) and not clashes(arms, facing)
        )
        for facing in FACINGS
    )
    for piece, known in ORIENTATIONS.items()
}
"""For every piece and facing, by number, the canonical turns in which the piece may be drawn."""
