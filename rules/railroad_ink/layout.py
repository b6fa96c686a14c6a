"""Text in columns, where a wide character counts two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from rules.core.width import columns

_WORDS: Final = re.compile(r"[^ 、。]+[ 、。]*")


def fit(text: str, width: int) -> str:
    """A text cut or filled with spaces to exactly so many columns."""
    while columns(text) > width:
        text = text[:-1]
    return text + " " * (width - columns(text))


def right(text: str, width: int) -> str:
    """A text filled with spaces on its left to at least so many columns."""
    return " " * (width - columns(text)) + text


def beside(blocks: Sequence[Sequence[str]], widths: Sequence[int], gap: str) -> list[str]:
    """Blocks of lines set side by side, each in its width."""
    rows = zip_longest(*blocks, fillvalue="")
    return [
        gap.join(fit(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def flowed(text: str, width: int, indent: int) -> list[str]:
    """A text in lines of at most so many columns, broken after spaces and Japanese commas.

    All lines but the first are indented.
    """
    lines = [""]
    for word in _WORDS.findall(text):
        if lines[-1].strip() and columns(lines[-1] + word.rstrip()) > width:
            lines.append(" " * indent)
        lines[-1] += word
    return [line.rstrip() for line in lines]


__all__ = ["beside", "fit", "flowed", "right"]
