"""Heap, version 1: who takes the last stone wins, and may take three at most."""

from __future__ import annotations

from collections.abc import Mapping

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Game
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.grammar import Grammar, Verb
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import NumberSlot
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Event, Eyes, Move, Node, Public, Seat

MOST = 3


class Pile(Node):
    left: Public[int]
    mover: Public[Seat]
    seats: Public[int]


class Take(Move):
    stones: Public[int]


class Took(Event):
    seat: Public[Seat]
    stones: Public[int]


class HeapTexts(GameTexts[Pile]):
    """The texts about a view."""

    def board(self) -> str:
        return self.say("pile", left=self.view.left)


class HeapGame(Game[Pile]):
    texts = HeapTexts
    state = Pile
    grammar = Grammar([Verb("take", Take, (NumberSlot("stones", 1, 3),), ("取る",), ("t",))])
    over_rule = "1.3"

    def set_up(self, options: Options, seats: int, chance: Chance, emit: Emit) -> Pile:
        return Pile(left=12, mover=Seat(1), seats=seats)

    def to_move(self, state: Pile) -> frozenset[Seat]:
        return frozenset({state.mover}) if state.left else frozenset()

    def turn_rule(self, state: Pile) -> str:
        return "1.1"

    def why_not(self, state: Pile, seat: Seat, move: Move) -> NotAllowed | None:
        assert isinstance(move, Take)
        if move.stones <= min(MOST, state.left):
            return None
        return NotAllowed("too_greedy", rule="1.2", most=min(MOST, state.left))

    def apply(self, draft: Pile, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        assert isinstance(move, Take)
        draft.left -= move.stones
        emit(Took(seat, move.stones))
        if draft.left:
            draft.mover = Seat(seat % draft.seats + 1)

    def determinize(self, view: Pile, eyes: Eyes, chance: Chance) -> Pile:
        return view  # nothing is hidden

    def scores(self, state: Pile) -> Mapping[Seat, int]:
        return {Seat(each): int(each == state.mover) for each in range(1, state.seats + 1)}


GAME = HeapGame()
