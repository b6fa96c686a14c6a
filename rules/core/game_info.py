"""What `game.toml` says of a game: enough for lists and forms, without the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from bluebear.rules.core.package_data import DataError, Table, file_of, read_toml
from bluebear.rules.core.phrases import Lang

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]
"""The options of one game by name, complete; the rules version is the option `rules`."""

RULES_OPTION = "rules"


_SWITCHED: Final = {"on": ("オン", "あり"), "off": ("オフ", "なし"), "toggle": ("切替",)}
"""Words for the values that all switches have, and for numbers that may be off."""


def _japanese(names: tuple[str, ...], otherwise: str) -> str:
    return next((name for name in names if not name.isascii()), otherwise)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game: a switch (bool), a number, or a choice of words.

    A number goes from `low` to `high` by `step`. `off` says that it may be 0 as well, below its
    range, and that this is written `off`. `label` is what an English form calls it; a Japanese one
    says the first of its Japanese `names`. `words` are other words for values that are words, the
    first Japanese one being the one that a Japanese reader is shown.
    """

    name: str
    kind: str
    default: OptionValue
    names: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    off: bool = False
    step: int = 1
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    label: str = ""

    def names_of(self, value: str) -> tuple[str, ...]:
        """What else may be typed for a canonical text of a value."""
        return self.words.get(value) or _SWITCHED.get(value, ())

    def called(self, lang: Lang) -> str:
        """The name that a reader of a language types."""
        return self.name if lang == "en" else _japanese(self.names, self.name)

    def labelled(self, lang: Lang) -> str:
        """What a form calls it."""
        return self.label or self.name if lang == "en" else self.called(lang)

    def said(self, value: str, lang: Lang) -> str:
        """A canonical text of a value as a reader of a language types it."""
        return value if lang == "en" else _japanese(self.names_of(value), value)

    def read(self, text: str) -> OptionValue | None:
        """The value of a folded text; None if it is no value of this option."""
        if self.kind == "switch":
            return {"on": True, "off": False}.get(text)
        if self.kind == "number":
            if self.off and text == "off":
                return 0
            number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
            return number if number in range(self.low, self.high + 1, self.step) else None
        return text if text in self.choices else None

    def write(self, value: OptionValue) -> str:
        """The canonical text of a value."""
        if self.kind == "switch":
            return "on" if value else "off"
        return "off" if self.off and not value else str(value)

    def values(self) -> tuple[str, ...]:
        """What may be typed, as words or a range."""
        if self.kind == "switch":
            return ("on", "off")
        if self.kind == "number":
            stepped = f"{self.low}, {self.low + self.step} ... {self.high}"
            listed = stepped if self.step > 1 else f"{self.low}-{self.high}"
            return (listed, *(("off",) if self.off else ()))
        return self.choices


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What `game.toml` says: enough for lists and forms, without the engine.

    `legal_bound` bounds the length of `legal`, `longest` the moves of a game under any options.
    """

    key: str
    en: str
    ja: str
    min_seats: int
    max_seats: int
    minutes: int
    rules: int
    kept_rules: tuple[int, ...]
    legal_bound: int
    longest: int
    credits: tuple[str, ...]
    options: Mapping[str, Option]

    @classmethod
    def load(cls, package: str) -> GameInfo:
        """Read the `game.toml` of a package; DataError names what is wrong."""
        return cls.from_table(read_toml(package, "game.toml"), file_of(package, "game.toml"))

    @classmethod
    def from_table(cls, table: Table, where: str) -> GameInfo:
        """Read the table of a `game.toml`; `where` is what a DataError calls the file."""
        try:
            file = msgspec.convert(table, _File)
        except msgspec.ValidationError as problem:
            raise DataError(f"{where}: {sentence_of(problem)}") from problem
        options = {each.name: each.made() for each in file.option}
        for wrong in (*_wrong_numbers(file), *map(_wrong_default, options.values())):
            if wrong:
                raise DataError(f"{where}: {wrong}")
        return cls(
            key=file.key,
            en=file.name.en,
            ja=file.name.ja,
            min_seats=file.seats.min,
            max_seats=file.seats.max,
            minutes=file.minutes,
            rules=file.rules,
            kept_rules=file.kept_rules or (file.rules,),
            legal_bound=file.legal_bound,
            longest=file.longest,
            credits=file.credits,
            options=options,
        )

    def name(self, lang: Lang) -> str:
        """The game's name in a language."""
        return self.en if lang == "en" else self.ja

    def complete(self, chosen: Options) -> dict[str, OptionValue]:
        """All options with their values: what was chosen, else the defaults; sorted by name."""
        made = {option.name: option.default for option in self.options.values()}
        made.update(chosen)
        made.setdefault(RULES_OPTION, self.rules)
        return dict(sorted(made.items()))


# The shape of the file. What it does not name is refused, so that a slip is no silent default.

_Word = Annotated[str, Meta(min_length=1)]
_Counted = Annotated[int, Meta(ge=1)]


class _Names(Struct, forbid_unknown_fields=True):
    en: _Word
    ja: _Word


class _Seats(Struct, forbid_unknown_fields=True):
    min: _Counted
    max: _Counted


class _Switch(Struct, forbid_unknown_fields=True, tag_field="type", tag="switch"):
    name: _Word
    default: bool
    names: tuple[_Word, ...] = ()
    label: str = ""

    def made(self) -> Option:
        return Option(self.name, "switch", self.default, self.names, label=self.label)


class _Number(Struct, forbid_unknown_fields=True, tag_field="type", tag="number"):
    name: _Word
    default: int
    low: int
    high: int
    names: tuple[_Word, ...] = ()
    step: _Counted = 1
    off: bool = False
    label: str = ""

    def made(self) -> Option:
        return Option(
            self.name,
            "number",
            self.default,
            self.names,
            low=self.low,
            high=self.high,
            off=self.off,
            step=self.step,
            label=self.label,
        )


class _Choice(Struct, forbid_unknown_fields=True, tag_field="type", tag="choice"):
    name: _Word
    default: str
    choices: tuple[_Word, ...]
    names: tuple[_Word, ...] = ()
    words: dict[_Word, tuple[_Word, ...]] = msgspec.field(default_factory=dict)
    label: str = ""

    def made(self) -> Option:
        return Option(
            self.name,
            "choice",
            self.default,
            self.names,
            choices=self.choices,
            words=self.words,
            label=self.label,
        )


class _File(Struct, forbid_unknown_fields=True):
    key: _Word
    name: _Names
    seats: _Seats
    minutes: _Counted
    rules: _Counted
    legal_bound: _Counted
    longest: _Counted
    kept_rules: tuple[int, ...] = ()
    credits: tuple[str, ...] = ()
    option: tuple[_Switch | _Number | _Choice, ...] = ()


def sentence_of(problem: msgspec.ValidationError) -> str:
    """`seats.min: expected int, got str`: first the path of the field, then what is wrong."""
    what, _, path = str(problem).partition(" - at `$.")
    what = what.removeprefix("Object ").replace("`", "")
    return f"{path.rstrip('`')}: {what}" if path else what


def _wrong_numbers(file: _File) -> tuple[str, ...]:
    wrong = []
    if file.seats.min > file.seats.max:
        wrong.append(f"seats: from {file.seats.min} to {file.seats.max}")
    if file.kept_rules and file.rules not in file.kept_rules:
        wrong.append(f"kept_rules: {file.rules} is missing")
    names = [each.name for each in file.option]
    wrong += [f"option {name}: stands twice" for name in names if names.count(name) > 1]
    wrong += [
        f"option {each.name}: words for {value}, which is none of its values"
        for each in file.option
        if isinstance(each, _Choice)
        for value in each.words
        if value not in each.choices
    ]
    return tuple(wrong)


def _wrong_default(option: Option) -> str:
    """What is wrong with the default of an option; nothing, if it is one of its values."""
    if option.read(option.write(option.default)) == option.default:
        return ""
    return f"option {option.name}: the default {option.default} is none of its values"
