"""Reading a view back: the table that it shows, and one that it could belong to."""

from __future__ import annotations

from rules.core.chance import Chance
from rules.core.plans import Tree
from rules.core.tree import tree_of
from rules.core.vision import Eyes, but, held
from rules.tokai.setting_up import choices
from rules.tokai.state import Basket, Phase, Table


def table_of(view: Tree) -> Table:
    """The table of a view. What the view does not show, what others have picked, is absent."""
    return tree_of(Table).load(view)


def deal(view: Tree, eyes: Eyes, chance: Chance) -> Table:
    """A table that these eyes cannot tell from the real one.

    Whoever has picked before the game, unseen, has picked something that his hand allows.

    Rule: tokai 3.1.5, 15.1.
    """
    table = table_of(view)
    if table.phase is not Phase.PREBUY or table.openchoices:
        return table
    seats = table.seats
    for seat, traveller in seats.items():
        if traveller.chosen and traveller.basket is None and seat not in eyes:
            options = choices(traveller.hand)
            picked = options[chance.pick(len(options))]
            basket = Basket(held(picked.lines), held(picked.express))
            seats = seats.put(seat, but(traveller, basket=basket))
    return but(table, seats=seats)
