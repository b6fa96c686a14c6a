"""Railroad Ink by Hjalmar Hach and Lorenzo Silva: the same dice for all, and all draw at once.

`rules/`  `pieces`, `state` with the moves, `events`; `rounds`: how a game goes; `round_board`: what
          a seat may draw in a round; `connectivity`: how drawings hang together; `longest_route`,
          `scoring`; `invariants`
`text/`   `commands`, `typed_moves`: lines; `board`, `ascii_board`: the table; phrases, `rules.md`
`bot/`    `round_search`, `search_model`
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from bluebear.rules.core.game import Game, Player
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import SearchModel, greedy_of
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.railroad_ink.bot import search_model
from bluebear.rules.railroad_ink.bot.search_model import Model
from bluebear.rules.railroad_ink.rules import invariants, pieces, round_board, rounds, scoring
from bluebear.rules.railroad_ink.rules.round_board import moves_on, paper_of
from bluebear.rules.railroad_ink.rules.state import State
from bluebear.rules.railroad_ink.text import typed_moves
from bluebear.rules.railroad_ink.text.board import BoardText
from bluebear.rules.railroad_ink.text.commands import GRAMMAR


class RailroadInk(Game[State]):
    """Railroad Ink for one to twelve seats, without expansions, rules version 1."""

    state = State
    grammar = GRAMMAR
    over_rule = "4.4"
    thinker: ClassVar[SearchModel[State]] = Model()
    bots: ClassVar[Mapping[str, Player]] = {"greedy": greedy_of(thinker)}
    texts = BoardText
    static = pieces.static()
    sorted_choices = True

    set_up = staticmethod(rounds.set_up)
    to_move = staticmethod(rounds.to_move)

    def turn_rule(self, state: State) -> str:
        return "4.1"

    def out_of_turn(self, state: State, seat: Seat) -> NotAllowed:
        """Before the end all draw at once: who is not to move is done with the round."""
        return super().out_of_turn(state, seat) if state.over else rounds.already_done(state)

    def choices(self, state: State, seat: Seat) -> Sequence[Move]:
        return moves_on(paper_of(state.seats[seat], state.dice))

    def why_not(self, state: State, seat: Seat, move: Move) -> NotAllowed | None:
        return round_board.why_not(paper_of(state.seats[seat], state.dice), move)

    apply = staticmethod(rounds.apply)
    run_forced_moves = staticmethod(rounds.run_forced_moves)

    def take_back(self, state: State, seat: Seat, what: str) -> Move | None:
        """`/undo`: the last drawing of this round; `/undo C4`: that one."""
        square = typed_moves.square_named(what)
        if what.strip() and square is None:
            return None
        return rounds.take_back(state, seat, square)

    determinize = staticmethod(search_model.determinize)
    result = staticmethod(scoring.result)
    invariants = staticmethod(invariants.broken)


GAME = RailroadInk()
