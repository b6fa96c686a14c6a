"""The contract of a game, kept for I.T.C."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rules.core.chance import Chance
from rules.core.game import Kind, Page, Player, Result
from rules.core.info import Options
from rules.core.old import OldGame, Outcome
from rules.core.plans import Tree
from rules.core.vision import Eyes, Move, Seat
from rules.itc import (
    board,
    bot,
    dealing,
    invariants,
    legality,
    listing,
    long_forms,
    looking,
    scoring,
    turns,
    views,
)
from rules.itc.commands import GRAMMAR
from rules.itc.moves import Keep
from rules.itc.state import Dropping, Table
from rules.itc.words import Words

_NOBODY: Final[frozenset[Seat]] = frozenset()
_TO_MOVE: Final = {seat: frozenset((seat,)) for seat in map(Seat, range(1, 7))}
_BOTS: Final[Mapping[str, Player]] = {"greedy": bot.greedy}


class Itc(OldGame):
    """I.T.C. for two to six seats, rules version 1."""

    state = Table
    grammar = GRAMMAR
    bots = _BOTS
    areas = board.AREAS
    catalogue = Words
    phrases: Words

    def setup(self, options: Options, seats: int, chance: Chance) -> Outcome:
        return turns.set_up(options, seats, chance)

    def to_move(self, state: Table) -> frozenset[Seat]:
        mover = state.mover
        return _NOBODY if mover is None else _TO_MOVE[mover]

    def legal(self, state: Table, seat: Seat) -> Iterator[Move]:
        return iter(legality.legal(state, seat))

    def kind(self, state: Table, seat: Seat, move: Move) -> Kind:
        return turns.kind(state, move)

    def take_back(self, state: Table, seat: Seat, what: str) -> Move | None:
        """The goods marked for the grey market are kept after all (Rule: itc 12.2)."""
        busy = state.turn.busy
        if seat != state.mover or not isinstance(busy, Dropping):
            return None
        return Keep(busy.card)

    def expand(self, view: Tree, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        return long_forms.expand(view, seat, verb, text)

    def play(self, state: Table, seat: Seat, move: Move, chance: Chance) -> Outcome:
        return turns.play(state, seat, move, chance)

    def fallback(self, state: Table, seat: Seat) -> Move:
        return legality.fallback(state, seat)

    def deal(self, view: Tree, eyes: Eyes, chance: Chance) -> Table:
        return dealing.deal(view, eyes, chance)

    def result(self, state: Table) -> Result | None:
        return scoring.result(state)

    def invariants(self, state: Table) -> Iterator[str]:
        return invariants.broken(state)

    def static(self) -> Tree:
        return views.static()

    def board(self, view: Tree, eyes: Eyes, page: Page) -> str:
        return board.Sheet(view, eyes, page, self.phrases).table()

    def status(self, view: Tree, eyes: Eyes, page: Page) -> Sequence[str]:
        return board.Sheet(view, eyes, page, self.phrases).status()

    def look(self, area: str, view: Tree, eyes: Eyes, page: Page) -> str:
        return board.Sheet(view, eyes, page, self.phrases).look(area)

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
        """`/card 170`, `/action 12`: what is printed on a card."""
        return looking.answer(query, arguments, page, self.phrases)
