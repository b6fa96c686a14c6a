"""Own loads on their way: steps, the express, landing with goods dropped on purpose.

Rule: itc 9.7, 9.8, 11.6, 12.1, 12.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, but, require
from bluebear.rules.itc.arrival import arrive, take_under
from bluebear.rules.itc.data import ROUTE
from bluebear.rules.itc.desk import Desk, rank_of
from bluebear.rules.itc.moves import Drop, Jump, Keep, Land, Side, Step
from bluebear.rules.itc.points import no_transport
from bluebear.rules.itc.route_events import Jumped, Stepped
from bluebear.rules.itc.state import (
    NEUTRAL,
    NO_GOODS,
    Dropping,
    Goods,
    Load,
    Table,
    Under,
    column_of,
    row_of,
    space,
)
from bluebear.rules.itc.stores import COUNTS
from bluebear.rules.itc.terms import CONTINENTS, GOODS, Die, Good, Place, TCard
from bluebear.rules.itc.tracks import (
    Found,
    ahead,
    find,
    free_columns,
    is_top,
    loads_of,
    lying,
    move,
    next_space,
)
from bluebear.rules.itc.trade_events import Dropped, Kept


def movements(table: Table) -> Iterator[Step | Jump | Drop | Land]:
    """Every way in which the seat on turn can move its loads, if it has a point."""
    seat = table.turn.seat
    for found in loads_of(table, seat):
        if not _is_movable(found.load, seat):
            continue
        if is_top(found.route, found.at):
            yield from _landings(table, found)
            continue
        card = found.load.cards[0]
        for side in ahead(table.routes[found.route], found.route, found.at):
            yield Step(card, side)
        for column in _jump_columns(table, found):
            yield Jump(card, column)


def _landings(table: Table, found: Found) -> Iterator[Drop | Land]:
    """What a load that can land may do."""
    card, places = found.load.cards[0], _open_places(table)
    for good in _droppable(table, found) if places else ():
        yield Drop(card, good)
    for place in places:
        yield Land(card, place)


def keeps(table: Table) -> Iterator[Keep]:
    """The way to take marks of a load back, where there are any."""
    busy = table.turn.busy
    if isinstance(busy, Dropping):
        yield Keep(busy.card)


def no_step(table: Table, given: Step) -> NotAllowed | None:
    """What forbids to move a load one row up (Rule: itc 9.7)."""
    found = _own_load(table, given.card)
    if isinstance(found, NotAllowed):
        return found
    sides = ahead(table.routes[found.route], found.route, found.at)
    if given.side in sides:
        return None
    if is_top(found.route, found.at):
        return NotAllowed("lands_next", rule="9.8", card=given.card)
    if not sides:
        return NotAllowed("way_blocked", rule="9.7", card=given.card)
    if sides == (Side.STRAIGHT,):
        return NotAllowed("straight_is_free", rule="9.7", card=given.card)
    return NotAllowed("side_taken", rule="9.7", card=given.card, sides=sides)


def no_jump(table: Table, given: Jump) -> NotAllowed | None:
    """What forbids an express load to go to the top row (Rule: itc 11.6)."""
    found = _no_express_die(table) or _own_load(table, given.card)
    if isinstance(found, NotAllowed):
        return found
    columns = _jump_columns(table, found)
    if given.column in columns:
        return None
    if not _is_express(table, found.load):
        return NotAllowed("no_express", rule="11.6", card=given.card)
    if is_top(found.route, found.at):
        return NotAllowed("lands_next", rule="9.8", card=given.card)
    if not columns:
        return NotAllowed("top_full", rule="11.6", route=found.route)
    return NotAllowed("jump_column", rule="11.6", columns=columns)


def no_drop(table: Table, given: Drop) -> NotAllowed | None:
    """What forbids to mark a good for the grey market (Rule: itc 12.2)."""
    found = _landing_load(table, given.card)
    if isinstance(found, NotAllowed):
        return found
    goods = _droppable(table, found)
    if given.good in goods:
        return None
    return NotAllowed("no_such_good", rule="12.2", card=given.card, good=given.good, goods=goods)


def no_keep(table: Table, given: Keep) -> NotAllowed | None:
    """What forbids to take marks back: there are none on this load (Rule: itc 12.2)."""
    if given in keeps(table):
        return None
    return NotAllowed("nothing_dropped", rule="12.2", card=given.card)


def no_landing(table: Table, given: Land) -> NotAllowed | None:
    """What forbids a load to come to a continent (Rule: itc 12.1)."""
    found = _landing_load(table, given.card)
    if isinstance(found, NotAllowed):
        return found
    if given.place in _open_places(table):
        return None
    if given.place is Place.MARKET:
        return NotAllowed("lands_on_continents", rule="12.1")
    return NotAllowed("landed_already", rule="12.1", place=given.place)


def _is_movable(load: Load, seat: Seat) -> bool:
    """Whether a load of a seat did not come to its route in this turn (Rule: itc 9.1)."""
    return load.owner == seat and not load.fresh


def _own_load(table: Table, card: TCard) -> Found | NotAllowed:
    """The load of the seat on turn that a card names, or why it cannot be moved for a point."""
    refusal = no_transport(table.turn)
    if refusal is not None:
        return refusal
    found = find(table, card)
    if found is None:
        return NotAllowed("not_loaded", rule="9.7", card=card)
    owner, lower = found.load.owner, found.load.cards[0]
    if owner == NEUTRAL:
        return NotAllowed("neutral_load", rule="9.7", card=card)
    if owner != table.turn.seat:
        return NotAllowed("not_your_load", rule="9.7", card=card)
    if lower != card:
        return NotAllowed("lower_answers", rule="11.7", card=card, other_card=lower)
    if _is_movable(found.load, owner):
        return found
    return NotAllowed("just_loaded", rule="9.1", card=card)


def _landing_load(table: Table, card: TCard) -> Found | NotAllowed:
    """The own load that a card names, or why it cannot land."""
    found = _own_load(table, card)
    if isinstance(found, NotAllowed):
        return found
    if not is_top(found.route, found.at):
        rows = ROUTE[found.route].rows - row_of(found.at)
        return NotAllowed("not_at_top", rule="9.8", card=card, count=rows)
    if not _open_places(table):
        return NotAllowed("landed_everywhere", rule="12.1")
    return found


def _no_express_die(table: Table) -> NotAllowed | None:
    """What forbids every jump: another die than the blue one is used (Rule: itc 11.6)."""
    if table.turn.used is Die.BLUE:
        return None
    return NotAllowed("express_needs_blue", rule="11.6")


def _is_express(table: Table, load: Load) -> bool:
    return require(table.seats[load.owner].under).get(load.cards[0]) is Under.EXPRESS


def _jump_columns(table: Table, found: Found) -> tuple[int, ...]:
    """Where an express load can go: its column of the top row if that is free, else any other.

    Rule: itc 11.6.
    """
    if is_top(found.route, found.at) or not _is_express(table, found.load):
        return ()
    if _no_express_die(table) is not None:
        return ()
    columns = free_columns(table.routes[found.route], found.route, ROUTE[found.route].rows)
    same = column_of(found.at)
    return (same,) if same in columns else columns


def _open_places(table: Table) -> list[Place]:
    """The continents where the seat on turn has not landed in this turn (Rule: itc 12.1)."""
    return [place for place in CONTINENTS if place not in table.turn.landed]


def _droppable(table: Table, found: Found) -> tuple[Good, ...]:
    """The goods of a load that are not marked, each colour once (Rule: itc 12.2)."""
    carried = [COUNTS[card] for card in found.load.cards]
    marked = marks_of(table, found.load.cards[0])
    return tuple(
        good
        for good, *counts, less in zip(GOODS, *carried, marked, strict=True)
        if sum(counts) > less
    )


def marks_of(table: Table, card: TCard) -> Goods:
    """The goods of a load that are marked for the grey market, counted (Rule: itc 12.2)."""
    busy = table.turn.busy
    return busy.goods if isinstance(busy, Dropping) and busy.card == card else NO_GOODS


def step(desk: Desk, given: Step) -> None:
    """A load moves one row up (Rule: itc 9.7)."""
    found = lying(desk.table, given.card)
    to = next_space(found.at, given.side)
    desk.table.turn.points -= 1
    move(desk.table, found, to)
    desk.tell(Stepped(desk.seat, given.card, found.route, row_of(to), column_of(to)))


def jump(desk: Desk, given: Jump) -> None:
    """An express load goes to the top row; its express card is used up (Rule: itc 11.6)."""
    found = lying(desk.table, given.card)
    desk.table.turn.points -= 1
    take_under(desk.table, found)
    bare = found._replace(load=but(found.load, under=Under.NONE))
    move(desk.table, bare, space(ROUTE[found.route].rows, given.column))
    desk.tell(Jumped(desk.seat, given.card, found.route, given.column))


def drop(desk: Desk, given: Drop) -> None:
    """A good is marked for the grey market (Rule: itc 12.2)."""
    rank = rank_of(given.good)
    marked = marks_of(desk.table, given.card)
    more = tuple(count + (each == rank) for each, count in enumerate(marked))
    desk.table.turn.busy = Dropping(given.card, more)
    desk.tell(Dropped(desk.seat, given.card, given.good))


def keep(desk: Desk, given: Keep) -> None:
    """The marks are taken back (Rule: itc 12.2)."""
    desk.table.turn.busy = None
    desk.tell(Kept(desk.seat, given.card))


def land(desk: Desk, given: Land) -> None:
    """A load comes to a continent (Rule: itc 12.1)."""
    turn = desk.table.turn
    turn.points -= 1
    turn.landed = tuple(sorted((*turn.landed, given.place)))
    drops = marks_of(desk.table, given.card)
    arrive(desk, lying(desk.table, given.card), given.place, drops)
