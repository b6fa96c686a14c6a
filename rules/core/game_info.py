"""The contents of `game.toml`: enough for lists and forms, without the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Final

from msgspec import Meta, field
from msgspec.structs import force_setattr

from bluebear.rules.core.phrases import Lang, Phrase, called
from bluebear.rules.core.tables import Entry, Text

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]
"""The options of one game by name, complete; the rules version is the option `rules`."""

RULES_OPTION = "rules"

_SWITCHED: Final = {"on": ("オン", "あり"), "off": ("オフ", "なし"), "toggle": ("切替",)}
"""Names of the values of switches, and of `off` for numbers that may be off."""
_RANGE: Final = {"low": 0, "high": 0, "off": False, "step": 1}
_KEYWORDS: Final[Mapping[str, object]] = {"choices": (), "labels": {}}
_FOREIGN: Final = {"switch": {**_RANGE, **_KEYWORDS}, "number": _KEYWORDS, "choice": _RANGE}
"""The fields that an option of a kind cannot have, with their defaults."""

_Counted = Annotated[int, Meta(ge=1)]
_BoardFile = Annotated[str, Meta(pattern=r"^[a-z0-9_/]+\.(js|css)$")]


class Option(Entry, rename={"kind": "type"}):
    """A switch (bool), a number, or a choice of keywords; `clock` is an option of rooms only.

    A number goes from `low`, by default 0, to `high` by `step`. With `off` it may also be 0, below
    its range, written `off`. `label` is the English label in forms; the Japanese label is the first
    of the Japanese `names`. `labels` has the names of each value, the Japanese label first.
    `proposed` has values for the start, by the number of seats. `added`: see `GameInfo.complete`.
    """

    name: Text
    kind: str
    default: OptionValue
    names: tuple[Text, ...] = ()
    low: int = 0
    high: int = 0
    choices: tuple[Text, ...] = ()
    off: bool = False
    step: _Counted = 1
    labels: dict[Text, tuple[Text, ...]] = field(default_factory=dict)
    label: str = ""
    added: bool = False
    proposed: dict[str, OptionValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind == "clock":
            return
        if self.kind not in _FOREIGN:
            raise ValueError(f"type {self.kind} is none of {', '.join(_FOREIGN)}")
        for value in (self.default, *self.proposed.values()):
            if repr(self.read(self.write(value))) != repr(value):
                raise ValueError(f"{value} is none of the values of {self.name}")
        if wrong := self.labels.keys() - self.choices:
            raise ValueError(f"labels for {min(wrong)}, which is no value of {self.name}")
        for name, default in _FOREIGN[self.kind].items():
            if getattr(self, name) != default:
                raise ValueError(f"{name} is for another type than {self.kind}")
        if self.kind == "number" and self.low >= self.high:
            raise ValueError(f"from {self.low} to {self.high}")

    def names_of(self, value: str) -> tuple[str, ...]:
        """Further texts that may be typed for the canonical text of a value."""
        return self.labels.get(value) or _SWITCHED.get(value, ())

    def typed_name(self, lang: Lang) -> str:
        """The option's name as a person of a language types it."""
        return called(self.name, self.names, lang)

    def localized(self, value: str, lang: Lang) -> str:
        """The canonical text of a value as a person of a language types it."""
        return called(value, self.names_of(value), lang)

    def read(self, text: str) -> OptionValue | None:
        """Parse a folded text; None if it is no value of this option."""
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
        """The texts that may be typed: keywords or a range."""
        if self.kind == "switch":
            return ("on", "off")
        if self.kind == "number":
            between = f", {self.low + self.step} ... " if self.step > 1 else "-"
            return (f"{self.low}{between}{self.high}", *(("off",) if self.off else ()))
        return self.choices


class SeatCounts(Entry):
    """The least and the greatest number of seats."""

    min: _Counted
    max: _Counted

    def __post_init__(self) -> None:
        if self.min > self.max:
            raise ValueError(f"from {self.min} to {self.max}")


class Strength(Entry):
    """The strength of a house bot in the arena: percent won `against` another, games played."""

    share: int
    against: str
    games: int


class GameInfo(Entry, dict=True, rename={"names": "name"}):
    """The contents of a `game.toml`. An unknown key is an error, and no silent default.

    `legal_bound` bounds the legal moves of one position, `longest` the moves of a game under any
    options. `playable_rules` are the versions of the rules that this game's code plays. `board`
    are the module and the style sheet with which the page draws the game of a package.
    `strengths` are those of house bots at two seats. `places` are the kinds of places that lessons
    point at, each with the part of a view that has what is there (`seats.{seat}.hand`), or "".
    """

    key: str
    names: Phrase
    seats: SeatCounts
    minutes: _Counted
    rules: _Counted
    legal_bound: _Counted
    longest: _Counted
    playable_rules: tuple[int, ...] = ()
    credits: tuple[str, ...] = ()
    option: tuple[Option, ...] = ()
    board: tuple[_BoardFile, ...] = ()
    strengths: dict[Text, Strength] = field(default_factory=dict)
    places: dict[Text, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.key):
            raise ValueError(f"key {self.key}: small ASCII letters, digits and _, a letter first")
        if not self.playable_rules:
            force_setattr(self, "playable_rules", (self.rules,))
        if self.rules not in self.playable_rules:
            raise ValueError(f"playable_rules: {self.rules} is missing")
        names = [each.name for each in self.option]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"option {twice[0]} stands twice")
        if clocks := [each.name for each in self.option if each.kind == "clock"]:
            raise ValueError(f"option {clocks[0]}: a game has no clock")

    @cached_property
    def options(self) -> Mapping[str, Option]:
        """The options by name, in the file's order."""
        return {each.name: each for each in self.option}

    def name(self, lang: Lang) -> str:
        """The game's name in a language."""
        return self.names.text(lang)

    def complete(self, chosen: Options) -> dict[str, OptionValue]:
        """All options sorted by name, with the chosen values, else the defaults.

        An added option is left out where it has its default: the draws of a game depend on its
        options, and a game from before the option has to stay what it was.
        """
        made = {option.name: option.default for option in self.options.values()} | dict(chosen)
        for option in self.options.values():
            if option.added and made[option.name] == option.default:
                del made[option.name]
        made.setdefault(RULES_OPTION, self.rules)
        return dict(sorted(made.items()))

    def texts_of(self, options: Options) -> tuple[tuple[str, str], ...]:
        """Complete options as a record has them: name and canonical text, in the file's order."""
        chosen = [option for option in self.options.values() if option.name in options]
        return tuple((option.name, option.write(options[option.name])) for option in chosen)
