"""I.T.C., International Trade Company, by Valentin Herman: trade over four routes.

`data/`   `terms`: goods, routes, places, cards; their `tables`, from `board.toml`, `cards.toml`
`rules/`  `state`, `moves`, `events`, `setup`, `turns`, `loading` over the `route_state`,
          `movement`, `continents`, `cards`; `turn_context`; `invariants`
`text/`   `names`, `commands`, `typed_moves`, `move_list`, `board`, `details`, `previews`
`bot/`    `value_estimates`, `card_values`, `greedy`, `search_model`, `determinize`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bluebear.rules.core.game import Game, Player, alone
from bluebear.rules.core.search_model import SearchModel, greedy_of
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.itc.bot import determinize
from bluebear.rules.itc.bot.search_model import Model
from bluebear.rules.itc.rules import invariants, setup, turns
from bluebear.rules.itc.rules.moves import Keep
from bluebear.rules.itc.rules.state import Dropping, State
from bluebear.rules.itc.text import names
from bluebear.rules.itc.text.board import Texts
from bluebear.rules.itc.text.commands import GRAMMAR, choices_by_line
from bluebear.rules.itc.text.names import CardPhrases


class Itc(Game[State]):
    """I.T.C. for two to six seats, rules version 1."""

    state = State
    grammar = GRAMMAR
    over_rule = "13.1"
    thinker: ClassVar[SearchModel[State]] = Model()
    bots: ClassVar[Mapping[str, Player]] = {"greedy": greedy_of(thinker)}
    texts = Texts
    catalogue = CardPhrases
    phrases: CardPhrases
    static = names.static()
    sorted_choices = True

    set_up = staticmethod(setup.set_up)

    def to_move(self, state: State) -> frozenset[Seat]:
        return alone(state.mover)

    def turn_rule(self, state: State) -> str:
        return "7.2"

    choices = staticmethod(choices_by_line)
    why_not = staticmethod(turns.why_not)
    apply = staticmethod(turns.apply)

    def take_back(self, state: State, seat: Seat, what: str) -> Move | None:
        """The goods marked for the grey market are kept after all (Rule: itc 12.2)."""
        busy = state.turn.busy
        return Keep(busy.card) if seat == state.mover and isinstance(busy, Dropping) else None

    def fallback(self, state: State, seat: Seat) -> Move:
        return turns.fallback(state, choices_by_line(state, seat))

    determinize = staticmethod(determinize.determinize)

    def scores(self, state: State) -> Mapping[Seat, int]:
        return {seat: trader.money for seat, trader in state.seats.items()}

    breakdown = staticmethod(turns.breakdown)
    invariants = staticmethod(invariants.broken)


GAME = Itc()
