"""The names of towns, provinces, pieces and contracts, and the signs of a town in a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bluebear.rules.core.phrases import Phrase, Phrases
from bluebear.rules.core.slots import Choice
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.data.map_tables import (
    BY_TERRAIN,
    CHART,
    DEALS,
    IS_PORT,
    IS_SHIPYARD,
    LAND,
    PIECES,
    PROVINCES,
    TOWNS,
)
from bluebear.rules.tokugawa.data.terms import (
    Building,
    Contract,
    Named,
    Terrain,
    Town,
    Weapon,
    Weather,
)
from bluebear.rules.tokugawa.rules.pieces import power
from bluebear.rules.tokugawa.rules.state import Kind, Piece, Site, State, Work

# What towns, provinces, pieces and contracts are called, as words of phrases and of lines.


def _choice(value: str, named: Named) -> Choice:
    """A value with the names that may be cut short, and those that must be whole."""
    names = (named.en, named.ja, *((named.kana,) if named.kana else ()))
    return Choice(value, names, named.also)


def _choices(kinds: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(_choice(str(kind), PIECES.labels[kind]) for kind in kinds)


TOWN_CHOICES: Final = tuple(_choice(town, CHART.towns[town]) for town in TOWNS)
"""The towns as a slot reads them (Rule: tokugawa 13.2)."""
PROVINCE_CHOICES: Final = tuple(_choice(each, CHART.provinces[each]) for each in sorted(PROVINCES))
"""The provinces as a slot reads them (Rule: tokugawa 13.2)."""
WEAPON_CHOICES: Final = _choices(tuple(Weapon))
BUILDING_CHOICES: Final = _choices(tuple(Building))
TERRAIN_CHOICES: Final = _choices(tuple(Terrain))
EXPLAINED: Final = (
    *_choices((*Weapon, *Building, *Terrain, *Weather, "capital")),
    *(_choice(each, named) for each, named in DEALS.items()),
)

_TOWN_SLOTS: Final = ("town", "towns", "origin", "supporter", "capital", "capitals", "area")
_PROVINCE_SLOTS: Final = ("province", "provinces", "area")
_PIECE_SLOTS: Final = ("piece", "target", "weapon")


def _labels() -> Mapping[str, Phrase]:
    """What the data calls its towns, provinces, pieces and contracts: `word.town.kyoto`.

    `deal` names a contract together with what it asks for.
    """
    towns = {str(town): Phrase(named.en, named.ja) for town, named in CHART.towns.items()}
    provinces = {str(each): Phrase(named.en, named.ja) for each, named in CHART.provinces.items()}
    labels = {each: Phrase(named.en, named.ja) for each, named in PIECES.labels.items()}
    return {
        **_entries(_TOWN_SLOTS, towns),
        **_entries(_PROVINCE_SLOTS, provinces),
        **_entries(("contract", "contracts"), {each: _contract(each) for each in DEALS}),
        **_entries(("deal",), {each: _deal(each) for each in DEALS}),
        **{f"about.{each}": _about(each) for each in DEALS},
        **_entries(_PIECE_SLOTS, {each: labels[each] for each in (*Weapon, "capital")}),
        **_entries(("building", "buildings"), {each: labels[each] for each in Building}),
        **_entries(("terrain",), {each: labels[each] for each in Terrain}),
        **_entries(("weather",), {each: labels[each] for each in Weather}),
    }


def _entries(slots: Iterable[str], names: Mapping[str, Phrase]) -> Mapping[str, Phrase]:
    return {f"word.{slot}.{each}": phrase for slot in slots for each, phrase in names.items()}


def _contract(contract: Contract) -> Phrase:
    named = DEALS[contract]
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


def _about(contract: Contract) -> Phrase:
    asks, points = _deal(contract), len(DEALS[contract].towns) + DEALS[contract].ships
    ja = asks.ja.replace("」 ", "」: ", 1)
    return Phrase(f"{asks.en}; worth {points} points.", f"{ja}。{points}点。")


class Catalogue(Phrases):
    """The catalogue of the game with the names that stand in its data; its own entries win."""

    def __init__(self, entries: Mapping[str, Phrase], *, fallback: Phrases | None = None) -> None:
        super().__init__({**_labels(), **entries}, fallback=fallback)


# What a town looks like in a line of text: who stands there, what is built, where roads lead.
#
# A seat is marked by the first letter of its capital, K or Y (京 or 江). Rule: tokugawa 13.3.

_WORKS: Final = {Work.NEW: "_new", Work.DONE: ""}
"""What stands behind the key of a building's letter: a new one has another letter."""


class TownTexts(GameTexts[State]):
    """The words for what stands on the board, on one page."""

    def owner(self, seat: Seat) -> str:
        """The letter of a seat, which is that of its capital."""
        return self.label("owner", self.view.seats[seat].capital)

    def piece(self, piece: Piece) -> str:
        """`K sword+ 3`, `Y archer weak -1`: kind, strength as it counts in a battle."""
        parts = [self.owner(piece.owner), self._kind(piece)]
        if piece.weak:
            parts.append(self.say("weak"))
        return " ".join((*parts, str(power(piece))))

    def _kind(self, piece: Piece) -> str:
        """The kind with `+` for a forged samurai, `-` for a capital that was hit."""
        side = self.say("hit" if piece.kind is Kind.CAPITAL else "forged") if piece.back else ""
        return self.label("short", piece.kind) + side

    def site(self, site: Site) -> str:
        """`WCTGFS2`: what is built on a town."""
        return "".join(self._things(site))

    def _things(self, site: Site) -> Iterator[str]:
        # The wall stands first, since in Japanese castle and wall together read as a wall.
        if site.wall:
            yield self.say("wall")
        if site.castle:
            yield self.say("castle" + _WORKS[site.castle])
        if site.shrine:
            yield self.say("shrine" + _WORKS[site.shrine])
        if site.garden:
            yield self.say("garden")
        if site.smithy:
            yield self.say("smithy")
        if site.ships:
            yield self.say("ships", count=site.ships)

    def stands(self, town: Town) -> str:
        """Who stands on a town, or whose things are left there."""
        piece, site = self.view.pieces.get(town), self.view.sites.get(town)
        if piece is not None:
            return self.piece(piece)
        return "-" if site is None else self.say("left_by", letter=self.owner(site.owner))

    def fighter(self, town: Town) -> str:
        """The piece on a town with what is built there."""
        piece = self.piece(self.view.pieces[town])
        return " ".join(filter(None, (piece, self.built(town))))

    def built(self, town: Town) -> str:
        site = self.view.sites.get(town)
        return "" if site is None else self.site(site)

    def port(self, town: Town) -> str:
        """Whether a town is a port, and whether it has a shipyard."""
        if town in IS_SHIPYARD:
            return self.say("yard")
        return self.say("port") if town in IS_PORT else ""

    def roads(self, town: Town) -> Iterator[str]:
        """The towns next to a town, each with the mark of its road's terrain."""
        for terrain in LAND:
            for other in BY_TERRAIN[terrain][town]:
                yield self.road(terrain, other)

    def road(self, terrain: Terrain, town: Town) -> str:
        """A town with the mark of the road that leads there."""
        return self.label("road", terrain) + self.label("town", town)
