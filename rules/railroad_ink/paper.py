"""One seat's paper in the present round: all that its moves depend on, and what is drawn how.

A paper is read from a state or from the seat's own view, so what a seat may do is a function of
what it sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rules.core.plans import Tree
from rules.core.vision import Seat, held
from rules.railroad_ink.ink import BLANK, STAMPS, Ink, facing_at, facings
from rules.railroad_ink.moves import DONE, ERASURES, Done, Draw, Erase, Special, drawings
from rules.railroad_ink.pieces import (
    FITTING,
    ORIENTATIONS,
    SPECIAL_PIECES,
    SPECIALS,
    Piece,
    Turn,
    is_joined,
)
from rules.railroad_ink.squares import NUMBER, Square
from rules.railroad_ink.state import SPECIALS_IN_GAME, Stroke, Table


class Paper(NamedTuple):
    """What a seat has before it.

    `fixed` is the ink of the finished rounds, `used` the special routes in it; `ink` has the
    strokes of this round too. `faces` are still to be drawn, sorted.
    """

    dice: tuple[Piece, ...]
    fixed: Ink
    used: tuple[Piece, ...]
    strokes: tuple[Stroke, ...]
    ink: Ink
    faces: tuple[Piece, ...]

    @property
    def special(self) -> Stroke | None:
        """The special route drawn this round."""
        return next((each for each in self.strokes if each.piece in SPECIAL_PIECES), None)

    @property
    def specials(self) -> tuple[Piece, ...]:
        """The special routes that may be used now (Rule: railroad_ink 7.1)."""
        if len(self.used) >= SPECIALS_IN_GAME or self.special is not None:
            return ()
        return tuple(piece for piece in SPECIALS if piece not in self.used)

    def stroke_at(self, square: Square) -> Stroke | None:
        """What was drawn into a square this round."""
        return next((each for each in self.strokes if each.square == square), None)


def paper_of(table: Table, seat: Seat) -> Paper:
    """The paper of a seat, from the state."""
    part = table.seats[seat]
    board = ((square, drawn.piece, drawn.turn) for square, drawn in part.board.items())
    return _paper(table.dice, board, held(part.draft).strokes)


def paper_in(view: Tree, seat: Seat) -> Paper:
    """The paper of a seat, from its own view."""
    part = view["seats"][str(seat)]
    board = (
        (Square(square), Piece(piece), Turn(turn))
        for square, (piece, turn, _) in part["board"].items()
    )
    strokes = strokes_in(part["draft"][0])
    return _paper(tuple(map(Piece, view["dice"])), board, strokes)


def strokes_in(rows: Iterable[Sequence[str]]) -> tuple[Stroke, ...]:
    """Strokes as a view shows them."""
    return tuple(Stroke(Square(square), Piece(piece), Turn(turn)) for square, piece, turn in rows)


def _paper(
    dice: tuple[Piece, ...],
    board: Iterable[tuple[Square, Piece, Turn]],
    strokes: tuple[Stroke, ...],
) -> Paper:
    fixed: int = BLANK
    used = []
    for square, piece, turn in board:
        fixed |= STAMPS[piece, turn] << NUMBER[square]
        if piece in SPECIAL_PIECES:
            used.append(piece)
    faces = sorted(dice)
    for stroke in strokes:
        if stroke.piece in faces:
            faces.remove(stroke.piece)
    return Paper(dice, Ink(fixed), tuple(used), strokes, inked(Ink(fixed), strokes), tuple(faces))


def inked(ink: Ink, strokes: Iterable[Stroke]) -> Ink:
    """The ink with some strokes added."""
    for stroke in strokes:
        ink = Ink(ink | STAMPS[stroke.piece, stroke.turn] << NUMBER[stroke.square])
    return ink


def moves_on(paper: Paper) -> list[Draw | Special | Erase | Done]:
    """Everything a seat may do before it is done, sorted by line."""
    free = facings(paper.ink)
    moves: list[Draw | Special | Erase | Done] = [] if drawable(paper) else [DONE]
    for at, face in enumerate(paper.faces):
        if at == 0 or face != paper.faces[at - 1]:
            moves += _anywhere(face, free)
    moves += [ERASURES[number] for number in sorted(NUMBER[each.square] for each in paper.strokes)]
    for route in paper.specials:
        moves += _anywhere(route, free)
    return moves


def _anywhere(piece: Piece, free: tuple[tuple[int, int], ...]) -> list[Draw | Special]:
    """All ways to draw a piece."""
    fitting = FITTING[piece]
    return [
        move
        for number, facing in free
        if fitting[facing]
        for move in drawings(piece, number, facing)
    ]


def drawable(paper: Paper) -> dict[Piece, Draw | Special]:
    """The faces that are still to be drawn and can be, each with its first legal drawing.

    Rule: railroad_ink 6.1. The round may end when there is none.
    """
    made: dict[Piece, Draw | Special] = {}
    for face in paper.faces:
        if face in made:
            continue
        fitting = FITTING[face]
        for number, facing in facings(paper.ink):
            if fitting[facing]:
                made[face] = drawings(face, number, facing)[0]
                break
    return made


def erased(paper: Paper, square: Square) -> tuple[Stroke, ...]:
    """The strokes that stay when the one in a square is taken back, in their order.

    Rule: railroad_ink 5.7, 5.8. What stays is joined in some order, not always the one in which
    it was drawn.
    """
    left = [each for each in paper.strokes if each.square != square]
    joined: list[Stroke] = []
    ink = paper.fixed
    while True:
        fresh = [each for each in left if each not in joined and _joins(ink, each)]
        if not fresh:
            return tuple(each for each in left if each in joined)
        joined += fresh
        ink = inked(ink, fresh)


def _joins(ink: Ink, stroke: Stroke) -> bool:
    arms = ORIENTATIONS[stroke.piece][stroke.turn]
    return is_joined(arms, facing_at(ink, NUMBER[stroke.square]))
