"""The contract of a game, kept for Tokai Danshaku."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rules.core.chance import Chance
from rules.core.game import Kind, Page, Player, Result
from rules.core.info import Options
from rules.core.old import OldGame, Outcome
from rules.core.plans import Tree
from rules.core.vision import Eyes, Move, Seat
from rules.tokai import (
    answers,
    bot,
    invariants,
    journeys,
    listing,
    market,
    riding,
    scoring,
    turns,
    views,
)
from rules.tokai.areas import AREAS
from rules.tokai.board import Sheet
from rules.tokai.commands import GRAMMAR
from rules.tokai.drawing import drawing
from rules.tokai.moves import Back, Buy, Go
from rules.tokai.standing_in import stand_in
from rules.tokai.state import Phase, Table
from rules.tokai.words import Words

_BOTS: Final[Mapping[str, Player]] = {"greedy": bot.greedy}


class Tokai(OldGame):
    """Tokai Danshaku for two to six seats, rules version 1."""

    state = Table
    grammar = GRAMMAR
    bots = _BOTS
    areas = AREAS
    catalogue = Words

    def setup(self, options: Options, seats: int, chance: Chance) -> Outcome:
        return turns.set_up(options, seats, chance)

    def to_move(self, state: Table) -> frozenset[Seat]:
        return turns.to_move(state)

    def legal(self, state: Table, seat: Seat) -> Iterator[Move]:
        return iter(turns.legal(state, seat))

    def play(self, state: Table, seat: Seat, move: Move, chance: Chance) -> Outcome:
        return turns.play(state, seat, move, chance)

    def fallback(self, state: Table, seat: Seat) -> Move:
        return stand_in(state, seat)

    def kind(self, state: Table, seat: Seat, move: Move) -> Kind:
        """Rash is a leg that strands (Rule: tokai 7.2.7), or a purchase that takes the fare."""
        if isinstance(move, Back):
            return Kind.TAKE_BACK
        if isinstance(move, Go) and state.phase is Phase.MOVE and riding.is_rash(state, move):
            return Kind.RASH
        if isinstance(move, Buy) and state.phase is Phase.BUY and market.is_rash(state, move):
            return Kind.RASH
        return Kind.PLAIN

    def take_back(self, state: Table, seat: Seat, what: str) -> Move | None:
        return Back() if seat in turns.to_move(state) and state.legs else None

    def expand(self, view: Tree, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        """`/go` by stations, or by its end alone (Rule: tokai 16.3)."""
        return journeys.expand(views.table_of(view), seat, text) if verb == "go" else None

    def deal(self, view: Tree, eyes: Eyes, chance: Chance) -> Table:
        return views.deal(view, eyes, chance)

    def result(self, state: Table) -> Result | None:
        return scoring.result(state)

    def invariants(self, state: Table) -> Iterator[str]:
        return invariants.broken(state)

    def board(self, view: Tree, eyes: Eyes, page: Page) -> str:
        return Sheet(view, eyes, page, self.phrases).whole()

    def status(self, view: Tree, eyes: Eyes, page: Page) -> Sequence[str]:
        return Sheet(view, eyes, page, self.phrases).status()

    def look(self, area: str, view: Tree, eyes: Eyes, page: Page) -> str:
        return answers.look(Sheet(view, eyes, page, self.phrases), area)

    def show_moves(self, moves: Sequence[Move], page: Page) -> str:
        return listing.listing(moves, page, self.phrases)

    def answer(
        self,
        query: str,
        view: Tree,
        eyes: Eyes,
        arguments: Mapping[str, Any],  # Any: values of slots
        page: Page,
    ) -> str:
        """`/fares`, `/route STATION` (Rule: tokai 11.12)."""
        sheet = Sheet(view, eyes, page, self.phrases)
        if query == "fares":
            return answers.fares(sheet)
        return answers.route(sheet, arguments["station"])

    def static(self) -> Tree:
        return drawing()
