"""What Manhattan knows about thinking: playouts to the next scoring, tables for unseen hands."""

from __future__ import annotations

from collections.abc import Sequence

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.search_model import SearchModel, Stage, Terms, stage_of
from bluebear.rules.core.visibility import Eyes, Move, Seat, but
from bluebear.rules.manhattan.bot import evaluation
from bluebear.rules.manhattan.bot.evaluation import NAMED, terms_of, worth_when
from bluebear.rules.manhattan.bot.playouts import Playouts
from bluebear.rules.manhattan.rules.building import can_build
from bluebear.rules.manhattan.rules.cards import Deck, dealt
from bluebear.rules.manhattan.rules.scoring import points_of
from bluebear.rules.manhattan.rules.state import COPIES, STOCK, Builder, Phase, State


class Model(SearchModel[State]):
    """The judgement of Manhattan."""

    named = NAMED
    sure = 0
    near = 6

    def worths(self, state: State, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return evaluation.worths(state, seat, moves)

    def beginner_worths(self, state: State, seat: Seat, moves: Sequence[Move]) -> list[int]:
        """Points of others count half."""
        with_rivals = evaluation.worths(state, seat, moves)
        alone = evaluation.worths(state, seat, moves, rivals=False)
        return [sum(both) for both in zip(with_rivals, alone, strict=True)]

    def candidates(self, state: State, seat: Seat) -> int:
        return 20

    def rests(self, state: State, since: State) -> bool:
        """Whether the round is over (Rule: manhattan 4.8)."""
        return state.round != since.round

    def terms(self, state: State) -> list[Terms]:
        left = scorings_left(state)
        return [
            terms_of(left, state.seats[seat].score, points, state.seats[seat].stock)
            for seat, points in points_of(state.cities, len(state.seats)).items()
        ]

    def spread(self, state: State) -> int:
        return worth_when(scorings_left(state)).spread

    def stage(self, state: State) -> Stage:
        """By the blocks that are built or lost."""
        blocks = len(state.seats) * sum(STOCK)
        left = sum(sum(one.stock) + len(one.chosen) for one in state.seats.values())
        return stage_of(len(state.seats), blocks - left, blocks)

    def core(self, view: State, seat: Seat) -> Playouts:
        return Playouts(view, seat)


def scorings_left(table: State) -> int:
    """How many scorings are still to come (Rule: manhattan 6.2)."""
    return 0 if table.phase is Phase.OVER else table.rounds + 1 - table.round


# A whole table that a view could belong to.


def determinize(view: State, eyes: Eyes, chance: Chance) -> State:
    """A table that these eyes cannot tell from the real one: unseen hands are dealt anew.

    The seat to build has a hand with which it can: an unseen one is dealt until it has, as the
    real one was exchanged until it had (Rule: manhattan 4.7).
    """
    visible = [card for builder in view.seats.values() for card in builder.hand or ()]
    pool = tuple(COPIES - count - visible.count(card) for card, count in view.used.items())
    turn = view.turn if view.phase is Phase.BUILDING else None
    while True:
        table = _dealt(view, pool, chance)
        if turn is None or turn in eyes or can_build(table, turn):
            return table


def _dealt(view: State, deck: Deck, chance: Chance) -> State:
    """The table of a view with the cards of a deck given to the unseen seats by chance."""
    builders: dict[Seat, Builder] = {}
    for seat, builder in view.seats.items():
        hand = builder.hand
        if hand is None:
            hand, deck = dealt(deck, chance)
        builders[seat] = but(builder, hand=hand)
    return but(view, seats=Keyed(builders), deck=deck)
