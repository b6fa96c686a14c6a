"""What always holds at the table (Rule: railroad_ink 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.railroad_ink.rules import pieces
from bluebear.rules.railroad_ink.rules.connectivity import lines_of
from bluebear.rules.railroad_ink.rules.round_board import drawable, erased, paper_of, runs_out
from bluebear.rules.railroad_ink.rules.scoring import points_of
from bluebear.rules.railroad_ink.rules.state import DICE, SPECIALS_IN_GAME, Part, State, shown_to

_EXITS: Final = {(pieces.NUMBER[each.square], each.side): each.line for each in pieces.EXITS}


def broken(table: State) -> Iterator[str]:
    """What does not hold in this table."""
    for seat, part in table.seats.items():
        for sentence in (*_drawings(part), *_course(table, seat), *_points(table, part)):
            yield f"seat {seat}: {sentence}"
    yield from _looks(table)


def _drawings(part: Part) -> Iterator[str]:
    """Every drawing is canonical and clashes with none; special routes are few and different."""
    drawn = [*_on_board(part), *_in_draft(part)]
    if len(drawn) != len({square for square, _, _ in drawn}):
        yield "a square holds two pieces"
    specials = [piece for _, piece, _ in drawn if piece in pieces.SPECIALS]
    if len(specials) != len(set(specials)) or len(specials) > SPECIALS_IN_GAME:
        yield f"special routes {specials}"
    arms_at = {
        pieces.NUMBER[square]: pieces.ORIENTATIONS[piece][turn] for square, piece, turn in drawn
    }
    for number, arms in arms_at.items():
        if pieces.clashes(arms, [*_facing(arms_at, number)]):
            yield f"{pieces.SQUARES[number]} clashes"


def _facing(arms_at: Mapping[int, pieces.Arms], number: int) -> Iterator[pieces.Line | None]:
    """What faces a square at each side: the kind of the exit or of the neighbour's arm there."""
    for side in pieces.SIDES:
        there = pieces.neighbour(number, side)
        if there is None:
            yield _EXITS.get((number, side))
        else:
            yield arms_at[there][side.opposite] if there in arms_at else None


def _course(table: State, seat: Seat) -> Iterator[str]:
    """A round has the faces that were rolled and at most one special route."""
    part = table.seats[seat]
    paper = paper_of(part, table.dice)
    strokes = require(part.draft).strokes
    faces = [each.piece for each in strokes if each.piece in pieces.FACES]
    if sorted((*faces, *paper.faces)) != sorted(table.dice) or len(table.dice) != DICE:
        yield f"drew {faces} of {table.dice}"
    if len(strokes) - len(faces) > 1:
        yield "two special routes in a round"
    if erased(paper, pieces.Square("")).strokes != strokes:
        yield "something drawn this round is joined to nothing"
    if strokes and not part.began:
        yield "has drawn and not begun"
    if part.done and not table.over and drawable(paper):
        yield "is done while a face can be drawn"
    if table.auto_done and not part.done and runs_out(paper):
        yield "has nothing left to draw and is not done"
    for number in range(1, table.round):
        drawn = [each.piece for each in part.board.values() if each.round == number]
        if len([piece for piece in drawn if piece in pieces.SPECIALS]) > 1 or len(drawn) > DICE + 1:
            yield f"drew {drawn} in round {number}"


def _points(table: State, part: Part) -> Iterator[str]:
    """The points are those of a board that is drawn square by square from nothing."""
    lap_once = bool(table.lap_once)
    finished, drawn = (
        lines_of((pieces.NUMBER[square], piece, turn) for square, piece, turn in drawings)
        for drawings in (_on_board(part), [*_on_board(part), *_in_draft(part)])
    )
    points = part.points
    expected = [points_of(each, lap_once=lap_once) for each in (drawn, finished)]
    if [require(part.draft).points, points] != expected:
        yield "the points are not those of the board"
    if pieces.drawn_in(finished.ink).bit_count() != len(part.board):
        yield "the board is not what is drawn"
    if points.total != sum(points.signed):
        yield f"total {points.total} of {sum(points.signed)}"


def _on_board(part: Part) -> list[tuple[pieces.Square, pieces.Piece, pieces.Turn]]:
    return [(square, each.piece, each.turn) for square, each in part.board.items()]


def _in_draft(part: Part) -> list[tuple[pieces.Square, pieces.Piece, pieces.Turn]]:
    return [(each.square, each.piece, each.turn) for each in require(part.draft).strokes]


def _looks(table: State) -> Iterator[str]:
    """Seats that are done see each other's drawings; other seats see none."""
    for seat, part in table.seats.items():
        shown = {other: table.seats[other].draft for other in shown_to(table, seat)}
        seen = require(part.seen)
        if dict(seen.items()) != shown:
            yield f"seat {seat} has been shown {list(seen)}"
    if not table.over and all(part.done for part in table.seats.values()):
        yield "all are done and the round goes on"
