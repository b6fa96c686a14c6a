"""What scoring boards costs: final ones of random games, and dense ones that are hard to search.

    python -m tests.rules.railroad_ink.measure --random 10000 --dense 5000

A board is read and scored from nothing; a game only looks at what a drawing changes. A dense board
is drawn by legal moves, but with the worst dice: three road Ts a round, and all that a special
route can join. Judges nothing; the figures belong into docs/performance.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence

from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.connectivity import NO_LINES, Lines, added, lines_of
from bluebear.rules.railroad_ink.rules.longest_route import most_squares
from bluebear.rules.railroad_ink.rules.pieces import (
    FITTING,
    FOURTH_FACES,
    NUMBER,
    ORIENTATIONS,
    SIDES,
    Piece,
    Turn,
    neighbour,
    parts_of_spot,
)
from bluebear.rules.railroad_ink.rules.scoring import points_of
from bluebear.rules.railroad_ink.rules.state import State
from tests.rules.railroad_ink.scene import A

ROUND = (Piece.ROAD_T, Piece.ROAD_T, Piece.ROAD_T)
ROUTES = (Piece.SPECIAL_3, Piece.SPECIAL_1, Piece.SPECIAL_5)


Board = list[tuple[int, Piece, Turn]]
"""What is drawn, in order."""


def random_board(seed: int) -> Board:
    """The final board of a random game."""
    chance = FastChance(seed)
    state: State = GAME.setup(GAME.info.complete({}), 1, chance).state
    while GAME.to_move(state):
        moves = GAME.plain(state, A)
        state = GAME.play(state, A, moves[chance.pick(len(moves))], chance).state
    board = state.seats[A].board.items()
    by_round = sorted(board, key=lambda item: item[1].round)
    return [(NUMBER[square], each.piece, each.turn) for square, each in by_round]


def dense_board(seed: int) -> Board:
    """A board on which each drawing joins as much as it can, by weights that chance has set."""
    chance = FastChance(seed)
    weights = (chance.pick(40), chance.pick(20), chance.pick(30), 2 + chance.pick(28))
    lines, board = NO_LINES, Board()
    for number in range(7):
        pieces = [*ROUND, FOURTH_FACES[chance.pick(3)], *ROUTES[number : number + 1]]
        for piece in chance.shuffle(pieces):
            routes = [
                (_worth(lines, *route, weights, chance), route)
                for route in _placements(lines, piece)
            ]
            if routes:
                _, (_, square, turn) = max(routes)
                lines = added(lines, piece, turn, square)
                board.append((square, piece, turn))
    return board


def _placements(lines: Lines, piece: Piece) -> Iterator[tuple[Piece, int, Turn]]:
    for square, facing in map(parts_of_spot, lines.free_spots()):
        for turn in FITTING[piece][facing]:
            yield piece, square, turn


def _worth(
    lines: Lines, piece: Piece, square: int, turn: Turn, weights: Sequence[int], chance: Chance
) -> int:
    joined, inside, border, noise = weights
    worth = chance.pick(10 * noise)
    facing = lines.facing(square)
    for side, line in zip(SIDES, ORIENTATIONS[piece][turn], strict=True):
        if line is not None:
            is_inside = neighbour(square, side) is not None
            worth += 10 * (inside if is_inside else -border)
            worth += 10 * joined * (is_inside and facing[side] is line)
    return worth


def cost(board: Board) -> int:
    """Nanoseconds of processor time that the points of a board take, nothing being remembered."""
    most_squares.cache_clear()
    began = time.process_time_ns()
    points_of(lines_of(board))
    return time.process_time_ns() - began


def tell(name: str, boards: Iterator[Board]) -> None:
    taken = sorted(min(cost(board), cost(board)) for board in boards)
    at = [taken[len(taken) // 2], taken[len(taken) * 99 // 100], taken[-1]]
    median, late, worst = (nanoseconds // 1000 for nanoseconds in at)
    line = f"{name}: {len(taken)} boards, median {median} us, p99 {late} us, worst {worst} us\n"
    sys.stdout.write(line)


def main(argv: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="measure", description=__doc__)
    parser.add_argument("--random", type=int, default=1000)
    parser.add_argument("--dense", type=int, default=500)
    given = parser.parse_args(argv)
    tell("random games", map(random_board, range(given.random)))
    tell("dense boards", map(dense_board, range(given.dense)))


if __name__ == "__main__":
    main(sys.argv[1:])
