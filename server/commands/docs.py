"""Writes `docs/commands.md` from the table of commands and the sentences of the server."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from bluebear.rules.core.game_info import Option
from bluebear.rules.core.package_data import read_text
from bluebear.rules.core.phrases import LANGS
from bluebear.server.commands.command import PHASES, Command, Topic, phases_of
from bluebear.server.commands.native import usage
from bluebear.server.commands.scene import INSIDE, Role
from bluebear.server.features import COMMANDS
from bluebear.server.room.options import GENERAL
from bluebear.server.sentences import say

_PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "commands.md"


def page() -> str:
    """The page: all commands, their permissions, and the options of all rooms."""
    text = read_text("bluebear.server.commands", "guide.md")
    sections = {
        "commands": _table(("command", "", "names"), map(_command_row, COMMANDS.values())),
        "permissions": _table(
            ("command", "in the lobby", *(role.value for role in INSIDE), "token", ""),
            map(_permission_row, COMMANDS.values()),
        ),
        "options": _table(("option", "values", ""), map(_option_row, GENERAL.values())),
    }
    for blank, section in sections.items():
        text = text.replace("{{" + blank + "}}", section)
    return text


def _command_row(command: Command) -> tuple[str, ...]:
    usages = "<br>".join(f"`{usage(command, lang)}`" for lang in LANGS)
    helps = "<br>".join(say(command.phrase, lang) for lang in LANGS)
    names = " ".join(f"`/{name}`" for name in (*command.names, *command.short))
    return usages, helps, names


def _permission_row(command: Command) -> tuple[str, ...]:
    in_lobby = "yes" if (Role.STRANGER, None) in command.allowed else "-"
    marks = {
        "ask the host": command.host_rule,
        "whole word": command.needs_full_name,
        "operator": command.topic is Topic.OPERATOR,
    }
    notes = ", ".join(f"*{mark}*" for mark, holds in marks.items() if holds)
    scope = "-" if command.scope is None else command.scope.value
    inside = (_phases(command, role) for role in INSIDE)
    return f"`/{command.name}`", in_lobby, *inside, scope, notes


def _phases(command: Command, role: Role) -> str:
    phases = phases_of(command, frozenset((role,)), host_only=False)
    if len(phases) == len(PHASES):
        return "always"
    return ", ".join(phases) or "-"


def _option_row(option: Option) -> tuple[str, ...]:
    values = ", ".join(f"`{value}`" for value in option.values() or ("300+10", "off"))
    names = " ".join(f"`{name}`" for name in (option.name, *option.names))
    return names, values, "<br>".join(say(f"option.{option.name}", lang) for lang in LANGS)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    # A bar would end the cell; GitHub takes it back out of code, too.
    cells = (
        " | ".join(cell.replace("|", "\\|").replace("**", r"\*\*") for cell in line)
        for line in lines
    )
    return "\n".join(f"| {line} |" for line in cells)


def main(arguments: Sequence[str]) -> int:
    """Writes the page, or with --check says whether it is stale."""
    parser = argparse.ArgumentParser(prog="python -m bluebear.server.commands.docs")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 when stale")
    check = parser.parse_args(arguments).check
    if _PAGE.exists() and _PAGE.read_text(encoding="utf-8") == page():
        return 0
    if check:
        sys.stderr.write(f"stale: docs/{_PAGE.name}\n")
        return 1
    _PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
