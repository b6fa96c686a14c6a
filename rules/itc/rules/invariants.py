"""What always holds at the table (Rule: itc 1.3, 1.4, 1.6, 2.5, 2.8, 9.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.itc.data.card_data import Time
from bluebear.rules.itc.data.tables import ACTIONS, CARDS, LIMITS, PLACE, ROUTE
from bluebear.rules.itc.data.terms import GOODS, Place, TCard
from bluebear.rules.itc.rules.continents import CARD_UNDER, accepts
from bluebear.rules.itc.rules.route_state import cards_on, loads, loads_of
from bluebear.rules.itc.rules.setup import is_over_limit
from bluebear.rules.itc.rules.state import NEUTRAL, Phase, State, Trader, Under, column_of, row_of
from bluebear.rules.itc.rules.turn_context import CODES


def broken(table: State) -> Iterator[str]:
    """What does not hold in this table."""
    yield from _stones(table)
    yield from _transport_cards(table)
    yield from _action_cards(table)
    yield from _places(table)
    yield from _routes(table)
    for seat, trader in table.seats.items():
        yield from _trader(table, seat, trader)
    if table.phase in (Phase.DICE, Phase.PLACING):
        yield from _between_turns(table)


def _stones(table: State) -> Iterator[str]:
    """Rule: itc 1.6."""
    for seat, trader in table.seats.items():
        placed = sum(store.stones[seat - 1] for store in table.places.values())
        loaded = sum(len(found.load.cards) for found in loads_of(table, seat))
        if trader.stock < 0 or trader.stock + placed + loaded != LIMITS.stones:
            yield f"seat {seat} has {trader.stock} + {placed} + {loaded} stones"


def _transport_cards(table: State) -> Iterator[str]:
    """Rule: itc 1.3."""
    pile = require(table.transport_pile)
    where: Counter[TCard] = Counter(pile)
    where.update(table.used_transports)
    where.update(table.turn.stranded)
    for trader in table.seats.values():
        where.update(require(trader.hand))
    for found in loads(table):
        where.update(found.load.cards)
    for card in CARDS:
        if where[card] != 1:
            yield f"transport card {card} is in {where[card]} places"
    if list(pile) != sorted(pile):
        yield "the pile of transport cards has an order"


def _action_cards(table: State) -> Iterator[str]:
    """Rule: itc 1.4."""
    where = Counter(dict(zip(CODES, require(table.action_pile), strict=True)))
    where.update(dict(table.used_actions.items()))
    for trader in table.seats.values():
        where.update(require(trader.kept))
        where.update(CARD_UNDER[under] for under in require(trader.under).values())
    for code, card in ACTIONS.items():
        if where[code] != card.copies:
            yield f"action card {code}: {where[code]} copies"


def _places(table: State) -> Iterator[str]:
    """Rule: itc 2.5, 2.6, 2.8."""
    for place, store in table.places.items():
        for rank, (count, fresh) in enumerate(zip(store.goods, store.fresh, strict=True)):
            if not 0 <= fresh <= count <= PLACE[place].spaces:
                yield f"{place}: {count} {GOODS[rank]}, {fresh} of them fresh"
            if count and not accepts(place, rank):
                yield f"{place} refuses {GOODS[rank]}"
        if min(store.stones) < 0:
            yield f"{place}: {min(store.stones)} stones"
    if sum(count > 0 for count in table.places[Place.MARKET].stones) > 1:
        yield "two seats have stones in the grey market"


def _routes(table: State) -> Iterator[str]:
    """Rule: itc 4.7, 9.9, 11.7, 12.7."""
    for route, at, load in loads(table):
        if not 1 <= row_of(at) <= ROUTE[route].rows or not (
            1 <= column_of(at) <= ROUTE[route].columns
        ):
            yield f"{route} has no space {at}"
        for card in load.cards:
            if route not in CARDS[card].routes:
                yield f"{card} lies on {route}"
        if load.owner == NEUTRAL:
            if load.under is not Under.NONE or len(load.cards) > 1 or load.fresh:
                yield f"neutral load {load.cards} is like one of a player"
            continue
        if (load.cards[0] in require(table.seats[load.owner].under)) is (load.under is Under.NONE):
            yield f"{load.cards[0]} has {load.under} under it"
        if list(load.cards) != sorted(load.cards) or len(load.cards) > 2:
            yield f"a pair is {load.cards}"
        if cards_on(table, route, load.owner) > LIMITS.loads_per_route:
            yield f"seat {load.owner} has too many cards on {route}"


def _trader(table: State, seat: Seat, trader: Trader) -> Iterator[str]:
    hand, actions = require(trader.hand), require(trader.kept)
    if (trader.transports, trader.actions) != (len(hand), len(actions)):
        yield f"the cards of seat {seat} are counted wrongly"
    if list(hand) != sorted(hand):
        yield f"the hand of seat {seat} has an order"
    if list(actions) != sorted(actions, key=CODES.index):
        yield f"the action cards of seat {seat} have an order"
    if any(CARDS[card].neutral for card in hand):
        yield f"seat {seat} holds a neutral card"
    if any(ACTIONS[card].time is Time.AT_ONCE for card in actions):
        yield f"seat {seat} keeps a card that is executed at once"
    if trader.money != trader.income.total:
        yield f"seat {seat} has {trader.money} and earned {trader.income.total}"
    loads = [found.load.cards[0] for found in loads_of(table, seat)]
    if any(card not in loads for card in require(trader.under)):
        yield f"seat {seat} has something under a load that is not there"
    if is_over_limit(trader) and seat != table.turn.seat:
        yield f"seat {seat} holds {trader.cards} cards"


def _between_turns(table: State) -> Iterator[str]:
    """Rule: itc 7.5."""
    for seat, trader in table.seats.items():
        allowed = LIMITS.hand + (seat == table.turn.seat)
        if trader.cards > allowed:
            yield f"seat {seat} begins with {trader.cards} cards"
    if any(found.load.fresh for found in loads(table)):
        yield "a load is new between turns"
