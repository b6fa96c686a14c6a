"""The width of a text in a terminal, in columns."""

from __future__ import annotations

import unicodedata
from functools import lru_cache


def columns(text: str) -> int:
    """The columns of one line: two for a wide or full-width character, none for a mark.

    >>> columns("ab"), columns("席1")
    (2, 3)
    """
    return len(text) if text.isascii() else sum(map(_columns_of, text))


@lru_cache(maxsize=4096)
def _columns_of(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
