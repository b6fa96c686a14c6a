"""Phrases: every sentence a person reads, in English and Japanese side by side.

A catalogue is a TOML file of tables with the keys `en` and `ja`; the dotted path of the table is
the phrase's key: `event.NAME` (see `bluebear.rules.core.event_text`), `refusal.CODE`,
`option.NAME`, `verb.NAME`, `slot.NAME`, `word.SLOT.VALUE`. Parameters are in braces and the same in
both languages. `{seat}`, and each of `SEAT_PARAMS`, is shown as the seat's name; `{city}` as the
phrase `word.city.VALUE`, or the value itself if there is none. Lists are joined;
`{count:plural floor,floors}` chooses by number.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, Final, Literal, Self

from bluebear.rules.core.tables import DataFile, Entry, Text, game_file

Lang = Literal["en", "ja"]
LANGS: Final[tuple[Lang, ...]] = ("en", "ja")

Namer = Callable[[int], str]
"""The name of a seat, by its number."""

JOINED: Final[Mapping[Lang, str]] = {"en": ", ", "ja": "、"}
"""The separator of the items of a list."""
SUMMARY: Final = "summary"
"""The phrase that says the game in a minute: what wins, a turn, what scores. A game may lack it."""
SEAT_PARAMS: Final = frozenset({"seat", "seats", "other", "owner", "winner", "by"})
"""Parameters of these names are numbers of seats, shown as the names of their players."""


def seat_namer(lang: Lang) -> Namer:
    """Names seats by their number, for texts outside of any room."""
    return "Seat {}".format if lang == "en" else "席{}".format


def called(name: str, names: Iterable[str], lang: Lang) -> str:
    """What a thing is called in a language: in Japanese the first Japanese one of its names."""
    return name if lang == "en" else next((each for each in names if not each.isascii()), name)


class Phrase(Entry):
    """One sentence in both languages."""

    en: Text
    ja: Text

    def __post_init__(self) -> None:
        if self.params("en") != self.params("ja"):
            raise ValueError("different parameters in en and ja")

    def text(self, lang: Lang) -> str:
        """The pattern in one language."""
        return self.en if lang == "en" else self.ja

    def params(self, lang: Lang) -> frozenset[str]:
        """The names of the parameters that the pattern uses."""
        found = (name for _, name, _, _ in string.Formatter().parse(self.text(lang)))
        return frozenset(name for name in found if name)


class Phrases:
    """A catalogue: key -> phrase; a key that is missing is looked up in `fallback`."""

    def __init__(self, entries: Mapping[str, Phrase], *, fallback: Phrases | None = None) -> None:
        self._entries = dict(entries)
        self._fallback = fallback
        self._slots = {key.split(".")[1] for key in entries if key.startswith("word.")}
        """The slots whose values have names."""
        self._slots |= set() if fallback is None else fallback._slots

    @classmethod
    def load(cls, package: str, name: str, *, fallback: Phrases | None = None) -> Self:
        """Read a catalogue. DataError if a phrase lacks a language, or a parameter in one."""
        file = game_file(dict[str, Any], package, name)  # Any: tables of phrases, of any depth
        return cls(dict(_walk(file, file.value, ())), fallback=fallback)

    def __contains__(self, key: str) -> bool:
        return self.find(key) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def find(self, key: str) -> Phrase | None:
        """The phrase of a key, None where there is none."""
        if (found := self._entries.get(key)) is None and self._fallback is not None:
            return self._fallback.find(key)
        return found

    def label(self, slot: str, value: object, lang: Lang) -> str:
        """The localized name of a slot's value; the value itself if the catalogue has none."""
        plain = value._value_ if isinstance(value, Enum) else value
        found = self.find(f"word.{slot}.{plain}") if slot in self._slots else None
        return str(plain) if found is None else found.text(lang)

    def say(
        self,
        key: str,
        lang: Lang,
        params: Mapping[str, Any] | None = None,  # Any: numbers, words, lists of them
        name_of: Namer | None = None,
    ) -> str:
        """The sentence of a key with its parameters filled in. KeyError for an unknown key."""
        if (found := self.find(key)) is None:
            raise KeyError(key)
        namer, given = name_of or seat_namer(lang), params or {}
        made = []
        for literal, name, forms in _parsed(found.text(lang)):
            made.append(literal)
            if forms:
                made.append(forms[given[name] != 1])
            elif name:
                made.append(self._fill(name, given[name], lang, namer))
        return "".join(made)

    def _fill(self, name: str, value: Any, lang: Lang, name_of: Namer) -> str:
        if name in SEAT_PARAMS and isinstance(value, int):
            return name_of(value)
        if isinstance(value, (tuple, list, frozenset)):
            items = sorted(value) if isinstance(value, frozenset) else value
            return JOINED[lang].join(self._fill(name, each, lang, name_of) for each in items)
        return value.text(lang) if isinstance(value, Phrase) else self.label(name, value, lang)


@lru_cache(maxsize=4096)
def _parsed(pattern: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """A pattern as literals, each with the parameter after it, and its words for one and many."""
    parts = string.Formatter().parse(pattern)
    return tuple(
        (literal, name or "", spec.removeprefix("plural ").partition(",")[::2] if spec else ())
        for literal, name, spec, _ in parts
    )


def _walk(
    file: DataFile[dict[str, Any]], table: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[tuple[str, Phrase]]:
    for key, item in table.items():
        here = (*path, key)
        if isinstance(item, dict) and not any(isinstance(each, str) for each in item.values()):
            yield from _walk(file, item, here)
        else:
            yield ".".join(here), file.part(Phrase, *here)


CORE: Final = Phrases.load("bluebear.rules.core", "phrases.toml")
"""The sentences that all games share."""
