"""Values of moves and boards, and the plan of a round: a beam over what its dice allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import chain
from typing import Final, NamedTuple

from bluebear.rules.core.visibility import Move, Seat, require
from bluebear.rules.railroad_ink.rules import pieces, state
from bluebear.rules.railroad_ink.rules.connectivity import Lines, added
from bluebear.rules.railroad_ink.rules.round_board import Paper, paper_of
from bluebear.rules.railroad_ink.rules.scoring import points_of

# What `greedy` judges by: what is worth most at once, and where lines may still go.

POINT: Final = 60
"""One point, in the units of a worth."""
HOPE: Final = 12
"""What an end that may still be continued gains for each round that is left."""
_SPARED: Final = 12
"""What a special route must gain at least, for each round that is left."""

_NORTH, _EAST, _SOUTH, _WEST = (pieces.both(squares) for squares in pieces.INSIDE)
"""The lines that have a neighbour at each side."""


def worths(table: state.State, seat: Seat, moves: Sequence[Move]) -> list[int]:
    """What each drawing gains; `/done`, which is there when no face has room, gains nothing."""
    lines = paper_of(table.seats[seat], table.dice).lines
    left = state.ROUNDS - table.round
    before = worth_of(lines, left)
    gains = [_gain(lines, move, left, before) for move in moves]
    # A special route that does not gain enough is worse than anything else.
    poor = min(gains) - 1
    return [
        poor if isinstance(move, state.Special) and gain < 0 else gain
        for move, gain in zip(moves, gains, strict=True)
    ]


def _gain(lines: Lines, move: Move, left: int, before: int) -> int:
    if not isinstance(move, state.Draw | state.Special):
        return 0
    number = pieces.NUMBER[require(move.square)]
    after = added(lines, state.piece_of(move), require(move.turn), number, with_spots=False)
    gain = worth_of(after, left) - before
    return gain - (_SPARED * left + 1) if isinstance(move, state.Special) else gain


def worth_of(lines: Lines, left: int) -> int:
    """Points, and what open ends promise while rounds are left."""
    return POINT * points_of(lines).total + HOPE * left * ends_with_room(lines.ink)


def ends_with_room(ink: pieces.Ink) -> int:
    """The arms that face a free square."""
    free = pieces.both(pieces.ALL & ~pieces.drawn_in(ink))
    north, east, south, west = pieces.arms_of(ink)
    return (
        (north & _NORTH & free << -pieces.STEPS[pieces.Side.N]).bit_count()
        + (east & _EAST & free >> pieces.STEPS[pieces.Side.E]).bit_count()
        + (south & _SOUTH & free >> pieces.STEPS[pieces.Side.S]).bit_count()
        + (west & _WEST & free << -pieces.STEPS[pieces.Side.W]).bit_count()
    )


# Planning a round: a beam over all that can be drawn with its dice.
# The drawings of a round are no game tree: no seat answers, and their order hardly matters. So
# boards grow stroke by stroke, equal ones count once, and of those with the same faces left, with
# or without a special route of this round, the best few go on.

SPARED: Final = 50
"""What a special route must gain for each round that is left, in the units of a worth."""

Faces = tuple[pieces.Piece, ...]


class Sketch(NamedTuple):
    """A board that could be drawn: the strokes so far, what they are worth, the faces left."""

    lines: Lines
    faces: Faces
    moves: tuple[Move, ...]
    special: bool
    worth: int


Grown = dict[tuple[Faces, bool], dict[pieces.Ink, Sketch]]
"""Boards by the faces left and whether a special route was drawn, each once."""


def plan_of(
    paper: Paper,
    left: int,
    width: int,
    has_time: Callable[[], bool],
    *,
    in_all: bool = False,
    patience: int = 100,
) -> Sequence[Move] | None:
    """The strokes of the best board that is found, `/done` behind them; None if it was stopped.

    `left` are the rounds after this one. Of the boards of one kind `width` go on, or so
    many of all kinds together. The less `patience`, the sooner a special route is drawn.
    """
    begun = paper.special is not None
    spent = len(paper.used) >= state.SPECIALS_IN_GAME
    routes = (
        () if begun or spent else tuple(each for each in pieces.SPECIALS if each not in paper.used)
    )
    first = Sketch(paper.lines, paper.faces, (), begun, worth_of(paper.lines, left))
    toll = SPARED * left * patience // 100 + 1
    best: Sketch | None = None
    ring = [first]
    while ring:
        grown: Grown = {}
        for sketch in ring:
            if not has_time():
                return None
            if not sketch.special:
                for route in routes:
                    _draw(sketch, route, sketch.faces, left, grown, special=True, toll=toll)
            # A face that can be drawn must be, before the round may end (Rule: railroad_ink 6.1).
            is_done = True
            for face, faces in _each(sketch.faces):
                if _draw(sketch, face, faces, left, grown, special=sketch.special, toll=toll):
                    is_done = False
            if is_done and (best is None or sketch.worth > best.worth):
                best = sketch
        kinds: Iterable[Iterable[Sketch]] = (kind.values() for kind in grown.values())
        kinds = (chain.from_iterable(kinds),) if in_all else kinds
        ring = [each for kind in kinds for each in nlargest(width, kind, key=_worth)]
    return None if best is None else (*best.moves, state.DONE)


def _worth(sketch: Sketch) -> int:
    return sketch.worth


def _each(faces: Faces) -> Iterator[tuple[pieces.Piece, Faces]]:
    """Each kind of face, and the faces without it."""
    for at, face in enumerate(faces):
        if face not in faces[:at]:
            yield face, faces[:at] + faces[at + 1 :]


def _draw(
    sketch: Sketch,
    piece: pieces.Piece,
    faces: Faces,
    left: int,
    grown: Grown,
    *,
    special: bool,
    toll: int,
) -> bool:
    """Grow all boards with a piece more; whether there is one. `faces` are left then.

    `toll` is what a special route must gain.

    A board that was drawn in another order is there already.
    """
    found = False
    sketches = grown.setdefault((faces, special), {})
    ways = state.WAYS[piece]
    before = sketch.lines.ink
    for spot in sketch.lines.free_spots():
        for move in ways[spot]:
            found = True
            turn, number = require(move.turn), pieces.NUMBER[require(move.square)]
            ink = pieces.Ink(before | pieces.STAMPS[piece, turn] << number)
            if ink not in sketches:
                lines = added(sketch.lines, piece, turn, number)
                worth = worth_of(lines, left) - (toll if special else 0)
                sketches[ink] = Sketch(lines, faces, (*sketch.moves, move), special, worth)
    return found
