"""Text in columns, where a wide character counts two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.core.width import columns


def fit(text: str, width: int) -> str:
    """A text cut or filled with spaces to exactly so many columns."""
    while columns(text) > width:
        text = text[:-1]
    return text + " " * (width - columns(text))


def wrapped(words: Sequence[str], width: int, indent: int) -> list[str]:
    """Words in lines of at most so many columns; all lines but the first are indented.

    The first word may begin with spaces. A word that fits on no line is broken.
    """
    lines: list[str] = []
    line = ""
    first, *others = words
    parts = [*_broken(first, width), *(p for each in others for p in _broken(each, width - indent))]
    for word in parts:
        longer = f"{line} {word}" if line else word
        if line and columns(longer) > width:
            lines.append(line)
            longer = " " * indent + word
        line = longer
    return [*lines, line]


def sentence(text: str, width: int, indent: int) -> list[str]:
    """A sentence in lines, broken at its spaces; those that it begins with stay."""
    first, *others = text.lstrip(" ").split(" ")
    before = " " * (len(text) - len(text.lstrip(" ")))
    return wrapped([before + first, *others], width, indent)


def _broken(word: str, width: int) -> Iterator[str]:
    """A word in parts of at most so many columns; texts in Japanese have no spaces to break at."""
    if columns(word) <= width:
        yield word
        return
    part = ""
    for character in word:
        if columns(part + character) > width:
            yield part
            part = ""
        part += character
    yield part


__all__ = ["fit", "sentence", "wrapped"]
