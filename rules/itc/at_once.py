"""Action cards that are executed when they are drawn: deliveries and inspections.

Rule: itc 11.4, 11.5.
"""

from __future__ import annotations

from rules.core.vision import Seat, but, held
from rules.itc.arrival import CARD_UNDER
from rules.itc.card_file import ActionCard, Time
from rules.itc.course_events import AtOnce, DrewAction
from rules.itc.data import ACTIONS, PLACE, ROUTE
from rules.itc.desk import Desk
from rules.itc.piles import discard_action, draw_action, merge_actions, take_action
from rules.itc.route_events import Caught, ExpressShown
from rules.itc.state import Under
from rules.itc.stores import accepts, one_of, with_goods
from rules.itc.terms import GOODS, Kind, Place, Route
from rules.itc.tracks import Found, loads, replace
from rules.itc.trade_events import Delivered, NothingDelivered


def draw(desk: Desk) -> None:
    """The seat on turn draws its action card, which is kept or executed (Rule: itc 11.1)."""
    code = draw_action(desk)
    card = ACTIONS[code]
    if card.time is not Time.AT_ONCE:
        take_action(desk, desk.seat, code)
        desk.tell(DrewAction(desk.seat, code))
        return
    desk.tell(AtOnce(desk.seat, code))
    discard_action(desk, code)
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
            desk.change_store(place, with_goods(store, one_of(rank, count), fresh=False))
            desk.tell(Delivered(place, good, count))
            return
    desk.tell(NothingDelivered(place))


def inspect(desk: Desk, route: Route) -> None:
    """What lies under loads of a route is shown; smugglers pay (Rule: itc 11.5)."""
    for found in loads(desk.table):
        if found.route is route and found.load.under is Under.HIDDEN:
            _show(desk, found, found.load.owner)
    merge_actions(desk)


def _show(desk: Desk, found: Found, owner: Seat) -> None:
    card = found.load.cards[0]
    below = held(desk.table.seats[owner].under)
    if below[card] is Under.EXPRESS:
        replace(desk, found, but(found.load, under=Under.EXPRESS))
        desk.tell(ExpressShown(owner, card))
        return
    replace(desk, found, but(found.load, under=Under.NONE))
    desk.change_trader(owner, under=below.drop(card))
    discard_action(desk, CARD_UNDER[Under.SMUGGLING])
    fine = ROUTE[found.route].smuggling
    desk.pay(owner, "smuggling", -fine, Caught(owner, card, fine))
