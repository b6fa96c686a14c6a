"""The two moves, and tables of all of them, so that no move is made twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from rules.core.vision import Move, Public, state
from rules.manhattan.state import SITES, SIZES, City, Site


@state
@dataclass(frozen=True, slots=True)
class Take(Move):
    """Take the blocks of this round from the stock, largest first (Rule: manhattan 3.1)."""

    blocks: Public[tuple[int, ...]]


@state
@dataclass(frozen=True, slots=True)
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
    """All choices of so many blocks that a stock allows, in the order of their lines.

    Rule: manhattan 3.2.
    """
    made = [
        Take(blocks)
        for blocks in _descending(number)
        if all(blocks.count(size) <= count for size, count in zip(SIZES, stock, strict=True))
    ]
    return tuple(made)


@cache
def _descending(number: int) -> tuple[tuple[int, ...], ...]:
    """All lists of so many blocks, each largest first, in sorted order."""
    return tuple(sorted(combinations_with_replacement(reversed(SIZES), number)))


__all__ = ["BUILDS", "Build", "Take", "takes"]
