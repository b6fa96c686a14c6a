"""The contract of a game, kept for Manhattan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rules.core.chance import Chance
from rules.core.game import Game, Options, Outcome, Page, Player, Proposal, Result
from rules.core.plans import Tree
from rules.core.refusal import NotAllowed
from rules.core.vision import Eyes, Move, Seat
from rules.manhattan import board, bot, invariants, listing, scoring, turns, views
from rules.manhattan.commands import AREAS, GRAMMAR
from rules.manhattan.events import EVENTS
from rules.manhattan.moves import Build, Take
from rules.manhattan.state import City, Table

_TO_MOVE: Final[Mapping[Seat | None, frozenset[Seat]]] = {
    None: frozenset(),
    **{seat: frozenset((seat,)) for seat in map(Seat, range(1, 5))},
}
_BOTS: Final[Mapping[str, Player]] = {"greedy": bot.greedy}


class Manhattan(Game[Table]):
    """Manhattan for two to four seats, rules version 1."""

    package = "rules.manhattan"
    state = Table
    moves = (Take, Build)
    events = EVENTS
    grammar = GRAMMAR
    bots = _BOTS
    areas = AREAS

    def setup(self, options: Options, seats: int, chance: Chance) -> Outcome:
        return turns.set_up(options, seats, chance)

    def to_move(self, state: Table) -> frozenset[Seat]:
        return _TO_MOVE[state.turn]

    def legal(self, state: Table, seat: Seat) -> Iterator[Move]:
        return iter(turns.legal(state, seat))

    def play(self, state: Table, seat: Seat, move: Move, chance: Chance) -> Outcome:
        return turns.play(state, seat, move, chance)

    def fallback(self, state: Table, seat: Seat) -> Move:
        return turns.fallback(state, seat)

    def deal(self, view: Tree, eyes: Eyes, chance: Chance) -> Table:
        return views.deal(view, eyes, chance)

    def result(self, state: Table) -> Result | None:
        return scoring.result(state)

    def invariants(self, state: Table) -> Iterator[str]:
        return invariants.broken(state)

    def propose(self, options: Options, seats: int) -> Sequence[Proposal]:
        """Six rounds for three seats, so that each is last equally often (Rule: manhattan 7.1)."""
        if seats != 3 or options["sixrounds"]:
            return ()
        return (Proposal("sixrounds", value=True, phrase="proposal.sixrounds"),)

    def board(self, view: Tree, eyes: Eyes, page: Page) -> str:
        return board.Sheet(view, eyes, page, self.phrases).table()

    def status(self, view: Tree, eyes: Eyes, page: Page) -> Sequence[str]:
        return board.Sheet(view, eyes, page, self.phrases).status()

    def look(self, area: str, view: Tree, eyes: Eyes, page: Page) -> str:
        sheet = board.Sheet(view, eyes, page, self.phrases)
        return sheet.hands() if area == "hand" else sheet.floors(City(area))

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
        """`/show CITY`: every floor of a city; of all cities without an argument."""
        if query != "show":
            raise NotAllowed("no_such_query", given=query)
        return board.Sheet(view, eyes, page, self.phrases).floors(arguments.get("city"))
