"""The course of a game: rolling, drawing, being done, the end (Rule: railroad_ink 4)."""

from __future__ import annotations

from functools import cache
from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit
from bluebear.rules.core.game_info import RULES_OPTION, Options
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat, require
from bluebear.rules.railroad_ink.rules import events, pieces, round_board, state
from bluebear.rules.railroad_ink.rules.scoring import points_of, winners

_TIMES_ON_FOURTH: Final = 2
"""How often the fourth die shows each of its faces (Rule: railroad_ink 3.1)."""


def set_up(options: Options, seats: int, chance: Chance, emit: Emit) -> state.State:
    """The first round: empty boards, dice rolled (Rule: railroad_ink 4.1)."""
    dice = roll(chance)
    emit(events.RoundBegan(1, dice))
    return state.State(
        rules=int(options[RULES_OPTION]),
        auto_done=bool(options["auto_done"]),
        lap_once=bool(options.get("lap_once")) or None,
        round=1,
        over=False,
        dice=dice,
        seats=Keyed({Seat(seat): state.Part() for seat in range(1, seats + 1)}),
    )


def roll(chance: Chance) -> tuple[pieces.Piece, ...]:
    """The faces of the four dice, the fourth last (Rule: railroad_ink 3.1)."""
    common = [pieces.COMMON_FACES[chance.die() - 1] for _ in range(state.DICE - 1)]
    return (*common, pieces.FOURTH_FACES[(chance.die() - 1) // _TIMES_ON_FOURTH])


def to_move(table: state.State) -> frozenset[Seat]:
    """The seats that are not done (Rule: railroad_ink 4.1)."""
    if table.over:
        return frozenset()
    return frozenset([seat for seat, part in table.seats.items() if not part.done])


def already_done(table: state.State) -> NotAllowed:
    """The refusal for a seat that is done with the round."""
    return NotAllowed("already_done", rule="4.3", seats=to_move(table))


def take_back(table: state.State, seat: Seat, square: pieces.Square | None) -> state.Erase | None:
    """Taking back the drawing in a square, or the last one (Rule: railroad_ink 12.1)."""
    part = table.seats[seat]
    if table.over or part.done:
        return None
    squares = [stroke.square for stroke in require(part.draft).strokes]
    if square is None and squares:
        square = squares[-1]
    return state.ERASURES[pieces.NUMBER[square]] if square in squares else None


def apply(table: state.State, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
    """Write what a move does before the round ends for all."""
    if isinstance(move, state.Draw | state.Special):
        _draw(table, seat, move, emit)
    elif isinstance(move, state.Erase):
        _erase(table, seat, require(move.square), emit)
    else:
        emit(events.Finished(seat))
        _finish(table, seat, emit)


def _draw(table: state.State, seat: Seat, move: state.Draw | state.Special, emit: Emit) -> None:
    stroke = state.Stroke(require(move.square), state.piece_of(move), require(move.turn))
    paper = round_board.with_stroke(_paper(table, seat), stroke)
    deed = events.Deed.DRAW if isinstance(move, state.Draw) else events.Deed.SPECIAL
    details = details_of(stroke.piece, stroke.turn)
    _write(table, seat, paper, deed, (stroke.square,), details, emit)
    if table.auto_done and round_board.runs_out(paper):
        emit(events.FinishedByItself(seat))
        _finish(table, seat, emit)


def _erase(table: state.State, seat: Seat, square: pieces.Square, emit: Emit) -> None:
    before = _paper(table, seat)
    paper = round_board.erased(before, square)
    removed = [stroke for stroke in before.strokes if stroke not in paper.strokes]
    removed.sort(key=lambda stroke: stroke.square != square)
    squares = tuple(stroke.square for stroke in removed)
    details = tuple(stroke.piece.value for stroke in removed)
    _write(table, seat, paper, events.Deed.ERASE, squares, details, emit)


def _paper(table: state.State, seat: Seat) -> round_board.Paper:
    """The paper of a seat before anything is written to its part."""
    return round_board.paper_of(table.seats.peek(seat), table.dice)


def _write(
    table: state.State,
    seat: Seat,
    paper: round_board.Paper,
    deed: events.Deed,
    squares: tuple[pieces.Square, ...],
    details: tuple[str, ...],
    emit: Emit,
) -> None:
    """Put what is on a paper now before its seat, and tell how it came there."""
    part = table.seats[seat]
    points = points_of(paper.lines, lap_once=bool(table.lap_once))
    event = events.DrawingOn if part.began else events.Drawing
    emit(event(seat, deed, squares, details, points.total))
    part.began = True
    part.draft = draft = state.Draft(paper.strokes, points)
    round_board.keep(draft, paper)


@cache  # bounded: 50 pieces in their turns
def details_of(piece: pieces.Piece, turn: pieces.Turn) -> tuple[str, ...]:
    """A piece and its arms as words: `road_t`, `e`, `s`, `w`, or `overpass`, `road_n`, ..."""
    letters = pieces.letters_of(piece, turn)
    arms = pieces.ORIENTATIONS[piece][turn]
    return (piece.value, *(pieces.named_sides(arms) if "-" in letters else letters))


def _finish(table: state.State, seat: Seat, emit: Emit) -> None:
    """A seat is done; those who are see each other's drawings (Rule: railroad_ink 8.2)."""
    table.seats[seat].done = True
    done_seats = state.shown_to(table, seat)
    if not done_seats or not to_move(table):
        return
    drafts = Keyed({other: require(table.seats[other].draft) for other in done_seats})
    new_draft = require(table.seats[seat].draft)
    emit(events.Shown(seat, done_seats, drafts))
    table.seats[seat].seen = drafts
    for other in done_seats:
        emit(events.Shown(other, (seat,), Keyed({seat: new_draft})))
        require(table.seats[other].seen)[seat] = new_draft


def run_forced_moves(table: state.State, chance: Chance, emit: Emit) -> None:
    """When all are done, drawings become final and open. Rule: railroad_ink 4.4, 4.5, 8.1, 8.3."""
    if table.over or not all(part.done for part in table.seats.values()):
        return
    table.over = table.round == state.ROUNDS
    dice = table.dice if table.over else roll(chance)
    for seat in table.seats:
        _reveal(table, seat, dice, emit)
    if table.over:
        _tell_the_end(table, emit)
        return
    table.dice = dice
    table.round += 1
    emit(events.RoundBegan(table.round, dice))


def _reveal(table: state.State, seat: Seat, dice: tuple[pieces.Piece, ...], emit: Emit) -> None:
    """Make what a seat has drawn open and final, and clear its paper for the next dice."""
    paper = _paper(table, seat)
    part = table.seats[seat]
    worth = require(part.draft).points
    board = paper.board
    if paper.strokes:
        fresh = {
            each.square: state.Drawn(each.piece, each.turn, table.round) for each in paper.strokes
        }
        emit(events.Revealed(seat, tuple(fresh), paper.strokes, worth.total))
        board = Keyed({**dict(board.items()), **fresh})
    else:
        emit(events.NothingRevealed(seat, worth.total))
    round_board.next_round(paper, board, dice)
    part.board, part.points = board, worth
    part.began, part.done = False, table.over
    part.draft, part.seen = state.Draft((), worth), state.NOTHING_SEEN


def _tell_the_end(table: state.State, emit: Emit) -> None:
    """What each board is worth, and who has won (Rule: railroad_ink 4.4, 9.5)."""
    points = {seat: part.points for seat, part in table.seats.items()}
    for seat, each in points.items():
        emit(events.Scored(seat, *each.signed, each.total))
    first = winners(points)
    emit(events.GameOver(first, points[first[0]].total))
