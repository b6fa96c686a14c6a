"""What `game.toml` says of a game: enough for lists and forms, without the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.core.data import DataError, Table, read_toml
from rules.core.phrases import Lang

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]
"""The options of one game by name, complete; the rules version is the option `rules`."""

RULES_OPTION = "rules"


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game: a switch (bool), a number, or a choice of words.

    A number goes from `low` to `high` by `step`. `off` says that it may be 0 as well, below its
    range, and that this is written `off`.
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
        try:
            return cls.from_table(read_toml(package, "game.toml"))
        except KeyError as missing:
            raise DataError(f"{package}/game.toml: {missing} is missing") from missing
        except (TypeError, ValueError) as problem:
            raise DataError(f"{package}/game.toml: {problem}") from problem

    @classmethod
    def from_table(cls, table: Table) -> GameInfo:
        """Read the table of a `game.toml`; KeyError or ValueError name what is wrong."""
        options = {row["name"]: _option(row) for row in table.get("option", ())}
        return cls(
            key=table["key"],
            en=table["name"]["en"],
            ja=table["name"]["ja"],
            min_seats=table["seats"]["min"],
            max_seats=table["seats"]["max"],
            minutes=table["minutes"],
            rules=table["rules"],
            kept_rules=tuple(table.get("kept_rules", (table["rules"],))),
            legal_bound=table["legal_bound"],
            longest=table["longest"],
            credits=tuple(table.get("credits", ())),
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


def _option(row: Table) -> Option:
    kind = row["type"]
    if kind not in ("switch", "number", "choice"):
        raise ValueError(f"option {row['name']}: type is switch, number or choice, not {kind!r}")
    return Option(
        name=row["name"],
        kind=kind,
        default=row["default"],
        names=tuple(row.get("names", ())),
        low=row.get("low", 0),
        high=row.get("high", 0),
        choices=tuple(row.get("choices", ())),
        off=row.get("off", False),
        step=row.get("step", 1),
    )
