"""Action cards: those that are played, and those executed when drawn (Rule: itc 11).

Cards 16 and 17 move several stones: the first with the card, each further one by a move of its
own, until something else is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, but, require
from bluebear.rules.itc.data.card_data import ActionCard, Time
from bluebear.rules.itc.data.tables import ACTIONS, PLACE, ROUTE
from bluebear.rules.itc.data.terms import CONTINENTS, DICE, GOODS, PLACES, Die, Kind, Place, Route
from bluebear.rules.itc.rules import continents, events, moves, state, turn_context
from bluebear.rules.itc.rules.movement import advance, roll_dice
from bluebear.rules.itc.rules.route_state import behind, find, loads, lying, move, next_space

_SALES_POINTS: Final = ACTIONS[turn_context.code_of(Kind.SALES_BONUS)].amount
TRANSPORT_POINTS: Final = ACTIONS[turn_context.code_of(Kind.INFRASTRUCTURE)].amount
"""Further points of card 15 (Rule: itc 11.25)."""


def _purge(desk: turn_context.Desk) -> None:
    """Rule: itc 11.16."""
    store = desk.table.places[Place.MARKET]
    ranks = [rank for rank, count in enumerate(store.goods) if count]
    for rank in ranks:
        store = continents.without_one(store, rank)
    desk.table.places[Place.MARKET] = store
    if ranks:
        desk.emit(events.Purged(tuple(GOODS[rank] for rank in ranks)))


def _more_sales(desk: turn_context.Desk) -> None:
    """Rule: itc 11.18."""
    desk.table.turn.extra += _SALES_POINTS


def _more_transport(desk: turn_context.Desk) -> None:
    """Rule: itc 11.25."""
    desk.table.turn.points += TRANSPORT_POINTS


_EFFECTS: Final[Mapping[Kind, Callable[[turn_context.Desk], None]]] = {
    Kind.NEUTRAL_PUSH: advance,
    Kind.GANG_PURGE: _purge,
    Kind.SALES_BONUS: _more_sales,
    Kind.GANG_ATTACK: continents.fight,
    Kind.MANAGEMENT: lambda desk: roll_dice(desk, DICE),  # Rule: itc 11.24
    Kind.INFRASTRUCTURE: _more_transport,
    # Rule: itc 11.29
    Kind.NEW_IDEAS: lambda desk: roll_dice(desk, tuple(desk.table.turn.dice)),
}

PLAIN_KINDS: Final = tuple(_EFFECTS)
"""The numbers that `/play` takes."""


def plays(table: state.State, card: ActionCard) -> Iterator[moves.Play]:
    """The way to play a card that needs no further choice, if it can be played now."""
    if _no_time(table, card.kind) is None:
        yield moves.Play(card.kind)


def no_play(table: state.State, given: moves.Play) -> NotAllowed | None:
    """What forbids to play a card that needs no further choice (Rule: itc 11.1)."""
    if given.kind not in _EFFECTS:
        return NotAllowed("card_has_own_verb", rule="11.1", kind=given.kind)
    return turn_context.no_card(table, given.kind) or _no_time(table, given.kind)


def _no_time(table: state.State, kind: Kind) -> NotAllowed | None:
    """What forbids to play a kind of card now (Rule: itc 11.1)."""
    used, phase = table.turn.used, table.phase
    match kind:
        case Kind.SALES_BONUS if used not in (Die.GREEN, Die.RED):
            return NotAllowed("needs_green_or_red", rule="11.18")
        case Kind.INFRASTRUCTURE if used is not Die.BLUE:
            return NotAllowed("needs_blue", rule="11.25")
        case Kind.MANAGEMENT if phase is not state.Phase.DICE:
            return NotAllowed("only_before_rolling", rule="11.24")
        case Kind.NEW_IDEAS if phase is not state.Phase.ROLLED:
            return NotAllowed("only_after_rolling", rule="11.29")
        case Kind.GANG_ATTACK:
            return continents.no_attackers(table)
        case _:
            return None


def play(desk: turn_context.Desk, given: moves.Play) -> None:
    """A card that needs no further choice (Rule: itc 11.1)."""
    turn_context.play_card(desk, given.kind)
    _EFFECTS[given.kind](desk)


def raids(table: state.State, card: ActionCard) -> Iterator[moves.Rob | moves.Unrest]:
    """The way to play a robbery or an unrest card."""
    yield (moves.Rob if card.kind is Kind.ROBBERY else moves.Unrest)(card.places[0])


def no_raid(table: state.State, given: moves.Rob | moves.Unrest) -> NotAllowed | None:
    """What forbids to play a robbery or an unrest card."""
    kind = Kind.ROBBERY if isinstance(given, moves.Rob) else Kind.UNREST
    return turn_context.no_card(table, kind, given.place)


def rob(desk: turn_context.Desk, given: moves.Rob) -> None:
    """The dearest good of a continent goes to the grey market (Rule: itc 11.21)."""
    turn_context.play_card(desk, Kind.ROBBERY, given.place)
    store = desk.table.places[given.place]
    ranks = [rank for rank, count in enumerate(store.goods) if count]
    if not ranks:
        return
    desk.table.places[given.place] = continents.without_one(store, ranks[-1])
    desk.emit(events.Robbed(given.place, GOODS[ranks[-1]]))
    continents.send_to_market(desk, (ranks[-1],))


def stir(desk: turn_context.Desk, given: moves.Unrest) -> None:
    """The seat with most stones on a continent loses one (Rule: itc 11.22)."""
    turn_context.play_card(desk, Kind.UNREST, given.place)
    stones = desk.table.places[given.place].stones
    most = max(stones)
    if not most:
        return
    for seat, count in enumerate(stones, start=1):
        if count == most:
            desk.place_stones(given.place, Seat(seat), -1)
            desk.emit(events.StoneLost(Seat(seat), given.place))


def obstacles(table: state.State, card: ActionCard) -> Iterator[moves.Obstruct]:
    """Every load that can be set back, and whereto."""
    for route, at, load in loads(table):
        for side in behind(table.routes[route], route, at):
            yield moves.Obstruct(load.cards[0], side)


def no_obstacle(table: state.State, given: moves.Obstruct) -> NotAllowed | None:
    """What forbids to set a load back (Rule: itc 11.17)."""
    refusal = turn_context.no_card(table, Kind.OBSTACLE)
    if refusal is not None:
        return refusal
    found = find(table, given.card)
    if found is None:
        return NotAllowed("not_loaded", rule="11.17", card=given.card)
    lower = found.load.cards[0]
    if lower != given.card:
        return NotAllowed("lower_answers", rule="11.7", card=given.card, other_card=lower)
    sides = behind(table.routes[found.route], found.route, found.at)
    if given.side in sides:
        return None
    if state.row_of(found.at) == 1:
        return NotAllowed("in_first_row", rule="11.17", card=given.card)
    if not sides:
        return NotAllowed("nothing_free_behind", rule="11.17", card=given.card)
    return NotAllowed("not_that_side", rule="11.17", card=given.card, sides=sides)


def obstruct(desk: turn_context.Desk, given: moves.Obstruct) -> None:
    """A load is set one row back (Rule: itc 11.17)."""
    turn_context.play_card(desk, Kind.OBSTACLE)
    found = lying(desk.table, given.card)
    to = next_space(found.at, given.side, -1)
    move(desk.table, found, to)
    desk.emit(events.SetBack(given.card, found.route, state.row_of(to), state.column_of(to)))


# Action cards that move players' stones: 2, 3, 16 and 17 (Rule: itc 11.12, 11.13, 11.26, 11.27).

SETTLERS: Final = ACTIONS[turn_context.code_of(Kind.NEW_LOCATION)].amount
"""How many stones a new location takes (Rule: itc 11.26)."""
RECRUITS: Final = ACTIONS[turn_context.code_of(Kind.ORGANIZATION)].amount
"""How many stones an organization sends (Rule: itc 11.27)."""

_WAYS: Final = tuple(
    (origin, place) for origin in CONTINENTS for place in CONTINENTS if origin is not place
)
"""From each continent to each other one."""


def transfers(table: state.State, card: ActionCard) -> Iterator[moves.Transfer]:
    """Every stone of others that can be moved, and whereto."""
    present = {place: _present(table, place) for place in CONTINENTS}
    for origin, to in _WAYS:
        for other in present[origin]:
            if other != table.turn.seat:
                yield moves.Transfer(other, origin, to)


def no_transfer(table: state.State, given: moves.Transfer) -> NotAllowed | None:
    """What forbids to move a stone of another player (Rule: itc 11.12)."""
    refusal = turn_context.no_card(table, Kind.RELOCATE_RIVAL)
    if refusal is None and given.seat == table.turn.seat:
        refusal = NotAllowed("own_stone", rule="11.12")
    return (
        refusal
        or _no_way(given.origin, given.place, "11.12")
        or _none_there(table, given.seat, given.origin, "11.12")
    )


def transfer(desk: turn_context.Desk, given: moves.Transfer) -> None:
    """A stone of another player moves between continents (Rule: itc 11.12)."""
    turn_context.play_card(desk, Kind.RELOCATE_RIVAL)
    _move(desk, given.seat, given.origin, given.place)


def shifts(table: state.State, card: ActionCard) -> Iterator[moves.Shift]:
    """Every own stone that can be moved, and whereto."""
    places = PLACES if continents.controls(table) else CONTINENTS
    for origin in _continents_of_mover(table):
        for place in places:
            if place is not origin:
                yield moves.Shift(origin, place)


def no_shift(table: state.State, given: moves.Shift) -> NotAllowed | None:
    """What forbids to move an own stone (Rule: itc 11.13)."""
    refusal = turn_context.no_card(table, Kind.RELOCATE_OWN) or _no_origin(
        given.origin, given.place, "11.13"
    )
    if refusal is None and given.place is Place.MARKET:
        refusal = continents.not_controller(table)
    return refusal or _none_there(table, table.turn.seat, given.origin, "11.13")


def shift(desk: turn_context.Desk, given: moves.Shift) -> None:
    """An own stone moves to another continent or, if controlled, the market (Rule: itc 11.13)."""
    turn_context.play_card(desk, Kind.RELOCATE_OWN)
    _move(desk, desk.seat, given.origin, given.place)


def resettlings(table: state.State, card: ActionCard) -> Iterator[moves.Resettle]:
    """Every continent without own stones, and from where the first one can come."""
    settled = _continents_of_mover(table)
    return (
        moves.Resettle(to, origin)
        for origin, to in _WAYS
        if origin in settled and to not in settled
    )


def no_resettling(table: state.State, given: moves.Resettle) -> NotAllowed | None:
    """What forbids a new location (Rule: itc 11.26)."""
    refusal = turn_context.no_card(table, Kind.NEW_LOCATION) or _no_way(
        given.origin, given.place, "11.26"
    )
    if refusal is None and given.place in _continents_of_mover(table):
        refusal = NotAllowed("not_new", rule="11.26", place=given.place)
    return refusal or _none_there(table, table.turn.seat, given.origin, "11.26")


def resettle(desk: turn_context.Desk, given: moves.Resettle) -> None:
    """The first stone comes to a new location (Rule: itc 11.26)."""
    turn_context.play_card(desk, Kind.NEW_LOCATION)
    _move(desk, desk.seat, given.origin, given.place)
    desk.table.turn.busy = state.Resettling(given.place, SETTLERS - 1)


def no_fetch(table: state.State, given: moves.Fetch) -> NotAllowed | None:
    """What forbids to bring a further stone (Rule: itc 11.26)."""
    busy = table.turn.busy
    if not isinstance(busy, state.Resettling):
        return NotAllowed("no_resettling", rule="11.26")
    refusal = _no_way(given.origin, busy.place, "11.26")
    return refusal or _none_there(table, table.turn.seat, given.origin, "11.26")


def fetch(desk: turn_context.Desk, given: moves.Fetch) -> None:
    """A further stone comes to the new location (Rule: itc 11.26)."""
    turn = desk.table.turn
    busy = turn.busy
    if isinstance(busy, state.Resettling):
        _move(desk, turn.seat, given.origin, busy.place)
        left = busy.left - 1
        turn.busy = state.Resettling(busy.place, left) if left else None


def organizings(table: state.State, card: ActionCard) -> Iterator[moves.Organize]:
    """Every first stone that can go to the grey market."""
    for place in CONTINENTS if continents.controls(table) else ():
        for other in _recruitable(table, place):
            yield moves.Organize(place, other)


def no_organizing(table: state.State, given: moves.Organize) -> NotAllowed | None:
    """What forbids an organization of the grey market (Rule: itc 11.27)."""
    refusal = turn_context.no_card(table, Kind.ORGANIZATION) or continents.not_controller(table)
    if refusal is None and given.place is Place.MARKET:
        refusal = NotAllowed("from_continents", rule="11.27")
    return refusal or _not_recruitable(table, given.seat, given.place)


def organize(desk: turn_context.Desk, given: moves.Organize) -> None:
    """The first stone goes to the grey market (Rule: itc 11.27)."""
    turn_context.play_card(desk, Kind.ORGANIZATION)
    _recruit(desk, given.seat, given.place)
    desk.table.turn.busy = state.Organizing(given.place, (given.seat,))


def no_recruit(table: state.State, given: moves.Recruit) -> NotAllowed | None:
    """What forbids to send a further stone (Rule: itc 11.27)."""
    busy = table.turn.busy
    if not isinstance(busy, state.Organizing):
        return NotAllowed("no_organizing", rule="11.27")
    if given.seat in busy.taken:
        return NotAllowed("colour_taken", rule="11.27", other=given.seat)
    return _not_recruitable(table, given.seat, busy.place)


def recruit(desk: turn_context.Desk, given: moves.Recruit) -> None:
    """A further stone, of another colour, goes from the same continent (Rule: itc 11.27)."""
    turn = desk.table.turn
    busy = turn.busy
    if isinstance(busy, state.Organizing):
        _recruit(desk, given.seat, busy.place)
        taken = tuple(sorted((*busy.taken, given.seat)))
        turn.busy = state.Organizing(busy.place, taken) if len(taken) < RECRUITS else None


def _no_way(origin: Place, place: Place, rule: str) -> NotAllowed | None:
    """What forbids a way that does not lead from a continent to another one."""
    if place is Place.MARKET:
        return NotAllowed("to_continents", rule=rule)
    return _no_origin(origin, place, rule)


def _no_origin(origin: Place, place: Place, rule: str) -> NotAllowed | None:
    """What forbids a way that does not lead from a continent to another place."""
    if origin is Place.MARKET:
        return NotAllowed("from_continents", rule=rule)
    if origin is place:
        return NotAllowed("same_place", rule=rule, place=place)
    return None


def _none_there(table: state.State, seat: Seat, place: Place, rule: str) -> NotAllowed | None:
    """What forbids to move a stone that does not stand there."""
    if not 1 <= seat <= len(table.seats):
        return NotAllowed("nobody_there", rule="1.1", count=len(table.seats))
    if not table.places[place].stones[seat - 1]:
        return NotAllowed("no_stone_there", rule=rule, other=seat, place=place)
    return None


def _present(table: state.State, place: Place) -> list[Seat]:
    """Who has stones at a place."""
    stones = table.places[place].stones
    return [Seat(at) for at, count in enumerate(stones, start=1) if count]


def _continents_of_mover(table: state.State) -> list[Place]:
    return [place for place in CONTINENTS if table.turn.seat in _present(table, place)]


def _recruitable(table: state.State, place: Place) -> list[Seat]:
    """Whose stones can go to the grey market: for a rival's an own one from stock does."""
    seat = table.turn.seat
    stock = table.seats[seat].stock
    return [other for other in _present(table, place) if stock or other == seat]


def _not_recruitable(table: state.State, seat: Seat, place: Place) -> NotAllowed | None:
    if seat in _recruitable(table, place):
        return None
    return _none_there(table, seat, place, "11.27") or NotAllowed("no_stones", rule="1.6")


def _move(desk: turn_context.Desk, seat: Seat, origin: Place, place: Place) -> None:
    desk.add_stones(origin, seat, -1)
    desk.add_stones(place, seat, 1)
    desk.emit(events.StoneMoved(seat, origin, place))


def _recruit(desk: turn_context.Desk, seat: Seat, place: Place) -> None:
    """An own stone goes to the grey market; for a rival's one an own stone from stock does."""
    mover = desk.seat
    if seat == mover:
        _move(desk, seat, place, Place.MARKET)
        return
    desk.place_stones(place, seat, -1)
    desk.emit(events.StoneLost(seat, place))
    desk.place_stones(Place.MARKET, mover, 1)
    desk.emit(events.StonePlaced(mover, Place.MARKET))


# Action cards that are executed when they are drawn: deliveries and inspections.
#
# Rule: itc 11.4, 11.5.


def draw(desk: turn_context.Desk) -> None:
    """The seat to move draws an action card: into its hand, or to carry out (Rule: itc 11.1)."""
    code = turn_context.draw_action(desk)
    card = ACTIONS[code]
    if card.time is not Time.AT_ONCE:
        turn_context.take_action(desk.trader, code)
        desk.emit(events.DrewAction(desk.seat, code))
        return
    desk.emit(events.AtOnce(desk.seat, code))
    turn_context.discard_action(desk.table, code)
    if card.route is not None:
        inspect(desk, card.route)
    for place in card.places:
        deliver(desk, place, card.amount)


def deliver(desk: turn_context.Desk, place: Place, amount: int) -> None:
    """Goods of the cheapest accepted colour of which none lies there (Rule: itc 11.4)."""
    store = desk.table.places[place]
    for rank, good in enumerate(GOODS):
        if continents.accepts(place, rank) and not store.goods[rank]:
            count = min(amount, PLACE[place].spaces)
            desk.table.places[place] = continents.with_goods(
                store, continents.one_of(rank, count), fresh=False
            )
            desk.emit(events.Delivered(place, good, count))
            return
    desk.emit(events.NothingDelivered(place))


def inspect(desk: turn_context.Desk, route: Route) -> None:
    """What lies under loads of a route is shown; smugglers pay (Rule: itc 11.5)."""
    spaces = desk.table.routes[route]
    for at, load in list(spaces.items()):
        if load.under is state.Under.HIDDEN:
            spaces[at] = but(load, under=_shown(desk, route, load))
    turn_context.merge_actions(desk)


def _shown(desk: turn_context.Desk, route: Route, load: state.Load) -> state.Under:
    """What all seats know to lie under a load that is inspected; a smuggling card is gone."""
    owner, card = load.owner, load.cards[0]
    below = require(desk.table.seats[owner].under)
    if below[card] is state.Under.EXPRESS:
        desk.emit(events.ExpressShown(owner, card))
        return state.Under.EXPRESS
    del below[card]
    turn_context.discard_action(desk.table, continents.CARD_UNDER[state.Under.SMUGGLING])
    fine = ROUTE[route].smuggling
    desk.pay(owner, "smuggling", -fine, events.Caught(owner, card, fine))
    return state.Under.NONE
