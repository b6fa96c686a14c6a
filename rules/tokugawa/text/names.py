"""The names of towns, provinces, pieces and contracts, and the signs of a town in a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bluebear.rules.core.phrases import Phrase, Phrases
from bluebear.rules.core.slots import Choice
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.data import map_tables, terms
from bluebear.rules.tokugawa.rules.pieces import power
from bluebear.rules.tokugawa.rules.state import Kind, Piece, State, Work

# What towns, provinces, pieces and contracts are called, as words of phrases and of lines.


def _choice(value: str, named: terms.Named) -> Choice:
    """A value with the names that may be cut short, and those that must be whole."""
    names = (named.en, named.ja, *((named.kana,) if named.kana else ()))
    return Choice(value, names, named.also)


def _choices(kinds: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(_choice(str(kind), map_tables.PIECES.labels[kind]) for kind in kinds)


TOWN_CHOICES: Final = tuple(
    _choice(town, map_tables.CHART.towns[town]) for town in map_tables.TOWNS
)
"""The towns as a slot reads them (Rule: tokugawa 13.2)."""
PROVINCE_CHOICES: Final = tuple(
    _choice(each, map_tables.CHART.provinces[each]) for each in sorted(map_tables.PROVINCES)
)
"""The provinces as a slot reads them (Rule: tokugawa 13.2)."""
WEAPON_CHOICES: Final = _choices(tuple(terms.Weapon))
BUILDING_CHOICES: Final = _choices(tuple(terms.Building))
TERRAIN_CHOICES: Final = _choices(tuple(terms.Terrain))
EXPLAINED: Final = (
    *_choices((*terms.Weapon, *terms.Building, *terms.Terrain, *terms.Weather, "capital")),
    *(_choice(each, named) for each, named in map_tables.DEALS.items()),
)


def _labels() -> Mapping[str, Phrase]:
    """What the data calls its towns, provinces, pieces and contracts: `word.town.kyoto`.

    `deal` names a contract together with what it asks for.
    """
    data, chart = map_tables.PIECES, map_tables.CHART
    kinds: tuple[tuple[Sequence[str], Mapping[Any, terms.Named]], ...] = (
        (("town", "towns", "origin", "supporter", "capital", "capitals", "area"), chart.towns),
        (("province", "provinces", "area"), chart.provinces),
        (("piece", "target", "weapon"), {**data.arms, "capital": data.capital}),
        (("building", "buildings"), data.plans),
        (("terrain",), data.terrain),
        (("weather",), data.weather),
    )  # Any: each kind has ids of its own
    made = {
        f"word.{slot}.{each}": Phrase(named.en, named.ja)
        for slots, kind in kinds
        for slot in slots
        for each, named in kind.items()
    }
    for deal in map_tables.DEALS:
        made["word.contract." + deal] = made["word.contracts." + deal] = _contract(deal)
        made["word.deal." + deal], made["about." + deal] = _deal(deal), _about(deal)
    return made


def _contract(contract: terms.Contract) -> Phrase:
    named = map_tables.DEALS[contract]
    return Phrase(f"{contract} {named.en}", f"{contract}「{named.ja}」")


def _deal(contract: terms.Contract) -> Phrase:
    """`W4 Inland sea: Osaka, Tokushima, Matsuyama, Hiroshima, 2 ships`."""
    deal, head = map_tables.DEALS[contract], _contract(contract)
    towns: list[terms.Named] = [map_tables.CHART.towns[town] for town in deal.towns]
    en, ja = [named.en for named in towns], [named.ja for named in towns]
    if deal.ships:
        en.append(f"{deal.ships} ships")
        ja.append(f"船{deal.ships}隻")
    return Phrase(f"{head.en}: {', '.join(en)}", f"{head.ja} {'、'.join(ja)}")


def _about(contract: terms.Contract) -> Phrase:
    asks, points = _deal(contract), map_tables.DEALS[contract].points
    ja = asks.ja.replace("」 ", "」: ", 1)
    return Phrase(f"{asks.en}; worth {points} points.", f"{ja}。{points}点。")


class Catalogue(Phrases):
    """The catalogue of the game with the names that stand in its data; its own entries win."""

    def __init__(self, entries: Mapping[str, Phrase], *, fallback: Phrases | None = None) -> None:
        super().__init__({**_labels(), **entries}, fallback=fallback)


# What a town looks like in a line of text: who stands there, what is built, where roads lead.
#
# A seat is marked by the first letter of its capital, K or Y (京 or 江). Rule: tokugawa 13.3.

_SIGNED: Final = ("wall", "castle", "shrine", "garden", "smithy")
"""The wall stands first, since in Japanese castle and wall together read as a wall."""


class TownTexts(GameTexts[State]):
    """The words for what stands on the board, on one page."""

    def owner(self, seat: Seat) -> str:
        """The letter of a seat, which is that of its capital."""
        return self.label("owner", self.view.seats[seat].capital)

    def piece(self, piece: Piece) -> str:
        """`K sword+ 3`, `Y archer weak -1`: kind, strength as it counts in a battle."""
        kind = self.label("short", piece.kind)
        if piece.back:
            kind += self.say("hit" if piece.kind is Kind.CAPITAL else "forged")
        weak = [self.say("weak")] if piece.weak else []
        return " ".join((self.owner(piece.owner), kind, *weak, str(power(piece))))

    def stands(self, town: terms.Town) -> str:
        """Who stands on a town, or whose things are left there."""
        piece, site = self.view.pieces.get(town), self.view.sites.get(town)
        if piece is not None:
            return self.piece(piece)
        return "-" if site is None else self.say("left_by", letter=self.owner(site.owner))

    def fighter(self, town: terms.Town) -> str:
        """The piece on a town with what is built there."""
        return " ".join(filter(None, (self.stands(town), self.built(town))))

    def built(self, town: terms.Town) -> str:
        """`WCTGFS2`: what is built on a town; a new castle or shrine has another letter."""
        site = self.view.sites.get(town)
        if site is None:
            return ""
        made = ""
        for building in _SIGNED:
            if stands := getattr(site, building):
                made += self.say(f"{building}_new" if stands is Work.NEW else building)
        return made + self.say("ships", count=site.ships) if site.ships else made

    def port(self, town: terms.Town) -> str:
        """Whether a town is a port, and whether it has a shipyard."""
        if town in map_tables.SHIPYARDS:
            return self.say("yard")
        return self.say("port") if town in map_tables.PORTS else ""

    def roads(self, town: terms.Town) -> Iterator[str]:
        """The towns next to a town, each with the mark of its road's terrain."""
        for terrain in map_tables.LAND:
            for other in map_tables.BY_TERRAIN[terrain][town]:
                yield self.label("road", terrain) + self.label("town", other)
