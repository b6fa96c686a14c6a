"""The contract of a game, kept for I.T.C."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from bluebear.rules.core.board_summary import SummaryBlock
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game, Player, Rash, ScoreLine, Tell, TextPage
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.refusal import Confirmation, NotAllowed
from bluebear.rules.core.search_model import SearchModel, greedy_of
from bluebear.rules.core.visibility import Eyes, Move, Seat
from bluebear.rules.itc import (
    board,
    dealing,
    invariants,
    legality,
    listing,
    long_forms,
    looking,
    prospects,
    scoring,
    setting_up,
    slips,
    static,
    turns,
)
from bluebear.rules.itc.brief import Brief
from bluebear.rules.itc.commands import GRAMMAR
from bluebear.rules.itc.moves import Keep
from bluebear.rules.itc.state import Dropping, Table
from bluebear.rules.itc.thinking import Thinking
from bluebear.rules.itc.words import Words

_TO_MOVE: Final[Mapping[Seat | None, frozenset[Seat]]] = {
    None: frozenset(),
    **{seat: frozenset((seat,)) for seat in map(Seat, range(1, 7))},
}


class Itc(Game[Table]):
    """I.T.C. for two to six seats, rules version 1."""

    state = Table
    grammar = GRAMMAR
    over_rule = "13.1"
    thinker: ClassVar[SearchModel[Table]] = Thinking()
    bots: ClassVar[Mapping[str, Player]] = {"greedy": greedy_of(thinker)}
    areas = board.AREAS
    catalogue = Words
    phrases: Words
    sorted_choices = True

    def set_up(self, options: Options, seats: int, chance: Chance, tell: Tell) -> Table:
        return setting_up.set_up(options, seats, chance, tell)

    def to_move(self, state: Table) -> frozenset[Seat]:
        return _TO_MOVE[state.mover]

    def turn_rule(self, state: Table) -> str:
        return "7.2"

    def choices(self, state: Table, seat: Seat) -> Iterable[Move | Rash]:
        return legality.choices(state)

    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        return turns.why_not(state, move)

    def after(self, draft: Table, seat: Seat, move: Move, chance: Chance, tell: Tell) -> None:
        turns.after(draft, move, chance, tell)

    def confirmation(self, view: Table, seat: Seat, move: Move) -> Confirmation | None:
        return slips.doubt(view, move)

    def take_back(self, state: Table, seat: Seat, what: str) -> Move | None:
        """The goods marked for the grey market are kept after all (Rule: itc 12.2)."""
        busy = state.turn.busy
        return Keep(busy.card) if seat == state.mover and isinstance(busy, Dropping) else None

    def expand(self, view: Table, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        return long_forms.expand(view, seat, verb, text)

    def fallback(self, state: Table, seat: Seat) -> Move:
        return legality.fallback(state)

    def deal(self, view: Table, eyes: Eyes, chance: Chance) -> Table:
        return dealing.deal(view, chance)

    def scores(self, state: Table) -> Mapping[Seat, int]:
        return {seat: trader.money for seat, trader in state.seats.items()}

    def breakdown(self, state: Table) -> Iterator[ScoreLine]:
        return scoring.breakdown(state)

    def invariants(self, state: Table) -> Iterator[str]:
        return invariants.broken(state)

    def static(self) -> Shaped:
        return static.static()

    def board(self, view: Table, eyes: Eyes, page: TextPage) -> str:
        return board.Sheet(view, eyes, page, self.phrases).table()

    def summary_blocks(self, view: Table, eyes: Eyes, page: TextPage) -> Iterator[SummaryBlock]:
        return Brief(view, eyes, page, self.phrases).glance()

    def linear_board(self, view: Table, eyes: Eyes, page: TextPage) -> str:
        return Brief(view, eyes, page, self.phrases).reading()

    def status(self, view: Table, eyes: Eyes, page: TextPage) -> Sequence[str]:
        return board.Sheet(view, eyes, page, self.phrases).status()

    def look(self, area: str, view: Table, eyes: Eyes, page: TextPage) -> str:
        return board.Sheet(view, eyes, page, self.phrases).look(area)

    def show_moves(self, moves: Sequence[Move], page: TextPage) -> str:
        return listing.listing(moves, page, self.phrases)

    def move_info(self, view: Table, seat: Seat, page: TextPage) -> Sequence[str]:
        return prospects.remarks(view, seat, page, self.phrases)

    def answer(
        self,
        query: str,
        view: Table,
        eyes: Eyes,
        arguments: Mapping[str, Any],  # Any: values of slots
        page: TextPage,
    ) -> str:
        """`/card 170`, `/action 12`: what is printed on a card."""
        return looking.answer(query, arguments, page, self.phrases)
