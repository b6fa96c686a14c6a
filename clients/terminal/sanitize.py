"""Makes text from other people safe to print: it must not control the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from wcwidth import wcwidth

MARKS_MAX: Final = 4
"""Maximum number of combining marks on one character: more than any language needs."""

# Controls, formats (bidi overrides, zero width), surrogates, separators of lines and paragraphs.
_STEERING: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_MARKS: Final = frozenset({"Mn", "Me"})

_ASCII: Final = str.maketrans(
    {
        **dict.fromkeys("─━═┄┅┈┉╌╍", "-"),
        **dict.fromkeys("│┃║┆┇┊┋╎╏", "|"),
        **dict.fromkeys("░▒▓█▀▄▌▐■□▪▫", "#"),
        **dict.fromkeys("●○◉◎•·", "o"),
        **dict.fromkeys("▲△▴▵", "^"),
        **dict.fromkeys("▼▽▾▿", "v"),
        **dict.fromkeys("→▶▷►", ">"),
        **dict.fromkeys("←◀◁◄", "<"),
        **dict.fromkeys("★☆◆◇", "*"),
        "×": "x",
        "…": "...",
    }
)


def printable(text: str, *, ascii_only: bool = False) -> str:
    """The text without characters that move the cursor, change the direction or pile up."""
    clean = "".join(_printable(text))
    return without_drawing(clean) if ascii_only else clean


def _printable(text: str) -> Iterator[str]:
    marks = 0
    for sign in text:
        category = unicodedata.category(sign)
        if sign == "\n":
            marks = 0
            yield sign
        elif sign == "\t":
            yield " "
        elif category in _MARKS:
            marks += 1
            if marks <= MARKS_MAX:
                yield sign
        elif category not in _STEERING and wcwidth(sign) >= 0:
            marks = 0
            yield sign


def without_drawing(text: str) -> str:
    """The text with ASCII instead of box-drawing characters, whose width differs between terminals.

    >>> without_drawing("┌─┐ 東京")
    '+-+ 東京'
    """
    return "".join("+" if "\u2500" <= sign <= "\u257f" else sign for sign in text.translate(_ASCII))
