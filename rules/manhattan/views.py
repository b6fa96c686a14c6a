"""Reading a view back: the cities that it shows, and a whole table that it could belong to."""

from __future__ import annotations

from rules.core.chance import Chance
from rules.core.keyed import Keyed
from rules.core.plans import Tree
from rules.core.tree import tree_of
from rules.core.vision import Event, Eyes, Seat
from rules.manhattan.building import can_build
from rules.manhattan.cards import draw_hand
from rules.manhattan.state import COPIES, Building, Card, Cities, City, Phase, Site, Table, turn_of


def cities_of(view: Tree) -> Cities:
    """The cities that a view shows."""
    return Keyed(
        {
            City(city): Keyed(
                {
                    Site(int(site)): Building(tuple(floors), Seat(owner))
                    for site, (floors, owner) in buildings.items()
                }
            )
            for city, buildings in view["cities"].items()
        }
    )


def turn_in(view: Tree) -> Seat | None:
    """Whose decision it is in a view; None when the game is over."""
    phase = Phase(view["phase"])
    if phase is Phase.OVER:
        return None
    return turn_of(phase, view["start"], [len(part["chosen"]) for part in view["seats"].values()])


def deal(view: Tree, eyes: Eyes, chance: Chance) -> Table:
    """A table that these eyes cannot tell from the real one: unseen hands are dealt anew.

    Whoever is to build has a hand with which he can: an unseen one is dealt until it does, as
    the real one was exchanged until it did (Rule: manhattan 4.7).
    """
    hands = {seat: tuple(view["seats"][str(seat)]["hand"]) for seat in sorted(eyes)}
    unseen = [seat for seat in map(Seat, map(int, view["seats"])) if seat not in eyes]
    known = [card for hand in hands.values() for card in hand]
    pool = tuple(COPIES - count - known.count(int(card)) for card, count in view["used"].items())
    while True:
        table = _dealt(view, hands, unseen, pool, chance)
        turn = table.turn
        if turn not in unseen or table.phase is not Phase.BUILDING or can_build(table, turn):
            return table


def _dealt(
    view: Tree,
    hands: dict[Seat, tuple[Card, ...]],
    unseen: list[Seat],
    deck: tuple[int, ...],
    chance: Chance,
) -> Table:
    """The table of a view with the cards of `deck` given to the unseen seats by chance."""
    dealt = dict(hands)
    none: Keyed[Card, int] = Keyed()
    no_events: list[Event] = []
    for seat in unseen:
        dealt[seat], deck, _ = draw_hand(deck, none, chance, no_events)
    seats = {
        key: {**part, "hand": list(dealt[Seat(int(key))])} for key, part in view["seats"].items()
    }
    return tree_of(Table).load({**view, "seats": seats, "deck": list(deck)})
