"""A random legal line of Manhattan from a player's own view, as a cheap bot would find it.

The load generator knows the game so that the server need not send `moves`; what it says is legal,
or the run fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from bluebear.protocol.short_keys import NUMBER_MAX

_TRIES = 6

View = dict[Any, Any]  # Any: the plain tree of a view, as it came over the wire


class Labels(dict[str, Any]):
    """What the keys of a view are on the wire: themselves, or the numbers of short keys."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        super().__init__({name: number for number, name in enumerate(names)})
        self.texts = dict(enumerate(names))
        if names:
            self.update({str(number): -1 - number for number in range(NUMBER_MAX + 1)})

    def __missing__(self, key: str) -> Any:
        return key


def random_line(game: View, seat: int, chance: Random, labels: Labels) -> str:
    """A line that the seat may say now."""
    builder = game[labels["seats"]][labels[str(seat)]]
    if game[labels["phase"]] == "choosing":
        return _take(builder[labels["stock"]], 4 if game[labels["sixrounds"]] else 6, chance)
    cities = game[labels["cities"]]
    hand, chosen = builder[labels["hand"]], builder[labels["chosen"]]
    return _build(cities, seat, hand, chosen, chance, labels)


def _take(stock: list[int], number: int, chance: Random) -> str:
    blocks = [size for size, left in enumerate(stock, 1) for _ in range(left)]
    taken = sorted(chance.sample(blocks, number), reverse=True)
    return "/take " + " ".join(map(str, taken))


def _build(
    cities: View, seat: int, hand: list[int], chosen: list[int], chance: Random, labels: Labels
) -> str:
    names = list(cities)
    for _ in range(_TRIES):
        city = names[int(chance.random() * len(names))]
        site = str(hand[int(chance.random() * len(hand))])
        block = chosen[int(chance.random() * len(chosen))]
        if _fits(cities[city].get(labels[site]), seat, block):
            return f"/build {block} {labels.texts.get(city, city)} {site}"
    # All of them, in case that few are left: turned cards are off, so a card names its site.
    lines = [
        f"/build {block} {labels.texts.get(city, city)} {site}"
        for city in names
        for site in hand
        for block in chosen
        if _fits(cities[city].get(labels[str(site)]), seat, block)
    ]
    return chance.choice(lines)


def _fits(building: list[Any] | None, seat: int, block: int) -> bool:
    """Rule: manhattan 4.3."""
    if building is None:
        return True
    floors: list[int] = building[0]
    owner: int = building[1]
    return floors[seat - 1] + block >= floors[owner - 1]
