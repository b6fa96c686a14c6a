"""The course of a game: rolling, drawing, being done, the end (Rule: railroad_ink 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.core.chance import Chance
from rules.core.info import RULES_OPTION, Options
from rules.core.keyed import Keyed
from rules.core.old import Outcome
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Move, Seat, but, held
from rules.railroad_ink.events import (
    Deed,
    Drawing,
    DrawingOn,
    Finished,
    FinishedByItself,
    GameOver,
    NothingRevealed,
    Revealed,
    RoundBegan,
    Scored,
    Shown,
)
from rules.railroad_ink.judging import check_done, check_erasure, stroke_of
from rules.railroad_ink.moves import DONE, ERASURES, Draw, Erase, Special
from rules.railroad_ink.paper import Paper, drawable, erased, inked, moves_on, paper_of
from rules.railroad_ink.pieces import COMMON_FACES, FOURTH_FACES, ORIENTATIONS, Piece
from rules.railroad_ink.scoring import points_of, winners
from rules.railroad_ink.squares import NUMBER, SIDES, Line, Square
from rules.railroad_ink.state import (
    DICE,
    NO_POINTS,
    NOTHING_SEEN,
    ROUNDS,
    Draft,
    Drawn,
    Part,
    Points,
    Stroke,
    Table,
)

_TIMES_ON_FOURTH: Final = 2
"""How often the fourth die shows each of its faces (Rule: railroad_ink 3.1)."""


def set_up(options: Options, seats: int, chance: Chance) -> Outcome:
    """The first round: empty boards, dice rolled (Rule: railroad_ink 4.1)."""
    part = Part(
        board=Keyed(),
        points=NO_POINTS,
        began=False,
        done=False,
        draft=_no_draft(NO_POINTS),
        seen=NOTHING_SEEN,
    )
    table = Table(
        rules=int(options[RULES_OPTION]),
        auto_done=bool(options["auto_done"]),
        round=1,
        over=False,
        dice=roll(chance),
        seats=Keyed({Seat(seat): part for seat in range(1, seats + 1)}),
    )
    return Outcome(table, (RoundBegan(1, table.dice),))


def roll(chance: Chance) -> tuple[Piece, ...]:
    """The faces of the four dice, the fourth last (Rule: railroad_ink 3.1)."""
    common = [COMMON_FACES[chance.die() - 1] for _ in range(DICE - 1)]
    return (*common, FOURTH_FACES[(chance.die() - 1) // _TIMES_ON_FOURTH])


def to_move(table: Table) -> frozenset[Seat]:
    """Whoever is not done (Rule: railroad_ink 4.1)."""
    if table.over:
        return frozenset()
    return frozenset(seat for seat, part in table.seats.items() if not part.done)


def legal(table: Table, seat: Seat) -> list[Move]:
    """Every legal move of a seat, sorted by line."""
    if table.over or table.seats[seat].done:
        return []
    return [*moves_on(paper_of(table, seat))]


def fallback(table: Table, seat: Seat) -> Move:
    """The first legal drawing of a face that is left, else the end of the round.

    Rule: railroad_ink 12.5.
    """
    return next(iter(drawable(paper_of(table, seat)).values()), DONE)


def take_back(table: Table, seat: Seat, square: Square | None) -> Erase | None:
    """Taking back the drawing in a square, or the last one (Rule: railroad_ink 12.1)."""
    part = table.seats[seat]
    strokes = held(part.draft).strokes
    if table.over or part.done or not strokes:
        return None
    if square is None:
        return ERASURES[NUMBER[strokes[-1].square]]
    drawn = any(stroke.square == square for stroke in strokes)
    return ERASURES[NUMBER[square]] if drawn else None


def play(table: Table, seat: Seat, move: Move, chance: Chance) -> Outcome:
    """The outcome of a move; when the last seat is done, of the whole round."""
    if table.over:
        raise NotAllowed("game_over", rule="4.4")
    part = table.seats[seat]
    if part.done:
        raise NotAllowed("already_done", rule="4.3", seats=to_move(table))
    paper = paper_of(table, seat)
    squares: tuple[Square, ...]
    match move:
        case Draw() | Special():
            stroke = stroke_of(paper, move)
            strokes = (*held(part.draft).strokes, stroke)
            deed = Deed.DRAW if isinstance(move, Draw) else Deed.SPECIAL
            squares, details = (stroke.square,), details_of(stroke)
        case Erase():
            square = held(move.square)
            check_erasure(paper, move, part.board.get(square))
            strokes = erased(paper, square)
            gone = [stroke for stroke in held(part.draft).strokes if stroke not in strokes]
            gone.sort(key=lambda stroke: stroke.square != square)
            deed, squares = Deed.ERASE, tuple(stroke.square for stroke in gone)
            details = tuple(stroke.piece.value for stroke in gone)
        case _:
            check_done(paper)
            return _finish(table, seat, [Finished(seat)], chance)
    paper = paper._replace(strokes=strokes, ink=inked(paper.fixed, strokes))
    points = points_of(paper.ink)
    drawn = but(part, began=True, draft=Draft(strokes, points))
    table = but(table, seats=table.seats.put(seat, drawn))
    event = DrawingOn if part.began else Drawing
    told = event(seat, deed, squares, details, points.total)
    if table.auto_done and not isinstance(move, Erase) and runs_out(paper_of(table, seat)):
        return _finish(table, seat, [told, FinishedByItself(seat)], chance)
    return Outcome(table, (told,))


def details_of(stroke: Stroke) -> tuple[str, ...]:
    """A piece and its arms as words: `road_t`, `e`, `s`, `w`, or `overpass`, `road_n`, ..."""
    arms = ORIENTATIONS[stroke.piece][stroke.turn]
    mixed = Line.ROAD in arms and Line.RAILWAY in arms
    words = (
        f"{arms[side]}_{side.name.lower()}" if mixed else side.name.lower()
        for side in SIDES
        if arms[side] is not None
    )
    return (stroke.piece.value, *words)


def runs_out(paper: Paper) -> bool:
    """Whether all faces are drawn and no special route can be (Rule: railroad_ink 12.3)."""
    if paper.faces:
        return False
    return not any(isinstance(move, Special) for move in moves_on(paper))


def _finish(table: Table, seat: Seat, told: list[Event], chance: Chance) -> Outcome:
    """A seat is done: those who are see each other; the last one ends the round."""
    parts = table.seats.put(seat, but(table.seats[seat], done=True))
    table = but(table, seats=parts)
    if to_move(table):
        return Outcome(_shown(table, seat, told), tuple(told))
    return _end_round(table, told, chance)


def _shown(table: Table, seat: Seat, told: list[Event]) -> Table:
    """Who is done already and who is now have a look at each other (Rule: railroad_ink 8.2)."""
    parts = table.seats
    before = [other for other, part in parts.items() if part.done and other != seat]
    if not before:
        return table
    drafts = Keyed({other: held(parts[other].draft) for other in before})
    told.append(Shown(seat, tuple(before)))
    changed = {seat: but(parts[seat], seen=drafts)}
    for other in before:
        seen = held(parts[other].seen).put(seat, held(parts[seat].draft))
        changed[other] = but(parts[other], seen=seen)
        told.append(Shown(other, (seat,)))
    return but(table, seats=_with_parts(parts, changed))


def _end_round(table: Table, told: list[Event], chance: Chance) -> Outcome:
    """All are done: drawings become open and final, the next dice are rolled.

    Rule: railroad_ink 4.4, 4.5, 8.1, 8.3.
    """
    over = table.round == ROUNDS
    parts: dict[Seat, Part] = {}
    for seat, part in table.seats.items():
        draft = held(part.draft)
        strokes, worth = draft.strokes, draft.points
        squares = tuple(stroke.square for stroke in strokes)
        told.append(
            Revealed(seat, squares, worth.total) if squares else NothingRevealed(seat, worth.total)
        )
        parts[seat] = Part(
            board=_board_with(part.board, strokes, table.round),
            points=worth,
            began=False,
            done=over,
            draft=_no_draft(worth),
            seen=NOTHING_SEEN,
        )
    table = but(table, seats=Keyed(parts), over=over)
    if over:
        told += [_scored(seat, part.points) for seat, part in parts.items()]
        points = {seat: part.points for seat, part in parts.items()}
        first = winners(points)
        told.append(GameOver(first, points[first[0]].total))
        return Outcome(table, tuple(told))
    dice = roll(chance)
    told.append(RoundBegan(table.round + 1, dice))
    return Outcome(but(table, round=table.round + 1, dice=dice), tuple(told))


def _board_with(
    board: Keyed[Square, Drawn], strokes: tuple[Stroke, ...], number: int
) -> Keyed[Square, Drawn]:
    """A board with the strokes of a round."""
    fresh = {stroke.square: Drawn(stroke.piece, stroke.turn, number) for stroke in strokes}
    return Keyed({**dict(board.items()), **fresh}) if fresh else board


def _with_parts(parts: Keyed[Seat, Part], changed: Mapping[Seat, Part]) -> Keyed[Seat, Part]:
    """The parts of all seats, some of them changed."""
    return Keyed({**dict(parts.items()), **changed})


def _no_draft(points: Points) -> Draft:
    return Draft((), points)


def _scored(seat: Seat, points: Points) -> Scored:
    return Scored(
        seat,
        exits=points.exits,
        road=points.road,
        railway=points.railway,
        centre=points.centre,
        open_ends=-points.open_ends,
        total=points.total,
    )
