"""The short form of a table: the parts that matter most, in as many lines as there are.

A game hands over parts in the order of the page, each with a rank. The parts of low rank are taken
first as long as they fit; what is left out is said in one line at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from bluebear.rules.core.phrases import Lang, Phrases
from bluebear.rules.core.text_layout import flowed

WIDTH: Final = 80
"""The columns of a page where nobody says otherwise: what a window has had for fifty years."""

LINES: Final = 20
"""What a short form may take where nobody says otherwise: a window of 24 has four more."""


class SummaryBlock(NamedTuple):
    """Lines that are shown together or not at all; the lower the rank, the sooner."""

    rank: int
    lines: Sequence[str]


def shortened(
    parts: Iterable[SummaryBlock], most: int, width: int, phrases: Phrases, lang: Lang
) -> list[str]:
    """The parts in at most so many lines, with a last line that says where the rest is.

    The parts of rank 0 always stand there, cut at the last line if they alone are too long.
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
    """The parts of a board whose paragraphs are parted by empty lines, the first one first."""
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if not line and blocks[-1]:
            blocks.append([])
        elif line:
            blocks[-1].append(line)
    return [SummaryBlock(rank, block) for rank, block in enumerate(blocks)]
