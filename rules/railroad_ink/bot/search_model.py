"""The search model: plans of a round, values of boards, states that fit a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.search_model import POINT, SearchModel, Stage, Terms, stage_of
from bluebear.rules.core.visibility import Eyes, Move, Seat, but, require
from bluebear.rules.railroad_ink.bot import round_search
from bluebear.rules.railroad_ink.bot.round_search import HOPE, ends_with_room, plan_of
from bluebear.rules.railroad_ink.rules import round_board
from bluebear.rules.railroad_ink.rules.pieces import BLANK, NUMBER, STAMPS, Ink
from bluebear.rules.railroad_ink.rules.scoring import points_of
from bluebear.rules.railroad_ink.rules.state import (
    DICE,
    PARTS,
    ROUNDS,
    Draft,
    Draw,
    Part,
    Special,
    State,
    Stroke,
    piece_of,
    shown_to,
    visible_drafts,
)

# What Railroad Ink knows about thinking: a plan for the round, and what a board promises.


class Model(SearchModel[State]):
    """The judgement of Railroad Ink: no seat answers a drawing, so a round is planned whole."""

    named = (*PARTS, "hope")
    planned = True

    def worths(self, state: State, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return round_search.worths(state, seat, moves)

    def candidates(self, state: State, seat: Seat) -> int:
        """None: what the plan does not say is left to the greedy judgement."""
        return 0

    def rests(self, state: State, since: State) -> bool:
        return state.round != since.round

    def terms(self, state: State) -> list[Terms]:
        left = 0 if state.over else ROUNDS + 1 - state.round
        return [_terms_of(part, left) for part in state.seats.values()]

    def spread(self, state: State) -> int:
        left = 0 if state.over else ROUNDS + 1 - state.round
        return POINT * (1 + left)

    def stage(self, state: State) -> Stage:
        """By the rounds that are over."""
        return stage_of(len(state.seats), state.round - 1, ROUNDS)

    def plan(
        self,
        view: State,
        seat: Seat,
        width: int,
        has_time: Callable[[], bool],
        *,
        in_all: bool = False,
        patience: int = 100,
    ) -> Sequence[Move] | None:
        paper = round_board.paper_of(view.seats[seat], view.dice)
        left = ROUNDS - view.round
        return plan_of(paper, left, width, has_time, in_all=in_all, patience=patience)


def _terms_of(part: Part, left: int) -> Terms:
    """The points of the finished rounds, and what open ends promise.

    Drawings of the present round are left out: of others they are not seen.
    """
    ink = BLANK
    for square, each in part.board.items():
        ink = Ink(ink | STAMPS[each.piece, each.turn] << NUMBER[square])
    hope = HOPE * left * ends_with_room(ink) * POINT // round_search.POINT
    return (*(POINT * points for points in part.points.signed), hope)


# States that fit a view: drafts that it hides are drawn by chance.


def determinize(view: State, eyes: Eyes, chance: Chance) -> State:
    """A table that these eyes cannot tell from the real one: unseen drafts are drawn by chance."""
    drafts = visible_drafts(view, eyes)
    for seat in view.seats:
        if seat not in drafts:
            drafts[seat] = _some_draft(view, seat, chance)
    parts = {}
    for seat, part in view.seats.items():
        seen = Keyed({other: drafts[other] for other in shown_to(view, seat)})
        parts[seat] = but(part, draft=drafts[seat], seen=seen)
    return but(view, seats=Keyed(parts))


def _some_draft(view: State, seat: Seat, chance: Chance) -> Draft:
    """Drawings that a seat may have made: none if it has not begun, enough if it is done."""
    part = view.seats[seat]
    if not part.began:
        return Draft((), part.points)
    paper = round_board.begun(part.board, view.dice)
    left = -1 if part.done else chance.pick(DICE + 2)
    while left:
        moves = round_board.moves_on(paper)
        drawn = [move for move in moves if isinstance(move, Draw | Special)]
        # A seat that may end the round does so at once or draws one more special route.
        if not drawn or (part.done and not isinstance(moves[0], Draw) and not chance.pick(2)):
            break
        move = drawn[chance.pick(len(drawn))]
        stroke = Stroke(require(move.square), piece_of(move), require(move.turn))
        longer = round_board.with_stroke(paper, stroke)
        if not part.done and view.auto_done and round_board.runs_out(longer):
            break
        paper = longer
        left -= 1
    return Draft(paper.strokes, points_of(paper.lines, lap_once=bool(view.lap_once)))
