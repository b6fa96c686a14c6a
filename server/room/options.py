"""The options that every room has, beside those of its game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from bluebear.protocol import Branch
from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import Option
from bluebear.rules.core.phrases import LANGS, Lang, Phrases
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import Choice as Named
from bluebear.rules.core.slots import Lexicon, fold
from bluebear.rules.core.suggest import nearest
from bluebear.server.limits import CLOCK_DAYS_MAX, DAY_MS, WATCH_DELAY_MAX
from bluebear.server.room.state import Table

_CLOCK: Final = re.compile(r"(\d{1,5})\+(\d{1,4})")
_DAYS: Final = re.compile(r"([1-9]\d?)\s*(?:d|days?|日)")
HINTS: Final = "hints"
HINTS_MAX: Final = 10
"""So many hints a game can be allowed by number; who wants more takes `on`."""
WATCH_DELAY: Final = "watchdelay"
"""How many moves late spectators see a game."""
TOGGLE: Final = "toggle"
"""Turns a switch."""
CLOCKS: Final = ("300+10", "3d", "off")
"""Examples of what the option `clock` may be."""

GENERAL: Final[Mapping[str, Option]] = {
    option.name: option
    for option in (
        Option(
            "drawseat", "switch", default=False, names=("席順抽選",), label="Seats drawn by lot"
        ),
        Option(
            "host", "switch", default=False, names=("ホスト限定", "ホスト"), label="Host prepares"
        ),
        Option("start", "number", 0, low=0, high=12, names=("自動開始",), label="Starts by itself"),
        Option(
            "clock",
            "clock",
            "off",
            ("時計", "持ち時間"),
            label="Clock",
            words={"off": ("なし", "オフ")},
        ),
        Option(
            "watch",
            "choice",
            default="all",
            choices=("all", "invited", "none"),
            names=("観戦",),
            label="Watching",
            words={"all": ("誰でも", "全員"), "invited": ("招待のみ", "招待"), "none": ("なし",)},
        ),
        Option(
            "watchchat",
            "choice",
            default="shared",
            choices=("shared", "apart", "off"),
            names=("観戦会話",),
            label="Watchers' talk",
            words={"shared": ("全員",), "apart": ("観戦者のみ", "観戦者")},
        ),
        Option(
            WATCH_DELAY,
            "number",
            default=0,
            low=1,
            high=WATCH_DELAY_MAX,
            off=True,
            names=("観戦遅延",),
            label="Watchers see moves late",
        ),
        Option(
            "confirm", "switch", default=False, names=("開始確認",), label="All confirm the start"
        ),
        Option(
            HINTS,
            "choice",
            default="off",
            choices=("off", "on", *map(str, range(1, HINTS_MAX + 1))),
            names=("ヒント",),
            label="Hints",
            words={"off": ("オフ", "なし"), "on": ("オン", "あり")},
        ),
        Option("rated", "switch", default=True, names=("レーティング",), label="Rated"),
    )
}


def options_for(game: Game[object]) -> dict[str, Option]:
    """All options of a room that plays this game: the game's own, then the general ones."""
    return {**game.info.options, **GENERAL}


def option_of(name: str, game: Game[Any] | None) -> Option | None:
    """The option of this name in a room that plays a game; None where there is none."""
    own = None if game is None else game.info.options.get(name)
    return own or GENERAL.get(name)


def find_option(known: Mapping[str, Option], given: str) -> Option:
    """The option that a word names (other names and prefixes too).

    Raises NotUnderstood (no_such_option) with the nearest names.
    """
    lexicon = Lexicon([Named(option.name, option.names) for option in known.values()])
    found = lexicon.find(fold(given))
    if len(found) != 1:
        near = found or tuple(lexicon.near(fold(given))) or tuple(known)
        raise NotUnderstood("no_such_option", given=given, candidates=near)
    return known[found[0]]


def option_text(option: Option, given: str, *, before: str) -> str:
    """The canonical text of a value that somebody typed, or `toggle`; NotUnderstood if none."""
    word = canonical_value(option, fold(given))
    if option.kind == "switch":
        word = _switch(word, before=before)
    if option.kind == "clock":
        days = _DAYS.fullmatch(word)
        if days is not None and int(days[1]) <= CLOCK_DAYS_MAX:
            return f"{days[1]}d"
        if word == "off" or _CLOCK.fullmatch(word):
            return word
        raise NotUnderstood("bad_value", option=option.name, given=given, candidates=CLOCKS)
    value = option.read(word)
    if value is None:
        near = nearest(word, option.values()) or option.values()
        raise NotUnderstood("bad_value", option=option.name, given=given, candidates=tuple(near))
    return option.write(value)


def _switch(word: str, *, before: str) -> str:
    if word == TOGGLE:
        return "off" if before == "on" else "on"
    return {"1": "on", "0": "off"}.get(word, word)


def canonical_value(option: Option, word: str) -> str:
    """The canonical text of a folded word for a value; the word itself if it is no such word."""
    choices = [Named(value, option.names_of(value)) for value in named_values(option)]
    return Lexicon(choices).exact(word) or word


def named_values(option: Option) -> tuple[str, ...]:
    """The values of an option that are words."""
    match option.kind:
        case "switch":
            return ("on", "off", TOGGLE)
        case "choice":
            return option.choices
        case "clock":
            return ("off",)
        case _:
            return ("off",) if option.off else ()


def value_said(option: Option, value: str, lang: Lang) -> str:
    """A canonical text of a value as a reader of a language types it: `3日` for `3d`."""
    days = _DAYS.fullmatch(value) if option.kind == "clock" and lang == "ja" else None
    return option.localized(value, lang) if days is None else f"{days[1]}日"


def value_of(table: Table, known: Mapping[str, Option], name: str) -> str:
    """The canonical text of an option's present value."""
    text = table.options.get(name)
    if text is not None:
        return text
    return known[name].write(known[name].default)


def is_on(table: Table, name: str) -> bool:
    """Whether a switch of the room is on."""
    return table.options.get(name) == "on"


def choice(table: Table, name: str) -> str:
    """The value of a general option of the room."""
    return table.options.get(name) or str(GENERAL[name].default)


def watch_delay(table: Table) -> int:
    """How many moves late spectators see a game; 0: not at all."""
    text = table.options.get(WATCH_DELAY)
    value = None if text is None else GENERAL[WATCH_DELAY].read(text)
    return value if isinstance(value, int) else 0


def day_of(at: int) -> str:
    """The day of a time in ms, by UTC."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def by_days(table: Table) -> bool:
    """Whether a room's clock counts days for each turn, and goes on while nobody is there."""
    return table.options.get("clock", "").endswith("d")


def clock_setting(text: str) -> tuple[int, int] | None:
    """Bank and increment in ms of a value of the option `clock`; None for off.

    By days (`3d`) a turn has the whole bank, and nothing is earned.
    """
    days = _DAYS.fullmatch(text)
    if days is not None:
        return int(days[1]) * DAY_MS, 0
    match = _CLOCK.fullmatch(text)
    return None if match is None else (int(match[1]) * 1000, int(match[2]) * 1000)


def option_labels(option: Option) -> Branch:
    """What an option is called, and the words for those of its values that have any.

    The `names` of a value are what else may be typed for it.
    """
    labels: dict[str, Branch] = {}
    for value in dict.fromkeys((*option.values(), *named_values(option))):
        names = option.names_of(value)
        if names:
            label: Branch = {lang: option.localized(value, lang) for lang in LANGS}
            labels[value] = {**label, "names": list(names)}
    return {
        "name": option.name,
        "label": {lang: option.label_in(lang) for lang in LANGS},
        "type": option.kind,
        "words": labels,
    }


def form_of(option: Option, phrases: Phrases) -> Branch:
    """All that a form needs of an option; its explanation stands in a catalogue."""
    return {
        **option_labels(option),
        "names": list(option.names),
        "default": option.write(option.default),
        "values": list(option.values()),
        "help": {lang: phrases.say(f"option.{option.name}", lang) for lang in LANGS},
    }
