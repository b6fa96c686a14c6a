"""Why a drawing is not allowed, or the stroke that it makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.core.refusal import NotAllowed
from rules.core.vision import held
from rules.railroad_ink.commands import by_sides
from rules.railroad_ink.ink import drawn_in, facing_at, facing_number, facings
from rules.railroad_ink.moves import Draw, Erase, Special, drawings, piece_of
from rules.railroad_ink.paper import Paper, drawable
from rules.railroad_ink.pieces import (
    CANONICAL,
    ORIENTATIONS,
    SPECIALS,
    Facing,
    Piece,
    clashes,
    is_joined,
)
from rules.railroad_ink.squares import NUMBER, SIDES, SQUARES, Side, Square, neighbour
from rules.railroad_ink.state import SPECIALS_IN_GAME, Drawn, Stroke

_LISTED: Final = 6
"""Up to so many lines that would be right are named in a refusal."""


def stroke_of(paper: Paper, move: Draw | Special) -> Stroke:
    """The stroke of a move; NotAllowed with the side and what it meets, if it makes none."""
    piece, square, turn = piece_of(move), held(move.square), held(move.turn)
    if isinstance(move, Draw):
        _check_face(paper, piece)
    else:
        _check_route(paper, piece)
    number = NUMBER[square]
    if drawn_in(paper.ink) >> number & 1:
        raise NotAllowed("occupied", rule="5.1", square=square)
    canonical = CANONICAL[piece][turn]
    if canonical != turn:
        raise NotAllowed("turned_alike", rule="2.2", piece=piece, given=turn, turn=canonical)
    arms, facing = ORIENTATIONS[piece][turn], facing_at(paper.ink, number)
    clash = clashes(arms, facing)
    if clash:
        raise _clash(paper, move, facing, clash[0])
    if not is_joined(arms, facing):
        raise NotAllowed(
            "not_joined" if any(facing) else "nothing_leads_there",
            rule="5.2",
            candidates=_right(paper, piece, square, facing),
            square=square,
            around=tuple(
                f"{line}_{side.name.lower()}"
                for side, line in zip(SIDES, facing, strict=True)
                if line is not None
            ),
        )
    return Stroke(square, piece, turn)


def _check_face(paper: Paper, face: Piece) -> None:
    if face in paper.faces:
        return
    if face not in paper.dice:
        raise NotAllowed("not_rolled", rule="3.2", piece=face, dice=paper.dice)
    raise NotAllowed("face_drawn", rule="4.2", piece=face, faces=paper.faces or ("nothing",))


def _check_route(paper: Paper, route: Piece) -> None:
    """Rule: railroad_ink 7.1."""
    this_round = paper.special
    if this_round is not None:
        raise NotAllowed("special_this_round", rule="7.1", square=this_round.square)
    if len(paper.used) >= SPECIALS_IN_GAME:
        raise NotAllowed("specials_spent", rule="7.1", count=SPECIALS_IN_GAME)
    if route in paper.used:
        left = tuple(SPECIALS.index(each) + 1 for each in paper.specials)
        raise NotAllowed("special_used", rule="7.1", piece=route, left=left)


def _clash(paper: Paper, move: Draw | Special, facing: Facing, side: Side) -> NotAllowed:
    """An arm would meet the other kind (Rule: railroad_ink 5.3)."""
    piece, square = piece_of(move), held(move.square)
    number = NUMBER[square]
    there = neighbour(number, side)
    return NotAllowed(
        "clash_exit" if there is None else "clash_arm",
        rule="5.3",
        candidates=_right(paper, piece, square, facing),
        side=side.name,
        line=ORIENTATIONS[piece][held(move.turn)][side],
        met=facing[side],
        at=square if there is None else SQUARES[there],
    )


def _right(paper: Paper, piece: Piece, square: Square, facing: Facing) -> Sequence[str]:
    """Lines that would be right: in this square, else where else the piece may go."""
    here = drawings(piece, NUMBER[square], facing_number(facing))
    elsewhere = (
        drawings(piece, number, there)[0]
        for number, there in facings(paper.ink)
        if drawings(piece, number, there)
    )
    return [by_sides(move) for move in here or tuple(elsewhere)][:_LISTED]


def check_erasure(paper: Paper, move: Erase, drawn: Drawn | None) -> None:
    """NotAllowed unless the square was drawn this round; `drawn` is what an earlier one left."""
    square = held(move.square)
    if paper.stroke_at(square) is not None:
        return
    if drawn is not None:
        raise NotAllowed("drawn_earlier", rule="4.3", square=square, round=drawn.round)
    squares = tuple(sorted(each.square for each in paper.strokes)) or ("nothing",)
    raise NotAllowed("not_drawn", rule="5.8", square=square, squares=squares)


def check_done(paper: Paper) -> None:
    """NotAllowed while a face that is left can be drawn (Rule: railroad_ink 6.1)."""
    left = drawable(paper)
    if left:
        raise NotAllowed(
            "must_draw",
            rule="6.1",
            candidates=[by_sides(move) for move in left.values()],
            faces=tuple(left),
            squares=tuple(move.square for move in left.values()),
        )
