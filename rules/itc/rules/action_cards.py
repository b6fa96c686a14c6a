"""Action cards: those that are played, and those executed when drawn (Rule: itc 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, but, require
from bluebear.rules.itc.data.card_data import ActionCard, Time
from bluebear.rules.itc.data.tables import ACTIONS, PLACE, ROUTE
from bluebear.rules.itc.data.terms import DICE, GOODS, Die, Kind, Place, Route
from bluebear.rules.itc.rules import events
from bluebear.rules.itc.rules.continents import (
    CARD_UNDER,
    accepts,
    fight,
    no_attackers,
    one_of,
    send_to_market,
    with_goods,
    without_one,
)
from bluebear.rules.itc.rules.movement import advance, roll_dice
from bluebear.rules.itc.rules.moves import Obstruct, Play, Rob, Unrest
from bluebear.rules.itc.rules.route_state import behind, find, loads, lying, move, space_back
from bluebear.rules.itc.rules.state import Load, Phase, State, Under, column_of, row_of
from bluebear.rules.itc.rules.turn_context import (
    Desk,
    code_of,
    discard_action,
    draw_action,
    merge_actions,
    no_card,
    play_card,
    take_action,
)

# Action cards that change dice, points, goods and loads (Rule: itc 11).
#
# Those that move players' stones are in `stones`.

_SALES_POINTS: Final = ACTIONS[code_of(Kind.SALES_BONUS)].amount
TRANSPORT_POINTS: Final = ACTIONS[code_of(Kind.INFRASTRUCTURE)].amount
"""Further points of card 15 (Rule: itc 11.25)."""


def _purge(desk: Desk) -> None:
    """Rule: itc 11.16."""
    store = desk.table.places[Place.MARKET]
    ranks = [rank for rank, count in enumerate(store.goods) if count]
    for rank in ranks:
        store = without_one(store, rank)
    desk.table.places[Place.MARKET] = store
    if ranks:
        desk.emit(events.Purged(tuple(GOODS[rank] for rank in ranks)))


def _more_sales(desk: Desk) -> None:
    """Rule: itc 11.18."""
    desk.table.turn.extra += _SALES_POINTS


def _more_transport(desk: Desk) -> None:
    """Rule: itc 11.25."""
    desk.table.turn.points += TRANSPORT_POINTS


def _roll_all(desk: Desk) -> None:
    """Rule: itc 11.24."""
    roll_dice(desk, DICE)


def _roll_again(desk: Desk) -> None:
    """Rule: itc 11.29."""
    roll_dice(desk, tuple(desk.table.turn.dice))


_EFFECTS: Final[Mapping[Kind, Callable[[Desk], None]]] = {
    Kind.NEUTRAL_PUSH: advance,
    Kind.GANG_PURGE: _purge,
    Kind.SALES_BONUS: _more_sales,
    Kind.GANG_ATTACK: fight,
    Kind.MANAGEMENT: _roll_all,
    Kind.INFRASTRUCTURE: _more_transport,
    Kind.NEW_IDEAS: _roll_again,
}

PLAIN_KINDS: Final = tuple(_EFFECTS)
"""The numbers that `/play` takes."""


def plays(table: State, card: ActionCard) -> Iterator[Play]:
    """The way to play a card that needs no further choice, if it can be played now."""
    if _no_time(table, card.kind) is None:
        yield Play(card.kind)


def no_play(table: State, given: Play) -> NotAllowed | None:
    """What forbids to play a card that needs no further choice (Rule: itc 11.1)."""
    if given.kind not in _EFFECTS:
        return NotAllowed("card_has_own_verb", rule="11.1", kind=given.kind)
    return no_card(table, given.kind) or _no_time(table, given.kind)


def _no_time(table: State, kind: Kind) -> NotAllowed | None:
    """What forbids to play a kind of card now (Rule: itc 11.1)."""
    used, phase = table.turn.used, table.phase
    match kind:
        case Kind.SALES_BONUS if used not in (Die.GREEN, Die.RED):
            return NotAllowed("needs_green_or_red", rule="11.18")
        case Kind.INFRASTRUCTURE if used is not Die.BLUE:
            return NotAllowed("needs_blue", rule="11.25")
        case Kind.MANAGEMENT if phase is not Phase.DICE:
            return NotAllowed("only_before_rolling", rule="11.24")
        case Kind.NEW_IDEAS if phase is not Phase.ROLLED:
            return NotAllowed("only_after_rolling", rule="11.29")
        case Kind.GANG_ATTACK:
            return no_attackers(table)
        case _:
            return None


def play(desk: Desk, given: Play) -> None:
    """A card that needs no further choice (Rule: itc 11.1)."""
    play_card(desk, given.kind)
    _EFFECTS[given.kind](desk)


def robberies(table: State, card: ActionCard) -> Iterator[Rob]:
    """The way to play a robbery card."""
    yield Rob(card.places[0])


def no_robbery(table: State, given: Rob) -> NotAllowed | None:
    """What forbids to play a robbery card."""
    return no_card(table, Kind.ROBBERY, given.place)


def rob(desk: Desk, given: Rob) -> None:
    """The dearest good of a continent goes to the grey market (Rule: itc 11.21)."""
    play_card(desk, Kind.ROBBERY, given.place)
    store = desk.table.places[given.place]
    ranks = [rank for rank, count in enumerate(store.goods) if count]
    if not ranks:
        return
    desk.table.places[given.place] = without_one(store, ranks[-1])
    desk.emit(events.Robbed(given.place, GOODS[ranks[-1]]))
    send_to_market(desk, (ranks[-1],))


def unrests(table: State, card: ActionCard) -> Iterator[Unrest]:
    """The way to play an unrest card."""
    yield Unrest(card.places[0])


def no_unrest(table: State, given: Unrest) -> NotAllowed | None:
    """What forbids to play an unrest card."""
    return no_card(table, Kind.UNREST, given.place)


def stir(desk: Desk, given: Unrest) -> None:
    """The seat with most stones on a continent loses one (Rule: itc 11.22)."""
    play_card(desk, Kind.UNREST, given.place)
    stones = desk.table.places[given.place].stones
    most = max(stones)
    if not most:
        return
    for seat, count in enumerate(stones, start=1):
        if count == most:
            desk.place_stones(given.place, Seat(seat), -1)
            desk.emit(events.StoneLost(Seat(seat), given.place))


def obstacles(table: State, card: ActionCard) -> Iterator[Obstruct]:
    """Every load that can be set back, and whereto."""
    for route, at, load in loads(table):
        for side in behind(table.routes[route], route, at):
            yield Obstruct(load.cards[0], side)


def no_obstacle(table: State, given: Obstruct) -> NotAllowed | None:
    """What forbids to set a load back (Rule: itc 11.17)."""
    refusal = no_card(table, Kind.OBSTACLE)
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
    if row_of(found.at) == 1:
        return NotAllowed("in_first_row", rule="11.17", card=given.card)
    if not sides:
        return NotAllowed("nothing_free_behind", rule="11.17", card=given.card)
    return NotAllowed("not_that_side", rule="11.17", card=given.card, sides=sides)


def obstruct(desk: Desk, given: Obstruct) -> None:
    """A load is set one row back (Rule: itc 11.17)."""
    play_card(desk, Kind.OBSTACLE)
    found = lying(desk.table, given.card)
    to = space_back(found.at, given.side)
    move(desk.table, found, to)
    desk.emit(events.SetBack(given.card, found.route, row_of(to), column_of(to)))


# Action cards that are executed when they are drawn: deliveries and inspections.
#
# Rule: itc 11.4, 11.5.


def draw(desk: Desk) -> None:
    """The seat on turn draws its action card, which is kept or executed (Rule: itc 11.1)."""
    code = draw_action(desk)
    card = ACTIONS[code]
    if card.time is not Time.AT_ONCE:
        take_action(desk.trader, code)
        desk.emit(events.DrewAction(desk.seat, code))
        return
    desk.emit(events.AtOnce(desk.seat, code))
    discard_action(desk.table, code)
    _execute(desk, card)


def _execute(desk: Desk, card: ActionCard) -> None:
    if card.kind is Kind.INSPECTION:
        if card.route is not None:
            inspect(desk, card.route)
        return
    for place in card.places:
        deliver(desk, place, card.amount)


def deliver(desk: Desk, place: Place, amount: int) -> None:
    """Goods of the cheapest accepted colour of which none lies there (Rule: itc 11.4)."""
    store = desk.table.places[place]
    for rank, good in enumerate(GOODS):
        if accepts(place, rank) and not store.goods[rank]:
            count = min(amount, PLACE[place].spaces)
            desk.table.places[place] = with_goods(store, one_of(rank, count), fresh=False)
            desk.emit(events.Delivered(place, good, count))
            return
    desk.emit(events.NothingDelivered(place))


def inspect(desk: Desk, route: Route) -> None:
    """What lies under loads of a route is shown; smugglers pay (Rule: itc 11.5)."""
    spaces = desk.table.routes[route]
    for at, load in list(spaces.items()):
        if load.under is Under.HIDDEN:
            spaces[at] = but(load, under=_shown(desk, route, load))
    merge_actions(desk)


def _shown(desk: Desk, route: Route, load: Load) -> Under:
    """What all seats know to lie under a load that is inspected; a smuggling card is gone."""
    owner, card = load.owner, load.cards[0]
    below = require(desk.table.seats[owner].under)
    if below[card] is Under.EXPRESS:
        desk.emit(events.ExpressShown(owner, card))
        return Under.EXPRESS
    del below[card]
    discard_action(desk.table, CARD_UNDER[Under.SMUGGLING])
    fine = ROUTE[route].smuggling
    desk.pay(owner, "smuggling", -fine, events.Caught(owner, card, fine))
    return Under.NONE
