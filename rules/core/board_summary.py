"""The short form of a board: the most important blocks that fit into a number of lines.

A game gives blocks in the order of the page, each with a rank. Blocks are taken by rank, lowest
first, while they fit. If any is left out, a last line says where to read the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from bluebear.rules.core.phrases import Lang, Phrases
from bluebear.rules.core.text_layout import flowed

WIDTH: Final = 80
"""Columns of a page unless the client asks for another width: those of a standard terminal."""

LINES: Final = 20
"""Lines of a short form unless the client asks for another number: four less than a terminal."""


class SummaryBlock(NamedTuple):
    """Lines that are shown together or not at all; lower ranks are taken first."""

    rank: int
    lines: Sequence[str]


def shortened(
    parts: Iterable[SummaryBlock], most: int, width: int, phrases: Phrases, lang: Lang
) -> list[str]:
    """The blocks in at most `most` lines, with a last line that says where the rest is.

    Blocks of rank 0 are always shown, cut if they alone are too long.
    """
    listed = [part for part in parts if part.lines]
    if sum(len(part.lines) for part in listed) <= most:
        return [line for part in listed for line in part.lines]
    rest = flowed(phrases.say("glance.rest", lang, {}), width, 2)[:most]
    room = most - len(rest)
    taken = set[int]()
    for at in sorted(range(len(listed)), key=lambda at: listed[at].rank):
        size = len(listed[at].lines)
        if size <= room:
            taken.add(at)
            room -= size
        elif not listed[at].rank:
            listed[at] = SummaryBlock(0, listed[at].lines[:room])
            taken.add(at)
            room = 0
    return [line for at in sorted(taken) for line in listed[at].lines] + rest


def paragraphs_of(text: str) -> list[SummaryBlock]:
    """The paragraphs of a board, separated by empty lines, ranked from 0 in their order."""
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if not line and blocks[-1]:
            blocks.append([])
        elif line:
            blocks[-1].append(line)
    return [SummaryBlock(rank, block) for rank, block in enumerate(blocks)]
