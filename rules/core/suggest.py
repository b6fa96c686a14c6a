"""Suggests known names that are similar to a mistyped one ("did you mean").

The cost is bounded for any input. A text longer than any name has no suggestions. Only the few
names that share most pairs of letters are compared letter by letter, and only near the diagonal of
the edit distance, since a few typing errors at most are corrected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from typing import Final

NEAREST: Final = 5
"""The most suggestions that are returned."""
LONGEST: Final = 40
"""A text of more letters has no suggestions; the longest name has 30."""
SHORTLIST: Final = 20
"""The number of names that are compared letter by letter: those that share most letter pairs."""
_SAME: Final = 1000
"""The similarity of equal texts; similarity is in thousandths."""
LEAST: Final = 500
"""The least similarity of a suggestion."""
FAR_BEHIND: Final = 250
"""The most by which a suggestion may be less similar than the best."""
_BEGINNING: Final = 200
"""Subtracted from the similarity if only the beginning of a name is similar."""
_ABBREVIATED: Final = 4
"""The fewest letters compared with beginnings: fewer letters resemble too many names."""
_BITS: Final = 251
"""The number of classes of letter pairs; a prime, so that they spread evenly."""


def nearest(given: str, names: Iterable[str], most: int = NEAREST) -> list[str]:
    """The names that are, or begin, most similar to the given text, best first."""
    return nearest_of(given, {name: letter_pairs(name) for name in names}, most)


def nearest_of(given: str, pairs: Mapping[str, int], most: int = NEAREST) -> list[str]:
    """The same of names whose letter pairs are known."""
    if not 0 < len(given) <= LONGEST:
        return []
    mask = letter_pairs(given)
    shared = {
        name: _SAME * (mask & other).bit_count() // ((mask | other).bit_count() or 1)
        for name, other in pairs.items()
    }
    shortlist = nlargest(SHORTLIST, shared, key=shared.__getitem__)
    similar = [(_similarity(given, name), name) for name in shortlist]
    found = [each for each in similar if each[0] >= max(LEAST, max(similar)[0] - FAR_BEHIND)]
    ranked = sorted(found, key=lambda each: (-each[0], _apart(given, each[1])))
    return [name for _, name in ranked[:most]]


def _apart(given: str, name: str) -> int:
    """The distance of the letters of two texts in the alphabet: H4 is nearer to G4 than A4 is."""
    return sum(abs(ord(one) - ord(other)) for one, other in zip(given, name, strict=False))


@lru_cache(maxsize=8192)
def letter_pairs(name: str) -> int:
    """The letters and pairs of neighbouring letters of a name, as bits of a number."""
    mask = before = 0
    for letter in map(ord, name):
        mask |= 1 << letter % _BITS | 1 << (before * 31 + letter) % _BITS
        before = letter
    return mask


def _similarity(given: str, name: str) -> int:
    """The similarity, from 0 to 1000, of a text to a name or to the beginning of a name."""
    size, like = len(given), 0
    most = min(1 + size // 3, 4)
    row = _slips(given, name[: size + most], most)
    if len(name) <= size + most and row[-1] <= most:
        like = _SAME - _SAME * row[-1] // max(size, len(name))
    if size >= _ABBREVIATED and min(row) <= most:
        like = max(like, _SAME - _SAME * min(row) // size - _BEGINNING)
    return like


def _slips(given: str, name: str, most: int) -> Sequence[int]:
    """The edit distances of a text to each beginning of a name, at most `most + 1`.

    An edit adds, removes or replaces a letter, or swaps two neighbours (Damerau-Levenshtein).
    """
    width, far = len(name), most + 1
    older = old = [*range(min(width + 1, far)), *[far] * (width + 1 - far)]
    for down, letter in enumerate(given, start=1):
        row = [min(down, far)] + [far] * width
        for at in range(max(1, down - most), min(width, down + most) + 1):
            other = name[at - 1]
            slips = old[at - 1] if letter == other else 1 + min(old[at - 1], old[at], row[at - 1])
            if down > 1 < at and letter == name[at - 2] and given[down - 2] == other:
                slips = min(slips, older[at - 2] + 1)
            row[at] = min(slips, far)
        older, old = old, row
    return old
