"""The data that never change, for clients that draw the table themselves."""

from __future__ import annotations

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.itc.data import ACTIONS, CARDS, LIMITS, PLACE, ROUTE, SALE, SIDES, VALUE


def static() -> Shaped:
    """The board and all cards as data: prices, spaces, what is printed on each card."""
    return {
        "goods": [{"good": g.value, "transport": VALUE[g], "sale": SALE[g]} for g in VALUE],
        "dice": {die.value: sides for die, sides in SIDES.items()},
        "routes": [
            {
                "route": route.value,
                "columns": facts.columns,
                "rows": facts.rows,
                "smuggling": facts.smuggling,
            }
            for route, facts in ROUTE.items()
        ],
        "places": [
            {
                "place": place.value,
                "spaces": facts.spaces,
                "accepts": [good.value for good in facts.accepts],
            }
            for place, facts in PLACE.items()
        ],
        "limits": {"hand": LIMITS.hand, "mega": LIMITS.mega, "per_route": LIMITS.loads_per_route},
        "transports": {
            str(number): {
                "routes": [route.value for route in card.routes],
                "goods": [good.value for good in card.goods],
                "at_risk": card.at_risk.value,
                "full": {route.value: price for route, price in card.full.items()},
                "robbed": {route.value: price for route, price in card.robbed.items()},
                **({"to": card.destination.value} if card.destination is not None else {}),
            }
            for number, card in CARDS.items()
        },
        "actions": {
            code: {
                "number": int(card.kind),
                "kind": card.kind.name.lower(),
                "time": card.time.value,
                "copies": card.copies,
                "places": [place.value for place in card.places],
                **({"route": card.route.value} if card.route is not None else {}),
            }
            for code, card in ACTIONS.items()
        },
    }
