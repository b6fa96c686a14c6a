"""The contract of a game, kept for Tokugawa."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from bluebear.rules.core.board_summary import SummaryBlock
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game, Player, Rash, Result, Tell, TextPage
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import SearchModel, greedy_of
from bluebear.rules.core.visibility import Eyes, Move, Seat
from bluebear.rules.tokugawa import (
    details,
    facts,
    figures,
    invariants,
    longer,
    opening,
    scoring,
    turns,
)
from bluebear.rules.tokugawa.board import Sheet
from bluebear.rules.tokugawa.commands import BY_SEA, GRAMMAR
from bluebear.rules.tokugawa.forecast import forecast
from bluebear.rules.tokugawa.listing import listing
from bluebear.rules.tokugawa.names import Catalogue
from bluebear.rules.tokugawa.standing import standing
from bluebear.rules.tokugawa.state import SEATS, Table
from bluebear.rules.tokugawa.thinking import Thinking

_TO_MOVE: Final[Mapping[Seat | None, frozenset[Seat]]] = {
    None: frozenset(),
    **{seat: frozenset((seat,)) for seat in SEATS},
}


class Tokugawa(Game[Table]):
    """Tokugawa for two seats, rules versions 1 and 2: see `contracts.OPENED_AT_THE_END`."""

    state = Table
    grammar = GRAMMAR
    over_rule = "11.1"
    catalogue = Catalogue
    thinker: ClassVar[SearchModel[Table]] = Thinking()
    bots: ClassVar[Mapping[str, Player]] = {"greedy": greedy_of(thinker)}
    areas = details.AREAS
    sorted_choices = True

    def set_up(self, options: Options, seats: int, chance: Chance, tell: Tell) -> Table:
        return opening.set_up(options, seats, chance, tell)

    def to_move(self, state: Table) -> frozenset[Seat]:
        return _TO_MOVE[state.decides]

    def turn_rule(self, state: Table) -> str:
        return "4.5"

    def choices(self, state: Table, seat: Seat) -> Sequence[Move | Rash]:
        return turns.choices(state, seat)

    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        return turns.why_not(state, seat, move)

    def after(self, draft: Table, seat: Seat, move: Move, chance: Chance, tell: Tell) -> None:
        turns.after(draft, seat, move, chance, tell)

    def run_forced_moves(self, draft: Table, chance: Chance, tell: Tell) -> None:
        turns.run_forced_moves(draft, chance, tell)

    def fallback(self, state: Table, seat: Seat) -> Move:
        return turns.fallback(state, seat)

    def expand(self, view: Table, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        return longer.expand(view, seat, verb, text)

    def deal(self, view: Table, eyes: Eyes, chance: Chance) -> Table:
        return view  # everything is open (Rule: tokugawa 12.1)

    def result(self, state: Table) -> Result | None:
        return scoring.result(state)

    def invariants(self, state: Table) -> Iterator[str]:
        return invariants.broken(state)

    def board(self, view: Table, eyes: Eyes, page: TextPage) -> str:
        return Sheet(view, page, self.phrases).table()

    def summary_blocks(self, view: Table, eyes: Eyes, page: TextPage) -> Iterator[SummaryBlock]:
        return Sheet(view, page, self.phrases).glance()

    def linear_board(self, view: Table, eyes: Eyes, page: TextPage) -> str:
        return Sheet(view, page, self.phrases).reading()

    def status(self, view: Table, eyes: Eyes, page: TextPage) -> Sequence[str]:
        return Sheet(view, page, self.phrases).status()

    def look(self, area: str, view: Table, eyes: Eyes, page: TextPage) -> str:
        return details.look(area, view, page, self.phrases)

    def points(self, view: Table, eyes: Eyes) -> Mapping[Seat, int]:
        return {seat: scoring.tally(view, seat).points for seat in view.seats}

    def show_moves(self, moves: Sequence[Move], page: TextPage) -> str:
        return listing(moves, page, self.phrases)

    def answer(
        self,
        query: str,
        view: Table,
        eyes: Eyes,
        arguments: Mapping[str, Any],  # Any: values of slots
        page: TextPage,
    ) -> str:
        """`/contracts`, `/battle`, and `/odds FROM TO [sea]`."""
        if query == "battle":
            return standing(view, page, self.phrases)
        if query == "contracts":
            return "\n".join(Sheet(view, page, self.phrases).contracts())
        if query == "odds":
            return forecast(
                view,
                arguments["origin"],
                arguments["town"],
                page,
                self.phrases,
                by_sea=arguments[BY_SEA],
            )
        return super().answer(query, view, eyes, arguments, page)

    def figures(
        self,
        query: str,
        view: Table,
        eyes: Eyes,
        arguments: Mapping[str, Any],  # Any: values of slots
    ) -> Shaped | None:
        """`/battle` and `/odds` as data."""
        if query == "battle":
            return figures.of_battle(view)
        if query == "odds":
            origin, town = arguments["origin"], arguments["town"]
            return figures.of_attack(view, origin, town, by_sea=arguments[BY_SEA])
        return None

    def static(self) -> Shaped:
        return facts.static()
