"""Text in columns, where a wide character counts two."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import zip_longest


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(map(_columns_of, text))


def _columns_of(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


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


def without_accents(text: str) -> str:
    """Latin letters without their accents; everything else stays."""
    return "".join(_plain(character) for character in text)


def _plain(character: str) -> str:
    base = unicodedata.normalize("NFD", character)[0]
    return base if base.isascii() else character


__all__ = ["beside", "columns", "fit", "right", "without_accents"]
