"""Loading: transport cards come to row 1 of a route, alone, over a card, or as a pair.

Rule: itc 9.1, 9.9, 11.7, 11.11, 11.20, 11.28.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rules.core.refusal import NotAllowed
from rules.core.vision import Seat, held
from rules.itc.arrival import CARD_UNDER
from rules.itc.course_events import Played
from rules.itc.data import CARDS, LIMITS
from rules.itc.desk import Desk
from rules.itc.hands import missing, need_unplayed, was_played
from rules.itc.moves import HideUnder, LoadCard, LoadMega
from rules.itc.piles import discard_action, give_action, give_transport
from rules.itc.points import need_transport, pays_transport, spend
from rules.itc.route_events import Loaded, LoadedMega, LoadedOver
from rules.itc.state import Load, Table, Trader, Under, space
from rules.itc.terms import ACard, Kind, Route, TCard
from rules.itc.tracks import cards_on, free_columns, loads_of, put

KIND_UNDER: Final = {Under.SMUGGLING: Kind.SMUGGLING, Under.EXPRESS: Kind.EXPRESS}
_MEGA: Final = ACard(str(int(Kind.MEGA)))


def load_card(desk: Desk, move: LoadCard) -> None:
    """A transport card is loaded (Rule: itc 9.1)."""
    _check(desk.table, (move.card,), move.route, move.column)
    _load(desk, (move.card,), move.route, move.column, Under.NONE)
    desk.tell(Loaded(desk.seat, move.card, move.route, move.column))


def hide_under(desk: Desk, move: HideUnder) -> None:
    """A transport card is loaded over an action card (Rule: itc 11.11, 11.20)."""
    _check(desk.table, (move.card,), move.route, move.column)
    trader, under = desk.trader, held(move.under)
    code = CARD_UNDER[under]
    if code not in held(trader.kept):
        raise missing(desk.table, KIND_UNDER[under])
    if _was_hidden(desk.table, trader, under):
        raise NotAllowed("kind_played", rule="11.1", kind=KIND_UNDER[under])
    give_action(desk, desk.seat, code)
    desk.change_trader(desk.seat, under=held(trader.under).put(move.card, under))
    _load(desk, (move.card,), move.route, move.column, Under.HIDDEN)
    desk.tell(LoadedOver(desk.seat, move.card, move.route, move.column, under))


def load_mega(desk: Desk, move: LoadMega) -> None:
    """Two transport cards are loaded on one space (Rule: itc 11.7)."""
    if move.card >= move.other:
        raise NotAllowed("lower_first", rule="11.7", card=move.card, other_card=move.other)
    pair = (move.card, move.other)
    need_transport(desk.table.turn)
    if _MEGA not in held(desk.trader.kept):
        raise missing(desk.table, Kind.MEGA)
    need_unplayed(desk.table, Kind.MEGA)
    _check(desk.table, pair, move.route, move.column)
    if sum(pair) > LIMITS.mega:
        raise NotAllowed("mega_too_dear", rule="11.7", count=sum(pair), most=LIMITS.mega)
    seat = desk.seat
    give_action(desk, seat, _MEGA)
    discard_action(desk, _MEGA)
    desk.change_turn(played=(*desk.table.turn.played, Kind.MEGA))
    desk.tell(Played(seat, _MEGA))
    _load(desk, pair, move.route, move.column, Under.NONE)
    desk.tell(LoadedMega(seat, pair, move.route, move.column))


def _load(desk: Desk, cards: tuple[TCard, ...], route: Route, column: int, under: Under) -> None:
    seat = desk.seat
    spend(desk)
    for card in cards:
        give_transport(desk, seat, card)
    desk.take_stock(seat, len(cards))
    put(desk, route, space(1, column), Load(cards, seat, under, fresh=True))


def _check(table: Table, cards: Sequence[TCard], route: Route, column: int) -> None:
    """NotAllowed if these cards cannot be loaded there (Rule: itc 1.6, 4.7, 9.1, 9.9)."""
    need_transport(table.turn)
    seat = table.turn.seat
    trader = table.seats[seat]
    hand = held(trader.hand)
    for card in cards:
        if not hand:
            raise NotAllowed("no_transports", rule="8.8")
        if card not in hand:
            raise NotAllowed("not_in_hand", rule="9.1", card=card, cards=hand)
        if route not in CARDS[card].routes:
            raise NotAllowed("wrong_route", rule="4.7", card=card, routes=CARDS[card].routes)
    if cards_on(table, route, seat) + len(cards) > LIMITS.loads_per_route:
        raise NotAllowed("route_limit", rule="9.9", route=route, most=LIMITS.loads_per_route)
    if trader.stock < len(cards):
        raise NotAllowed("no_stones", rule="1.6")
    columns = free_columns(table, route, 1)
    if not columns:
        raise NotAllowed("entry_full", rule="9.1", route=route)
    if column not in columns:
        raise NotAllowed("column_taken", rule="9.1", route=route, column=column, columns=columns)


def _was_hidden(table: Table, trader: Trader, under: Under) -> bool:
    """Whether a card of this kind was laid under a load in this turn (Rule: itc 11.1)."""
    below = held(trader.under)
    return any(
        found.load.fresh and below.get(found.load.cards[0]) is under
        for found in loads_of(table, table.turn.seat)
    )


def loadings(table: Table, seat: Seat) -> Iterator[LoadCard | HideUnder | LoadMega]:
    """Every way in which a seat can load now."""
    trader = table.seats[seat]
    hand, kept = held(trader.hand), held(trader.kept)
    if not pays_transport(table.turn) or not trader.stock or not hand:
        return
    room = {route: _room(table, route, seat) for route in Route}
    below = [
        under
        for under, code in CARD_UNDER.items()
        if code in kept and not _was_hidden(table, trader, under)
    ]
    for card in hand:
        for route in CARDS[card].routes:
            for column in room[route][0]:
                yield LoadCard(card, route, column)
                for under in below:
                    yield HideUnder(card, route, column, under)
    if _MEGA in kept and not was_played(table, Kind.MEGA) and trader.stock > 1:
        for at, card in enumerate(hand):
            for other in hand[at + 1 :]:
                if card + other <= LIMITS.mega:
                    yield from _pairs(card, other, room)


def _pairs(
    card: TCard, other: TCard, room: dict[Route, tuple[tuple[int, ...], bool]]
) -> Iterator[LoadMega]:
    for route in CARDS[card].routes:
        columns, for_two = room[route]
        if for_two and route in CARDS[other].routes:
            for column in columns:
                yield LoadMega(card, other, route, column)


def _room(table: Table, route: Route, seat: Seat) -> tuple[tuple[int, ...], bool]:
    """The columns where a seat can load on a route, and whether it can load a pair there."""
    left = LIMITS.loads_per_route - cards_on(table, route, seat)
    return (free_columns(table, route, 1) if left > 0 else (), left > 1)
