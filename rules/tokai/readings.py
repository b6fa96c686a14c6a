"""How names are read and what else people call things: the tables of `data/readings.toml`.

Rule: tokai 16.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from bluebear.rules.core.package_data import DataError, Table, read_toml
from bluebear.rules.tokai.network import LINES, POINTS, REGIONS

_PACKAGE: Final = "bluebear.rules.tokai"
_FILE: Final = "data/readings.toml"
_KATAKANA: Final = {code: code + 0x60 for code in range(0x3041, 0x3097)}


def _names(table: Table, section: str, known: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """The readings of a section, each also in katakana, and the nicknames; DataError."""
    readings, ids = table.get(section, {}), tuple(known)
    nicknames = table.get("nicknames", {}).get(section, {})
    unknown = [each for each in (*readings, *nicknames) if each not in ids]
    missing = [each for each in ids if each not in readings]
    if unknown or missing:
        what = f"{unknown[0]} is unknown" if unknown else f"{missing[0]} is missing"
        raise DataError(f"{_PACKAGE}/{_FILE}: [{section}] {what}")
    return {
        each: (*_read(readings[each]), *_listed(nicknames.get(each, []), section, each))
        for each in ids
    }


def _read(given: object) -> tuple[str, ...]:
    """One reading or several, each in hiragana and in katakana."""
    found = (given,) if isinstance(given, str) else _listed(given, "", str(given))
    return tuple(name for kana in found for name in (kana, kana.translate(_KATAKANA)))


def _listed(given: object, section: str, name: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise DataError(f"{_PACKAGE}/{_FILE}: [{section}] {name} must be a list of texts")
    return tuple(given)


_TABLE: Final = read_toml(_PACKAGE, _FILE)

POINTS_CALLED: Final = _names(_TABLE, "points", (point.id for point in POINTS))
LINES_CALLED: Final = _names(_TABLE, "lines", (line.id for line in LINES))
REGIONS_CALLED: Final = _names(_TABLE, "regions", (region.id for region in REGIONS))
