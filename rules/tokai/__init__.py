"""Tokai Danshaku by 中浜隆逸 (Nakahama): railways around Nagoya, bought with what journeys pay.

`data/`   the map as files, read and checked
`rules/`  `network`: the map as tables; `state`, `moves`, `events`, `setup`, `turns`, `trips`,
          `movement`, `fares`, `market`, `payment`; `invariants`
`text/`   `names`, `commands`, `journeys`, `move_list`, `board`, `queries`
`bot/`    `route_search` for a trip, `roll_search` for a roll, `expected_fares`, `greedy`,
          `fallback`, `search_model`, `determinize`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bluebear.rules.core.game import Game, Player
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import SearchModel
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokai.bot import determinize, greedy
from bluebear.rules.tokai.bot.fallback import stand_in
from bluebear.rules.tokai.bot.search_model import Model
from bluebear.rules.tokai.rules import invariants, network, payment, setup, turns
from bluebear.rules.tokai.rules.moves import Back
from bluebear.rules.tokai.rules.state import Phase, State
from bluebear.rules.tokai.text.commands import GRAMMAR
from bluebear.rules.tokai.text.names import MapPhrases
from bluebear.rules.tokai.text.queries import Texts


class Tokai(Game[State]):
    """Tokai Danshaku for two to six seats, rules version 1."""

    state = State
    grammar = GRAMMAR
    over_rule = "12.1"
    thinker: ClassVar[SearchModel[State]] = Model()
    bots: ClassVar[Mapping[str, Player]] = {"greedy": greedy.greedy}
    texts = Texts
    catalogue = MapPhrases
    static = network.drawing()
    sorted_choices = True

    set_up = staticmethod(setup.set_up)

    def to_move(self, state: State) -> frozenset[Seat]:
        return state.deciding

    turn_rule = staticmethod(turns.rule_of)

    def out_of_turn(self, state: State, seat: Seat) -> NotAllowed:
        if state.phase is not Phase.PREBUY:
            return super().out_of_turn(state, seat)
        waiting = tuple(sorted(state.deciding))
        return NotAllowed("has_chosen", rule=self.turn_rule(state), seats=waiting)

    choices = staticmethod(turns.choices)
    why_not = staticmethod(turns.why_not)
    apply = staticmethod(turns.play)
    fallback = staticmethod(stand_in)

    def take_back(self, state: State, seat: Seat, what: str) -> Move | None:
        back = Back()
        return back if self.refusal(state, seat, back) is None else None

    result = staticmethod(payment.result)
    determinize = staticmethod(determinize.determinize)
    invariants = staticmethod(invariants.broken)


GAME = Tokai()
