"""Which known name did somebody mean who typed one that is not known?

The work is bounded by construction, whatever was typed: a word longer than any name resembles none;
of all names only the few that share most pairs of letters are compared letter by letter, and only
around the diagonal, since more than a few slips are no slip.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import nlargest
from typing import Final

NEAREST: Final = 5
"""How many candidates an answer names at most."""
LONGEST: Final = 40
"""A word of more letters resembles no name: the longest name has 30."""
SHORTLIST: Final = 20
"""So many names are compared letter by letter, those with most pairs of letters in common."""
_SAME: Final = 1000
"""How alike a word is to itself: likeness is counted in thousandths."""
LEAST: Final = 500
"""What is less alike than this is no help."""
FAR_BEHIND: Final = 250
"""What is so much less alike than the best is not meant."""
_BEGINNING: Final = 200
"""What is alike only in its beginning is so much less alike than a whole name."""
_ABBREVIATED: Final = 4
"""Fewer letters are no beginning with a slip in it: too many names begin almost so."""
_BITS: Final = 251
"""Pairs of letters fall into so many classes; a prime spreads them."""


def nearest(given: str, names: Iterable[str], most: int = NEAREST) -> list[str]:
    """The names most like what was given, or beginning most like it, best first."""
    if not 0 < len(given) <= LONGEST:
        return []
    mask = _pairs(given)
    shortlist = nlargest(SHORTLIST, dict.fromkeys(names), key=lambda name: _shared(mask, name))
    alike = [(_likeness(given, name), name) for name in shortlist]
    best = max(alike, default=(0, ""))[0]
    found = [(like, name) for like, name in alike if like >= max(LEAST, best - FAR_BEHIND)]
    found.sort(key=lambda each: (-each[0], _apart(given, each[1])))
    return [name for _, name in found[:most]]


def _apart(given: str, name: str) -> int:
    """How far apart the letters of two words are in their alphabet: G4 is nearer to H4 than A4."""
    return sum(abs(ord(one) - ord(other)) for one, other in zip(given, name, strict=False))


@lru_cache(maxsize=8192)
def _pairs(name: str) -> int:
    """The letters and pairs of neighbours of a name, as bits of a number."""
    mask = 0
    before = 0
    for letter in map(ord, name):
        mask |= 1 << letter % _BITS | 1 << (before * 31 + letter) % _BITS
        before = letter
    return mask


def _shared(mask: int, name: str) -> int:
    other = _pairs(name)
    return _SAME * (mask & other).bit_count() // ((mask | other).bit_count() or 1)


def _likeness(given: str, name: str) -> int:
    """How alike two words are, from 0 to 1000, as a whole or as a beginning of the second."""
    size = len(given)
    most = min(1 + size // 3, 4)
    row = _slips(given, name[: size + most], most)
    like = 0
    if len(name) <= size + most and row[-1] <= most:
        like = _SAME - _SAME * row[-1] // max(size, len(name))
    if size >= _ABBREVIATED and min(row) <= most:
        like = max(like, _SAME - _SAME * min(row) // size - _BEGINNING)
    return like


def _slips(given: str, name: str, most: int) -> Sequence[int]:
    """The slips between a word and each beginning of a name; more than `most` say `most + 1`.

    A slip is a letter too many, too few, another one, or two neighbours in the wrong order.
    """
    width = len(name)
    far = most + 1
    older: list[int] = []
    old = [min(at, far) for at in range(width + 1)]
    for down, letter in enumerate(given, start=1):
        row = [min(down, far)] + [far] * width
        for at in range(max(1, down - most), min(width, down + most) + 1):
            other = name[at - 1]
            slips = old[at - 1] if letter == other else 1 + min(old[at - 1], old[at], row[at - 1])
            if older and at > 1 and letter == name[at - 2] and given[down - 2] == other:
                slips = min(slips, older[at - 2] + 1)
            row[at] = min(slips, far)
        older, old = old, row
    return old
