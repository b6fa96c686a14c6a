"""The contract of a game, kept for Manhattan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from bluebear.rules.core.board_summary import SummaryBlock
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game, Player, Proposal, ScoreLine, Tell, TextPage
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import SearchModel, greedy_of
from bluebear.rules.core.visibility import Eyes, Move, Seat
from bluebear.rules.manhattan import (
    board,
    building,
    choosing,
    invariants,
    listing,
    scoring,
    turns,
    views,
)
from bluebear.rules.manhattan.commands import AREAS, GRAMMAR
from bluebear.rules.manhattan.moves import Build, Take
from bluebear.rules.manhattan.state import City, Phase, Table
from bluebear.rules.manhattan.tensor import row_of
from bluebear.rules.manhattan.thinking import Thinking

_TO_MOVE: Final[Mapping[Seat | None, frozenset[Seat]]] = {
    None: frozenset(),
    **{seat: frozenset((seat,)) for seat in map(Seat, range(1, 5))},
}


class Manhattan(Game[Table]):
    """Manhattan for two to four seats, rules version 1."""

    state = Table
    grammar = GRAMMAR
    over_rule = "6.2"
    thinker: ClassVar[SearchModel[Table]] = Thinking()
    bots: ClassVar[Mapping[str, Player]] = {"greedy": greedy_of(thinker)}
    areas = AREAS
    sorted_choices = True

    def set_up(self, options: Options, seats: int, chance: Chance, tell: Tell) -> Table:
        return turns.set_up(options, seats, chance, tell)

    def to_move(self, state: Table) -> frozenset[Seat]:
        return _TO_MOVE[state.turn]

    def choices(self, state: Table, seat: Seat) -> Iterable[Move]:
        if state.phase is Phase.CHOOSING:
            return choosing.choices(state, seat)
        return building.builds(state, seat)

    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        if state.phase is Phase.CHOOSING:
            if isinstance(move, Take):
                return choosing.why_not(state, seat, move)
            return NotAllowed("choose_first", rule="3.1", count=state.per_round)
        if isinstance(move, Build):
            return building.why_not(state, seat, move)
        return NotAllowed("build_now", rule="4.1")

    def after(self, draft: Table, seat: Seat, move: Move, chance: Chance, tell: Tell) -> None:
        if isinstance(move, Build):
            building.build(draft, seat, move, chance, tell)
        elif isinstance(move, Take):
            choosing.took(draft, seat, move, tell)

    def run_forced_moves(self, draft: Table, chance: Chance, tell: Tell) -> None:
        turns.run_forced_moves(draft, chance, tell)

    def turn_rule(self, state: Table) -> str:
        return "3.1" if state.phase is Phase.CHOOSING else "4.1"

    def fallback(self, state: Table, seat: Seat) -> Move:
        """What is played for a seat whose time is up: an even choice, else the first build."""
        if state.phase is Phase.CHOOSING:
            return choosing.even_choice(state, seat)
        return building.builds(state, seat)[0]

    def scores(self, state: Table) -> Mapping[Seat, int]:
        return {seat: builder.score for seat, builder in state.seats.items()}

    def breakdown(self, state: Table) -> Iterator[ScoreLine]:
        return scoring.breakdown(state)

    def observation(self, view: Table, seat: Seat) -> Sequence[int]:
        """What counts at this table, with what each seat would score now (`tensor.py`)."""
        return row_of(view, seat)

    def deal(self, view: Table, eyes: Eyes, chance: Chance) -> Table:
        return views.deal(view, eyes, chance)

    def invariants(self, state: Table) -> Iterator[str]:
        return invariants.broken(state)

    def propose(self, options: Options, seats: int) -> Sequence[Proposal]:
        """Six rounds for three seats, so that each is last equally often (Rule: manhattan 7.1)."""
        if seats != 3 or options["sixrounds"]:
            return ()
        return (Proposal("sixrounds", value=True, phrase="proposal.sixrounds"),)

    def expand(self, view: Table, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        """Nothing is longer here; a choice of too few or too many is told this round's number."""
        if verb == "take" and view.phase is Phase.CHOOSING and seat in self.to_move(view):
            no = choosing.wrong_number(view, text)
            if no is not None:
                raise no
        return None

    def board(self, view: Table, eyes: Eyes, page: TextPage) -> str:
        return board.Sheet(view, eyes, page, self.phrases).table()

    def summary_blocks(self, view: Table, eyes: Eyes, page: TextPage) -> Iterator[SummaryBlock]:
        return board.Sheet(view, eyes, page, self.phrases).glance()

    def linear_board(self, view: Table, eyes: Eyes, page: TextPage) -> str:
        return board.Sheet(view, eyes, page, self.phrases).reading()

    def status(self, view: Table, eyes: Eyes, page: TextPage) -> Sequence[str]:
        return board.Sheet(view, eyes, page, self.phrases).status()

    def look(self, area: str, view: Table, eyes: Eyes, page: TextPage) -> str:
        sheet = board.Sheet(view, eyes, page, self.phrases)
        return sheet.hands() if area == "hand" else sheet.floors(City(area))

    def points(self, view: Table, eyes: Eyes) -> Mapping[Seat, int]:
        return self.scores(view)

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
        """`/show CITY`: every floor of a city; of all cities without an argument."""
        if query != "show":
            return super().answer(query, view, eyes, arguments, page)
        return board.Sheet(view, eyes, page, self.phrases).floors(arguments.get("city"))
