"""How many columns a text takes in a terminal."""

from __future__ import annotations

import unicodedata


def columns(text: str) -> int:
    """The columns of one line: two for a wide or full-width character, none for a mark.

    >>> columns("ab"), columns("席1")
    (2, 3)
    """
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )


__all__ = ["columns"]
