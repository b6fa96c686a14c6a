"""Own loads on their way: steps, the express, landing with goods dropped on purpose.

Rule: itc 9.7, 9.8, 11.6, 12.1, 12.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.refusal import NotAllowed
from rules.core.vision import Seat, but, held
from rules.itc.arrival import CARD_UNDER, arrive
from rules.itc.data import ROUTE
from rules.itc.desk import Desk, rank_of
from rules.itc.moves import Drop, Jump, Keep, Land, Side, Step
from rules.itc.piles import discard_action
from rules.itc.points import need_transport, pays_transport, spend
from rules.itc.route_events import Jumped, Stepped
from rules.itc.state import (
    NEUTRAL,
    NO_GOODS,
    Dropping,
    Goods,
    Table,
    Under,
    column_of,
    row_of,
    space,
)
from rules.itc.stores import COUNTS
from rules.itc.terms import CONTINENTS, GOODS, Die, TCard
from rules.itc.tracks import (
    Found,
    ahead,
    find,
    free_columns,
    is_top,
    loads_of,
    move,
    next_space,
    replace,
)
from rules.itc.trade_events import Dropped, Kept


def step(desk: Desk, given: Step) -> None:
    """A load moves one row up (Rule: itc 9.7)."""
    need_transport(desk.table.turn)
    found = own_load(desk.table, given.card)
    if is_top(found.route, found.at):
        raise NotAllowed("lands_next", rule="9.8", card=given.card)
    sides = ahead(desk.table.routes[found.route], found.route, found.at)
    if not sides:
        raise NotAllowed("way_blocked", rule="9.7", card=given.card)
    if given.side not in sides:
        if sides == (Side.STRAIGHT,):
            raise NotAllowed("straight_is_free", rule="9.7", card=given.card)
        raise NotAllowed("side_taken", rule="9.7", card=given.card, sides=sides)
    spend(desk)
    to = next_space(found.at, given.side)
    move(desk, found, to)
    desk.tell(Stepped(desk.seat, given.card, found.route, row_of(to), column_of(to)))


def jump(desk: Desk, given: Jump) -> None:
    """An express load goes to the top row; its express card is used up (Rule: itc 11.6)."""
    if desk.table.turn.used is not Die.BLUE:
        raise NotAllowed("express_needs_blue", rule="11.6")
    need_transport(desk.table.turn)
    found = own_load(desk.table, given.card)
    below = held(desk.trader.under)
    if below.get(given.card) is not Under.EXPRESS:
        raise NotAllowed("no_express", rule="11.6", card=given.card)
    if is_top(found.route, found.at):
        raise NotAllowed("lands_next", rule="9.8", card=given.card)
    columns = _jump_columns(desk.table, found)
    if not columns:
        raise NotAllowed("top_full", rule="11.6", route=found.route)
    if given.column not in columns:
        raise NotAllowed("jump_column", rule="11.6", columns=columns)
    spend(desk)
    discard_action(desk, CARD_UNDER[Under.EXPRESS])
    desk.change_trader(desk.seat, under=below.drop(given.card))
    found = replace(desk, found, but(found.load, under=Under.NONE))
    move(desk, found, space(ROUTE[found.route].rows, given.column))
    desk.tell(Jumped(desk.seat, given.card, found.route, given.column))


def _jump_columns(table: Table, found: Found) -> tuple[int, ...]:
    """The same column of the top row if it is free, else its free columns."""
    columns = free_columns(table, found.route, ROUTE[found.route].rows)
    same = column_of(found.at)
    return (same,) if same in columns else columns


def drop(desk: Desk, given: Drop) -> None:
    """A good is marked for the grey market (Rule: itc 12.2)."""
    found = _landing_load(desk.table, given.card)
    marked = _marked(desk.table, given.card)
    left = _unmarked(found, marked)
    rank = rank_of(given.good)
    if not left[rank]:
        goods = tuple(good for good, count in zip(GOODS, left, strict=True) if count)
        raise NotAllowed("no_such_good", rule="12.2", card=given.card, good=given.good, goods=goods)
    more = tuple(count + (each == rank) for each, count in enumerate(marked))
    desk.change_turn(busy=Dropping(given.card, more))
    desk.tell(Dropped(desk.seat, given.card, given.good))


def keep(desk: Desk, given: Keep) -> None:
    """The marks are taken back (Rule: itc 12.2)."""
    busy = desk.table.turn.busy
    if not isinstance(busy, Dropping) or busy.card != given.card:
        raise NotAllowed("nothing_dropped", rule="12.2", card=given.card)
    desk.change_turn(busy=None)
    desk.tell(Kept(desk.seat, given.card))


def land(desk: Desk, given: Land) -> None:
    """A load comes to a continent (Rule: itc 12.1)."""
    found = _landing_load(desk.table, given.card)
    landed = desk.table.turn.landed
    if given.place not in CONTINENTS:
        raise NotAllowed("lands_on_continents", rule="12.1")
    if given.place in landed:
        raise NotAllowed("landed_already", rule="12.1", place=given.place)
    drops = _marked(desk.table, given.card)
    spend(desk)
    desk.change_turn(landed=tuple(sorted((*landed, given.place))))
    arrive(desk, found, given.place, drops)


def own_load(table: Table, card: TCard) -> Found:
    """The load of the seat on turn that a card names; NotAllowed if it cannot be moved."""
    found = find(table, card)
    if found is None:
        raise NotAllowed("not_loaded", rule="9.7", card=card)
    if found.load.owner == NEUTRAL:
        raise NotAllowed("neutral_load", rule="9.7", card=card)
    if found.load.owner != table.turn.seat:
        raise NotAllowed("not_your_load", rule="9.7", card=card)
    if found.load.cards[0] != card:
        raise NotAllowed("lower_answers", rule="11.7", card=card, other_card=found.load.cards[0])
    if found.load.fresh:
        raise NotAllowed("just_loaded", rule="9.1", card=card)
    return found


def _landing_load(table: Table, card: TCard) -> Found:
    need_transport(table.turn)
    found = own_load(table, card)
    if not is_top(found.route, found.at):
        rows = ROUTE[found.route].rows - row_of(found.at)
        raise NotAllowed("not_at_top", rule="9.8", card=card, count=rows)
    if len(table.turn.landed) == len(CONTINENTS):
        raise NotAllowed("landed_everywhere", rule="12.1")
    return found


def _marked(table: Table, card: TCard) -> Goods:
    busy = table.turn.busy
    return busy.goods if isinstance(busy, Dropping) and busy.card == card else NO_GOODS


def _unmarked(found: Found, marked: Goods) -> Goods:
    """The goods of a load that are not marked."""
    carried = [COUNTS[card] for card in found.load.cards]
    return tuple(sum(counts) - less for *counts, less in zip(*carried, marked, strict=True))


def movements(table: Table, seat: Seat) -> Iterator[Step | Jump | Drop | Keep | Land]:
    """Every way in which a seat can move its loads now."""
    turn = table.turn
    if isinstance(turn.busy, Dropping):
        yield Keep(turn.busy.card)
    if not pays_transport(turn):
        return
    below = held(table.seats[seat].under)
    for found in loads_of(table, seat):
        if found.load.fresh:
            continue
        card = found.load.cards[0]
        if is_top(found.route, found.at):
            yield from _landings(table, found)
            continue
        for side in ahead(table.routes[found.route], found.route, found.at):
            yield Step(card, side)
        if turn.used is Die.BLUE and below.get(card) is Under.EXPRESS:
            for column in _jump_columns(table, found):
                yield Jump(card, column)


def _landings(table: Table, found: Found) -> Iterator[Drop | Land]:
    landed = table.turn.landed
    if len(landed) == len(CONTINENTS):
        return
    card = found.load.cards[0]
    for good, left in zip(GOODS, _unmarked(found, _marked(table, card)), strict=True):
        if left:
            yield Drop(card, good)
    for place in CONTINENTS:
        if place not in landed:
            yield Land(card, place)
