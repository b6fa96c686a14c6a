"""Tokugawa by Victor Gilhaus and Tizian Blumenthal: samurai of Kyoto and of Yedo.

`data/`   `map.toml` and `pieces.toml`, read, checked and made into `map_tables`, for clients too
`rules/`  in the order of the rule book: `state`, `moves`, `events`, `setup`, `turns`, `economy`,
          `movement`, `combat`, `building` with the contracts, `scoring`; `pieces`: pieces and
          towns; `invariants`
`text/`   `names`, `commands`, `move_list`, `board`, `queries`, phrases, `rules.md`
`bot/`    `odds`: exact chances of an attack; `evaluation`, `search_model`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game, Player, alone
from bluebear.rules.core.search_model import SearchModel, greedy_of
from bluebear.rules.core.visibility import Eyes, Seat
from bluebear.rules.tokugawa.bot.search_model import Model
from bluebear.rules.tokugawa.data import map_tables
from bluebear.rules.tokugawa.rules import invariants, scoring, setup, turns
from bluebear.rules.tokugawa.rules.state import State
from bluebear.rules.tokugawa.text.board import BoardText
from bluebear.rules.tokugawa.text.commands import GRAMMAR
from bluebear.rules.tokugawa.text.names import Catalogue


class Tokugawa(Game[State]):
    """Tokugawa for two seats, rules versions 1 and 2: see `building.OPENED_AT_THE_END`."""

    state = State
    grammar = GRAMMAR
    over_rule = "11.1"
    catalogue = Catalogue
    thinker: ClassVar[SearchModel[State]] = Model()
    bots: ClassVar[Mapping[str, Player]] = {"greedy": greedy_of(thinker)}
    texts = BoardText
    static = map_tables.static()
    sorted_choices = True

    set_up = staticmethod(setup.set_up)

    def to_move(self, state: State) -> frozenset[Seat]:
        return alone(state.decides)

    def turn_rule(self, state: State) -> str:
        return "4.5"

    choices = staticmethod(turns.choices)
    why_not = staticmethod(turns.why_not)
    apply = staticmethod(turns.apply)
    run_forced_moves = staticmethod(turns.run_forced_moves)
    fallback = staticmethod(turns.fallback)

    def determinize(self, view: State, eyes: Eyes, chance: Chance) -> State:
        return view  # everything is open (Rule: tokugawa 12.1)

    result = staticmethod(scoring.result)
    invariants = staticmethod(invariants.broken)


GAME = Tokugawa()
