"""Text in columns, where a wide character counts two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rules.core.phrases import Lang
from rules.core.width import columns

_PARTS: Final = re.compile(r"[^。、 ]*[。、 ]|[^。、 ]+")
_WHOLE: Final = 30
"""Japanese parts up to so many columns are not broken."""


def fit(text: str, width: int) -> str:
    """A text cut or filled with spaces to exactly so many columns."""
    while columns(text) > width:
        text = text[:-1]
    return text + " " * (width - columns(text))


def right(text: str, width: int) -> str:
    """A text filled with spaces on its left to at least so many columns."""
    return " " * (width - columns(text)) + text


def wrapped(items: Iterable[str], width: int, indent: int) -> list[str]:
    """Items in lines of at most so many columns; all lines but the first are indented.

    An item brings its own space or comma at its end, which may hang over the edge.
    """
    lines: list[str] = []
    line = ""
    for item in items:
        longer = line + item
        if line.strip() and columns(longer.rstrip()) > width:
            lines.append(line.rstrip())
            longer = " " * indent + item
        line = longer
    return [*lines, line.rstrip()]


def listed(items: Sequence[str], lang: Lang) -> list[str]:
    """The items of a list with their commas, to be wrapped."""
    comma = "、" if lang == "ja" else ", "
    return [item + comma for item in items[:-1]] + list(items[-1:])


def spaced(text: str, lang: Lang) -> list[str]:
    """A sentence as items to be wrapped: its words, in Japanese what stands between marks.

    What is too long even so is wrapped at any character.
    """
    if lang == "en":
        return [word + " " for word in text.split(" ")]
    parts = _PARTS.findall(text)
    return [item for part in parts for item in ([part] if columns(part) <= _WHOLE else part)]


__all__ = ["fit", "listed", "right", "spaced", "wrapped"]
