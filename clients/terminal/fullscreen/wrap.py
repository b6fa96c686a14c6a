"""Fits lines into a window: measures the width of text, wraps and cuts it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wcwidth import wcswidth, wcwidth

_NOT_FIRST: Final = (
    "、。，．！？：；…」』）】〕］〉》)]},.!?:;%％"  # marks that end something
    "ー〜々ゝゞぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ"
)
"""Characters that must not begin a line."""
_HIRAGANA: Final = ("\u3041", "\u309f")
_KATAKANA: Final = ("\u30a0", "\u30ff")
_NOT_LAST: Final = "「『（【〔［〈《([{"
"""Characters that must not end a line."""
_WIDE: Final = 2
_INDENT_MAX: Final = 12
"""Lines with a larger indent are drawings: their continuation is not indented."""
_TOKENS: Final = re.compile(r"\s+|\S+")


def columns(text: str) -> int:
    """The width of a line in terminal columns."""
    return len(text) if text.isascii() else max(0, wcswidth(text))


def cut(text: str, width: int) -> str:
    """The beginning of a text, in at most `width` columns.

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
    """The text cut or padded to exactly `width` columns."""
    short = cut(text, width)
    return short + " " * (width - columns(short))


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, wrapped to `width` columns; continuation lines are indented by two more.

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
    """Units that are not broken: words with their spaces, wide characters with their marks."""
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
    """Whether a character stays on the line of the one before it.

    Hiragana that close a phrase stay with it; words of katakana are not broken.
    """
    if sign in _NOT_FIRST or before in _NOT_LAST:
        return True
    if before in _NOT_FIRST or before == " ":
        return False
    if _HIRAGANA[0] <= sign <= _HIRAGANA[1]:
        return wcwidth(before) == _WIDE
    return all(_KATAKANA[0] <= each <= _KATAKANA[1] for each in (before, sign))


def _signs(line: str, most: int) -> Iterator[str]:
    """Words of narrow characters with their spaces, and wide characters one by one."""
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
