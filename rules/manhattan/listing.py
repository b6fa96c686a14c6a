"""Legal moves as text: builds by site, choices in columns (Rule: manhattan 9.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.phrases import Phrases
from bluebear.rules.core.text_layout import wrapped
from bluebear.rules.core.visibility import Move
from bluebear.rules.manhattan.commands import GRAMMAR, LETTERS
from bluebear.rules.manhattan.moves import Build, Take
from bluebear.rules.manhattan.state import SITES

_INDENT: Final = 2
_GAP: Final = "  "


def listing(moves: Sequence[Move], page: TextPage, phrases: Phrases) -> str:
    """What a seat may do: its choices of blocks, or for each site and city the blocks."""
    takes = [move for move in moves if isinstance(move, Take)]
    builds = [move for move in moves if isinstance(move, Build)]
    lines = [*_choices(takes, page, phrases), *_sites(builds, page, phrases)]
    return "\n".join(lines)


def _choices(takes: Sequence[Take], page: TextPage, phrases: Phrases) -> Iterator[str]:
    if takes:
        yield _headed("choices", takes[-1], page, phrases)
        listed = [_GAP + " ".join(map(str, take.blocks)) for take in takes]
        number = max(1, page.width // len(listed[0]))
        for at in range(0, len(listed), number):
            yield "".join(listed[at : at + number])


def _sites(builds: Sequence[Build], page: TextPage, phrases: Phrases) -> Iterator[str]:
    if builds:
        yield _headed("builds", builds[-1], page, phrases)
    for site in SITES:
        here = [build for build in builds if build.site == site]
        if here:
            told = phrases.say("moves.site", page.lang, {"site": site, "place": site})
            yield from wrapped([told, *_cities(here)], page.width, _INDENT)


def _cities(builds: Sequence[Build]) -> Iterator[str]:
    """`N:1234 F:34`, the blocks that may stand on one site of each city."""
    for city, letter in LETTERS.items():
        blocks = [str(build.block) for build in builds if build.city is city]
        if blocks:
            yield f"{letter}:{''.join(blocks)}"


def _headed(key: str, example: Move, page: TextPage, phrases: Phrases) -> str:
    line = localized_line(GRAMMAR, phrases, GRAMMAR.format(example), page.lang)
    return phrases.say(f"moves.{key}", page.lang, {"line": line})
