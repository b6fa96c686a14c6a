"""What Railroad Ink knows about thinking: a plan for the round, and what a board promises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from bluebear.rules.core.search_model import (
    CASUAL,
    CLUB,
    MASTER,
    POINT,
    PUPIL,
    STRONG,
    ArenaResult,
    SearchHorizon,
    SearchModel,
    Stage,
    Terms,
    stage_of,
)
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.railroad_ink import bot
from bluebear.rules.railroad_ink.bot import HOPE, ends_with_room
from bluebear.rules.railroad_ink.ink import Ink
from bluebear.rules.railroad_ink.lines import lines_of
from bluebear.rules.railroad_ink.paper import paper_of
from bluebear.rules.railroad_ink.planning import plan_of
from bluebear.rules.railroad_ink.squares import NUMBER
from bluebear.rules.railroad_ink.state import PARTS, ROUNDS, Part, Table

_LIMITED: Final = 50
"""Milliseconds; who keeps a number of drafts in mind needs no more."""


class Thinking(SearchModel[Table]):
    """The judgement of Railroad Ink: nobody answers a drawing, so a round is planned whole."""

    named = (*PARTS, "hope")
    planned = True
    # A pupil draws greedily, stroke by stroke. From there to the best plans it is so far that all
    # others plan, by more and more drafts.
    sights: ClassVar[Mapping[str, SearchHorizon]] = {
        CASUAL: SearchHorizon(_LIMITED, patience=0, drafts=2),
        CLUB: SearchHorizon(_LIMITED, patience=60, drafts=5),
        STRONG: SearchHorizon(_LIMITED, patience=100, drafts=12),
        MASTER: SearchHorizon(100),
    }
    measured: ClassVar[Mapping[str, ArenaResult]] = {
        CASUAL: ArenaResult(65, PUPIL, games=100),
        CLUB: ArenaResult(74, CASUAL, games=100),
        STRONG: ArenaResult(68, CLUB, games=200),
        MASTER: ArenaResult(68, STRONG, games=60),
    }

    def worths(self, state: Table, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return bot.worths(state, seat, moves)

    def candidates(self, state: Table, seat: Seat) -> int:
        """None: what the plan does not say is left to the greedy judgement."""
        return 0

    def rests(self, state: Table, since: Table) -> bool:
        return state.round != since.round

    def terms(self, state: Table) -> list[Terms]:
        left = 0 if state.over else ROUNDS + 1 - state.round
        return [_terms_of(part, left) for part in state.seats.values()]

    def spread(self, state: Table) -> int:
        left = 0 if state.over else ROUNDS + 1 - state.round
        return POINT * (1 + left)

    def stage(self, state: Table) -> Stage:
        """By the rounds that are over."""
        return stage_of(len(state.seats), state.round - 1, ROUNDS)

    def plan(
        self,
        view: Table,
        seat: Seat,
        width: int,
        has_time: Callable[[], bool],
        *,
        in_all: bool = False,
        patience: int = 100,
    ) -> Sequence[Move] | None:
        paper = paper_of(view.seats[seat], view.dice)
        left = ROUNDS - view.round
        return plan_of(paper, left, width, has_time, in_all=in_all, patience=patience)


def _terms_of(part: Part, left: int) -> Terms:
    """The points of the finished rounds, and what open ends promise.

    Drawings of the present round are left out: of others they are not seen.
    """
    ink: Ink = lines_of(
        (NUMBER[square], each.piece, each.turn) for square, each in part.board.items()
    ).ink
    hope = HOPE * left * ends_with_room(ink) * POINT // bot.POINT
    return (*(POINT * points for points in part.points.signed), hope)
