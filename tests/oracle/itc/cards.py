"""Goods, routes, continents and cards of I.T.C. (Rule: itc 1, 2, 3, 4, 5)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final, NamedTuple

COLOURS: Final = ("black", "white", "red", "green", "yellow", "blue")
"""From the cheapest to the dearest (Rule: itc 3.2)."""

LOAD_PRICES: Final = dict(zip(COLOURS, (2000, 2500, 3000, 3500, 4500, 6000), strict=True))
"""What a good is worth on the way (Rule: itc 3.1)."""

SOLD: Final = dict(zip(COLOURS, (1000, 1500, 2000, 2500, 3000, 4000), strict=True))
"""What a good is worth at a sale (Rule: itc 3.1)."""

ROUTES: Final = ("grey", "red", "blue", "green")
"""From left to right, slowest first (Rule: itc 2.1)."""

COLUMNS: Final = {"grey": 2, "red": 3, "blue": 3, "green": 2}
ROWS: Final = {"grey": 7, "red": 6, "blue": 5, "green": 4}
SMUGGLED: Final = {"grey": 20000, "red": 15000, "blue": 10000, "green": 5000}

MARKET: Final = "market"

REFUSED: Final = {
    "africa": "yellow",
    "asia": "red",
    "australia": "green",
    "europe": "black",
    "northamerica": "white",
    "southamerica": "blue",
}
"""The colour that each continent does not take (Rule: itc 2.5)."""

CONTINENTS: Final = tuple(REFUSED)

AT_ONCE: Final = (5, 9, 20)
"""Rule: itc 11.1."""


class Transport(NamedTuple):
    """One T card; a neutral one has a destination and no prices (Rule: itc 4.1, 5.1)."""

    routes: tuple[str, ...]
    goods: tuple[str, ...]
    destination: str = ""
    full: tuple[int, ...] = ()
    robbed: tuple[int, ...] = ()

    def at_risk(self) -> str:
        """The good that a thief takes (Rule: itc 4.3, 5.1)."""
        return self.goods[-1] if self.destination else max(self.goods, key=COLOURS.index)

    def price(self, route: str, *, is_robbed: bool) -> int:
        """What the carrier is paid before anything is taken off (Rule: itc 12.6)."""
        return (self.robbed if is_robbed else self.full)[self.routes.index(route)]


def _transports() -> dict[int, Transport]:
    cards: dict[int, Transport] = {}
    for line in (Path(__file__).parent / "cards.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        number, *parts = (section.split() for section in line.split("|"))
        goods = tuple(parts[-1])
        if number[0].startswith("n"):
            card = Transport(tuple(parts[1]), goods, destination=parts[0][0])
            cards[int(number[0][1:])] = card
        else:
            (first, *prices), (second, *rest) = parts[0][:3], parts[0][3:]
            full, robbed = zip(map(int, prices), map(int, rest), strict=True)
            cards[int(number[0])] = Transport((first, second), goods, full=full, robbed=robbed)
    return cards


TRANSPORTS: Final = _transports()
"""Player cards by their index, neutral ones by their number from 1 to 24."""

NEUTRALS: Final = tuple(number for number, card in TRANSPORTS.items() if card.destination)


def _action_pile() -> Counter[str]:
    """What is printed on the 80 action cards (Rule: itc 1.4, 11)."""
    plain = {1: 5, 2: 3, 3: 3, 4: 3, 6: 2, 7: 3, 8: 4, 10: 4, 13: 3}
    plain |= {14: 4, 15: 4, 16: 3, 17: 2, 18: 4, 19: 4}
    pile = Counter({str(number): copies for number, copies in plain.items()})
    for pair in ("africa-asia", "australia-europe", "northamerica-southamerica"):
        pile[f"5-{pair}"] = 1
    for route in ROUTES:
        pile[f"9-{route}"] = 2
    for number in (11, 12, 20):
        for continent in CONTINENTS:
            pile[f"{number}-{continent}"] = 1
    return pile


ACTIONS: Final = _action_pile()


def number_of(action: str) -> int:
    """The number of an action card."""
    return int(action.partition("-")[0])


def named_on(action: str) -> list[str]:
    """The continents or the route that an action card names."""
    return action.split("-")[1:]
