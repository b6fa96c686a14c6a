"""Readings of Japanese names in hiragana, so that names in kanji or katakana match typed kana."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from bluebear.rules.core.tables import game_file

_HIRAGANA: Final = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
_KANA: Final = re.compile("[\u3041-\u3096\u30a1-\u30f6ー・]+")
_TABLE: Final = game_file(dict[str, dict[str, str]], "bluebear.rules.core", "kana.toml").value
_READINGS: Final = _TABLE["readings"]
_NUMBERED: Final = _TABLE["numbered"]
"""Readings of words that are followed by a number: `席1`."""
_TEXT_AND_NUMBER: Final = re.compile(r"(\D+)(\d+)")


def hiragana(text: str) -> str:
    """The text with its katakana replaced by hiragana."""
    return text.translate(_HIRAGANA)


def is_kana(text: str) -> bool:
    """Whether a text is all hiragana and katakana."""
    return _KANA.fullmatch(text) is not None


@cache  # bounded: the names of all games
def reading_of(name: str) -> str | None:
    """The reading of a name in hiragana; None for an ASCII name or if the table has no reading."""
    if name.isascii():
        return None
    if _KANA.fullmatch(name):
        return hiragana(name)
    if (numbered := _TEXT_AND_NUMBER.fullmatch(name)) and numbered[1] in _NUMBERED:
        return _NUMBERED[numbered[1]] + numbered[2]
    return _READINGS.get(name)
