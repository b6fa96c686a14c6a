"""What towns, provinces, pieces and contracts are called, as words of phrases and of lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rules.core.phrases import Lang, Phrase, Phrases
from rules.core.slots import Choice
from rules.tokugawa.atlas import CHART, PIECES, PROVINCES, TOWNS
from rules.tokugawa.charts import Named
from rules.tokugawa.terms import Building, Contract, Province, Terrain, Town, Weapon


def _choice(value: str, named: Named) -> Choice:
    """A value with the names that may be cut short, and those that must be whole."""
    return Choice(value, (named.en, named.ja, named.kana), named.also)


def _words(kinds: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(Choice(str(kind), PIECES.words[kind]) for kind in kinds)


TOWN_CHOICES: Final = tuple(_choice(town, CHART.towns[town]) for town in TOWNS)
PROVINCE_CHOICES: Final = tuple(_choice(each, CHART.provinces[each]) for each in sorted(PROVINCES))
WEAPON_CHOICES: Final = _words(tuple(Weapon))
BUILDING_CHOICES: Final = _words(tuple(Building))
TERRAIN_CHOICES: Final = _words(tuple(Terrain))
"""The choices of the slots of lines, with names in both languages (Rule: tokugawa 13.2)."""


def name_of(thing: Town | Province | Contract, lang: Lang) -> str:
    """What the map calls a town, a province or a contract."""
    named = _NAMED[thing]
    return named.en if lang == "en" else named.ja


_NAMED: Final[Mapping[str, Named]] = {
    str(each): named
    for names in (CHART.towns, CHART.provinces, CHART.contracts)
    for each, named in names.items()
}

TOWN_SLOTS: Final = ("town", "towns", "origin", "goal", "capital")
"""The fields of moves, events and refusals whose values are towns."""


def with_names(phrases: Phrases, fallback: Phrases) -> Phrases:
    """The catalogue of the game with the names of the map: `word.town.kyoto`."""
    made = {key: found for key in phrases if (found := phrases.find(key)) is not None}
    for slot in TOWN_SLOTS:
        made.update(_entries(slot, CHART.towns))
    for slot in ("province", "provinces"):
        made.update(_entries(slot, CHART.provinces))
    for slot in ("contract", "contracts"):
        made.update(_entries(slot, CHART.contracts))
    return Phrases(made, fallback=fallback)


def _entries(
    slot: str, names: Mapping[Town, Named] | Mapping[Province, Named] | Mapping[Contract, Named]
) -> Mapping[str, Phrase]:
    return {f"word.{slot}.{each}": Phrase(named.en, named.ja) for each, named in names.items()}


__all__ = [
    "BUILDING_CHOICES",
    "PROVINCE_CHOICES",
    "TERRAIN_CHOICES",
    "TOWN_CHOICES",
    "TOWN_SLOTS",
    "WEAPON_CHOICES",
    "name_of",
    "with_names",
]
