"""A whole table that a view could belong to."""

from __future__ import annotations

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.visibility import Eyes, but, require
from bluebear.rules.tokai.rules.setup import choices
from bluebear.rules.tokai.rules.state import Basket, Phase, State


def determinize(view: State, eyes: Eyes, chance: Chance) -> State:
    """A table that these eyes cannot tell from the real one.

    An unseen pick before the game becomes one that the seat's hand allows
    (Rule: tokai 3.1.5, 15.1).
    """
    if view.phase is not Phase.PREBUY or view.openchoices:
        return view
    seats = view.seats
    for seat, traveller in view.seats.items():
        if traveller.chosen and seat not in eyes:
            options = choices(traveller.hand)
            picked = options[chance.pick(len(options))]
            basket = Basket(require(picked.lines), require(picked.express))
            seats = seats.put(seat, but(traveller, basket=basket))
    return but(view, seats=seats)
