"""Legal moves as text: for each piece the squares, for each square the sides of its arms.

Rule: railroad_ink 12.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.phrases import Phrases
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.text_layout import flowed
from bluebear.rules.core.visibility import Move, require
from bluebear.rules.railroad_ink.commands import GRAMMAR, by_sides
from bluebear.rules.railroad_ink.moves import Done, Draw, Erase, Special, piece_of
from bluebear.rules.railroad_ink.paper import Paper, drawings_into
from bluebear.rules.railroad_ink.pieces import Piece
from bluebear.rules.railroad_ink.sheet import INDENT, Sheet
from bluebear.rules.railroad_ink.sides import letters_of
from bluebear.rules.railroad_ink.squares import NUMBER, SIDES, Square


def listing(moves: Sequence[Move], page: TextPage, phrases: Phrases) -> str:
    """What a seat may do, piece by piece."""
    lines: list[str] = []
    drawn = [move for move in moves if isinstance(move, Draw | Special)]
    if drawn:
        line, short = GRAMMAR.format(drawn[0]), by_sides(drawn[0])
        example = {
            "line": localized_line(GRAMMAR, phrases, line, page.lang),
            "short": localized_line(GRAMMAR, phrases, short, page.lang),
        }
        told = page.say(phrases, "moves.drawings", **example)
        lines += flowed(told, page.width, INDENT)
    for piece in dict.fromkeys(map(piece_of, drawn)):
        name = f"{phrases.word('piece', piece, page.lang)} ({piece.value}):"
        squares = _by_square([move for move in drawn if piece_of(move) is piece])
        lines += flowed(" ".join([name, *squares]), page.width, INDENT)
    erasures = [str(move.square) for move in moves if isinstance(move, Erase)]
    if erasures:
        told = " ".join([page.say(phrases, "moves.erasures"), *erasures])
        lines += flowed(told, page.width, INDENT)
    if any(isinstance(move, Done) for move in moves):
        lines.append(page.say(phrases, "moves.done"))
    return "\n".join(lines)


def _by_square(moves: Sequence[Draw | Special]) -> Iterator[str]:
    """`C4:esw,nes`: the ways to draw one piece, square by square."""
    squares: dict[Square, list[str]] = {}
    for move in moves:
        letters = letters_of(piece_of(move), require(move.turn))
        squares.setdefault(require(move.square), []).append(letters)
    for square, turns in squares.items():
        yield f"{square}:{','.join(turns)}"


def fitting(sheet: Sheet, paper: Paper, square: Square) -> list[str]:
    """What of the round's faces and the special routes may be drawn into one square."""
    number = NUMBER[square]
    if paper.lines.is_drawn(number):
        raise NotAllowed("occupied", rule="5.1", square=square)
    facing = zip(SIDES, paper.lines.facing(number), strict=True)
    around = [sheet.met(line, side) for side, line in facing if line is not None]
    lines = sheet.listed("facing", around or [sheet.say("nothing")], square=square)
    found: dict[Piece, list[str]] = {}
    for move in drawings_into(paper, square):
        piece = piece_of(move)
        found.setdefault(piece, []).append(letters_of(piece, require(move.turn)))
    for piece, turns in found.items():
        lines += sheet.flowed(" ".join([f"{sheet.word(piece)} ({piece.value}):", *turns]))
    return lines if found else [*lines, sheet.say("nothing_fits")]
