"""One seat's board in this round: what may be drawn how, and what forbids a move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import chain
from typing import Final, NamedTuple

from bluebear.rules.core.draft import freeze
from bluebear.rules.core.identity_cache import IdentityCache
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, require
from bluebear.rules.railroad_ink.rules import pieces, state
from bluebear.rules.railroad_ink.rules.connectivity import Lines, added, lines_of

# A paper is read from a state or from the seat's own view, so what a seat may do is a function of
# what it sees.

Dice = tuple[pieces.Piece, ...]
Board = Keyed[pieces.Square, state.Drawn]


class Paper(NamedTuple):
    """What a seat has before it.

    `board` is what the finished rounds have left, `used` the special routes on it; `lines` are
    those of the strokes of this round too, and `special` the special route among these. `faces`
    are still to be drawn, sorted.
    """

    board: Board
    dice: Dice
    used: tuple[pieces.Piece, ...]
    strokes: tuple[state.Stroke, ...]
    lines: Lines
    faces: tuple[pieces.Piece, ...]
    special: state.Stroke | None

    @property
    def specials(self) -> list[pieces.Piece]:
        """The special routes that may be used now."""
        return [route for route in pieces.SPECIALS if barred(self, route) is None]


def barred(paper: Paper, route: pieces.Piece) -> str | None:
    """The refusal of a special route, None if it may be used now (Rule: railroad_ink 7.1)."""
    if paper.special is not None:
        return "special_this_round"
    if len(paper.used) >= state.SPECIALS_IN_GAME:
        return "specials_spent"
    return "special_used" if route in paper.used else None


_READ: Final[IdentityCache[Board | state.Draft, Paper]] = IdentityCache(2048)
"""Papers by the boards and drafts that they were read from: a round goes on from its last paper."""


def keep(draft: state.Draft, paper: Paper) -> Paper:
    """Remember what a draft is read as."""
    return _READ.put(draft, paper)


def paper_of(part: state.Part, dice: Dice) -> Paper:
    """The paper of a seat, from the state or from the seat's own view."""
    draft = require(part.draft)
    found = _READ.get(draft)
    if found is not None and found.dice is dice and found.board is part.board:
        return found
    return keep(draft, reduce(with_stroke, draft.strokes, begun(freeze(part.board), dice)))


def begun(board: Board, dice: Dice) -> Paper:
    """The paper of a round in which nothing is drawn yet."""
    found = _READ.get(board)
    if found is not None and found.dice is dice:
        return found
    lines = lines_of(
        (pieces.NUMBER[square], each.piece, each.turn) for square, each in board.items()
    )
    used = (each.piece for each in board.values() if each.piece in pieces.SPECIAL_PIECES)
    return _begin(board, dice, tuple(used), lines)


def next_round(paper: Paper, board: Board, dice: Dice) -> Paper:
    """The paper of the round that follows, when the board has what was drawn in this one."""
    used = paper.used if paper.special is None else (*paper.used, paper.special.piece)
    return _begin(board, dice, used, paper.lines)


def _begin(board: Board, dice: Dice, used: tuple[pieces.Piece, ...], lines: Lines) -> Paper:
    faces = tuple(sorted(dice))
    return _READ.put(board, Paper(board, dice, used, (), lines, faces, special=None))


def with_stroke(paper: Paper, stroke: state.Stroke) -> Paper:
    """The paper with one stroke more."""
    square, piece, turn = stroke.square, stroke.piece, stroke.turn
    faces, special = paper.faces, paper.special
    if piece in faces:
        at = faces.index(piece)
        faces = faces[:at] + faces[at + 1 :]
    elif piece in pieces.SPECIAL_PIECES:
        special = stroke
    lines = added(paper.lines, piece, turn, pieces.NUMBER[square])
    strokes = (*paper.strokes, stroke)
    return Paper(paper.board, paper.dice, paper.used, strokes, lines, faces, special)


def moves_on(paper: Paper) -> list[state.Draw | state.Special | state.Erase | state.Done]:
    """Everything a seat may do before it is done, sorted by line."""
    drawn = drawable(paper)
    moves: list[state.Draw | state.Special | state.Erase | state.Done] = (
        [*chain(*drawn.values())] if drawn else [state.DONE]
    )
    moves += [
        state.ERASURES[number]
        for number in sorted(pieces.NUMBER[each.square] for each in paper.strokes)
    ]
    for ways in _ways_anywhere(paper, paper.specials):
        moves += ways
    return moves


def drawable(paper: Paper) -> dict[pieces.Piece, list[state.Draw | state.Special]]:
    """The faces that are still to be drawn and can be, each with its drawings, sorted.

    Rule: railroad_ink 6.1. The round may end when there is none.
    """
    faces = tuple(dict.fromkeys(paper.faces))
    found = zip(faces, _ways_anywhere(paper, faces), strict=True)
    return {face: ways for face, ways in found if ways}


def ways_into(
    paper: Paper, piece: pieces.Piece, square: pieces.Square
) -> tuple[state.Draw | state.Special, ...]:
    """The drawings of a piece that fit into a square, sorted (Rule: railroad_ink 5.1, 5.2, 5.3)."""
    spot = paper.lines.spots.get(pieces.NUMBER[square])
    return () if spot is None else state.WAYS[piece][spot]


def drawings_into(paper: Paper, square: pieces.Square) -> list[state.Draw | state.Special]:
    """The legal drawings into a square, sorted by line."""
    drawn = (move for move in moves_on(paper) if isinstance(move, state.Draw | state.Special))
    return [move for move in drawn if move.square == square]


def _ways_anywhere(
    paper: Paper, kinds: Sequence[pieces.Piece]
) -> list[list[state.Draw | state.Special]]:
    """For each of some pieces the drawings that fit into any square, sorted."""
    spots = paper.lines.free_spots()
    return [list(chain.from_iterable(map(state.WAYS[piece].__getitem__, spots))) for piece in kinds]


def runs_out(paper: Paper) -> bool:
    """Whether all faces are drawn and no special route can be (Rule: railroad_ink 12.3)."""
    return not paper.faces and not any(_ways_anywhere(paper, paper.specials))


def erased(paper: Paper, square: pieces.Square) -> Paper:
    """The paper after the stroke in a square is taken back, with all that hangs on it.

    Rule: railroad_ink 5.7, 5.8. What stays is joined in some order, not always the one in which
    it was drawn.
    """
    left = [each for each in paper.strokes if each.square != square]
    made = begun(paper.board, paper.dice)
    while joined := [each for each in left if each not in made.strokes and _joins(made, each)]:
        made = reduce(with_stroke, joined, made)
    return made._replace(strokes=tuple(each for each in left if each in made.strokes))


def _joins(paper: Paper, stroke: state.Stroke) -> bool:
    """Whether a stroke is joined to what is drawn (Rule: railroad_ink 5.2)."""
    arms = pieces.ORIENTATIONS[stroke.piece][stroke.turn]
    return pieces.is_joined(arms, paper.lines.facing(pieces.NUMBER[stroke.square]))


_LISTED: Final = 6
"""Up to so many lines that would be right are named in a refusal."""


def why_not(paper: Paper, move: Move) -> NotAllowed | None:
    """What forbids a move; None if it is legal."""
    if isinstance(move, state.Draw):
        return _why_no_face(paper, state.piece_of(move)) or _why_not_there(paper, move)
    if isinstance(move, state.Special):
        return _why_no_route(paper, state.piece_of(move)) or _why_not_there(paper, move)
    if isinstance(move, state.Erase):
        return _why_not_erased(paper, require(move.square))
    return _why_not_done(paper)


def _why_no_face(paper: Paper, face: pieces.Piece) -> NotAllowed | None:
    if face in paper.faces:
        return None
    if face not in paper.dice:
        return NotAllowed("not_rolled", rule="3.2", piece=face, dice=paper.dice)
    return NotAllowed("face_drawn", rule="4.2", piece=face, faces=paper.faces or ("nothing",))


def _why_no_route(paper: Paper, route: pieces.Piece) -> NotAllowed | None:
    code = barred(paper, route)
    if code is None:
        return None
    if paper.special is not None:
        return NotAllowed(code, rule="7.1", square=paper.special.square)
    left = tuple(map(state.special_number, paper.specials))
    if not left:
        return NotAllowed(code, rule="7.1", count=state.SPECIALS_IN_GAME)
    return NotAllowed(code, rule="7.1", piece=route, left=left)


def _why_not_there(paper: Paper, move: state.Draw | state.Special) -> NotAllowed | None:
    """Why a piece does not fit into a square, with the side and what it meets there."""
    piece, square, turn = state.piece_of(move), require(move.square), require(move.turn)
    if move in ways_into(paper, piece, square):
        return None
    number = pieces.NUMBER[square]
    if paper.lines.is_drawn(number):
        return NotAllowed("occupied", rule="5.1", square=square)
    canonical = pieces.CANONICAL[piece][turn]
    if canonical != turn:
        return NotAllowed("turned_alike", rule="2.2", piece=piece, given=turn, turn=canonical)
    facing = paper.lines.facing(number)
    clash = pieces.clashes(pieces.ORIENTATIONS[piece][turn], facing)
    if clash:
        return _clash(paper, move, facing, clash[0])
    return NotAllowed(
        "not_joined" if any(facing) else "nothing_leads_there",
        rule="5.2",
        candidates=_right(paper, piece, square),
        square=square,
        around=pieces.named_sides(facing),
    )


def _clash(
    paper: Paper, move: state.Draw | state.Special, facing: pieces.Facing, side: pieces.Side
) -> NotAllowed:
    """An arm would meet the other kind (Rule: railroad_ink 5.3)."""
    piece, square = state.piece_of(move), require(move.square)
    there = pieces.neighbour(pieces.NUMBER[square], side)
    return NotAllowed(
        "clash_exit" if there is None else "clash_arm",
        rule="5.3",
        candidates=_right(paper, piece, square),
        side=side.name,
        line=pieces.ORIENTATIONS[piece][require(move.turn)][side],
        met=facing[side],
        at=square if there is None else pieces.SQUARES[there],
    )


def by_sides(move: state.Draw | state.Special) -> str:
    """The line of a drawing as people read it best: with the sides of its arms for the turn."""
    head = f"special {move.route}" if isinstance(move, state.Special) else f"draw {move.face}"
    return f"/{head} {move.square} {pieces.letters_of(state.piece_of(move), require(move.turn))}"


def _right(paper: Paper, piece: pieces.Piece, square: pieces.Square) -> Sequence[str]:
    """Lines that would be right: in this square, else where else the piece may go."""
    here = ways_into(paper, piece, square)
    on_free_spots = (
        ways[0] for spot in paper.lines.free_spots() if (ways := state.WAYS[piece][spot])
    )
    return [by_sides(move) for move in here or tuple(on_free_spots)][:_LISTED]


def _why_not_erased(paper: Paper, square: pieces.Square) -> NotAllowed | None:
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
