"""Text in columns, where a wide character counts two."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import zip_longest

from rules.core.width import columns


def fit(text: str, width: int) -> str:
    """A text cut or filled with spaces to exactly so many columns."""
    while columns(text) > width:
        text = text[:-1]
    return text + " " * (width - columns(text))


def right(text: str, width: int) -> str:
    """A text filled with spaces on its left to at least so many columns."""
    return " " * (width - columns(text)) + text


def beside(blocks: Sequence[Sequence[str]], gap: str) -> list[str]:
    """Blocks of lines set side by side; each block is as wide as its first line."""
    widths = [columns(block[0]) for block in blocks]
    rows = zip_longest(*blocks, fillvalue="")
    return [
        gap.join(fit(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


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


def without_accents(text: str) -> str:
    """Latin letters without their accents; everything else stays."""
    return "".join(_plain(character) for character in text)


def _plain(character: str) -> str:
    base = unicodedata.normalize("NFD", character)[0]
    return base if base.isascii() else character


__all__ = ["beside", "fit", "right", "without_accents", "wrapped"]
