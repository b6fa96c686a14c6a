"""A scorer that is slow and obviously right: every stroke of the pen is tried.

Squares are named, arms are asked one by one, and nothing is shared with the rules but the table of
the pieces' arms and the exits, which have tests of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bluebear.rules.railroad_ink.rules.pieces import BASE_ARMS, EXITS, Line, Piece, Square, turned
from bluebear.rules.railroad_ink.rules.state import Drawn

TABLE = {2: 4, 3: 8, 4: 12, 5: 16, 6: 20, 7: 24, 8: 28, 9: 32, 10: 36, 11: 40, 12: 45}

End = tuple[str, int]
"""A square and one of its sides, N E S W as 0 to 3."""

Board = Mapping[Square, Drawn]


def arms(board: Board, square: str) -> dict[int, str]:
    """The arms of a square by side; none where nothing is drawn."""
    contents = board.get(Square(square))
    if contents is None:
        return {}
    result = turned(BASE_ARMS[contents.piece], contents.turn)
    return {side: line.value for side, line in enumerate(result) if line is not None}


def beside(square: str, side: int) -> str | None:
    """The square at a side; None at the border."""
    column, row = ord(square[0]), int(square[1])
    column += (0, 1, 0, -1)[side]
    row += (-1, 0, 1, 0)[side]
    inside = ord("A") <= column <= ord("G") and 1 <= row <= 7
    return f"{chr(column)}{row}" if inside else None


def meets(board: Board, square: str, side: int, line: str) -> str | None:
    """The square whose arm of the same kind meets this arm."""
    other = beside(square, side)
    if other is not None and arms(board, other).get((side + 2) % 4) == line:
        return other
    return None


def open_ends(board: Board) -> int:
    return sum(
        beside(square, side) is not None and meets(board, square, side, line) is None
        for square in board
        for side, line in arms(board, square).items()
    )


def centre(board: Board) -> int:
    return sum(square[0] in "CDE" and square[1] in "345" for square in board)


def exits(board: Board) -> int:
    """Walk from exit to exit through joined arms; stations change kinds, overpasses do not."""
    at = {
        (str(each.square), each.side.value): each.line.value
        for each in EXITS
        if arms(board, each.square).get(each.side.value) == each.line.value
    }
    total, left = 0, set(at)
    while left:
        start = min(left)
        reached = network(board, start[0], at[start])
        joined = {end for end in left if (end[0], at[end]) in reached}
        total += TABLE.get(len(joined), 0)
        left -= joined
    return total


def network(board: Board, square: str, line: str) -> set[tuple[str, str]]:
    """The lines that hang together with one: (square, kind)."""
    reached, todo = {(square, line)}, [(square, line)]
    while todo:
        here, kind = todo.pop()
        results = [
            (other, kind)
            for side, arm in arms(board, here).items()
            if arm == kind and (other := meets(board, here, side, kind)) is not None
        ]
        if board[Square(here)].piece is not Piece.OVERPASS:
            results += [(here, arm) for arm in arms(board, here).values()]
        for each in results:
            if each not in reached:
                reached.add(each)
                todo.append(each)
    return reached


def longest(board: Board, kind: Line) -> int:
    """The most squares that one stroke passes, over all strokes."""
    return max(strokes(board, kind.value), default=0)


def strokes(board: Board, line: str) -> Iterator[int]:
    """What every stroke passes, wherever it begins: in a middle, or at a side of a square."""
    for square in board:
        owned_items = {side for side, arm in arms(board, square).items() if arm == line}
        if owned_items:
            yield from _onward(board, line, square, square, frozenset(), 1)
        for side in owned_items:
            yield from _onward(board, line, square, None, frozenset({(square, side)}), 1)


def _onward(
    board: Board, line: str, here: str, began: str | None, removed: frozenset[End], passed: int
) -> Iterator[int]:
    """A stroke that stands in the middle of a square; `began` is the middle where it started.

    It may stop here, a lap if it started here; go out to a side and stop; or go on to the next
    square.
    """
    yield passed - (began == here and passed > 1)
    for side, arm in arms(board, here).items():
        if arm != line or (here, side) in removed:
            continue
        yield passed
        other = meets(board, here, side, line)
        if other is not None:
            pieces = {(here, side), (other, (side + 2) % 4)}
            if not pieces & removed:
                yield from _onward(board, line, other, began, removed | pieces, passed + 1)


def score(board: Board) -> tuple[int, int, int, int, int, int]:
    """Exits, road, railway, centre, open ends, total."""
    made = (
        exits(board),
        longest(board, Line.ROAD),
        longest(board, Line.RAILWAY),
        centre(board),
        open_ends(board),
    )
    return (*made, sum(made[:4]) - made[4])
