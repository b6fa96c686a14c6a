"""Boards that play hardly ever reaches: crowded, with many exits joined, rings, long routes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.railroad_ink.rules.connectivity import lines_of
from bluebear.rules.railroad_ink.rules.pieces import NUMBER, Piece, Square, Turn
from bluebear.rules.railroad_ink.rules.round_board import begun, moves_on, runs_out
from bluebear.rules.railroad_ink.rules.scoring import points_of
from bluebear.rules.railroad_ink.rules.state import Drawn
from bluebear.rules.railroad_ink.text.commands import GRAMMAR
from tests.oracle import railroad_ink as oracle

BOARDS: Final = 24
"""Of each style."""

FEW: Final = 6
"""With so many places to turn, every stroke can be tried."""

_PIECES: Final = {**oracle.FACES, **oracle.ROUTES}

Likes = tuple[int, ...]
"""The drawing that is liked best is drawn, in eleven of twelve squares."""


def joining(arms: int, met: int, missed: int, ahead: int) -> Likes:
    """Nothing around is left unmet, and everything goes on."""
    return -missed, arms


def closing(arms: int, met: int, missed: int, ahead: int) -> Likes:
    """As little as can be is open, so rings close."""
    return -missed - ahead, met


def going_on(arms: int, met: int, missed: int, ahead: int) -> Likes:
    """Long lines without many junctions."""
    return -abs(arms - 2), met, -missed


STYLES: Final = (joining, closing, going_on)


def ring(chance: FastChance) -> oracle.Board:
    """A rectangle of road or railway that nothing is joined to."""
    west, north = chance.pick(5), chance.pick(5)
    east, south = west + 1 + chance.pick(6 - west), north + 1 + chance.pick(6 - north)
    kind = (oracle.ROAD, oracle.RAILWAY)[chance.pick(2)]
    board = oracle.Board()
    for column in range(west, east + 1):
        for row in range(north, south + 1):
            is_across = row in (north, south)
            is_along = column in (west, east)
            outcomes = (
                is_along and row > north,
                is_across and column < east,
                is_along and row < south,
                is_across and column > west,
            )
            if is_across or is_along:
                arms = "".join(kind if each else oracle.BLANK for each in outcomes)
                shape = "curve" if is_across and is_along else "straight"
                name = f"{'road' if kind == oracle.ROAD else 'rail'}_{shape}"
                board[oracle.COLUMNS[column] + oracle.ROWS[row]] = oracle.Drawn(name, arms)
    return board


def crowded(
    chance: FastChance,
    board: oracle.Board,
    squares: int,
    likes: Callable[[int, int, int, int], Likes],
    pieces: Mapping[str, str] = _PIECES,
) -> oracle.Board:
    """So many squares more, drawn by the rules but for dice and the number of special routes."""
    for _ in range(squares):
        free = oracle.free_squares(board)
        routes = [
            (name, *position.split())
            for name, arms in pieces.items()
            for position in oracle.spots_for(arms, free)
        ]
        if not routes:
            break
        square = routes[chance.pick(len(routes))][1]
        drawings = [
            oracle.Drawn(name, oracle.turned(_PIECES[name], turn))
            for name, where, turn in routes
            if where == square
        ]
        if chance.pick(12):
            liked = {drawn: likes(*_around(board, square, drawn)) for drawn in drawings}
            drawings = [drawn for drawn in drawings if liked[drawn] == max(liked.values())]
        board[square] = drawings[chance.pick(len(drawings))]
    return board


def _around(board: oracle.Board, square: str, drawn: oracle.Drawn) -> tuple[int, int, int, int]:
    """Its arms, those that meet one, the arms and exits it does not meet, and those left open."""
    arms = [(side, arm) for side, arm in zip(oracle.SIDES, drawn.arms, strict=True) if arm != "."]
    met = sum(oracle.met_at(square, side, board) == arm for side, arm in arms)
    facing = sum(oracle.met_at(square, side, board) != oracle.BLANK for side in oracle.SIDES)
    inside = sum(oracle.AROUND[square][side] is not None for side, _ in arms)
    return len(arms), met, facing - met, max(inside - met, 0)


def differences(board: oracle.Board) -> list[tuple[str, int, int]]:
    """The parts of the score that the rules and the oracle count differently."""
    points = points_of(
        lines_of(
            (NUMBER[Square(square)], _piece(drawn.name), _turn(drawn))
            for square, drawn in board.items()
        )
    )
    parts = [
        ("exits", points.exits, oracle.exit_points(board)),
        ("centre", points.centre, len(oracle.CENTRE & set(board))),
        ("open ends", points.open_ends, oracle.open_ends(board)),
    ]
    for kind, length in ((oracle.ROAD, points.road), (oracle.RAILWAY, points.railway)):
        if sum(drawn.arms.count(kind) > 2 for drawn in board.values()) <= FEW:
            parts.append((kind, length, oracle.longest(board, kind)))
    return [section for section in parts if section[1] != section[2]]


def _piece(name: str) -> Piece:
    return Piece(f"special_{name}" if name in oracle.ROUTES else name)


def _turn(drawn: oracle.Drawn) -> Turn:
    turns = oracle.drawings(_PIECES[drawn.name]).items()
    return next(Turn(turn) for turn, arms in turns if arms == drawn.arms)


@pytest.mark.parametrize("likes", STYLES)
def test_crowded_boards_are_worth_what_the_second_reading_counts(
    likes: Callable[[int, int, int, int], Likes],
) -> None:
    """Whole boards are counted alike with more squares and specials than a game allows."""
    for seed in range(BOARDS):
        chance = FastChance(seed)
        board = crowded(chance, {}, 49 - chance.pick(20), likes)
        assert differences(board) == [], board


def test_rings_are_worth_what_the_second_reading_counts() -> None:
    """Bare circuits, alone and beside other lines (Rule: railroad_ink 9.2, 9.3)."""
    for seed in range(BOARDS):
        chance = FastChance(seed)
        board = crowded(chance, ring(chance), chance.pick(8), going_on)
        assert differences(board) == [], board


def test_on_crowded_boards_the_same_special_routes_fit() -> None:
    """Some boards have no place left for any, which is what ends a round by itself (12.3)."""
    closed = 0
    for seed in range(BOARDS):
        chance = FastChance(seed)
        sheet = oracle.Sheet()
        sheet.earlier = crowded(chance, {}, 49, closing, oracle.FACES)
        drawn = {
            Square(square): Drawn(_piece(drawn.name), _turn(drawn), 1)
            for square, drawn in sheet.earlier.items()
        }
        paper = begun(Keyed(drawn), ())
        fitting = set(oracle.special_lines(sheet))
        assert {*map(GRAMMAR.format, moves_on(paper))} == {"/done", *fitting}, drawn
        assert runs_out(paper) == (not fitting), drawn
        closed += not fitting
    assert closed
