"""Moves as typed, with what a line may leave out, and the legal moves as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood
from bluebear.rules.core.slots import fold, tokens_of
from bluebear.rules.core.visibility import Move, Seat, require
from bluebear.rules.railroad_ink.rules import pieces, state
from bluebear.rules.railroad_ink.rules.round_board import (
    Paper,
    by_sides,
    drawings_into,
    moves_on,
    paper_of,
)
from bluebear.rules.railroad_ink.rules.rounds import already_done
from bluebear.rules.railroad_ink.text.ascii_board import ViewReader
from bluebear.rules.railroad_ink.text.commands import (
    GRAMMAR,
    face_named,
    face_of_two,
    route_named,
    turns_written,
)

_PIECE_READERS: Final = {"draw": face_named, "special": route_named}
_TOKENS: Final = 3
"""A piece, a square, a turn."""


def expand(view: state.State, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
    """The move of a line that the grammar alone cannot read; None if it can.

    Raises NotAllowed, Ambiguous or NotUnderstood.
    """
    tokens = tokens_of(text)
    read = _PIECE_READERS.get(verb)
    if read is None or not tokens or view.over:
        return None
    if view.seats[seat].done:
        raise already_done(view)
    paper = paper_of(view.seats[seat], view.dice)
    is_renamed = verb == "draw" and _put_face(paper, tokens)
    piece, square = read(tokens[0]), square_named(tokens[1] if len(tokens) > 1 else "")
    chosen: pieces.Turn | None = None
    if piece is not None and square is not None:
        if len(tokens) == _TOKENS:
            turns = turns_written(piece, tokens[2]) or []
            if len(turns) > 1:
                chosen = tokens[2] = _the_one(paper, piece, square, turns)
        elif len(tokens) < _TOKENS:
            chosen = _the_one(paper, piece, square, list(pieces.ORIENTATIONS[piece]))
            tokens.append(chosen)
    if not is_renamed and chosen is None:
        return None
    return (GRAMMAR.understand(GRAMMAR.verbs[verb], " ".join(tokens), lambda: moves_on(paper)),)


def square_named(text: str) -> pieces.Square | None:
    """The square of a typed name; None if it is none."""
    name = pieces.Square(fold(text).strip().upper())
    return name if name in pieces.SQUARES else None


def _put_face(paper: Paper, tokens: list[str]) -> bool:
    """Puts a face for the number of a die, or for its name in two words; whether it did."""
    if (two := face_of_two(tokens[0], tokens[1]) if len(tokens) > 1 else None) is not None:
        tokens[:2] = [two.value]
        return True
    if not (tokens[0].isascii() and tokens[0].isdigit()):
        return False
    if tokens[0] not in map(str, range(1, state.DICE + 1)):
        offered = (f"1-{state.DICE}", *dict.fromkeys(paper.faces))
        raise NotUnderstood("bad_argument", slot="face", given=tokens[0], candidates=offered)
    number = int(tokens[0])
    face = paper.dice[number - 1]
    if face not in paper.faces:
        faces = paper.faces or ("nothing",)
        raise NotAllowed("die_drawn", rule="4.2", number=number, piece=face, faces=faces)
    tokens[0] = face.value
    return True


def _the_one(
    paper: Paper, piece: pieces.Piece, square: pieces.Square, turns: list[pieces.Turn]
) -> pieces.Turn:
    """The only one of some turns that may be drawn; the first if none may, so that it is refused.

    Raises Ambiguous if several may.
    """
    fitting = [
        move
        for move in drawings_into(paper, square)
        if state.piece_of(move) is piece and move.turn in turns
    ]
    if len(fitting) > 1:
        verb = GRAMMAR.verb_of(fitting[0]).name
        lines = tuple(map(by_sides, fitting))
        raise Ambiguous("ambiguous_move", slot="turn", verb=verb, candidates=lines)
    return require(fitting[0].turn) if fitting else turns[0]


# For each piece the squares, for each square the sides of its arms (Rule: railroad_ink 12.1).


def format_moves(sheet: ViewReader, moves: Sequence[Move]) -> str:
    """What a seat may do, piece by piece: `C4:esw,nes`."""
    lines: list[str] = []
    if drawn := [move for move in moves if isinstance(move, state.Draw | state.Special)]:
        line, short = GRAMMAR.format(drawn[0]), by_sides(drawn[0])
        example = {
            "line": localized_line(GRAMMAR, sheet.phrases, line, sheet.page.lang),
            "short": localized_line(GRAMMAR, sheet.phrases, short, sheet.page.lang),
        }
        lines += sheet.lines(sheet.phrase("moves.drawings", **example))
    for piece in dict.fromkeys(map(state.piece_of, drawn)):
        squares: dict[pieces.Square, list[str]] = {}
        for move in drawn:
            if state.piece_of(move) is piece:
                squares.setdefault(require(move.square), []).append(_letters(move))
        ways = (f"{square}:{','.join(turns)}" for square, turns in squares.items())
        lines += sheet.piece_lines(piece, ways)
    if erasures := [str(move.square) for move in moves if isinstance(move, state.Erase)]:
        lines += sheet.lines(" ".join([sheet.phrase("moves.erasures"), *erasures]))
    if any(isinstance(move, state.Done) for move in moves):
        lines.append(sheet.phrase("moves.done"))
    return "\n".join(lines)


def _letters(move: state.Draw | state.Special) -> str:
    """The sides of the arms of a drawing."""
    return pieces.letters_of(state.piece_of(move), require(move.turn))


def fitting(sheet: ViewReader, paper: Paper, square: pieces.Square) -> list[str]:
    """What of the round's faces and the special routes may be drawn into one square."""
    number = pieces.NUMBER[square]
    if paper.lines.is_drawn(number):
        raise NotAllowed("occupied", rule="5.1", square=square)
    facing = pieces.named_sides(paper.lines.facing(number))
    around = [sheet.label("around", each) for each in facing]
    lines = sheet.listing("facing", around or [sheet.say("nothing")], square=square)
    found: dict[pieces.Piece, list[str]] = {}
    for move in drawings_into(paper, square):
        found.setdefault(state.piece_of(move), []).append(_letters(move))
    for piece, turns in found.items():
        lines += sheet.piece_lines(piece, turns)
    return lines if found else [*lines, sheet.say("nothing_fits")]
