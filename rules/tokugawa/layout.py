"""Text in columns, where a wide character counts two."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.width import columns


def fit(text: str, width: int) -> str:
    """A text cut or filled with spaces to exactly so many columns."""
    while columns(text) > width:
        text = text[:-1]
    return text + " " * (width - columns(text))


def wrapped(words: Sequence[str], width: int, indent: int) -> list[str]:
    """Words in lines of at most so many columns; all lines but the first are indented."""
    lines: list[str] = []
    line = ""
    for word in words:
        longer = f"{line} {word}" if line.strip() else line + word
        if line.strip() and columns(longer) > width:
            lines.append(line)
            longer = " " * indent + word
        line = longer
    return [*lines, line]


__all__ = ["fit", "wrapped"]
