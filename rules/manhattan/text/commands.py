"""The lines of the game: `/take 4 3 2 2 1 1`, `/build 3 frankfurt 5`, `/show frankfurt`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bluebear.rules.core.grammar import Grammar, Query, Shorthand, Verb
from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.slots import Choice, NumberListSlot, NumberSlot, WordSlot, read_choices
from bluebear.rules.core.text_layout import wrapped
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Move
from bluebear.rules.manhattan.rules.moves import Build, Take
from bluebear.rules.manhattan.rules.state import SITES, SIZES, City, Site, State

# What people type (Rule: manhattan 9.1).

CHOICES: Final = read_choices(
    "bluebear.rules.manhattan",
    city=(City.NEWYORK, City.SAOPAULO, City.FRANKFURT, City.CAIRO, City.HONGKONG, City.SYDNEY),
)
_CITIES: Final = CHOICES["city"]
LETTERS: Final = {City(each.value): each.short[0] for each in _CITIES}
"""The short names, in the order of the printed board (Rule: manhattan 1.2)."""

_CITY: Final = WordSlot("city", _CITIES, kind=City)
_MOST_BLOCKS: Final = 6
_BLOCKS: Final = NumberListSlot("blocks", SIZES[0], SIZES[-1], most=_MOST_BLOCKS)
_BLOCK: Final = NumberSlot("block", SIZES[0], SIZES[-1])
_SITE: Final = NumberSlot("site", SITES[0], SITES[-1], kind=Site)

AREAS: Final = (Choice("hand", ("手札",)), *_CITIES)
"""What `/look` shows."""
EXPLAINED: Final = (
    *_CITIES,
    *(Choice(f"card{site}", (f"カード{site}",)) for site in SITES),
    *(Choice(f"block{size}", (f"コマ{size}",)) for size in SIZES),
)

GRAMMAR: Final = Grammar(
    verbs=[Verb("take", Take, (_BLOCKS,)), Verb("build", Build, (_BLOCK, _CITY, _SITE))],
    queries=[Query("show", (_CITY,), optional=True)],
    names=CHOICES["verb"],
    # `/3F5`: one digit, a city by whatever name, one digit.
    shorthands=[
        Shorthand(
            re.compile(r"(?P<block>\d)(?P<city>[^\W\d_]+)(?P<site>\d)"),
            "build {block} {city} {site}",
        )
    ],
)


# Legal moves as text: builds by site, choices in columns (Rule: manhattan 9.1).

_INDENT: Final = 2
_GAP: Final = "  "


def format_moves(sheet: GameTexts[State], moves: Sequence[Move]) -> str:
    """What a seat may do: its choices of blocks, or for each site and city the blocks."""
    takes = [move for move in moves if isinstance(move, Take)]
    builds = [move for move in moves if isinstance(move, Build)]
    return "\n".join([*_choices(sheet, takes), *_sites(sheet, builds)])


def _choices(sheet: GameTexts[State], takes: Sequence[Take]) -> Iterator[str]:
    if takes:
        yield _headed(sheet, "choices", takes[-1])
        listed = [_GAP + " ".join(map(str, take.blocks)) for take in takes]
        number = max(1, sheet.page.width // len(listed[0]))
        for at in range(0, len(listed), number):
            yield "".join(listed[at : at + number])


def _sites(sheet: GameTexts[State], builds: Sequence[Build]) -> Iterator[str]:
    if builds:
        yield _headed(sheet, "builds", builds[-1])
    for site in SITES:
        if here := [build for build in builds if build.site == site]:
            heading = sheet.phrase("moves.site", site=site, place=site)
            yield from wrapped([heading, *_cities(here)], sheet.page.width, _INDENT)


def _cities(builds: Sequence[Build]) -> Iterator[str]:
    """`N:1234 F:34`, the blocks that may stand on one site of each city."""
    for city, letter in LETTERS.items():
        if blocks := [str(build.block) for build in builds if build.city is city]:
            yield f"{letter}:{''.join(blocks)}"


def _headed(sheet: GameTexts[State], key: str, example: Move) -> str:
    line = localized_line(GRAMMAR, sheet.phrases, GRAMMAR.format(example), sheet.page.lang)
    return sheet.phrase(f"moves.{key}", line=line)
