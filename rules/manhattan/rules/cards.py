"""The 45 building cards: turning, drawing, discarding.

The deck is a multiset: no player knows an order, so there is none, and each card is drawn by chance
when it is drawn (Rule: manhattan 1.5, 4.5, 4.6, 9.2).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import require
from bluebear.rules.manhattan.rules.events import Shuffled
from bluebear.rules.manhattan.rules.state import CARDS, COPIES, HAND, SITES, Card, Site, State

Deck = tuple[int, ...]
"""The copies of card 1, 2, ... 9."""

FULL_DECK: Final[Deck] = (COPIES,) * len(CARDS)
NO_DISCARDS: Final[Keyed[Card, int]] = Keyed(dict.fromkeys(CARDS, 0))


def _turn(site: int) -> int:
    """The place of a site after a quarter turn clockwise."""
    row, column = divmod(site - 1, 3)
    return 3 * column + (2 - row) + 1


def _turned() -> tuple[tuple[Site, ...], ...]:
    made = [SITES]
    for _ in range(3):
        made.append(tuple(Site(_turn(site)) for site in made[-1]))
    return tuple(made)


_SITE_OF: Final = _turned()
"""By quarter turns, then card - 1."""


def site_of(card: Card, quarter: int) -> Site:
    """The site that a card names for a seat that sees the board turned."""
    return _SITE_OF[quarter][card - 1]


def card_of(site: Site, quarter: int) -> Card:
    """The card that a seat which sees the board turned needs for a site."""
    return CARDS[_SITE_OF[-quarter][site - 1] - 1]


@cache  # bounded: 495 hands of four cards, 4 quarter turns
def sites_of(hand: tuple[Card, ...], quarter: int) -> tuple[Site, ...]:
    """The sites that a hand opens, each once, sorted."""
    return tuple(sorted({site_of(card, quarter) for card in hand}))


def without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """A hand after one card was played."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def dealt(deck: Deck, chance: Chance) -> tuple[tuple[Card, ...], Deck]:
    """A hand of four cards, sorted, and the deck without them; it has at least four."""
    cards: list[Card] = []
    for _ in range(HAND):
        card, deck = _drawn(deck, chance)
        cards.append(card)
    return tuple(sorted(cards)), deck


def _drawn(deck: Deck, chance: Chance) -> tuple[Card, Deck]:
    at = chance.weighted(deck)
    return CARDS[at], (*deck[:at], deck[at] - 1, *deck[at + 1 :])


def draw(table: State, chance: Chance, emit: Emit) -> Card:
    """Take a card off the deck of a draft.

    An empty deck is made of the discards first (Rule: manhattan 4.6), which is an event. The two
    are never empty together: 16 cards at most are in hands.
    """
    deck = require(table.deck)
    if not any(deck):
        deck, table.used = tuple(table.used.values()), NO_DISCARDS
        emit(Shuffled(sum(deck)))
    card, table.deck = _drawn(deck, chance)
    return card
