"""The options that every room has, beside those of its game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from rules.core.game import Game
from rules.core.info import Option
from rules.core.nearness import nearest
from rules.core.refusal import NotUnderstood
from rules.core.slots import Choice as Named
from rules.core.slots import Lexicon, fold
from server.limits import CLOCK_DAYS_MAX, DAY_MS
from server.room.state import Table

_CLOCK: Final = re.compile(r"(\d{1,5})\+(\d{1,4})")
_DAYS: Final = re.compile(r"([1-9]\d?)\s*(?:d|days?|日)")
CLOCKS: Final = ("300+10", "3d", "off")
"""Examples of what the option `clock` may be."""

GENERAL: Final[Mapping[str, Option]] = {
    option.name: option
    for option in (
        Option("drawseat", "switch", default=False, names=("席順抽選",)),
        Option("host", "switch", default=False, names=("ホスト",)),
        Option("start", "number", default=0, low=0, high=12, names=("自動開始",)),
        Option("clock", "clock", default="off", names=("時計", "持ち時間")),
        Option(
            "watch", "choice", default="all", choices=("all", "invited", "none"), names=("観戦",)
        ),
        Option(
            "watchchat",
            "choice",
            default="shared",
            choices=("shared", "apart", "off"),
            names=("観戦会話",),
        ),
        Option("confirm", "switch", default=False, names=("開始確認",)),
        Option("rated", "switch", default=True, names=("レーティング",)),
    )
}


def options_for(game: Game[object]) -> dict[str, Option]:
    """All options of a room that plays this game: the game's own, then the general ones."""
    return {**game.info.options, **GENERAL}


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
    word = fold(given)
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
    if word == "toggle":
        return "off" if before == "on" else "on"
    return {"オン": "on", "オフ": "off", "1": "on", "0": "off"}.get(word, word)


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
