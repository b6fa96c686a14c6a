"""Boards looked at closely: round numbers, networks, open ends, and all the pieces.

Rule: railroad_ink 12.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bluebear.rules.core.text_layout import beside, fit
from bluebear.rules.core.visibility import Seat
from bluebear.rules.railroad_ink.lines import lines_of
from bluebear.rules.railroad_ink.picture import (
    MAP_WIDTH,
    draw_map,
    draw_piece,
    open_ends_of,
)
from bluebear.rules.railroad_ink.pieces import ORIENTATIONS, TURNS, Piece
from bluebear.rules.railroad_ink.scoring import EXIT_POINTS, exits_joined
from bluebear.rules.railroad_ink.sheet import Sheet
from bluebear.rules.railroad_ink.sides import letters_of
from bluebear.rules.railroad_ink.squares import EXITS, NUMBER
from bluebear.rules.railroad_ink.state import PARTS

_GAP: Final = "   "
_IN_A_ROW: Final = 3


def maps(sheet: Sheet, seats: Sequence[Seat], *, rounds: bool = False) -> list[str]:
    """Boards side by side, as many as the page is wide."""
    in_row = max(1, (sheet.page.width + len(_GAP)) // (MAP_WIDTH + len(_GAP)))
    lines: list[str] = []
    for at in range(0, len(seats), in_row):
        blocks = [
            [
                fit(_caption(sheet, seat), MAP_WIDTH),
                *draw_map(sheet.board(seat), sheet.signs, rounds=rounds),
            ]
            for seat in seats[at : at + in_row]
        ]
        if lines:
            lines.append("")
        lines += beside(blocks, _GAP, [MAP_WIDTH] * len(blocks))
    return lines


def close(sheet: Sheet, seat: Seat) -> list[str]:
    """One board with its points, its networks and its open ends by name."""
    board, points = sheet.board(seat), sheet.points(seat)
    lines = [_caption(sheet, seat), *draw_map(board, sheet.signs), ""]
    parts = [
        f"{sheet.score_name(part)} {count}"
        for part, count in zip(PARTS, points.signed, strict=True)
    ]
    lines += sheet.listed("parts", parts)
    drawn = lines_of((NUMBER[square], each.piece, each.turn) for square, each in board.items())
    reached = [[str(EXITS[number].square) for number in each] for each in exits_joined(drawn)]
    for names in reached:
        if len(names) > 1:
            worth = sheet.say("worth", count=EXIT_POINTS[len(names)])
            lines += sheet.listed("network", [*names[:-1], f"{names[-1]} {worth}"])
    lone = [names[0] for names in reached if len(names) == 1]
    if lone:
        lines += sheet.listed("lone_exits", lone)
    ends = [f"{square} {sheet.side(side)}" for square, side in open_ends_of(board)]
    if ends:
        lines += sheet.listed("open_ends", ends)
    if not sheet.is_seen(seat):
        lines += sheet.told("hidden", seat=seat)
    return lines


def pieces(sheet: Sheet) -> Iterator[str]:
    """All pieces at rotation 0, with the sides of their arms in every turn."""
    cell = sheet.page.width // _IN_A_ROW
    listed = list(Piece)
    for at in range(0, len(listed), _IN_A_ROW):
        row = listed[at : at + _IN_A_ROW]
        blocks = [
            [sheet.word(piece), *(f"  {line}" for line in draw_piece(piece, TURNS[0], sheet.signs))]
            for piece in row
        ]
        yield from beside(blocks, "", [cell] * len(row))
        for piece in row:
            turns = (f"{turn}={letters_of(piece, turn)}" for turn in ORIENTATIONS[piece])
            yield from sheet.flowed(" ".join([f"{piece.value}:", *turns]))
        yield ""
    yield from sheet.told("sides")


def _caption(sheet: Sheet, seat: Seat) -> str:
    return sheet.say("caption", seat=seat, total=sheet.points(seat).total)
