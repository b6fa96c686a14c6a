"""One seat's paper in the present round: all that its moves depend on, and what is drawn how.

A paper is read from a state or from the seat's own view, so what a seat may do is a function of
what it sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, NamedTuple

from bluebear.rules.core.draft import freeze
from bluebear.rules.core.identity_cache import IdentityCache
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import require
from bluebear.rules.railroad_ink.lines import Lines, added, lines_of
from bluebear.rules.railroad_ink.moves import DONE, ERASURES, WAYS, Done, Draw, Erase, Special
from bluebear.rules.railroad_ink.pieces import (
    ORIENTATIONS,
    SPECIAL_PIECES,
    SPECIALS,
    Piece,
    is_joined,
)
from bluebear.rules.railroad_ink.squares import NUMBER, Square
from bluebear.rules.railroad_ink.state import SPECIALS_IN_GAME, Draft, Drawn, Part, Stroke

Dice = tuple[Piece, ...]
Board = Keyed[Square, Drawn]


class Paper(NamedTuple):
    """What a seat has before it.

    `board` is what the finished rounds have left, `used` the special routes on it; `lines` are
    those of the strokes of this round too, and `special` the special route among these. `faces`
    are still to be drawn, sorted.
    """

    board: Board
    dice: Dice
    used: tuple[Piece, ...]
    strokes: tuple[Stroke, ...]
    lines: Lines
    faces: tuple[Piece, ...]
    special: Stroke | None

    @property
    def specials(self) -> list[Piece]:
        """The special routes that may be used now."""
        return [route for route in SPECIALS if barred(self, route) is None]


def barred(paper: Paper, route: Piece) -> str | None:
    """The refusal of a special route, None if it may be used now (Rule: railroad_ink 7.1)."""
    if paper.special is not None:
        return "special_this_round"
    if len(paper.used) >= SPECIALS_IN_GAME:
        return "specials_spent"
    return "special_used" if route in paper.used else None


_READ: Final[IdentityCache[Board | Draft, Paper]] = IdentityCache(2048)
"""Papers by the boards and drafts that they were read from: a round goes on from its last paper."""


def keep(draft: Draft, paper: Paper) -> Paper:
    """Remember what a draft is read as."""
    return _READ.put(draft, paper)


def paper_of(part: Part, dice: Dice) -> Paper:
    """The paper of a seat, from the state or from the seat's own view."""
    draft = require(part.draft)
    found = _READ.get(draft)
    if found is not None and found.dice is dice and found.board is part.board:
        return found
    return keep(draft, with_strokes(begun(freeze(part.board), dice), draft.strokes))


def begun(board: Board, dice: Dice) -> Paper:
    """The paper of a round in which nothing is drawn yet."""
    found = _READ.get(board)
    if found is not None and found.dice is dice:
        return found
    lines = lines_of((NUMBER[square], each.piece, each.turn) for square, each in board.items())
    used = (each.piece for each in board.values() if each.piece in SPECIAL_PIECES)
    return _begin(board, dice, tuple(used), lines)


def next_round(paper: Paper, board: Board, dice: Dice) -> Paper:
    """The paper of the round that follows, when the board has what was drawn in this one."""
    used = paper.used if paper.special is None else (*paper.used, paper.special.piece)
    return _begin(board, dice, used, paper.lines)


def _begin(board: Board, dice: Dice, used: tuple[Piece, ...], lines: Lines) -> Paper:
    faces = tuple(sorted(dice))
    return _READ.put(board, Paper(board, dice, used, (), lines, faces, special=None))


def with_stroke(paper: Paper, stroke: Stroke) -> Paper:
    """The paper with one stroke more."""
    square, piece, turn = stroke.square, stroke.piece, stroke.turn
    faces, special = paper.faces, paper.special
    if piece in faces:
        at = faces.index(piece)
        faces = faces[:at] + faces[at + 1 :]
    elif piece in SPECIAL_PIECES:
        special = stroke
    lines = added(paper.lines, piece, turn, NUMBER[square])
    strokes = (*paper.strokes, stroke)
    return Paper(paper.board, paper.dice, paper.used, strokes, lines, faces, special)


def with_strokes(paper: Paper, strokes: Iterable[Stroke]) -> Paper:
    """The paper with more strokes."""
    for stroke in strokes:
        paper = with_stroke(paper, stroke)
    return paper


def moves_on(paper: Paper) -> list[Draw | Special | Erase | Done]:
    """Everything a seat may do before it is done, sorted by line."""
    drawn = drawable(paper)
    moves: list[Draw | Special | Erase | Done] = [*chain(*drawn.values())] if drawn else [DONE]
    moves += [ERASURES[number] for number in sorted(NUMBER[each.square] for each in paper.strokes)]
    for ways in _ways_anywhere(paper, paper.specials):
        moves += ways
    return moves


def drawable(paper: Paper) -> dict[Piece, list[Draw | Special]]:
    """The faces that are still to be drawn and can be, each with its drawings, sorted.

    Rule: railroad_ink 6.1. The round may end when there is none.
    """
    faces = tuple(dict.fromkeys(paper.faces))
    found = zip(faces, _ways_anywhere(paper, faces), strict=True)
    return {face: ways for face, ways in found if ways}


def ways_into(paper: Paper, piece: Piece, square: Square) -> tuple[Draw | Special, ...]:
    """The drawings of a piece that fit into a square, sorted (Rule: railroad_ink 5.1, 5.2, 5.3)."""
    spot = paper.lines.spots.get(NUMBER[square])
    return () if spot is None else WAYS[piece][spot]


def drawings_into(paper: Paper, square: Square) -> list[Draw | Special]:
    """The legal drawings into a square, sorted by line."""
    drawn = (move for move in moves_on(paper) if isinstance(move, Draw | Special))
    return [move for move in drawn if move.square == square]


def _ways_anywhere(paper: Paper, pieces: Sequence[Piece]) -> list[list[Draw | Special]]:
    """For each of some pieces the drawings that fit into any square, sorted."""
    spots = paper.lines.free_spots()
    return [list(chain.from_iterable(map(WAYS[piece].__getitem__, spots))) for piece in pieces]


def runs_out(paper: Paper) -> bool:
    """Whether all faces are drawn and no special route can be (Rule: railroad_ink 12.3)."""
    return not paper.faces and not any(_ways_anywhere(paper, paper.specials))


def erased(paper: Paper, square: Square) -> Paper:
    """The paper after the stroke in a square is taken back, with all that hangs on it.

    Rule: railroad_ink 5.7, 5.8. What stays is joined in some order, not always the one in which
    it was drawn.
    """
    left = [each for each in paper.strokes if each.square != square]
    made = begun(paper.board, paper.dice)
    while joined := [each for each in left if each not in made.strokes and _joins(made, each)]:
        made = with_strokes(made, joined)
    return made._replace(strokes=tuple(each for each in left if each in made.strokes))


def _joins(paper: Paper, stroke: Stroke) -> bool:
    """Whether a stroke is joined to what is drawn (Rule: railroad_ink 5.2)."""
    arms = ORIENTATIONS[stroke.piece][stroke.turn]
    return is_joined(arms, paper.lines.facing(NUMBER[stroke.square]))
