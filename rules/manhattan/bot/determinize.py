"""A whole table that a view could belong to."""

from __future__ import annotations

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Eyes, Seat, but
from bluebear.rules.manhattan.rules.building import can_build
from bluebear.rules.manhattan.rules.cards import Deck, dealt
from bluebear.rules.manhattan.rules.state import COPIES, Builder, Phase, State


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
