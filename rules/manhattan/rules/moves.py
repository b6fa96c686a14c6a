"""The two moves, and tables of all of them, so that no move is made twice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from bluebear.rules.core.visibility import Move, Public
from bluebear.rules.manhattan.rules.state import SITES, SIZES, City, Site


class Take(Move):
    """Take the blocks of this round from the stock, largest first (Rule: manhattan 3.1)."""

    blocks: Public[tuple[int, ...]]


class Build(Move):
    """Put a chosen block on a site, with the card of that position (Rule: manhattan 4.1)."""

    block: Public[int]
    city: Public[City]
    site: Public[Site]


BUILDS: Final[Mapping[City, Mapping[Site, tuple[Build, ...]]]] = {
    city: {site: tuple(Build(block, city, site) for block in SIZES) for site in SITES}
    for city in City
}
"""All builds by city and site; a block of n floors has the index n - 1."""


@cache  # bounded: 1,680 stocks, rounds of four and of six blocks
def takes(stock: tuple[int, ...], number: int) -> tuple[Take, ...]:
    """All choices of so many blocks from a stock, sorted by line (Rule: manhattan 3.2)."""
    ones, twos, threes, fours = stock
    return tuple(
        take
        for take, (one, two, three, four) in _all_takes(number)
        if one <= ones and two <= twos and three <= threes and four <= fours
    )


@cache  # bounded: rounds of four and of six blocks
def _all_takes(number: int) -> tuple[tuple[Take, tuple[int, ...]], ...]:
    """All choices of so many blocks, sorted, each with its count of every size."""
    lists = sorted(combinations_with_replacement(reversed(SIZES), number))
    return tuple((Take(blocks), tuple(map(blocks.count, SIZES))) for blocks in lists)
