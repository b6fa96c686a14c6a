"""Text in columns, where a wide character counts two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.core.phrases import Lang
from rules.core.width import columns


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
    """A sentence as items to be wrapped: in English its words, in Japanese its characters."""
    return list(text) if lang == "ja" else [word + " " for word in text.split(" ")]


__all__ = ["fit", "listed", "right", "spaced", "wrapped"]
