"""The commands that the client handles itself: /quit, /clear, /set."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from bluebear.clients.phrases import Texts
from bluebear.clients.terminal.chat import Settings
from bluebear.clients.terminal.secret_lines import SLASHES, fold


class LocalWord(Enum):
    """A command of the client."""

    QUIT = "quit"
    CLEAR = "clear"
    SET = "set"


NAMES: Final[Mapping[str, LocalWord]] = {
    "quit": LocalWord.QUIT,
    "終了": LocalWord.QUIT,
    "clear": LocalWord.CLEAR,
    "画面消去": LocalWord.CLEAR,
    "set": LocalWord.SET,
    "端末": LocalWord.SET,
}

_SWITCHES: Final = {"on": True, "off": False}


def local_word(line: str) -> LocalWord | None:
    """The client command that a line is; None if it is for the server. No abbreviations."""
    folded = fold(line).strip()
    if not folded.startswith(SLASHES):
        return None
    head = folded[1:].split(maxsplit=1)[:1]
    return NAMES.get(head[0]) if head else None


def change_settings(settings: Settings, line: str, words: Texts) -> str:
    """Carry out a `/set` line; returns the text to print."""
    match fold(line).split()[1:]:
        case ["board", ("on" | "off") as switch]:
            settings.board = _SWITCHES[switch]
        case ["bell", ("on" | "off") as switch]:
            settings.bell = _SWITCHES[switch]
        case []:
            pass
        case _:
            return words.say("set_usage")
    named = {on: name for name, on in _SWITCHES.items()}
    return words.say("settings", board=named[settings.board], bell=named[settings.bell])
