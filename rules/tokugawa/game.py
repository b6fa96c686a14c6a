"""The contract of a game, kept for Tokugawa."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rules.core.chance import Chance
from rules.core.game import Kind, Page, Player, Result
from rules.core.info import Options
from rules.core.old import OldGame, Outcome
from rules.core.phrases import Phrases
from rules.core.plans import Tree
from rules.core.refusal import NotAllowed
from rules.core.vision import Eyes, Move, Seat
from rules.tokugawa import bot, details, invariants, longer, opening, scoring, turns, views
from rules.tokugawa.board import Sheet
from rules.tokugawa.commands import BY_SEA, GRAMMAR
from rules.tokugawa.forecast import forecast
from rules.tokugawa.listing import listing
from rules.tokugawa.names import with_names
from rules.tokugawa.state import SEATS, Table
from rules.tokugawa.views import table_of

_TO_MOVE: Final[Mapping[Seat | None, frozenset[Seat]]] = {
    None: frozenset(),
    **{seat: frozenset((seat,)) for seat in SEATS},
}
_BOTS: Final[Mapping[str, Player]] = {"greedy": bot.greedy}


class Tokugawa(OldGame):
    """Tokugawa for two seats, rules version 1."""

    state = Table
    grammar = GRAMMAR
    bots = _BOTS
    areas = details.AREAS

    def __init__(self) -> None:
        super().__init__()
        # Names of towns, provinces and contracts stand in the data, once.
        core = Phrases.load("rules.core", "phrases.toml")
        self.phrases = with_names(self.phrases, fallback=core)

    def setup(self, options: Options, seats: int, chance: Chance) -> Outcome:
        return opening.set_up(options, seats, chance)

    def to_move(self, state: Table) -> frozenset[Seat]:
        return _TO_MOVE[state.decides]

    def legal(self, state: Table, seat: Seat) -> Iterator[Move]:
        return iter(turns.legal(state, seat))

    def kind(self, state: Table, seat: Seat, move: Move) -> Kind:
        return turns.kind(state, move)

    def play(self, state: Table, seat: Seat, move: Move, chance: Chance) -> Outcome:
        return turns.play(state, seat, move, chance)

    def fallback(self, state: Table, seat: Seat) -> Move:
        return turns.fallback(state, seat)

    def expand(self, view: Tree, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        return longer.expand(view, seat, verb, text)

    def deal(self, view: Tree, eyes: Eyes, chance: Chance) -> Table:
        return table_of(view)

    def result(self, state: Table) -> Result | None:
        return scoring.result(state)

    def invariants(self, state: Table) -> Iterator[str]:
        return invariants.broken(state)

    def board(self, view: Tree, eyes: Eyes, page: Page) -> str:
        return Sheet(table_of(view), page, self.phrases).table()

    def status(self, view: Tree, eyes: Eyes, page: Page) -> Sequence[str]:
        return Sheet(table_of(view), page, self.phrases).status()

    def look(self, area: str, view: Tree, eyes: Eyes, page: Page) -> str:
        return details.look(area, table_of(view), page, self.phrases)

    def show_moves(self, moves: Sequence[Move], page: Page) -> str:
        return listing(moves, page, self.phrases)

    def answer(
        self,
        query: str,
        view: Tree,
        eyes: Eyes,
        arguments: Mapping[str, Any],  # Any: values of slots
        page: Page,
    ) -> str:
        """`/contracts`, and `/odds FROM TO [sea]`."""
        table = table_of(view)
        if query == "contracts":
            return "\n".join(Sheet(table, page, self.phrases).contracts())
        if query == "odds":
            return forecast(
                table,
                arguments["origin"],
                arguments["town"],
                page,
                self.phrases,
                by_sea=arguments[BY_SEA],
            )
        raise NotAllowed("no_such_query", given=query)

    def static(self) -> Tree:
        return views.static()
