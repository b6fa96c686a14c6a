"""The table while one move is carried out: draws, events, piles and hands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Event, Seat, but, require
from bluebear.rules.itc.data.tables import ACTIONS
from bluebear.rules.itc.data.terms import GOODS, ACard, Good, Kind, Place, TCard
from bluebear.rules.itc.rules.events import LastRound, PilesMerged, Played, TransportsReturned
from bluebear.rules.itc.rules.state import Goods, State, Trader


class Desk:
    """The draft of the table, whose turn it is, the chance, and who is told what happens."""

    __slots__ = ("chance", "emit", "seat", "table")

    def __init__(self, table: State, chance: Chance, emit: Emit) -> None:
        self.table = table
        self.seat = table.turn.seat
        self.chance = chance
        self.emit = emit

    @property
    def trader(self) -> Trader:
        """What belongs to whose turn it is."""
        return self.table.seats[self.seat]

    def place_stones(self, place: Place, seat: Seat, count: int) -> None:
        """Puts stones out of a seat's stock on a place; a negative count takes them back."""
        self.table.seats[seat].stock -= count
        self.add_stones(place, seat, count)

    def add_stones(self, place: Place, seat: Seat, count: int) -> None:
        """Adds stones of a seat at a place; a negative count takes them away."""
        places = self.table.places
        store = places[place]
        stones = list(store.stones)
        stones[seat - 1] += count
        places[place] = but(store, stones=tuple(stones))

    def pay(self, seat: Seat, source: str, amount: int, event: Event) -> None:
        """A seat gets money; the event comes before that of a last round (Rule: itc 13.1)."""
        table = self.table
        trader = table.seats[seat]
        more: dict[str, Any] = {source: getattr(trader.income, source) + amount}  # Any: any field
        trader.income = but(trader.income, **more)
        trader.money += amount
        self.emit(event)
        if trader.money >= table.goal and not table.last:
            table.last = True
            self.emit(LastRound(seat, trader.money))


def rank_of(good: Good) -> int:
    """The place of a colour among the colours, 0 for the cheapest (Rule: itc 3.2)."""
    return GOODS.index(good)


def listed(goods: Goods) -> tuple[Good, ...]:
    """Counted goods as a list, cheapest first."""
    return tuple(good for good, count in zip(GOODS, goods, strict=True) for _ in range(count))


# The two piles and their discards.
#
# No player knows the order of a pile, so it has none: each card is drawn by chance when it is drawn
# (Rule: itc 8.7, 16.2).

CODES: Final = tuple(ACTIONS)
"""All action cards that differ, in the order in which a pile counts them."""
_PLACE_OF: Final = {code: at for at, code in enumerate(CODES)}
FULL_ACTION_PILE: Final = tuple(card.copies for card in ACTIONS.values())
NO_ACTIONS_USED: Final[Keyed[ACard, int]] = Keyed()


def draw_transport(desk: Desk) -> TCard | None:
    """A transport card from the pile; None if no card is left (Rule: itc 8.4, 8.7)."""
    table = desk.table
    pile = require(table.transport_pile)
    if not pile:
        pile = tuple(table.used_transports)
        if not pile:
            return None
        table.used_transports = Keyed()
        desk.emit(TransportsReturned(len(pile)))
    at = desk.chance.pick(len(pile))
    table.transport_pile = (*pile[:at], *pile[at + 1 :])
    return pile[at]


def draw_action(desk: Desk) -> ACard:
    """An action card from the pile, or from those used (Rule: itc 8.7, 11.1)."""
    if not any(require(desk.table.action_pile)):
        merge_actions(desk)
    pile = require(desk.table.action_pile)
    at = desk.chance.weighted(pile)
    desk.table.action_pile = (*pile[:at], pile[at] - 1, *pile[at + 1 :])
    return CODES[at]


def merge_actions(desk: Desk) -> None:
    """Makes one pile of the pile and the discards of action cards (Rule: itc 8.7, 11.5)."""
    table = desk.table
    used = table.used_actions
    left = require(table.action_pile)
    desk.emit(PilesMerged(sum(used.values())))
    table.action_pile = tuple(
        count + (used.get(code) or 0) for count, code in zip(left, CODES, strict=True)
    )
    table.used_actions = NO_ACTIONS_USED


def discard_transport(table: State, card: TCard) -> None:
    """Puts a transport card on its discard pile."""
    table.used_transports[card] = True


def discard_action(table: State, card: ACard) -> None:
    """Puts an action card on its discard pile."""
    table.used_actions[card] = (table.used_actions.get(card) or 0) + 1


def take_transport(trader: Trader, card: TCard) -> None:
    """Adds a transport card to a hand."""
    trader.hand = tuple(sorted((*require(trader.hand), card)))
    trader.transports += 1


def give_transport(trader: Trader, card: TCard) -> None:
    """Takes a transport card out of a hand."""
    trader.hand = tuple([each for each in require(trader.hand) if each != card])
    trader.transports -= 1


def take_action(trader: Trader, card: ACard) -> None:
    """Adds an action card to a hand."""
    trader.kept = tuple(sorted((*require(trader.kept), card), key=_PLACE_OF.__getitem__))
    trader.actions += 1


def give_action(trader: Trader, card: ACard) -> None:
    """Takes an action card out of a hand."""
    kept = list(require(trader.kept))
    kept.remove(card)
    trader.kept = tuple(kept)
    trader.actions -= 1


# Action cards in hands: which a seat may play, one of each number in a turn (Rule: itc 11.1).

_HANDS: Final = 10_000
"""So many hands are kept with what may be played of them."""


def code_of(kind: Kind, place: Place | None = None) -> ACard:
    """What is printed on an action card of a kind, for a continent where it names one."""
    return ACard(str(int(kind)) if place is None else f"{int(kind)}-{place}")


def playable(table: State) -> Sequence[ACard]:
    """The cards of the seat on turn whose number it has not played yet, each sort once."""
    turn = table.turn
    return _unplayed(require(table.seats[turn.seat].kept), turn.played)


@lru_cache(_HANDS)
def _unplayed(actions: tuple[ACard, ...], played: tuple[Kind, ...]) -> tuple[ACard, ...]:
    return tuple(code for code in dict.fromkeys(actions) if ACTIONS[code].kind not in played)


def no_card(table: State, kind: Kind, place: Place | None = None) -> NotAllowed | None:
    """What forbids to play a card: the seat on turn does not hold it, or has played its number."""
    code = code_of(kind, place)
    if code in playable(table):
        return None
    if code in require(table.seats[table.turn.seat].kept):
        return NotAllowed("kind_played", rule="11.1", kind=kind)
    return missing(table, kind, place)


def missing(table: State, kind: Kind, place: Place | None = None) -> NotAllowed:
    """Why a card cannot be played that the seat on turn does not hold."""
    actions = require(table.seats[table.turn.seat].kept)
    if not actions:
        return NotAllowed("no_actions", rule="11.1")
    if place is None:
        return NotAllowed("no_action_card", rule="11.1", kind=kind, actions=actions)
    return NotAllowed("no_action_card_of", rule="11.1", kind=kind, place=place, actions=actions)


def play_card(desk: Desk, kind: Kind, place: Place | None = None) -> None:
    """The card goes to the discards, openly."""
    code, turn = code_of(kind, place), desk.table.turn
    give_action(desk.trader, code)
    discard_action(desk.table, code)
    turn.played = tuple(sorted((*turn.played, kind)))
    desk.emit(Played(turn.seat, code))
