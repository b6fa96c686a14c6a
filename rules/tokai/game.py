"""The contract of a game, kept for Tokai Danshaku."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from bluebear.rules.core.board_summary import SummaryBlock
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game, Player, Rash, Result, Tell, TextPage
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import SearchModel
from bluebear.rules.core.slots import tokens_of
from bluebear.rules.core.visibility import Eyes, Move, Seat
from bluebear.rules.tokai import (
    answers,
    bot,
    dealing,
    figures,
    invariants,
    journeys,
    listing,
    scoring,
    setting_up,
    turns,
)
from bluebear.rules.tokai.areas import AREAS
from bluebear.rules.tokai.board import Sheet
from bluebear.rules.tokai.commands import GRAMMAR
from bluebear.rules.tokai.drawing import drawing
from bluebear.rules.tokai.moves import Back, Go
from bluebear.rules.tokai.scoring import assets
from bluebear.rules.tokai.standing_in import stand_in
from bluebear.rules.tokai.state import Phase, Table
from bluebear.rules.tokai.thinking import Thinking
from bluebear.rules.tokai.words import YEN, Words


class Tokai(Game[Table]):
    """Tokai Danshaku for two to six seats, rules version 1."""

    state = Table
    grammar = GRAMMAR
    over_rule = "12.1"
    thinker: ClassVar[SearchModel[Table]] = Thinking()
    bots: ClassVar[Mapping[str, Player]] = {"greedy": bot.greedy}
    areas = AREAS
    catalogue = Words
    sorted_choices = True

    def set_up(self, options: Options, seats: int, chance: Chance, tell: Tell) -> Table:
        return setting_up.set_up(options, seats, chance, tell)

    def to_move(self, state: Table) -> frozenset[Seat]:
        return state.deciding

    def turn_rule(self, state: Table) -> str:
        return turns.rule_of(state)

    def out_of_turn(self, state: Table, seat: Seat) -> NotAllowed:
        if state.phase is not Phase.PREBUY:
            return super().out_of_turn(state, seat)
        waiting = tuple(sorted(state.deciding))
        return NotAllowed("has_chosen", rule=self.turn_rule(state), seats=waiting)

    def choices(self, state: Table, seat: Seat) -> Iterable[Move | Rash]:
        return turns.choices(state, seat)

    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        return turns.why_not(state, seat, move)

    def after(self, draft: Table, seat: Seat, move: Move, chance: Chance, tell: Tell) -> None:
        turns.play(draft, seat, move, chance, tell)

    def fallback(self, state: Table, seat: Seat) -> Move:
        return stand_in(state, seat)

    def take_back(self, state: Table, seat: Seat, what: str) -> Move | None:
        back = Back()
        return back if self.refusal(state, seat, back) is None else None

    def expand(self, view: Table, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        """`/go` by stations, or by its end alone (Rule: tokai 16.3)."""
        tokens = tokens_of(text)
        if verb != "go" or not tokens:
            return None
        if seat not in view.deciding:
            raise self.out_of_turn(view, seat)
        refusal = turns.not_asked(view, Go)
        if refusal is not None:
            raise refusal
        return journeys.expand(view, tokens)

    def result(self, state: Table) -> Result | None:
        return scoring.result(state)

    def deal(self, view: Table, eyes: Eyes, chance: Chance) -> Table:
        return dealing.deal(view, eyes, chance)

    def invariants(self, state: Table) -> Iterator[str]:
        return invariants.broken(state)

    def board(self, view: Table, eyes: Eyes, page: TextPage) -> str:
        return Sheet(view, eyes, page, self.phrases).whole()

    def summary_blocks(self, view: Table, eyes: Eyes, page: TextPage) -> Iterator[SummaryBlock]:
        return Sheet(view, eyes, page, self.phrases).glance()

    def linear_board(self, view: Table, eyes: Eyes, page: TextPage) -> str:
        return Sheet(view, eyes, page, self.phrases).reading()

    def status(self, view: Table, eyes: Eyes, page: TextPage) -> Sequence[str]:
        return Sheet(view, eyes, page, self.phrases).status()

    def look(self, area: str, view: Table, eyes: Eyes, page: TextPage) -> str:
        return answers.look(Sheet(view, eyes, page, self.phrases), area)

    def points(self, view: Table, eyes: Eyes) -> Mapping[Seat, int]:
        return {seat: assets(view, seat) * YEN for seat in view.seats}

    def show_moves(self, moves: Sequence[Move], page: TextPage) -> str:
        return listing.listing(moves, page, self.phrases)

    def answer(
        self,
        query: str,
        view: Table,
        eyes: Eyes,
        arguments: Mapping[str, Any],  # Any: values of slots
        page: TextPage,
    ) -> str:
        """`/fares`, `/route STATION` (Rule: tokai 11.12)."""
        sheet = Sheet(view, eyes, page, self.phrases)
        if query == "fares":
            return answers.fares(sheet)
        return answers.route(sheet, arguments["station"])

    def figures(
        self,
        query: str,
        view: Table,
        eyes: Eyes,
        arguments: Mapping[str, Any],  # Any: values of slots
    ) -> Shaped | None:
        """The same as data."""
        if query == "fares":
            return figures.of_fares(view)
        return figures.of_route(view, answers.looker(view, eyes), arguments["station"])

    def static(self) -> Shaped:
        return drawing()
