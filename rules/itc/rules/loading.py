"""Loading, and jams that have to be opened (Rule: itc 9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.itc.data.tables import CARDS, LIMITS
from bluebear.rules.itc.data.terms import CONTINENTS, Kind, Route, TCard
from bluebear.rules.itc.rules import continents, events, movement, state, turn_context
from bluebear.rules.itc.rules.moves import HideUnder, LoadCard, LoadMega
from bluebear.rules.itc.rules.route_state import (
    ROWS,
    Found,
    ahead,
    cards_on,
    free_columns,
    is_full,
    is_top,
    loads_of,
    remove,
)

# Loading: transport cards come to row 1 of a route, alone, over a card, or as a pair.
#
# Rule: itc 9.1, 9.9, 11.7, 11.11, 11.20, 11.28.

_MEGA: Final = turn_context.code_of(Kind.MEGA)


def loadings(table: state.State) -> Iterator[LoadCard | HideUnder | LoadMega]:
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
    if _MEGA in turn_context.playable(table):
        yield from _pairs(table, hand)


def _pairs(table: state.State, hand: Sequence[TCard]) -> Iterator[LoadMega]:
    columns = _entries(table, hand, 2)
    for at, card in enumerate(hand):
        for other in hand[at + 1 :]:
            if _not_light((card, other)) is None:
                for route in CARDS[card].routes:
                    if route in CARDS[other].routes:
                        for column in columns[route]:
                            yield LoadMega(card, other, route, column)


def no_load(table: state.State, move: LoadCard) -> NotAllowed | None:
    """What forbids to load a card (Rule: itc 9.1)."""
    return _no_loading(table, (move.card,), move.route, move.column)


def no_hiding(table: state.State, move: HideUnder) -> NotAllowed | None:
    """What forbids to load a card over an action card (Rule: itc 11.11, 11.20)."""
    refusal = _no_loading(table, (move.card,), move.route, move.column)
    under = require(move.under)
    if refusal is not None or under in _covers(table):
        return refusal
    kind = continents.KIND_UNDER[under]
    if continents.CARD_UNDER[under] in require(table.seats[table.turn.seat].kept):
        return NotAllowed("kind_played", rule="11.1", kind=kind)
    return turn_context.missing(table, kind)


def no_mega(table: state.State, move: LoadMega) -> NotAllowed | None:
    """What forbids to load two cards on one space (Rule: itc 11.7)."""
    if move.card >= move.other:
        return NotAllowed("lower_first", rule="11.7", card=move.card, other_card=move.other)
    pair = (move.card, move.other)
    return (
        state.no_transport(table.turn)
        or turn_context.no_card(table, Kind.MEGA)
        or _no_loading(table, pair, move.route, move.column)
        or _not_light(pair)
    )


def _not_light(pair: tuple[TCard, TCard]) -> NotAllowed | None:
    """What forbids a pair that is worth too much (Rule: itc 11.7)."""
    if sum(pair) <= LIMITS.mega:
        return None
    return NotAllowed("mega_too_dear", rule="11.7", count=sum(pair), most=LIMITS.mega)


def _no_loading(
    table: state.State, cards: Sequence[TCard], route: Route, column: int
) -> NotAllowed | None:
    """What forbids to load cards somewhere (Rule: itc 1.6, 4.7, 9.1, 9.9)."""
    refusal = state.no_transport(table.turn)
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


def _entries(table: state.State, hand: Sequence[TCard], count: int) -> dict[Route, tuple[int, ...]]:
    """For each route of the cards of a hand the columns where so many of them may be loaded."""
    routes = {route for card in hand for route in CARDS[card].routes}
    return {route: _columns(table, route, count) for route in sorted(routes)}


def _columns(table: state.State, route: Route, count: int) -> tuple[int, ...]:
    """The columns of row 1 where so many cards of the seat on turn may be loaded on a space."""
    if _no_room(table, route, count) is not None:
        return ()
    return free_columns(table.routes[route], route, 1)


def _no_room(table: state.State, route: Route, count: int) -> NotAllowed | None:
    """What forbids so many more cards of the seat on turn on a route (Rule: itc 1.6, 9.9)."""
    seat = table.turn.seat
    if cards_on(table, route, seat) + count > LIMITS.loads_per_route:
        return NotAllowed("route_limit", rule="9.9", route=route, most=LIMITS.loads_per_route)
    if table.seats[seat].stock < count:
        return NotAllowed("no_stones", rule="1.6")
    return None


def _covers(table: state.State) -> list[state.Under]:
    """What may lie under a load: one card of each kind in a turn (Rule: itc 11.1)."""
    trader = table.seats[table.turn.seat]
    actions, below = require(trader.kept), require(trader.under)
    found = [under for under, code in continents.CARD_UNDER.items() if code in actions]
    if not found or not len(below):
        return found
    fresh = [each.load.cards[0] for each in loads_of(table, table.turn.seat) if each.load.fresh]
    laid = [below.get(card) for card in fresh]
    return [under for under in found if under not in laid]


def load_card(desk: turn_context.Desk, move: LoadCard) -> None:
    """A transport card is loaded (Rule: itc 9.1)."""
    _load(desk, (move.card,), move.route, move.column, state.Under.NONE)
    desk.emit(events.Loaded(desk.seat, move.card, move.route, move.column))


def hide_under(desk: turn_context.Desk, move: HideUnder) -> None:
    """A transport card is loaded over an action card (Rule: itc 11.11, 11.20)."""
    trader, under = desk.trader, require(move.under)
    turn_context.give_action(trader, continents.CARD_UNDER[under])
    require(trader.under)[move.card] = under
    _load(desk, (move.card,), move.route, move.column, state.Under.HIDDEN)
    desk.emit(events.LoadedOver(desk.seat, move.card, move.route, move.column, under))


def load_mega(desk: turn_context.Desk, move: LoadMega) -> None:
    """Two transport cards are loaded on one space (Rule: itc 11.7)."""
    pair, turn = (move.card, move.other), desk.table.turn
    turn_context.give_action(desk.trader, _MEGA)
    turn_context.discard_action(desk.table, _MEGA)
    turn.played = (*turn.played, Kind.MEGA)
    desk.emit(events.Played(turn.seat, _MEGA))
    _load(desk, pair, move.route, move.column, state.Under.NONE)
    desk.emit(events.LoadedMega(desk.seat, pair, move.route, move.column))


def _load(
    desk: turn_context.Desk, cards: tuple[TCard, ...], route: Route, column: int, under: state.Under
) -> None:
    trader = desk.trader
    desk.table.turn.points -= 1
    for card in cards:
        turn_context.give_transport(trader, card)
    trader.stock -= len(cards)
    load = state.Load(cards, desk.seat, under, fresh=True)
    desk.table.routes[route][state.space(1, column)] = load


# Jams: the full rows that a seat has to open, and what it loses if it does not (Rule: itc 9).


def duties_of(table: state.State, seat: Seat) -> state.Duties:
    """The full rows with loads of a seat (Rule: itc 9.2)."""
    found: dict[Route, tuple[int, ...]] = {}
    for route, spaces in table.routes.items():
        rows = {state.row_of(at) for at, load in spaces.items() if load.owner == seat}
        full = tuple(row for row in sorted(rows) if is_full(spaces, route, row)) if rows else ()
        if full:
            found[route] = full
    return Keyed(found) if found else state.NO_DUTIES


def judge(desk: turn_context.Desk) -> None:
    """The seat on turn loses its loads in rows that it could have opened and did not.

    All rows are judged on the same board (Rule: itc 9.4, 9.5).
    """
    lost: list[Found] = []
    for route, rows in desk.table.turn.duties.items():
        spaces = desk.table.routes[route]
        for row in rows:
            spaces_of_seat = spaces_of(spaces, route, row, desk.seat)
            if any(way_out(spaces, route, at) for at in spaces_of_seat):
                lost.extend(Found(route, at, spaces[at]) for at in spaces_of_seat)
    for found in lost:
        _lose(desk, found)


def spaces_of(spaces: state.Spaces, route: Route, row: int, seat: Seat) -> list[state.Space]:
    """The spaces of a row where loads of a seat lie."""
    return [at for at in ROWS[route][row - 1] if at in spaces and spaces[at].owner == seat]


def way_out(spaces: state.Spaces, route: Route, at: state.Space) -> tuple[state.Space, ...]:
    """The loads that have to move for one to get out of its row: the foremost first, itself last.

    Only loads of its owner move; empty if that does not suffice. What is in its way of the owner's
    own stands higher up, so it can leave first if it can leave at all (Rule: itc 9.4).
    """
    if is_top(route, at) or ahead(spaces, route, at):
        return (at,)
    row, column = state.row_of(at) + 1, state.column_of(at)
    for each in (
        state.space(row, column),
        state.space(row, column - 1),
        state.space(row, column + 1),
    ):
        if each in spaces and spaces[each].owner == spaces[at].owner:
            way = way_out(spaces, route, each)
            if way:
                return (*way, at)
    return ()


def rescuers(table: state.State) -> list[TCard]:
    """Own loads whose next move, for a point, saves loads that would be lost, by first cards.

    A load in the way of one on duty counts if the points are enough for both (Rule: itc 9.4).
    """
    lands = len(table.turn.landed) < len(CONTINENTS)
    found: list[TCard] = []
    on_duty = (
        (route, at)
        for route, rows in table.turn.duties.items()
        for row in rows
        for at in spaces_of(table.routes[route], route, row, table.turn.seat)
    )
    for route, at in on_duty:
        spaces = table.routes[route]
        way = way_out(spaces, route, at)
        moves = not any(movement.why_stays(table, spaces[each]) for each in way)
        if way and moves and len(way) <= table.turn.points and (lands or not is_top(route, way[0])):
            found.append(spaces[way[0]].cards[0])
    return found


def _lose(desk: turn_context.Desk, found: Found) -> None:
    owner, cards = found.load.owner, found.load.cards
    remove(desk.table, found)
    for card in cards:
        desk.emit(events.JamLost(owner, card, found.route, state.row_of(found.at)))
        lose_goods(desk, card)
    under = continents.take_under(desk.table, found)
    if under is not state.Under.NONE:
        desk.emit(events.Uncovered(owner, cards[0], under))
    desk.table.seats[owner].stock += len(cards)


def lose_goods(desk: turn_context.Desk, card: TCard) -> None:
    """All goods of a card go to the grey market, the card to the discards (Rule: itc 8.6, 9.4)."""
    desk.emit(events.WentToMarket(card, turn_context.listed(continents.COUNTS[card])))
    continents.send_to_market(desk, continents.ranks_of(continents.COUNTS[card]))
    turn_context.discard_transport(desk.table, card)
