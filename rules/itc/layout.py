"""Text in columns, where a wide character counts two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rules.core.width import columns

_CLOSING: Final = "、。」:)）ー!?！？・,.;"
"""What does not begin a line."""
_PIECE: Final = re.compile(rf"[^\s\u3000-\uffef]+[{_CLOSING}]* *| +|[\u3000-\uffef][{_CLOSING}]*")
"""What stays together: a word with the spaces after it; one wide character; what closes it."""


def fit(text: str, width: int) -> str:
    """A text cut or filled with spaces to exactly so many columns."""
    while columns(text) > width:
        text = text[:-1]
    return text + " " * (width - columns(text))


def right(text: str, width: int) -> str:
    """A text filled with spaces on its left to at least so many columns."""
    return " " * (width - columns(text)) + text


def wrapped(words: Sequence[str], width: int, indent: int) -> list[str]:
    """Words in lines of at most so many columns; all lines but the first are indented."""
    lines: list[str] = []
    line = ""
    for word in words:
        longer = f"{line} {word}" if line else word
        if line and columns(longer) > width:
            lines.append(line)
            longer = " " * indent + word
        line = longer
    return [*lines, line]


def flowed(text: str, width: int, indent: int) -> list[str]:
    """A sentence of either language in lines; all but the first are indented."""
    lines: list[str] = []
    line = ""
    for piece in _PIECE.findall(text):
        if line.strip() and columns(line) + columns(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = " " * indent
        line += piece
    return [*lines, line.rstrip()]


__all__ = ["fit", "flowed", "right", "wrapped"]
