"""Loading: transport cards come to row 1 of a route, alone, over a card, or as a pair.

Rule: itc 9.1, 9.9, 11.7, 11.11, 11.20, 11.28.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import require
from bluebear.rules.itc.arrival import CARD_UNDER
from bluebear.rules.itc.course_events import Played
from bluebear.rules.itc.data import CARDS, LIMITS
from bluebear.rules.itc.desk import Desk
from bluebear.rules.itc.hands import code_of, missing, no_card, playable
from bluebear.rules.itc.moves import HideUnder, LoadCard, LoadMega
from bluebear.rules.itc.piles import discard_action, give_action, give_transport
from bluebear.rules.itc.points import no_transport
from bluebear.rules.itc.route_events import Loaded, LoadedMega, LoadedOver
from bluebear.rules.itc.state import Load, Table, Under, space
from bluebear.rules.itc.terms import Kind, Route, TCard
from bluebear.rules.itc.tracks import cards_on, free_columns, loads_of

KIND_UNDER: Final = {Under.SMUGGLING: Kind.SMUGGLING, Under.EXPRESS: Kind.EXPRESS}
_MEGA: Final = code_of(Kind.MEGA)


def loadings(table: Table) -> Iterator[LoadCard | HideUnder | LoadMega]:
    """Every way in which the seat on turn can load, if it has a point."""
    hand = require(table.seats[table.turn.seat].hand)
    if not hand:
        return
    columns = _entries(table, hand, 1)
    covers = _covers(table)
    for card in hand:
        for route in CARDS[card].routes:
            for column in columns[route]:
                yield LoadCard(card, route, column)
                for under in covers:
                    yield HideUnder(card, route, column, under)
    if _MEGA in playable(table):
        yield from _pairs(table, hand)


def _pairs(table: Table, hand: Sequence[TCard]) -> Iterator[LoadMega]:
    columns = _entries(table, hand, 2)
    for at, card in enumerate(hand):
        for other in hand[at + 1 :]:
            if _not_light((card, other)) is None:
                for route in CARDS[card].routes:
                    if route in CARDS[other].routes:
                        for column in columns[route]:
                            yield LoadMega(card, other, route, column)


def no_load(table: Table, move: LoadCard) -> NotAllowed | None:
    """What forbids to load a card (Rule: itc 9.1)."""
    return _no_loading(table, (move.card,), move.route, move.column)


def no_hiding(table: Table, move: HideUnder) -> NotAllowed | None:
    """What forbids to load a card over an action card (Rule: itc 11.11, 11.20)."""
    refusal = _no_loading(table, (move.card,), move.route, move.column)
    under = require(move.under)
    if refusal is not None or under in _covers(table):
        return refusal
    kind = KIND_UNDER[under]
    if CARD_UNDER[under] in require(table.seats[table.turn.seat].kept):
        return NotAllowed("kind_played", rule="11.1", kind=kind)
    return missing(table, kind)


def no_mega(table: Table, move: LoadMega) -> NotAllowed | None:
    """What forbids to load two cards on one space (Rule: itc 11.7)."""
    if move.card >= move.other:
        return NotAllowed("lower_first", rule="11.7", card=move.card, other_card=move.other)
    pair = (move.card, move.other)
    return (
        no_transport(table.turn)
        or no_card(table, Kind.MEGA)
        or _no_loading(table, pair, move.route, move.column)
        or _not_light(pair)
    )


def _not_light(pair: tuple[TCard, TCard]) -> NotAllowed | None:
    """What forbids a pair that is worth too much (Rule: itc 11.7)."""
    if sum(pair) <= LIMITS.mega:
        return None
    return NotAllowed("mega_too_dear", rule="11.7", count=sum(pair), most=LIMITS.mega)


def _no_loading(
    table: Table, cards: Sequence[TCard], route: Route, column: int
) -> NotAllowed | None:
    """What forbids to load cards somewhere (Rule: itc 1.6, 4.7, 9.1, 9.9)."""
    refusal = no_transport(table.turn)
    if refusal is not None:
        return refusal
    hand = require(table.seats[table.turn.seat].hand)
    for card in cards:
        if not hand:
            return NotAllowed("no_transports", rule="8.8")
        if card not in hand:
            return NotAllowed("not_in_hand", rule="9.1", card=card, cards=hand)
        if route not in CARDS[card].routes:
            return NotAllowed("wrong_route", rule="4.7", card=card, routes=CARDS[card].routes)
    columns = _columns(table, route, len(cards))
    if column in columns:
        return None
    if columns:
        return NotAllowed("column_taken", rule="9.1", route=route, column=column, columns=columns)
    return _no_room(table, route, len(cards)) or NotAllowed("entry_full", rule="9.1", route=route)


def _entries(table: Table, hand: Sequence[TCard], count: int) -> dict[Route, tuple[int, ...]]:
    """For each route of the cards of a hand the columns where so many of them may be loaded."""
    routes = {route for card in hand for route in CARDS[card].routes}
    return {route: _columns(table, route, count) for route in sorted(routes)}


def _columns(table: Table, route: Route, count: int) -> tuple[int, ...]:
    """The columns of row 1 where so many cards of the seat on turn may be loaded on a space."""
    if _no_room(table, route, count) is not None:
        return ()
    return free_columns(table.routes[route], route, 1)


def _no_room(table: Table, route: Route, count: int) -> NotAllowed | None:
    """What forbids so many more cards of the seat on turn on a route (Rule: itc 1.6, 9.9)."""
    seat = table.turn.seat
    if cards_on(table, route, seat) + count > LIMITS.loads_per_route:
        return NotAllowed("route_limit", rule="9.9", route=route, most=LIMITS.loads_per_route)
    if table.seats[seat].stock < count:
        return NotAllowed("no_stones", rule="1.6")
    return None


def _covers(table: Table) -> list[Under]:
    """What the seat on turn can lay under a load: one card of each kind in a turn.

    Rule: itc 11.1.
    """
    trader = table.seats[table.turn.seat]
    kept, below = require(trader.kept), require(trader.under)
    found = [under for under, code in CARD_UNDER.items() if code in kept]
    if not found or not len(below):
        return found
    fresh = [each.load.cards[0] for each in loads_of(table, table.turn.seat) if each.load.fresh]
    laid = [below.get(card) for card in fresh]
    return [under for under in found if under not in laid]


def load_card(desk: Desk, move: LoadCard) -> None:
    """A transport card is loaded (Rule: itc 9.1)."""
    _load(desk, (move.card,), move.route, move.column, Under.NONE)
    desk.tell(Loaded(desk.seat, move.card, move.route, move.column))


def hide_under(desk: Desk, move: HideUnder) -> None:
    """A transport card is loaded over an action card (Rule: itc 11.11, 11.20)."""
    trader, under = desk.trader, require(move.under)
    give_action(trader, CARD_UNDER[under])
    require(trader.under)[move.card] = under
    _load(desk, (move.card,), move.route, move.column, Under.HIDDEN)
    desk.tell(LoadedOver(desk.seat, move.card, move.route, move.column, under))


def load_mega(desk: Desk, move: LoadMega) -> None:
    """Two transport cards are loaded on one space (Rule: itc 11.7)."""
    pair, turn = (move.card, move.other), desk.table.turn
    give_action(desk.trader, _MEGA)
    discard_action(desk.table, _MEGA)
    turn.played = (*turn.played, Kind.MEGA)
    desk.tell(Played(turn.seat, _MEGA))
    _load(desk, pair, move.route, move.column, Under.NONE)
    desk.tell(LoadedMega(desk.seat, pair, move.route, move.column))


def _load(desk: Desk, cards: tuple[TCard, ...], route: Route, column: int, under: Under) -> None:
    trader = desk.trader
    desk.table.turn.points -= 1
    for card in cards:
        give_transport(trader, card)
    trader.stock -= len(cards)
    load = Load(cards, desk.seat, under, fresh=True)
    desk.table.routes[route][space(1, column)] = load
