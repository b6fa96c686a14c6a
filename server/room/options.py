"""The options that all rooms have besides those of their game, and the texts of their values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, NotRequired, TypedDict

import msgspec

from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import (
    RULES_OPTION,
    GameInfo,
    Option,
    Options,
    OptionValue,
    SeatCounts,
)
from bluebear.rules.core.package_data import read_text
from bluebear.rules.core.phrases import LANGS, Lang, Phrase, Phrases
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice as Named
from bluebear.rules.core.slots import Lexicon, fold
from bluebear.server.limits import CLOCK_DAYS_MAX, DAY_MS
from bluebear.server.room.state import Table

_CLOCK: Final = re.compile(r"(\d{1,5})\+(\d{1,4})")
_DAYS: Final = re.compile(r"([1-9]\d?)\s*(?:d|days?|日)")
HINTS: Final = "hints"
COACH: Final = "coach"
WATCH_DELAY: Final = "watchdelay"
"""How many moves late spectators see a game."""
TOGGLE: Final = "toggle"
"""The value that inverts a switch."""
CLOCKS: Final = ("300+10", "3d", "off")
"""Sample values of the option `clock`."""
_CLOCKS: Final = (CLOCKS[0], "0+0 ... 99999+9999", f"1d ... {CLOCK_DAYS_MAX}d", "off")
"""An example, and the bounds of what may be typed."""

GENERAL: Final[Mapping[str, Option]] = {
    option.name: option
    for option in msgspec.toml.decode(
        read_text("bluebear.server.room", "options.toml"), type=dict[str, tuple[Option, ...]]
    )["option"]
}


class ValueName(TypedDict):
    """The labels of a value, and what else may be typed for it."""

    en: str
    ja: str
    names: NotRequired[list[str]]


class OptionNames(TypedDict):
    """The names of an option, and of those of its values that are keywords."""

    name: str
    label: Phrase
    type: str
    words: dict[str, ValueName]


class OptionForm(OptionNames):
    """An option as a field of a form; `names`: what else may be typed for it."""

    names: list[str]
    default: str
    values: list[str]
    help: Phrase


class GameEntry(TypedDict):
    """What a list of games has of one."""

    key: str
    name: Phrase
    seats: SeatCounts
    minutes: int


def entry_of(info: GameInfo) -> GameEntry:
    """What a list of games has of one."""
    return {"key": info.key, "name": info.names, "seats": info.seats, "minutes": info.minutes}


def options_for(game: Game[object]) -> dict[str, Option]:
    """All options of a room that plays this game: the game's own, then the general ones."""
    return {**game.info.options, **GENERAL}


def option_of(name: str, game: Game[Any] | None) -> Option | None:
    """The option of this name in a room with this game; None if there is none."""
    option = None if game is None else game.info.options.get(name)
    return option or GENERAL.get(name)


def find_option(options: Mapping[str, Option], given: str) -> Option:
    """Find an option by a name, an alias or a prefix.

    Raises NotUnderstood (no_such_option) with the nearest names.
    """
    lexicon = Lexicon([Named(option.name, option.names) for option in options.values()])
    return options[lexicon.only(given, "no_such_option")]


def option_text(option: Option, given: str, *, before: str) -> str:
    """The canonical text of a typed value; `toggle` inverts `before`. Raises NotUnderstood."""
    text = canonical_value(option, fold(given))
    if option.kind == "switch":
        inverted = "off" if before == "on" else "on"
        text = {"1": "on", "0": "off", TOGGLE: inverted}.get(text, text)
    if option.kind == "clock":
        days = _DAYS.fullmatch(text)
        if days is not None and int(days[1]) <= CLOCK_DAYS_MAX:
            return f"{days[1]}d"
        if text == "off" or _CLOCK.fullmatch(text):
            return text
        raise NotUnderstood("bad_value", option=option.name, given=given, candidates=_CLOCKS)
    value = option.read(text)
    if value is None:
        values = option.values()
        raise NotUnderstood("bad_value", option=option.name, given=given, candidates=values)
    return option.write(value)


def canonical_value(option: Option, text: str) -> str:
    """The canonical form of a folded text; `text` itself if it names no value of the option."""
    choices = [Named(value, option.names_of(value)) for value in named_values(option)]
    return Lexicon(choices).exact(text) or text


def named_values(option: Option) -> tuple[str, ...]:
    """The values of an option that have names."""
    match option.kind:
        case "switch":
            return ("on", "off", TOGGLE)
        case "choice":
            return option.choices
        case "clock":
            return ("off",)
        case _:
            return ("off",) if option.off else ()


def format_value(option: Option, value: str, lang: Lang) -> str:
    """The typed form of a canonical value in a language: `3日` for `3d`."""
    days = _DAYS.fullmatch(value) if option.kind == "clock" and lang == "ja" else None
    return option.localized(value, lang) if days is None else f"{days[1]}日"


def value_of(table: Table, options: Mapping[str, Option], name: str) -> str:
    """The canonical text of an option's present value."""
    text = table.options.get(name)
    if text is not None:
        return text
    return options[name].write(options[name].default)


def is_on(table: Table, name: str) -> bool:
    """Whether a switch of the room is on."""
    return table.options.get(name) == "on"


def choice(table: Table, name: str) -> str:
    """The value of a general option of the room."""
    return table.options.get(name) or str(GENERAL[name].default)


def watch_delay(table: Table) -> int:
    """How many moves late spectators see a game; 0: no delay."""
    text = table.options.get(WATCH_DELAY)
    value = None if text is None else GENERAL[WATCH_DELAY].read(text)
    return value if isinstance(value, int) else 0


def day_of(at: int) -> str:
    """The ISO date (UTC) of a time in ms."""
    return minute_of(at)[:10]


def minute_of(at: int) -> str:
    """The date and time of day (UTC) of a time in ms: `2026-01-31 23:59`."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def clock_setting(text: str) -> tuple[int, int] | None:
    """Bank and increment in ms of a value of the option `clock`; None for "off".

    By days (`3d`) each turn has the full bank and there is no increment.
    """
    days = _DAYS.fullmatch(text)
    if days is not None:
        return int(days[1]) * DAY_MS, 0
    match = _CLOCK.fullmatch(text)
    return None if match is None else (int(match[1]) * 1000, int(match[2]) * 1000)


def option_names(option: Option) -> OptionNames:
    """The label of an option, and the labels and aliases (`names`) of its values."""
    return {
        "name": option.name,
        "label": Phrase(option.label or option.name, option.typed_name("ja")),
        "type": option.kind,
        "words": {
            value: {"en": value, "ja": option.localized(value, "ja"), "names": list(names)}
            for value in dict.fromkeys((*option.values(), *named_values(option)))
            if (names := option.names_of(value))
        },
    }


def form_of(option: Option, phrases: Phrases) -> OptionForm:
    """The data of a form field for an option, with its help text."""
    return {
        **option_names(option),
        "names": list(option.names),
        "default": option.write(option.default),
        "values": list(option.values()),
        "help": Phrase(*(phrases.say(f"option.{option.name}", lang) for lang in LANGS)),
    }


def seats_of(table: Table, info: GameInfo) -> tuple[int, int]:
    """The least and the greatest number of seats: in a fork, that of the finished game."""
    if table.fork is None:
        return info.seats.min, info.seats.max
    count = len(table.fork.names)
    return count, count


def check_seats(table: Table, info: GameInfo) -> None:
    """Raises NotAllowed (wrong_seat_count) where the game cannot be played by so many seats."""
    (least, most), count = seats_of(table, info), len(table.seats)
    if not least <= count <= most:
        raise NotAllowed("wrong_seat_count", count=count, numbers=seat_numbers(least, most))


def seat_numbers(least: int, most: int) -> str:
    """Numbers of seats as one types them: "2" or "2-4"."""
    return str(least) if least == most else f"{least}-{most}"


def is_fixed(table: Table, option: str, info: GameInfo) -> bool:
    """Whether a fork's finished game decides an option."""
    return table.fork is not None and (option in info.options or option == "drawseat")


def game_options(table: Table, info: GameInfo, rules: int) -> Options:
    """The game's own options, complete with defaults, from the texts in `table.options`."""
    values: dict[str, OptionValue] = {RULES_OPTION: rules}
    for name, text in table.options.items():
        option = info.options.get(name)
        value = None if option is None else option.read(text)
        if value is not None:
            values[name] = value
    return info.complete(values)
