"""Lines, stations and regions by the names that people type and read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import chain
from typing import Any, Final

from bluebear.rules.core.phrases import LANGS, Lang, Phrase, Phrases
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import Choice, Lexicon, WordSlot, fold, read_choices
from bluebear.rules.core.suggest import NEAREST
from bluebear.rules.core.tables import DataFile, Text, game_file
from bluebear.rules.core.text_layout import without_accents
from bluebear.rules.tokai.data.map_data import Line, LineId, Point, PointId, Region, RegionId
from bluebear.rules.tokai.rules import moves
from bluebear.rules.tokai.rules.movement import JOURNEY
from bluebear.rules.tokai.rules.network import (
    CONSTANTS,
    DESTINATIONS,
    LINE_AT,
    LINES,
    POINT_AT,
    POINTS,
    REGION_AT,
    REGIONS,
    Turn,
)

# How names are read and what else things are called: `data/readings.toml` (Rule: tokai 16.5).

_PACKAGE: Final = "bluebear.rules.tokai"
HERE: Final = "here"
TABLES: Final = "tables"
CHOICES: Final = read_choices(
    _PACKAGE,
    turn=Turn,
    item=(moves.EXPRESS, moves.NOTHING),
    sale=moves.Sale,
    deal=moves.Choice,
    area=(HERE, TABLES),
)
"""What people may type for verbs and for what is not on the map."""

_KATAKANA: Final = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_Tables = dict[str, dict[str, Any]]  # Any: each reading is read as a list of texts of its own
_FILE: Final = game_file(_Tables, _PACKAGE, "data/readings.toml")


def _names(file: DataFile[_Tables], section: str, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The readings of a section, each also in katakana, and the nicknames; DataError."""
    readings, nicknames = file.value.get(section, {}), dict[str, Any]()
    if section in file.value.get("nicknames", {}):
        nicknames = file.part(dict[str, Any], "nicknames", section)
    for path, named in ((section,), readings), (("nicknames", section), nicknames):
        if unknown := {*named} - {*ids}:
            raise file.fault(f"{min(unknown)} is unknown", *path)
    if missing := {*ids} - {*readings}:
        raise file.fault(f"{min(missing)} is missing", section)
    made = {}
    for each in ids:
        kana = file.part(tuple[Text, ...], section, each)
        also = file.part(tuple[Text, ...], "nicknames", section, each) if each in nicknames else ()
        made[each] = (*chain(*((one, one.translate(_KATAKANA)) for one in kana)), *also)
    return made


POINTS_CALLED: Final = _names(_FILE, "points", POINT_AT)
LINES_CALLED: Final = _names(_FILE, "lines", LINE_AT)
REGIONS_CALLED: Final = _names(_FILE, "regions", REGION_AT)


# Lines, stations and regions by whatever people call them, in kanji or Roman letters.
#
# Hyphens, points and accents do not matter, and ヶ, ケ, が and ガ are read alike, so that 藤が丘 is
# 藤ヶ丘 and `Kami-Iida` is `kami_iida`. 栄駅 is 栄. Any prefix that fits only one name will do.
#
# Rule: tokai 16.5.

_SAME_KANA: Final = str.maketrans({"ケ": "ヶ", "が": "ヶ", "ガ": "ヶ", "ヵ": "ヶ", "之": "ノ"})
_PASSED_OVER: Final = re.compile(r"[-_ .'’・&＆~〜]|\u30fb")
_JA_TAIL: Final = re.compile(r"(?<=.)(駅|駅?(まで|へ))$")
"""What people write behind a station: 栄駅, 栄まで."""
_EN_TAIL: Final = re.compile(r" (Main )?Line$| Railway$")


def squeeze(text: str) -> str:
    """The form in which names are compared: folded, without hyphens, spaces and accents."""
    return without_accents(_PASSED_OVER.sub("", fold(text).translate(_SAME_KANA)))


def _station_names(point: Point) -> Iterable[str]:
    """`名鉄 西枇杷島・東枇杷島` stands for both, with and without the railway's name."""
    yield point.ja
    yield point.en
    for merged in point.names:
        yield merged
        yield from merged.rpartition(" ")[2].split("・")
    yield from POINTS_CALLED[point.id]


def _line_names(line: Line) -> Iterable[str]:
    """`Chuo Line` too, though in full it is the JR Chuo Main Line."""
    yield from (line.ja, line.en, _EN_TAIL.sub("", line.en), *line.names)
    yield f"{line.id.rpartition('_')[2]} line"
    yield from LINES_CALLED[line.id]


class Names(Lexicon):
    """Finds things by exact name, then by unambiguous prefix; every word is squeezed."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        taken: dict[str, str] = {squeeze(value): value for value in names}
        for value, aliases in names.items():
            for name in aliases:
                taken.setdefault(squeeze(name), value)
        by_value: dict[str, list[str]] = {value: [] for value in names}
        for name, value in taken.items():
            by_value[value].append(name)
        super().__init__([Choice(value, tuple(by_value[value])) for value in names])

    def exact(self, given: str) -> str | None:
        """The one whose name this is exactly."""
        squeezed, bare = _forms(given)
        found = super().exact(squeezed)
        return super().exact(bare) if found is None else found

    def find(self, given: str) -> tuple[str, ...]:
        """All that a text may mean, in the order of the map: one by its exact name, or prefixes."""
        for text in filter(None, _forms(given)):
            exact = super().exact(text)
            if found := self.prefixed(text) if exact is None else (exact,):
                return found
        return ()

    def near(self, given: str) -> list[str]:
        """Those whose names are most like a text, best first."""
        return super().near(_forms(given)[-1])


def _forms(given: str) -> tuple[str, str]:
    """A text squeezed, and without what people write behind a station."""
    squeezed = squeeze(given)
    return squeezed, _JA_TAIL.sub("", squeezed)


POINT_NAMES: Final = Names({point.id: tuple(_station_names(point)) for point in POINTS})
DESTINATION_NAMES: Final = Names(
    {each: tuple(_station_names(POINTS[POINT_AT[each]])) for each in DESTINATIONS}
)
LINE_NAMES: Final = Names({line.id: tuple(_line_names(line)) for line in LINES})
REGION_NAMES: Final = Names(
    {region.id: (region.ja, region.en, *REGIONS_CALLED[region.id]) for region in REGIONS}
)


class Named(WordSlot):
    """A slot for one name out of many."""

    offered = NEAREST


class Destination(Named):
    """A slot for a station of the tables; any other is refused as such (Rule: tokai 4.3, 6.3)."""

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        point = POINT_NAMES.exact(tokens[at])
        if point is not None and not DESTINATION_NAMES.find(tokens[at]):
            raise NotAllowed("no_destination", rule="6.3", point=point)
        return super().read(tokens, at)


POINT: Final = Named("point", POINT_NAMES, kind=PointId)
STATION: Final = Named("station", POINT_NAMES, kind=PointId)
DESTINATION: Final = Destination("destination", DESTINATION_NAMES, kind=PointId)
LINE: Final = Named("line", LINE_NAMES, kind=LineId)
REGION: Final = Named("region", REGION_NAMES, kind=RegionId)


# The game's sentences, in which stations, lines and money are said as people say them.
#
# A parameter is filled by its name: `{point}` with a station, `{line}` with a line, `{yen}` with an
# amount in yen. All the names are below.

YEN: Final = 1000
"""What one unit of money is (Rule: tokai 1.3)."""

_POINTS: Final[Mapping[str, Point]] = {point.id: point for point in POINTS}
_LINES: Final[Mapping[str, Line]] = {line.id: line for line in LINES}
_REGIONS: Final[Mapping[str, Region]] = {region.id: region for region in REGIONS}
_BY_SLOT: Final[Mapping[str, Mapping[str, Point | Line | Region]]] = {
    **dict.fromkeys(("point", "origin", "destination", "here", "station"), _POINTS),
    **dict.fromkeys(("hand", "item", "line", "lines"), _LINES),
    "region": _REGIONS,
}
"""What stands for a parameter, by its id."""
_MONEY: Final = re.compile(
    "amount|assets|best|bid|cash|cost|fare|highest|least|lowest|missing|owed|payoff|price|yen"
)
"""Parameters in units of money."""
_NAMED: Final = 3
"""Lines of a station that are named where it is explained; more are counted."""
_RIDING: Final = {"/go": "/行く", "cw": "右回り", "ccw": "左回り"}


def money(amount: int, lang: Lang) -> str:
    """An amount in yen.

    >>> money(17, "en"), money(0, "ja")
    ('17,000 yen', '0円')
    """
    number = f"{amount * YEN:,}"
    return f"{number} yen" if lang == "en" else f"{number}円"


class MapPhrases(Phrases):
    """Phrases that know the map."""

    def __init__(self, entries: Mapping[str, Phrase], *, fallback: Phrases | None = None) -> None:
        super().__init__(entries, fallback=fallback)
        for name, kind, facts in _things():
            texts = (self.say(f"explain.{kind}", lang, facts) for lang in LANGS)
            self._entries[f"about.{name}"] = Phrase(*texts)

    def label(self, slot: str, value: object, lang: Lang) -> str:
        """A station, a line, a region or an amount by the name of its parameter, else as usual.

        Areas for `/look` are said as they can be typed: in English by the id.
        """
        if isinstance(value, int) and _MONEY.fullmatch(slot):
            return money(value, lang)
        plain = str(value.value if isinstance(value, Enum) else value)
        if slot == JOURNEY:
            return _journey(plain) if lang == "ja" else plain
        if slot == "area" and lang == "ja":
            slot = "region" if plain in REGION_AT else "line" if plain in LINE_AT else slot
        named = _BY_SLOT.get(slot, {}).get(plain)
        if named is None:
            return super().label(slot, value, lang)
        return named.ja if lang == "ja" else named.en


def _things() -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """What `/look` explains from the map: its id, the phrase `explain.KIND`, the parameters."""
    fare = CONSTANTS.fare
    for line in LINES:
        ends = {"origin": line.paths[0][0], "destination": line.paths[-1][-1]}
        facts = {"price": line.price, "count": len({*chain(*line.paths)})}
        due = fare.shinkansen_other if line.shinkansen else fare.other
        yield line.id, "line", {"line": line.id, "fare": due, **facts, **ends}
    for region in REGIONS:
        yield region.id, "region", {"region": region.id, "count": len(region.destinations)}
    for point in POINTS:
        count = len(point.lines)
        lines = point.lines if count <= _NAMED else Phrase(f"{count} lines", f"{count}路線")
        kind = "destination" if point.id in DESTINATIONS else "station"
        yield point.id, kind, {"point": point.id, "region": point.region, "lines": lines}


def _journey(line: str) -> str:
    """A line `/go ...` in Japanese, as it may be typed too."""
    called: dict[str, str] = {line.id: line.ja for line in LINES}
    called.update({point.id: point.ja for point in POINTS}, **_RIDING)
    return " ".join(called.get(each, each) for each in line.split())


# What `/look` shows: the surroundings of the pawn, the tables, any line, any region.

AREAS: Final = (
    *CHOICES["area"],
    *(Choice(each.id, (each.ja, each.en, *REGIONS_CALLED[each.id])) for each in REGIONS),
    *(  # `mikawa` is the region, no short name of the line
        Choice(
            line.id,
            (line.ja, *(n for n in line.names if n not in _REGIONS), *LINES_CALLED[line.id]),
        )
        for line in LINES
    ),
)

EXPLAINED: Final = (
    *CHOICES["explained"],
    *(Choice(point.id, (point.ja, *POINTS_CALLED[point.id])) for point in POINTS),
    *AREAS[2:],
)
"""What `/look` explains."""
