"""Why a move is not allowed, of a seat that is still drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, require
from bluebear.rules.railroad_ink.commands import by_sides
from bluebear.rules.railroad_ink.moves import WAYS, Draw, Erase, Special, piece_of
from bluebear.rules.railroad_ink.paper import Paper, barred, drawable, ways_into
from bluebear.rules.railroad_ink.pieces import CANONICAL, ORIENTATIONS, Facing, Piece, clashes
from bluebear.rules.railroad_ink.squares import NUMBER, SIDES, SQUARES, Side, Square, neighbour
from bluebear.rules.railroad_ink.state import SPECIALS_IN_GAME, special_number

_LISTED: Final = 6
"""Up to so many lines that would be right are named in a refusal."""


def why_not(paper: Paper, move: Move) -> NotAllowed | None:
    """What forbids a move; None if it is legal."""
    if isinstance(move, Draw):
        return _why_no_face(paper, piece_of(move)) or _why_not_there(paper, move)
    if isinstance(move, Special):
        return _why_no_route(paper, piece_of(move)) or _why_not_there(paper, move)
    if isinstance(move, Erase):
        return _why_not_erased(paper, require(move.square))
    return _why_not_done(paper)


def _why_no_face(paper: Paper, face: Piece) -> NotAllowed | None:
    if face in paper.faces:
        return None
    if face not in paper.dice:
        return NotAllowed("not_rolled", rule="3.2", piece=face, dice=paper.dice)
    return NotAllowed("face_drawn", rule="4.2", piece=face, faces=paper.faces or ("nothing",))


def _why_no_route(paper: Paper, route: Piece) -> NotAllowed | None:
    code = barred(paper, route)
    if code is None:
        return None
    if paper.special is not None:
        return NotAllowed(code, rule="7.1", square=paper.special.square)
    left = tuple(map(special_number, paper.specials))
    if not left:
        return NotAllowed(code, rule="7.1", count=SPECIALS_IN_GAME)
    return NotAllowed(code, rule="7.1", piece=route, left=left)


def _why_not_there(paper: Paper, move: Draw | Special) -> NotAllowed | None:
    """Why a piece does not fit into a square, with the side and what it meets there."""
    piece, square, turn = piece_of(move), require(move.square), require(move.turn)
    if move in ways_into(paper, piece, square):
        return None
    number = NUMBER[square]
    if paper.lines.is_drawn(number):
        return NotAllowed("occupied", rule="5.1", square=square)
    canonical = CANONICAL[piece][turn]
    if canonical != turn:
        return NotAllowed("turned_alike", rule="2.2", piece=piece, given=turn, turn=canonical)
    facing = paper.lines.facing(number)
    clash = clashes(ORIENTATIONS[piece][turn], facing)
    if clash:
        return _clash(paper, move, facing, clash[0])
    return NotAllowed(
        "not_joined" if any(facing) else "nothing_leads_there",
        rule="5.2",
        candidates=_right(paper, piece, square),
        square=square,
        around=tuple(
            f"{line}_{side.name.lower()}"
            for side, line in zip(SIDES, facing, strict=True)
            if line is not None
        ),
    )


def _clash(paper: Paper, move: Draw | Special, facing: Facing, side: Side) -> NotAllowed:
    """An arm would meet the other kind (Rule: railroad_ink 5.3)."""
    piece, square = piece_of(move), require(move.square)
    there = neighbour(NUMBER[square], side)
    return NotAllowed(
        "clash_exit" if there is None else "clash_arm",
        rule="5.3",
        candidates=_right(paper, piece, square),
        side=side.name,
        line=ORIENTATIONS[piece][require(move.turn)][side],
        met=facing[side],
        at=square if there is None else SQUARES[there],
    )


def _right(paper: Paper, piece: Piece, square: Square) -> Sequence[str]:
    """Lines that would be right: in this square, else where else the piece may go."""
    here = ways_into(paper, piece, square)
    elsewhere = (ways[0] for spot in paper.lines.free_spots() if (ways := WAYS[piece][spot]))
    return [by_sides(move) for move in here or tuple(elsewhere)][:_LISTED]


def _why_not_erased(paper: Paper, square: Square) -> NotAllowed | None:
    drawn = [stroke.square for stroke in paper.strokes]
    if square in drawn:
        return None
    earlier = paper.board.get(square)
    if earlier is not None:
        return NotAllowed("drawn_earlier", rule="4.3", square=square, round=earlier.round)
    squares = tuple(sorted(drawn)) or ("nothing",)
    return NotAllowed("not_drawn", rule="5.8", square=square, squares=squares)


def _why_not_done(paper: Paper) -> NotAllowed | None:
    """What must be drawn before (Rule: railroad_ink 6.1)."""
    first = {face: ways[0] for face, ways in drawable(paper).items()}
    if not first:
        return None
    return NotAllowed(
        "must_draw",
        rule="6.1",
        candidates=[by_sides(move) for move in first.values()],
        faces=tuple(first),
        squares=tuple(move.square for move in first.values()),
    )
