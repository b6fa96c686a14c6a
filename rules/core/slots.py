"""Slots: the typed arguments of a verb, each with a finite domain and one canonical text.

A slot reads what people type (names in either language, short names, unambiguous prefixes,
full-width characters) and writes the canonical text that the journal stores.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Final, NotRequired, Self, TypedDict

from msgspec.structs import astuple

from bluebear.rules.core.kana import hiragana, is_kana, reading_of
from bluebear.rules.core.refusal import Ambiguous, NotUnderstood
from bluebear.rules.core.suggest import letter_pairs, nearest_of
from bluebear.rules.core.tables import Entry, Text, game_file

_SEPARATORS: Final = str.maketrans({"、": " ", "，": " ", ",": " ", "；": ";"})
_TOKEN: Final = re.compile(r"\S+")
_NUMBER: Final = re.compile(r"([0-9]{1,9})")
_TIMES: Final = re.compile(r"(\d{1,9})[x*×](\d{1,2})")
FOLDED_MOST: Final = 1000
"""The most characters of a folded text. NFKC can turn one character into eighteen."""
TOKENS_MOST: Final = 80
"""The most tokens of a line; the longest useful line has fewer."""


def fold(text: str) -> str:
    """The form in which texts are compared: NFKC, case folded.

    It is cut after `FOLDED_MOST` characters, which is more than any name has, so the cost is
    bounded for any input.
    """
    if text.isascii():
        return text[:FOLDED_MOST].casefold()
    return unicodedata.normalize("NFKC", text[:FOLDED_MOST]).casefold()[:FOLDED_MOST]


def outgrows(text: str) -> bool:
    """Whether a text is longer than `FOLDED_MOST` when folded, found without folding it as a whole.

    Characters that fold into one together count separately, so the result is never too low.
    """
    if len(text) > FOLDED_MOST:
        return True
    return not text.isascii() and sum(map(_folded_length, text)) > FOLDED_MOST


@lru_cache(maxsize=4096)
def _folded_length(character: str) -> int:
    return len(unicodedata.normalize("NFKC", character))


class InputToken(str):
    """A folded token with its position in the text: code points from `start` to `end`."""

    __slots__ = ("end", "start")

    start: int
    end: int

    @classmethod
    def at(cls, text: str, start: int, end: int) -> Self:
        """A token with its position."""
        made = cls(text)
        made.start, made.end = start, end
        return made


def tokens_of(text: str) -> list[str]:
    """The folded tokens of a text, each an `InputToken`, separated by spaces and commas.

    Raises NotUnderstood (too_many_words).
    """
    made: list[str] = []
    for match in _TOKEN.finditer(text.translate(_SEPARATORS)):
        made += (InputToken.at(token, *match.span()) for token in fold(match[0]).split())
        if len(made) > TOKENS_MOST:
            raise NotUnderstood("too_many_words", most=TOKENS_MOST)
    return made


def run_of(tokens: Sequence[str]) -> str:
    """Several tokens joined to one, with its position if the first and last have one."""
    text = " ".join(tokens)
    first, last = tokens[0], tokens[-1]
    if isinstance(first, InputToken) and isinstance(last, InputToken):
        return InputToken.at(text, first.start, last.end)
    return text


def by_number(text: str) -> tuple[str | int, ...]:
    """The sort key by which numbers in texts are compared as numbers: 1, 2, 10."""
    return tuple(int(p) if p.isascii() and p.isdigit() else p for p in _NUMBER.split(text))


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a word slot: its canonical ASCII text, further names, exact short names."""

    value: str
    names: tuple[str, ...] = ()
    short: tuple[str, ...] = ()


class _Names(Entry):
    names: tuple[Text, ...] = ()
    short: tuple[Text, ...] = ()


def read_choices(package: str, **values: Iterable[object]) -> Mapping[str, tuple[Choice, ...]]:
    """What people may type for a game's nouns and verbs: its `names.toml` by section.

    `africa = { names = ["afrika"], short = ["af"] }`. A section of `values` has a line for each of
    them, and is in their order; any other is in the order of the file. Raises DataError.
    """
    file = game_file(dict[str, dict[str, Any]], package, "names.toml")  # Any: see `_Names`
    sections = {section: [*lines] for section, lines in file.value.items()}
    for section, expected in values.items():
        wanted, lines = [*map(str, expected)], sections.get(section, [])
        if wrong := sorted({*wanted} ^ {*lines}):
            raise file.fault(f"{wrong[0]} is missing or unknown", section)
        sections[section] = wanted
    return {
        section: tuple(Choice(each, *astuple(file.part(_Names, section, each))) for each in lines)
        for section, lines in sections.items()
    }


class Lexicon:
    """Finds a choice by exact name, exact short name, then unambiguous prefix, in this order."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self.values = tuple(choice.value for choice in choices)
        self.names = {choice.value: choice.names for choice in choices}
        self._exact = {fold(n): c.value for c in choices for n in (c.value, *c.names)}
        self._short = {fold(n): c.value for c in choices for n in c.short}
        for choice in choices:
            for reading in filter(None, map(reading_of, (*choice.names, *choice.short))):
                self._exact.setdefault(reading, choice.value)
        self._sorted = sorted(self._exact)
        self._pairs = {name: letter_pairs(name) for name in self._exact}
        self._place = {value: place for place, value in enumerate(self.values)}

    def find(self, given: str) -> tuple[str, ...]:
        """All values that a folded text may mean: one, several, or none."""
        exact = self.exact(given)
        return self.prefixed(given) if exact is None else (exact,)

    def exact(self, given: str) -> str | None:
        """The value whose name, or else whose short name, is exactly this folded text."""
        found = self._exact.get(given)
        return self._short.get(given) if found is None else found

    def prefixed(self, given: str) -> tuple[str, ...]:
        """The values that have a name beginning with a folded text."""
        found: set[str] = set()
        for at in range(bisect_left(self._sorted, given), len(self._sorted)):
            name = self._sorted[at]
            if not name.startswith(given):
                break
            found.add(self._exact[name])
        return tuple(sorted(found, key=self._place.__getitem__))

    def only(self, given: str, code: str) -> str:
        """The one value that a typed text means. Raises NotUnderstood (`code`) with the nearest."""
        if len(found := self.find(fold(given))) == 1:
            return found[0]
        near = found or self.near(fold(given)) or self.values
        raise NotUnderstood(code, given=given, candidates=tuple(near))

    def near(self, given: str) -> list[str]:
        """The values whose names are most similar to the given text."""
        # Readings are stored in hiragana, so a text in any kana is compared by its reading.
        found = nearest_of(hiragana(given) if is_kana(given) else given, self._pairs)
        return list(dict.fromkeys(self._exact[name] for name in found))


class SlotForm(TypedDict):
    """A slot as data: its values or, of numbers, bounds; `most`: of how many it is a list."""

    name: str
    values: NotRequired[list[str]]
    low: NotRequired[int]
    high: NotRequired[int]
    most: NotRequired[int]


class Slot(ABC):
    """One argument: `name` is the field of the move that it fills and the key of its phrases."""

    name: str
    greedy = False
    optional = False

    @abstractmethod
    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        """The value that starts at token `at`, and the index after it; there is such a token.

        Raises NotUnderstood (bad_argument) or Ambiguous.
        """

    @abstractmethod
    def write(self, value: Any) -> str:
        """The canonical text of a value."""

    def values(self) -> Sequence[str]:
        """All canonical texts, for completion and documentation; empty if too many."""
        return ()

    def names(self, value: str) -> Sequence[str]:
        """Other names for a canonical text; `read` may accept more than these."""
        return ()

    def describe(self) -> SlotForm:
        """The domain as data, for clients and docs."""
        return {"name": self.name, "values": list(self.values())}

    def domain(self) -> Iterable[Any]:
        """Every value, for games that have few moves. TypeError for a list of values."""
        if self.greedy:
            raise TypeError(f"the values of {self.name} are too many to list")
        return [self.read([text], 0)[0] for text in map(fold, self.values())]


def _bad(slot: str, given: str, candidates: Sequence[str]) -> NotUnderstood:
    return NotUnderstood("bad_argument", slot=slot, given=given, candidates=candidates)


class NumberSlot(Slot):
    """A whole number from `low` to `high`."""

    def __init__(self, name: str, low: int, high: int, *, kind: Callable[[int], Any] = int) -> None:
        self.name = name
        self.low = low
        self.high = high
        self._kind = kind

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        given = tokens[at]
        value = _integer(given)
        if value is None or not self.low <= value <= self.high:
            raise _bad(self.name, given, [f"{self.low}-{self.high}"])
        return self._kind(value), at + 1

    def write(self, value: Any) -> str:
        return str(value)

    def domain(self) -> Iterable[Any]:
        return map(self._kind, range(self.low, self.high + 1))

    def values(self) -> Sequence[str]:
        few = self.high - self.low < 100
        return [str(value) for value in range(self.low, self.high + 1)] if few else ()

    def describe(self) -> SlotForm:
        return {"name": self.name, "low": self.low, "high": self.high}


class WordSlot(Slot):
    """One of a finite set of keywords; `kind` turns the canonical text into the value (an enum).

    A canonical text may have capitals, as the square `C4` has. `offered` bounds the candidates of
    an ambiguous text.
    """

    offered: int | None = None

    def __init__(
        self, name: str, choices: Sequence[Choice] | Lexicon, *, kind: Callable[[str], Any] = str
    ) -> None:
        self.name = name
        self._lexicon = choices if isinstance(choices, Lexicon) else Lexicon(choices)
        self._kind = kind

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        given = tokens[at]
        found = self._lexicon.find(fold(given))
        if len(found) > 1:
            found = found[: self.offered]
            raise Ambiguous("ambiguous", slot=self.name, given=given, candidates=found)
        if not found:
            raise _bad(self.name, given, self._lexicon.near(given) or self._few())
        return self._kind(found[0]), at + 1

    def _few(self) -> Sequence[str]:
        return self._lexicon.values if len(self._lexicon.values) <= 12 else ()

    def write(self, value: Any) -> str:
        return str(value.value if isinstance(value, Enum) else value)

    def values(self) -> Sequence[str]:
        return self._lexicon.values

    def names(self, value: str) -> Sequence[str]:
        return self._lexicon.names.get(value, ())


class NumberListSlot(Slot):
    """A list of whole numbers to the end of the line, the largest first; `1x3` means three ones."""

    greedy = True

    def __init__(self, name: str, low: int, high: int, *, most: int) -> None:
        self.name, self.low, self.high, self.most = name, low, high, most

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        made: list[int] = []
        for given in tokens[at:]:
            number, times = self._item(given)
            made.extend([number] * times)
        if len(made) > self.most:
            raise NotUnderstood("too_many", slot=self.name, most=self.most)
        return tuple(sorted(made, reverse=True)), len(tokens)

    def _item(self, given: str) -> tuple[int, int]:
        match = _TIMES.fullmatch(given)
        number = _integer(match[1] if match else given)
        if number is None or not self.low <= number <= self.high:
            raise _bad(self.name, given, [f"{self.low}-{self.high}"])
        return number, int(match[2]) if match else 1

    def write(self, value: Any) -> str:
        return " ".join(str(number) for number in value)

    def describe(self) -> SlotForm:
        return {"name": self.name, "low": self.low, "high": self.high, "most": self.most}


class WordListSlot(WordSlot):
    """A list of keywords to the end of the line, each at most once, in the order of the choices."""

    greedy = True

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        found: list[str] = []
        for index in range(at, len(tokens)):
            value = super().write(super().read(tokens, index)[0])
            if value in found:
                raise NotUnderstood("stands_twice", slot=self.name, given=value)
            found.append(value)
        found.sort(key=self._lexicon.values.index)
        return tuple(map(self._kind, found)), len(tokens)

    def write(self, value: Any) -> str:
        return " ".join(map(super().write, value))


class FlagSlot(WordSlot):
    """An optional keyword: True if it is in the line."""

    optional = True

    def __init__(self, name: str, *, names: Sequence[str] = ()) -> None:
        super().__init__(name, [Choice(name, tuple(names))])

    def domain(self) -> Iterable[Any]:
        return (False, True)

    def matches(self, token: str) -> bool:
        """Whether a folded token is this flag."""
        return self._lexicon.exact(token) is not None

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        if not self.matches(tokens[at]):
            raise _bad(self.name, tokens[at], [self.name])
        return True, at + 1

    def write(self, value: Any) -> str:
        return self.name if value else ""


def _integer(given: str) -> int | None:
    """A decimal whole number of at most 15 digits; None for any other text."""
    digits = given.removeprefix("-")
    if not 0 < len(digits) <= 15 or not digits.isascii() or not digits.isdigit():
        return None
    return int(given)
