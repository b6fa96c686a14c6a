"""What towns, provinces, pieces and contracts are called, as words of phrases and of lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bluebear.rules.core.phrases import Phrase, Phrases
from bluebear.rules.core.slots import Choice
from bluebear.rules.tokugawa.atlas import CHART, DEALS, PIECES, PROVINCES, TOWNS
from bluebear.rules.tokugawa.rows import Named
from bluebear.rules.tokugawa.terms import Building, Contract, Terrain, Weapon, Weather


def _choice(value: str, named: Named) -> Choice:
    """A value with the names that may be cut short, and those that must be whole."""
    names = (named.en, named.ja, *((named.kana,) if named.kana else ()))
    return Choice(value, names, named.also)


def _choices(kinds: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(_choice(str(kind), PIECES.words[kind]) for kind in kinds)


TOWN_CHOICES: Final = tuple(_choice(town, CHART.towns[town]) for town in TOWNS)
"""The towns as a slot reads them (Rule: tokugawa 13.2)."""
PROVINCE_CHOICES: Final = tuple(_choice(each, CHART.provinces[each]) for each in sorted(PROVINCES))
"""The provinces as a slot reads them (Rule: tokugawa 13.2)."""
WEAPON_CHOICES: Final = _choices(tuple(Weapon))
BUILDING_CHOICES: Final = _choices(tuple(Building))
TERRAIN_CHOICES: Final = _choices(tuple(Terrain))

_TOWN_SLOTS: Final = ("town", "towns", "origin", "supporter", "capital", "capitals", "area")
_PROVINCE_SLOTS: Final = ("province", "provinces", "area")
_PIECE_SLOTS: Final = ("piece", "target", "weapon")


def _words() -> Mapping[str, Phrase]:
    """What the data calls its towns, provinces, pieces and contracts: `word.town.kyoto`.

    `deal` names a contract together with what it asks for.
    """
    towns = {str(town): _phrase(named) for town, named in CHART.towns.items()}
    provinces = {str(each): _phrase(named) for each, named in CHART.provinces.items()}
    words = {each: _phrase(named) for each, named in PIECES.words.items()}
    return {
        **_entries(_TOWN_SLOTS, towns),
        **_entries(_PROVINCE_SLOTS, provinces),
        **_entries(("contract", "contracts"), {each: _contract(each) for each in DEALS}),
        **_entries(("deal",), {each: _deal(each) for each in DEALS}),
        **_entries(_PIECE_SLOTS, {each: words[each] for each in (*Weapon, "capital")}),
        **_entries(("building", "buildings"), {each: words[each] for each in Building}),
        **_entries(("terrain",), {each: words[each] for each in Terrain}),
        **_entries(("weather",), {each: words[each] for each in Weather}),
    }


def _entries(slots: Iterable[str], names: Mapping[str, Phrase]) -> Mapping[str, Phrase]:
    return {f"word.{slot}.{each}": phrase for slot in slots for each, phrase in names.items()}


def _phrase(named: Named) -> Phrase:
    return Phrase(named.en, named.ja)


def _contract(contract: Contract) -> Phrase:
    named = CHART.contracts[contract]
    return Phrase(f"{contract} {named.en}", f"{contract}「{named.ja}」")


def _deal(contract: Contract) -> Phrase:
    """`W4 Inland sea: Osaka, Tokushima, Matsuyama, Hiroshima, 2 ships`."""
    deal, head = DEALS[contract], _contract(contract)
    towns: list[Named] = [CHART.towns[town] for town in deal.towns]
    en, ja = [named.en for named in towns], [named.ja for named in towns]
    if deal.ships:
        en.append(f"{deal.ships} ships")
        ja.append(f"船{deal.ships}隻")
    return Phrase(f"{head.en}: {', '.join(en)}", f"{head.ja} {'、'.join(ja)}")


class Catalogue(Phrases):
    """The catalogue of the game with the names that stand in its data; its own entries win."""

    def __init__(self, entries: Mapping[str, Phrase], *, fallback: Phrases | None = None) -> None:
        super().__init__({**_words(), **entries}, fallback=fallback)
