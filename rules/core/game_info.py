"""The contents of `game.toml`: enough for lists and forms, without the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from bluebear.rules.core.package_data import file_of, read_text
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.tables import DataFile, Entry, Text

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]
"""The options of one game by name, complete; the rules version is the option `rules`."""

RULES_OPTION = "rules"

_SWITCHED: Final = {"on": ("オン", "あり"), "off": ("オフ", "なし"), "toggle": ("切替",)}
"""Names of the values of switches, and of `off` for numbers that may be off."""


def _japanese(names: tuple[str, ...], otherwise: str) -> str:
    return next((name for name in names if not name.isascii()), otherwise)


@dataclass(frozen=True, slots=True)
class Option:
    """A switch (bool), a number, or a choice of keywords. `added`: see `GameInfo.complete`.

    A number goes from `low` to `high` by `step`. With `off` it may also be 0, below its range,
    written `off`. `label` is the English label in forms; the Japanese label is the first of the
    Japanese `names`. `labels` has the names of each value, the Japanese label first.
    `proposed` has values that are proposed before the start, by the number of seats.
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
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    label: str = ""
    added: bool = False
    proposed: Mapping[str, OptionValue] = field(default_factory=dict)

    def names_of(self, value: str) -> tuple[str, ...]:
        """Further texts that may be typed for the canonical text of a value."""
        return self.labels.get(value) or _SWITCHED.get(value, ())

    def typed_name(self, lang: Lang) -> str:
        """The option's name as a person of a language types it."""
        return self.name if lang == "en" else _japanese(self.names, self.name)

    def label_in(self, lang: Lang) -> str:
        """The option's label in a form."""
        return self.label or self.name if lang == "en" else self.typed_name(lang)

    def localized(self, value: str, lang: Lang) -> str:
        """The canonical text of a value as a person of a language types it."""
        return value if lang == "en" else _japanese(self.names_of(value), value)

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


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The contents of a `game.toml`.

    `legal_bound` bounds the legal moves of one position, `longest` the moves of a game under any
    options. `playable_rules` are the versions of the rules that this game's code plays. `board`
    has the module and the style sheet with which the page draws the game of a package, by file.
    `places` are the kinds of places that lessons point at, each with the part of a view that has
    what is there (`seats.{seat}.hand`), or "".
    """

    key: str
    en: str
    ja: str
    min_seats: int
    max_seats: int
    minutes: int
    rules: int
    playable_rules: tuple[int, ...]
    legal_bound: int
    longest: int
    credits: tuple[str, ...]
    options: Mapping[str, Option]
    board: Mapping[str, str]
    places: Mapping[str, str]

    @classmethod
    def load(cls, package: str) -> GameInfo:
        """Read the `game.toml` of a package and its board; DataError names what is wrong."""
        info = cls.read(read_text(package, "game.toml"), file_of(package, "game.toml"))
        return replace(info, board={name: read_text(package, name) for name in info.board})

    @classmethod
    def read(cls, text: str, where: str) -> GameInfo:
        """Read the text of a `game.toml`; `where` names the file in a DataError."""
        file = DataFile(_File, text, where).value
        return cls(
            key=file.key,
            en=file.name.en,
            ja=file.name.ja,
            min_seats=file.seats.min,
            max_seats=file.seats.max,
            minutes=file.minutes,
            rules=file.rules,
            playable_rules=file.playable_rules or (file.rules,),
            legal_bound=file.legal_bound,
            longest=file.longest,
            credits=file.credits,
            options={each.name: each.made() for each in file.option},
            board=dict.fromkeys(file.board, ""),
            places=file.places,
        )

    def name(self, lang: Lang) -> str:
        """The game's name in a language."""
        return self.en if lang == "en" else self.ja

    def proposals(self, options: Options, seats: int) -> Iterator[tuple[Option, OptionValue]]:
        """The options whose proposed value for so many seats is not chosen, with that value."""
        for option in self.options.values():
            value = option.proposed.get(str(seats))
            if value is not None and value != options.get(option.name, option.default):
                yield option, value

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


# The schema of the file. Unknown keys are refused, so that a typing error is no silent default.

_Counted = Annotated[int, Meta(ge=1)]
_BoardFile = Annotated[str, Meta(pattern=r"^[a-z0-9_/]+\.(js|css)$")]


class _Names(Entry):
    en: Text
    ja: Text


class _Seats(Entry):
    min: _Counted
    max: _Counted

    def __post_init__(self) -> None:
        if self.min > self.max:
            raise ValueError(f"from {self.min} to {self.max}")


class _Option(Entry, tag_field="type"):
    """What all kinds of options have; each kind is a class that adds its default and its values."""

    name: Text
    names: tuple[Text, ...] = ()
    label: str = ""
    added: bool = False
    proposed: dict[str, OptionValue] = msgspec.field(default_factory=dict)

    def made(self) -> Option:
        return Option(kind=str(self.__struct_config__.tag), **msgspec.structs.asdict(self))

    def __post_init__(self) -> None:
        made = self.made()
        for value in (made.default, *made.proposed.values()):
            if made.read(made.write(value)) != value:
                raise ValueError(f"{value} is none of the values of {made.name}")
        if wrong := made.labels.keys() - made.choices:
            raise ValueError(f"labels for {min(wrong)}, which is no value of {made.name}")


class _Switch(_Option, tag="switch", kw_only=True):
    default: bool


class _Number(_Option, tag="number", kw_only=True):
    default: int
    low: int
    high: int
    step: _Counted = 1
    off: bool = False


class _Choice(_Option, tag="choice", kw_only=True):
    default: str
    choices: tuple[Text, ...]
    labels: dict[Text, tuple[Text, ...]] = msgspec.field(default_factory=dict)


class _File(Entry):
    key: Text
    name: _Names
    seats: _Seats
    minutes: _Counted
    rules: _Counted
    legal_bound: _Counted
    longest: _Counted
    playable_rules: tuple[int, ...] = ()
    credits: tuple[str, ...] = ()
    option: tuple[_Switch | _Number | _Choice, ...] = ()
    board: tuple[_BoardFile, ...] = ()
    places: dict[Text, str] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.playable_rules and self.rules not in self.playable_rules:
            raise ValueError(f"playable_rules: {self.rules} is missing")
        names = [each.name for each in self.option]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"option {twice[0]} stands twice")
