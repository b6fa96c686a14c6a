"""Text layout: cells of fixed width, and line breaks for English and Japanese.

A wide character counts two columns. English breaks at spaces.
Japanese breaks at the end of a phrase: after a punctuation mark, a closing bracket, or the hiragana
that end a phrase; never before a closing mark, after an opening bracket or within a Latin word or a
number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final

from bluebear.rules.core.phrases import JOINED, Lang

_OPENING: Final = "「『（【〔［〈《(\\[{"
_CLOSING: Final = "」』）】〕］〉》)\\]}"
_WIDE_STOPS: Final = "、。，．！？：；…"
_STOPS: Final = _WIDE_STOPS + ",.!?:;"
_LATER: Final = "ー〜～・々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ%％"
"""Characters that do not begin a line, besides stops and closing brackets."""
_HIRAGANA: Final = "ぁ-ゖ"
_KATAKANA: Final = "ァ-ヺー"
_WIDE: Final = "\u2e80-\uffef"
_NEXT: Final = rf"(?=[^\s{_CLOSING}{_STOPS}{_LATER}])"
_PHRASE: Final = re.compile(
    rf"""(?<=\s)(?=\S)
    | (?<=[{_WIDE_STOPS}]){_NEXT}
    | (?<=[{_STOPS}])(?=[{_WIDE}]){_NEXT}
    | (?<=[{_CLOSING}])(?=[{_WIDE}])(?![{_HIRAGANA}（]){_NEXT}
    | (?<=[{_HIRAGANA}])(?<![おご])(?![{_HIRAGANA}(（0-9]){_NEXT}
    | (?<=[はがをにでへもらの])(?=[0-9]|[おご][一-龠])""",
    re.VERBOSE,
)
"""The ends of phrases.

A bracketed text stays with what is before it, the honorifics お and ご with what follows. A line
may break between a particle and a number, but not between あと or 残り and a number.
"""
_BRACKETS: Final = re.compile(
    rf"""(?<=[{_WIDE}])(?<![{_OPENING}])(?=[{_OPENING}])
    | (?<=[{_CLOSING}])(?=[{_WIDE}]){_NEXT}
    | (?<=[{_WIDE}][{_CLOSING}]){_NEXT}""",
    re.VERBOSE,
)
"""Before and after a bracketed text."""
_WITHIN: Final = re.compile(
    rf"""(?<=[{_WIDE}])(?<![{_OPENING}])(?!(?<=[{_KATAKANA}])[{_KATAKANA}]){_NEXT}
    | (?<=[^{_WIDE}{_OPENING}0-9/])(?=[{_WIDE}]){_NEXT}""",
    re.VERBOSE,
)
"""Breaks within a long phrase: not in a katakana word, not between a number and its counter, not
after the slash of a command.
"""
_ANYWHERE: Final = re.compile(rf"(?<![{_OPENING}]){_NEXT}")
_EACH: Final = re.compile("(?=.)")
_FINER: Final = (_PHRASE, _BRACKETS, _WITHIN, _ANYWHERE, _EACH)
"""The break rules in order; a text that is too long is broken by the first that makes it fit."""
_UNBROKEN: Final = 24
"""Phrases of at most this width in columns are not broken."""


def columns(text: str) -> int:
    """The columns of one line: two for a wide or full-width character, none for a mark.

    >>> columns("ab"), columns("席1")
    (2, 3)
    """
    return len(text) if text.isascii() else _columns(text)


@lru_cache(maxsize=4096)
def _columns(text: str) -> int:
    shown = [each for each in text if not unicodedata.combining(each)]
    return len(shown) + sum(unicodedata.east_asian_width(each) in "WF" for each in shown)


def fit(text: str, width: int) -> str:
    """A text cut, or filled with spaces, to exactly `width` columns.

    >>> fit("アジア", 5)
    'アジ '
    """
    while (taken := columns(text)) > width:
        text = text[:-1]
    return text + " " * (width - taken)


def right(text: str, width: int) -> str:
    """A text filled with spaces on its left to at least `width` columns."""
    return " " * (width - columns(text)) + text


def beside(
    blocks: Sequence[Sequence[str]], gap: str, widths: Sequence[int] | None = None
) -> list[str]:
    """Blocks of lines set side by side; without `widths` each is as wide as its first line."""
    if widths is None:
        widths = [columns(block[0]) for block in blocks]
    rows = zip_longest(*blocks, fillvalue="")
    return [
        gap.join(fit(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def boxed(rows: Sequence[Sequence[str]], *, ascii_only: bool) -> list[str]:
    """Rows of cells of one width in a frame, which is also between the cells of a row.

    >>> boxed([["A1"], ["B2"]], ascii_only=True)
    ['+--+', '|A1|', '|B2|', '+--+']
    """
    top, side, bottom, rule = (
        ("+++", "|||", "+++", "-") if ascii_only else ("┌┬┐", "│││", "└┴┘", "─")
    )
    edge = [rule * columns(cell) for cell in rows[0]]
    bars = zip((top, *[side] * len(rows), bottom), (edge, *rows, edge), strict=True)
    return [bar[0] + bar[1].join(cells) + bar[2] for bar, cells in bars]


def packed(pieces: Sequence[str], width: int, indent: int) -> list[str]:
    """Pieces in lines of at most `width` columns; all lines but the first are indented.

    A piece includes its space or comma; spaces at its end may exceed the width. A piece is broken
    only if it fits on no line.
    """
    if columns(text := "".join(pieces).rstrip()) <= width:
        return [text]
    lines, line, taken = list[str](), "", 0
    for piece in pieces:
        if taken + columns(piece.rstrip()) <= width:
            line += piece
            taken += columns(piece)
            continue
        room = width - (indent if line.strip() else max(indent, taken))
        for part in _parts(piece, room, _FINER):
            if line.strip() and taken + columns(part.rstrip()) > width:
                lines.append(line.rstrip())
                line, taken = " " * indent, indent
            line += part
            taken += columns(part)
    return [*lines, line.rstrip()]


def wrapped(items: Iterable[str], width: int, indent: int) -> list[str]:
    """Items in lines, separated by spaces; only an item that fits on no line is broken."""
    return packed([item + " " for item in items], width, indent)


def flowed(text: str, width: int, indent: int) -> list[str]:
    """A sentence of either language in lines; spaces at its beginning stay.

    >>> flowed("カードを引き、都市を選びます。", 18, 2)
    ['カードを引き、', '  都市を選びます。']
    """
    return packed(_pieces(text), width, indent)


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[str, ...]:
    """A sentence in pieces after which a line may end; cached, since boards repeat sentences."""
    return tuple(
        part
        for phrase in _PHRASE.split(text)
        for part in _parts(phrase, _UNBROKEN, (_BRACKETS, _WITHIN))
    )


def aligned(rows: Sequence[Sequence[str]], left: Collection[int]) -> list[str]:
    """Rows of equal length as a table; the columns in `left` align left, the others right.

    >>> aligned([("", "Name", "Points"), ("1.", "Ayu", "1085")], left=(1,))
    ['    Name  Points', '1.  Ayu     1085']
    """
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            fit(cell, width) if number in left else right(cell, width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def listed(items: Sequence[str], lang: Lang) -> list[str]:
    """The items of a list with their commas, for `packed`."""
    return [item + JOINED[lang] for item in items[:-1]] + list(items[-1:])


def without_accents(text: str) -> str:
    """Latin letters without their accents; everything else stays."""
    if text.isascii():
        return text
    bases = [unicodedata.normalize("NFD", each)[0] for each in text]
    return "".join(base if base.isascii() else each for base, each in zip(bases, text, strict=True))


def _parts(piece: str, room: int, cuts: Sequence[re.Pattern[str]]) -> Iterator[str]:
    """A piece unchanged if it has at most `room` columns; else its parts by the first of `cuts`."""
    if not cuts or columns(piece.rstrip()) <= room:
        yield piece
        return
    for part in cuts[0].split(piece):
        yield from _parts(part, room, cuts[1:])
