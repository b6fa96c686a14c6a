"""Manhattan by Andreas Seyfarth: towers in six cities, four cards in hand.

`rules/`   in the order of the rule book: `state`, `moves`, `events`, `turns` with the set-up,
           `block_choice`, `building` with its `cards`, `scoring`; `invariants`
`text/`    `commands`, `board`, phrases, `rules.md`
`bot/`     `evaluation`, `search_model` (`playouts`, `fast_state`), `observation`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Game, Player, alone
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import SearchModel, greedy_of
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.manhattan.bot import search_model
from bluebear.rules.manhattan.bot.observation import row_of
from bluebear.rules.manhattan.bot.search_model import Model
from bluebear.rules.manhattan.rules import block_choice, building, invariants, scoring, turns
from bluebear.rules.manhattan.rules.moves import Build, Take
from bluebear.rules.manhattan.rules.state import Phase, State
from bluebear.rules.manhattan.text.board import BoardText
from bluebear.rules.manhattan.text.commands import GRAMMAR


class Manhattan(Game[State]):
    """Manhattan for two to four seats, rules version 1."""

    state = State
    grammar = GRAMMAR
    over_rule = "6.2"
    thinker: ClassVar[SearchModel[State]] = Model()
    bots: ClassVar[Mapping[str, Player]] = {"greedy": greedy_of(thinker)}
    texts = BoardText
    sorted_choices = True

    set_up = staticmethod(turns.set_up)

    def to_move(self, state: State) -> frozenset[Seat]:
        return alone(state.turn)

    def choices(self, state: State, seat: Seat) -> Iterable[Move]:
        if state.phase is Phase.CHOOSING:
            return block_choice.choices(state, seat)
        return building.builds(state, seat)

    def why_not(self, state: State, seat: Seat, move: Move) -> NotAllowed | None:
        if state.phase is Phase.CHOOSING:
            if isinstance(move, Take):
                return block_choice.why_not(state, seat, move)
            return NotAllowed("choose_first", rule="3.1", count=state.per_round)
        if isinstance(move, Build):
            return building.why_not(state, seat, move)
        return NotAllowed("build_now", rule="4.1")

    def apply(self, draft: State, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        if isinstance(move, Build):
            building.build(draft, seat, move, chance, emit)
        elif isinstance(move, Take):
            block_choice.took(draft, seat, move, emit)

    run_forced_moves = staticmethod(turns.run_forced_moves)

    def turn_rule(self, state: State) -> str:
        return "3.1" if state.phase is Phase.CHOOSING else "4.1"

    def fallback(self, state: State, seat: Seat) -> Move:
        """What is played for a seat whose time is up: an even choice, else the first build."""
        if state.phase is Phase.CHOOSING:
            return block_choice.even_choice(state, seat)
        return building.builds(state, seat)[0]

    def scores(self, state: State) -> Mapping[Seat, int]:
        return {seat: builder.score for seat, builder in state.seats.items()}

    breakdown = staticmethod(scoring.breakdown)
    determinize = staticmethod(search_model.determinize)
    observation = staticmethod(row_of)
    invariants = staticmethod(invariants.broken)


GAME = Manhattan()
