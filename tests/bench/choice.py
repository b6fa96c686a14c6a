"""A random legal line of Manhattan from a player's own view, as a cheap bot would find it.

The load generator knows the game so that the server need not send `moves`; what it says is legal,
or the run fails.
"""

from __future__ import annotations

from random import Random
from typing import Any

_TRIES = 6

View = dict[str, Any]  # Any: the plain tree of a view, as it came over the wire


def random_line(game: View, seat: int, chance: Random) -> str:
    """A line that the seat may say now."""
    builder = game["seats"][str(seat)]
    if game["phase"] == "choosing":
        return _take(builder["stock"], 4 if game["sixrounds"] else 6, chance)
    return _build(game["cities"], seat, builder["hand"], builder["chosen"], chance)


def _take(stock: list[int], number: int, chance: Random) -> str:
    blocks = [size for size, left in enumerate(stock, 1) for _ in range(left)]
    taken = sorted(chance.sample(blocks, number), reverse=True)
    return "/take " + " ".join(map(str, taken))


def _build(cities: View, seat: int, hand: list[int], chosen: list[int], chance: Random) -> str:
    names = list(cities)
    for _ in range(_TRIES):
        city = names[int(chance.random() * len(names))]
        site = str(hand[int(chance.random() * len(hand))])
        block = chosen[int(chance.random() * len(chosen))]
        if _fits(cities[city].get(site), seat, block):
            return f"/build {block} {city} {site}"
    # All of them, in case that few are left: turned cards are off, so a card names its site.
    lines = [
        f"/build {block} {city} {site}"
        for city in names
        for site in hand
        for block in chosen
        if _fits(cities[city].get(str(site)), seat, block)
    ]
    return chance.choice(lines)


def _fits(building: list[Any] | None, seat: int, block: int) -> bool:
    """Rule: manhattan 4.3."""
    if building is None:
        return True
    floors: list[int] = building[0]
    owner: int = building[1]
    return floors[seat - 1] + block >= floors[owner - 1]
