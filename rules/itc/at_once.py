"""Action cards that are executed when they are drawn: deliveries and inspections.

Rule: itc 11.4, 11.5.
"""

from __future__ import annotations

from bluebear.rules.core.visibility import but, require
from bluebear.rules.itc.arrival import CARD_UNDER
from bluebear.rules.itc.card_file import ActionCard, Time
from bluebear.rules.itc.course_events import AtOnce, DrewAction
from bluebear.rules.itc.data import ACTIONS, PLACE, ROUTE
from bluebear.rules.itc.desk import Desk
from bluebear.rules.itc.piles import discard_action, draw_action, merge_actions, take_action
from bluebear.rules.itc.route_events import Caught, ExpressShown
from bluebear.rules.itc.state import Load, Under
from bluebear.rules.itc.stores import accepts, one_of, with_goods
from bluebear.rules.itc.terms import GOODS, Kind, Place, Route
from bluebear.rules.itc.trade_events import Delivered, NothingDelivered


def draw(desk: Desk) -> None:
    """The seat on turn draws its action card, which is kept or executed (Rule: itc 11.1)."""
    code = draw_action(desk)
    card = ACTIONS[code]
    if card.time is not Time.AT_ONCE:
        take_action(desk.trader, code)
        desk.tell(DrewAction(desk.seat, code))
        return
    desk.tell(AtOnce(desk.seat, code))
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
            desk.tell(Delivered(place, good, count))
            return
    desk.tell(NothingDelivered(place))


def inspect(desk: Desk, route: Route) -> None:
    """What lies under loads of a route is shown; smugglers pay (Rule: itc 11.5)."""
    spaces = desk.table.routes[route]
    for at, load in list(spaces.items()):
        if load.under is Under.HIDDEN:
            spaces[at] = but(load, under=_shown(desk, route, load))
    merge_actions(desk)


def _shown(desk: Desk, route: Route, load: Load) -> Under:
    """What everybody knows to lie under a load that is inspected; a smuggling card is gone."""
    owner, card = load.owner, load.cards[0]
    below = require(desk.table.seats[owner].under)
    if below[card] is Under.EXPRESS:
        desk.tell(ExpressShown(owner, card))
        return Under.EXPRESS
    del below[card]
    discard_action(desk.table, CARD_UNDER[Under.SMUGGLING])
    fine = ROUTE[route].smuggling
    desk.pay(owner, "smuggling", -fine, Caught(owner, card, fine))
    return Under.NONE
