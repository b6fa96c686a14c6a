"""The commands that the client handles itself: /quit, /clear, /set."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from bluebear.clients.phrases import Texts
from bluebear.clients.terminal.chat import Settings
from bluebear.clients.terminal.secret_lines import SLASHES, fold


class ClientCommand(Enum):
    """A command of the client."""

    QUIT = "quit"
    CLEAR = "clear"
    SET = "set"


NAMES: Final[Mapping[str, ClientCommand]] = {
    "quit": ClientCommand.QUIT,
    "終了": ClientCommand.QUIT,
    "clear": ClientCommand.CLEAR,
    "画面消去": ClientCommand.CLEAR,
    "set": ClientCommand.SET,
    "端末": ClientCommand.SET,
}

_SWITCHES: Final = {"on": True, "off": False}


def client_command(line: str) -> ClientCommand | None:
    """The client command that a line is; None if it is for the server. No abbreviations."""
    folded = fold(line).strip()
    if not folded.startswith(SLASHES):
        return None
    head = folded[1:].split(maxsplit=1)[:1]
    return NAMES.get(head[0]) if head else None


def change_settings(settings: Settings, line: str, texts: Texts) -> str:
    """Carry out a `/set` line; returns the text to print."""
    match fold(line).split()[1:]:
        case ["board", ("on" | "off") as switch]:
            settings.board = _SWITCHES[switch]
        case ["bell", ("on" | "off") as switch]:
            settings.bell = _SWITCHES[switch]
        case []:
            pass
        case _:
            return texts.say("set_usage")
    named = {on: name for name, on in _SWITCHES.items()}
    return texts.say("settings", board=named[settings.board], bell=named[settings.bell])
