"""What a view shows, and boards as pictures of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from bluebear.rules.core.text_layout import fit
from bluebear.rules.core.texts import GameTexts, TextPage, TextSource
from bluebear.rules.core.visibility import Eyes, Seat
from bluebear.rules.railroad_ink.rules import pieces, state

# A board as a picture of text: four columns and two lines for each square.
# Roads and railways differ in their lines, stations and overpasses in the middle of a square. An
# arm is drawn up to the next square; where it is an open end, a mark stands at its far side. Exits
# stand outside of the border, and an arm that runs into the plain border ends before it.

Board = Mapping[pieces.Square, state.Drawn]


class Signs(NamedTuple):
    """The characters of a picture: for each line its parts by the sides joined, N E S W as bits."""

    lines: Mapping[pieces.Line, str]
    overpass: str
    station: str
    open_end: str
    empty: str
    centre: str

    def towards(self, side: pieces.Side, line: pieces.Line) -> str:
        """A line from the middle of a square to a side."""
        return self.lines[line][0b0101 if side in _UPRIGHT else 0b1010]


_UPRIGHT: Final = (pieces.Side.N, pieces.Side.S)
LINED: Final = Signs(
    lines={
        pieces.Line.ROAD: " ║═╚║║╔╠═╝═╩╗╣╦╬",
        pieces.Line.RAILWAY: " │─└││┌├─┘─┴┐┤┬┼",
    },
    overpass="╫╪",
    station="■",
    open_end="×",
    empty="·",
    centre=":",
)
ASCII: Final = Signs(
    lines={
        pieces.Line.ROAD: " H=#HH##=#=#####",
        pieces.Line.RAILWAY: " |-+||++-+-+++++",
    },
    overpass="XX",
    station="@",
    open_end="x",
    empty=".",
    centre=":",
)

_LEFT: Final = 6
"""Where the middle of column A stands; before it the row, the exit, the border."""
_TOP: Final = 3
"""The line of row 1; above it the columns, the exits, the border."""
_STEP: Final = 4
MAP_WIDTH: Final = 2 * _LEFT + _STEP * (pieces.WIDTH - 1)
_HEIGHT: Final = 2 * _TOP + 2 * (pieces.WIDTH - 1) + 1

_Canvas = list[list[str]]


def draw_map(board: Board, signs: Signs, *, rounds: bool = False) -> list[str]:
    """The picture of a board; with the number of its round in each square where wanted."""
    canvas = [[" "] * MAP_WIDTH for _ in range(_HEIGHT)]
    _label(canvas)
    for square, side, line in pieces.EXITS:
        steps = (2,) if side in _UPRIGHT else (3, 4)
        _draw(canvas, _place(pieces.NUMBER[square]), side, steps, signs.towards(side, line))
    for number, square in enumerate(pieces.SQUARES):
        x, y = _place(number)
        if (mark := board.get(square)) is None:
            canvas[y][x] = signs.centre if pieces.CENTRE >> number & 1 else signs.empty
            continue
        arms = pieces.ORIENTATIONS[mark.piece][mark.turn]
        canvas[y][x] = str(mark.round) if rounds else middle(mark.piece, arms, signs)
        for side in pieces.SIDES:
            if (arm := arms[side]) is not None:
                is_open = _is_open(board, number, side, arm)
                _draw_arm(canvas, number, side, arm, signs, is_open=is_open)
    return ["".join(row).rstrip() for row in canvas[:-1]]


def middle(piece: pieces.Piece, arms: pieces.Arms, signs: Signs) -> str:
    """The character in the middle of a square."""
    if piece in pieces.STATIONS:
        return signs.station
    if piece is pieces.Piece.OVERPASS:
        return signs.overpass[arms[pieces.Side.E] is pieces.Line.ROAD]
    line = pieces.Line.ROAD if pieces.Line.ROAD in arms else pieces.Line.RAILWAY
    return signs.lines[line][sum(1 << side for side in pieces.SIDES if arms[side] is not None)]


def draw_piece(piece: pieces.Piece, turn: pieces.Turn, signs: Signs) -> list[str]:
    """One piece alone, three lines of five columns."""
    canvas = [[" "] * 5 for _ in range(3)]
    arms = pieces.ORIENTATIONS[piece][turn]
    canvas[1][2] = middle(piece, arms, signs)
    for side in pieces.SIDES:
        if (line := arms[side]) is not None:
            steps = (1,) if side in _UPRIGHT else (1, 2)
            _draw(canvas, (2, 1), side, steps, signs.towards(side, line))
    return ["".join(row) for row in canvas]


def _place(number: int) -> tuple[int, int]:
    column, row = divmod(number, pieces.WIDTH)
    return _LEFT + _STEP * column, _TOP + 2 * row


def _label(canvas: _Canvas) -> None:
    for at in range(pieces.WIDTH):
        canvas[0][_LEFT + _STEP * at] = pieces.COLUMNS[at]
        canvas[_TOP + 2 * at][0] = str(at + 1)


def _draw(
    canvas: _Canvas, place: tuple[int, int], side: pieces.Side, steps: Iterable[int], sign: str
) -> None:
    """Put a sign at some distances from a place towards a side."""
    x, y = place
    over, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
    for step in steps:
        canvas[y + down * step][x + over * step] = sign


def _draw_arm(
    canvas: _Canvas,
    number: int,
    side: pieces.Side,
    line: pieces.Line,
    signs: Signs,
    *,
    is_open: bool,
) -> None:
    """An arm from the middle of its square, with the mark of an open end at its far side."""
    x, y = _place(number)
    inside = pieces.neighbour(number, side) is not None
    far = 1 if side in _UPRIGHT else _STEP - 1 if inside else _STEP - 2
    _draw(canvas, (x, y), side, range(1, far + 1), signs.towards(side, line))
    if is_open:
        beside = {pieces.Side.N: x - 1, pieces.Side.S: x + 1}.get(side, x)
        _draw(canvas, (beside, y), side, [far], signs.open_end)


def _is_open(board: Board, number: int, side: pieces.Side, line: pieces.Line) -> bool:
    """Whether an arm costs a point (Rule: railroad_ink 9.1)."""
    if (there := pieces.neighbour(number, side)) is None:
        return False
    mark = board.get(pieces.SQUARES[there])
    return mark is None or pieces.ORIENTATIONS[mark.piece][mark.turn][side.opposite] is not line


def open_ends_of(board: Board) -> list[tuple[pieces.Square, pieces.Side]]:
    return [
        (square, side)
        for square, mark in board.items()
        for side, line in zip(pieces.SIDES, pieces.ORIENTATIONS[mark.piece][mark.turn], strict=True)
        if line is not None and _is_open(board, pieces.NUMBER[square], side, line)
    ]


# What a view shows, read for the texts about it: boards, points, drafts of this round, words.

INDENT: Final = 2


class ViewReader(GameTexts[state.State]):
    """What a view shows these eyes, in the signs and words of the page."""

    indent = INDENT

    def __init__(self, game: TextSource, view: state.State, eyes: Eyes, page: TextPage) -> None:
        super().__init__(game, view, eyes, page)
        self.seats, self.viewer_seats = list(view.seats), sorted(eyes)
        self.signs = ASCII if page.ascii else LINED
        self._drafts = {} if view.over else state.visible_drafts(view, eyes)

    def is_seen(self, seat: Seat) -> bool:
        """Whether these eyes see all that a seat has drawn."""
        return self.view.over or seat in self._drafts

    def strokes(self, seat: Seat) -> tuple[state.Stroke, ...]:
        """What a seat has drawn this round, as far as these eyes see it."""
        draft = self._drafts.get(seat)
        return draft.strokes if draft else ()

    def points(self, seat: Seat) -> state.Points:
        """A seat's points, with this round's drawings where they are seen."""
        draft = self._drafts.get(seat)
        return draft.points if draft else self.view.seats[seat].points

    def board_of(self, seat: Seat) -> Board:
        """A seat's board, with this round's drawings where they are seen."""
        board = dict(self.view.seats[seat].board.items())
        for stroke in self.strokes(seat):
            board[stroke.square] = state.Drawn(stroke.piece, stroke.turn, self.view.round)
        return dict(sorted(board.items()))

    def specials(self, seat: Seat) -> list[int]:
        """The special routes on a seat's board, by number, as far as these eyes see them."""
        drawn = (mark.piece for mark in self.board_of(seat).values())
        return sorted(state.special_number(each) for each in drawn if each in pieces.SPECIALS)

    def piece_label(self, piece: pieces.Piece) -> str:
        return self.label("piece", piece)

    def scores(self, seat: Seat) -> list[str]:
        """The parts of a seat's points by name."""
        counts = zip(state.PARTS, self.points(seat).signed, strict=True)
        return [f"{self.score_name(part)} {count}" for part, count in counts]

    def score_name(self, part: str) -> str:
        return self.phrase(f"score.{part}")

    def phrase_lines(self, key: str, **params: Any) -> list[str]:  # Any: whatever the phrase names
        """A sentence in lines of the page."""
        return self.lines(self.say(key, **params))

    def piece_lines(self, piece: pieces.Piece, items: Iterable[str]) -> list[str]:
        """A piece by its name, and what may be done with it."""
        return self.lines(" ".join([f"{self.piece_label(piece)} ({piece.value}):", *items]))

    def listing(self, key: str, names: Sequence[str], **params: Any) -> list[str]:
        """A heading and names, in lines of the page."""
        return self.listed(self.say(key, **params) + " ", names)

    def name(self, seat: Seat, width: int) -> str:
        """What a seat is called, in so many columns."""
        return fit(self.page.seat(seat), width)
