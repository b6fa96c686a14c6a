"""Tokugawa by Victor Gilhaus and Tizian Blumenthal: samurai of Kyoto and of Yedo.

`data/`   `map.toml` and `pieces.toml`, read, checked and made into `map_tables`
`rules/`  in the order of the rule book: `state`, `moves`, `events`, `setup`, `turns`, `economy`,
          `movement`, `combat`, `building` with the contracts, `scoring`; `pieces`: pieces and
          towns; `invariants`
`text/`   `names`, `commands`, `move_list`, `board`, `queries`, `static_data`, phrases, `rules.md`
`bot/`    `odds`: exact chances of an attack; `evaluation`, `search_model`
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Game, Player, Rash, Result
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import SearchModel, greedy_of
from bluebear.rules.core.visibility import Eyes, Move, Seat
from bluebear.rules.tokugawa.bot.search_model import Model
from bluebear.rules.tokugawa.rules import invariants, scoring, setup, turns
from bluebear.rules.tokugawa.rules.state import SEATS, State
from bluebear.rules.tokugawa.text import commands, static_data
from bluebear.rules.tokugawa.text.board import BoardText
from bluebear.rules.tokugawa.text.commands import GRAMMAR
from bluebear.rules.tokugawa.text.names import Catalogue

_TO_MOVE: Final[Mapping[Seat | None, frozenset[Seat]]] = {
    None: frozenset(),
    **{seat: frozenset((seat,)) for seat in SEATS},
}


class Tokugawa(Game[State]):
    """Tokugawa for two seats, rules versions 1 and 2: see `contracts.OPENED_AT_THE_END`."""

    state = State
    grammar = GRAMMAR
    over_rule = "11.1"
    catalogue = Catalogue
    thinker: ClassVar[SearchModel[State]] = Model()
    bots: ClassVar[Mapping[str, Player]] = {"greedy": greedy_of(thinker)}
    texts = BoardText
    static = static_data.static()
    sorted_choices = True

    def set_up(self, options: Options, seats: int, chance: Chance, emit: Emit) -> State:
        return setup.set_up(options, seats, chance, emit)

    def to_move(self, state: State) -> frozenset[Seat]:
        return _TO_MOVE[state.decides]

    def turn_rule(self, state: State) -> str:
        return "4.5"

    def choices(self, state: State, seat: Seat) -> Sequence[Move | Rash]:
        return turns.choices(state, seat)

    def why_not(self, state: State, seat: Seat, move: Move) -> NotAllowed | None:
        return turns.why_not(state, seat, move)

    def apply(self, draft: State, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        turns.apply(draft, seat, move, chance, emit)

    def run_forced_moves(self, draft: State, chance: Chance, emit: Emit) -> None:
        turns.run_forced_moves(draft, chance, emit)

    def fallback(self, state: State, seat: Seat) -> Move:
        return turns.fallback(state, seat)

    def expand(self, view: State, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        return commands.expand(view, seat, verb, text)

    def determinize(self, view: State, eyes: Eyes, chance: Chance) -> State:
        return view  # everything is open (Rule: tokugawa 12.1)

    def result(self, state: State) -> Result | None:
        return scoring.result(state)

    def invariants(self, state: State) -> Iterator[str]:
        return invariants.broken(state)

    def points(self, view: State, eyes: Eyes) -> Mapping[Seat, int]:
        return {seat: scoring.tally(view, seat).points for seat in view.seats}


GAME = Tokugawa()

__all__ = ["GAME", "Tokugawa"]
