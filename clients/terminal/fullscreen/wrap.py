"""Lines that fit a window: how wide a text is, where it may break, what is cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wcwidth import wcswidth, wcwidth

_NOT_FIRST: Final = (
    "、。，．！？：；…」』）】〕］〉》)]},.!?:;%％"  # marks that end something
    "ー〜々ゝゞぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ"
)
"""What does not begin a line."""
_HIRAGANA: Final = ("\u3041", "\u309f")
_KATAKANA: Final = ("\u30a0", "\u30ff")
_NOT_LAST: Final = "「『（【〔［〈《([{"
"""What does not end one."""
_WIDE: Final = 2
_INDENT_MAX: Final = 12
"""A line that begins with more spaces than this is a picture: its rest begins further left."""
_WORDS: Final = re.compile(r"\s+|\S+")


def columns(text: str) -> int:
    """The columns that a line takes in a terminal."""
    return len(text) if text.isascii() else max(0, wcswidth(text))


def cut(text: str, width: int) -> str:
    """The beginning of a text, in at most so many columns.

    >>> cut("東京", 3)
    '東'
    """
    if columns(text) <= width:
        return text
    used = 0
    for at, sign in enumerate(text):
        used += max(0, wcwidth(sign))
        if used > width:
            return text[:at]
    return text


def filled(text: str, width: int) -> str:
    """A text cut or filled with spaces to exactly so many columns."""
    short = cut(text, width)
    return short + " " * (width - columns(short))


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text in a window of some width, each broken where a reader expects it.

    What goes on in the next line begins where its line began, two columns further in.

    >>> wrapped("one two three", 9)
    ['one two', '  three']
    """
    return [line for each in text.split("\n") for line in _wrapped(each.rstrip(), width)]


def _wrapped(line: str, width: int) -> list[str]:
    if columns(line) <= width:
        return [line]
    lead = len(line) - len(line.lstrip(" "))
    indent = " " * min(lead + 2, _INDENT_MAX, width // 2)
    made, now = [], line[:lead]
    for piece in _pieces(line[lead:], width - len(indent)):
        if columns(now + piece.rstrip()) > width and now.strip():
            made.append(now.rstrip())
            now = indent + piece.lstrip(" ")
        else:
            now += piece
    return [*made, now.rstrip()]


def _pieces(line: str, most: int) -> Iterator[str]:
    """What is not parted: words with the spaces behind them, wide signs with marks that cling."""
    now = ""
    for sign in _signs(line, most):
        clings = now != "" and _belongs(now[-1], sign[0])
        if now and (not clings or columns(now + sign.rstrip()) > most):
            yield now
            now = ""
        now += sign
    if now:
        yield now


def _belongs(before: str, sign: str) -> bool:
    """Whether a sign stays on the line of the one before it.

    The hiragana that close a phrase stay with what they close, words of katakana stay whole.
    """
    if sign in _NOT_FIRST or before in _NOT_LAST:
        return True
    if before in _NOT_FIRST or before == " ":
        return False
    if _HIRAGANA[0] <= sign <= _HIRAGANA[1]:
        return wcwidth(before) == _WIDE
    return all(_KATAKANA[0] <= each <= _KATAKANA[1] for each in (before, sign))


def _signs(line: str, most: int) -> Iterator[str]:
    """Words of narrow signs with their spaces, and wide signs one by one."""
    now = ""
    for sign in line:
        wide = wcwidth(sign) == _WIDE
        begins = now.endswith(" ") and sign != " "
        if now and (wide or begins or columns(now) >= most):
            yield now
            now = ""
        if wide:
            yield sign
        else:
            now += sign
    if now:
        yield now
