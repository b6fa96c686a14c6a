"""Runs `bluebear COMMAND ...`, by a table of commands and their modules.

A program's module is imported only when it runs, so a client does not load the server.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module, metadata, resources
from typing import Final, cast

USAGE_ERROR: Final = 2

PROGRAMS: Final[Mapping[str, str]] = {
    "play": "bluebear.clients.terminal.__main__",
    "serve": "bluebear.server.__main__",
    "chat": "bluebear.clients.terminal.__main__",
    "bots": "bluebear.clients.bots.__main__",
    "backup": "bluebear.server.ops.control",
    "restore": "bluebear.server.ops.control",
    "migrate": "bluebear.server.ops.transfer",
    "operator": "bluebear.server.ops.control",
    "forgotten": "bluebear.server.ops.control",
    "ratings": "bluebear.server.features.ratings.queries",
    "nodes": "bluebear.server.ops.node",
    "drain": "bluebear.server.ops.node",
    "replay": "bluebear.server.ops.records",
    "verify": "bluebear.server.ops.records",
    "analyse": "bluebear.clients.bots.analyse_cli",
}
"""Command -> the module whose `main(argv) -> int` runs it.

`argv` begins with the command, since a module may run several commands.
"""


def main(argv: Sequence[str]) -> int:
    """Run the program that `argv[0]` names with all of `argv`; return its exit code.

    For an unknown command print an error on stderr and return 2.
    """
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(_help())
        return 0
    if argv[0] in ("-V", "--version"):
        print(f"bluebear {metadata.version('bluebear')}")
        return 0
    if argv[0] not in PROGRAMS:
        print(_unknown(argv[0]), file=sys.stderr)
        return USAGE_ERROR
    # The only dynamic import of a program: the table above defines the type of `main`.
    program = cast("Callable[[Sequence[str]], int]", import_module(PROGRAMS[argv[0]]).main)
    return program(argv)


def run() -> None:
    """The console script: run `main` with the process's arguments, and exit with its code."""
    sys.exit(main(sys.argv[1:]))


def _phrases() -> Mapping[str, Mapping[str, str]]:
    text = resources.files("bluebear").joinpath("phrases.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _help() -> str:
    """The help in both languages, since the reader's language is not known yet."""
    phrases = _phrases()
    lines: list[str] = []
    for lang in ("en", "ja"):
        lines += [phrases["usage"][lang], "", f"{phrases['commands'][lang]}:"]
        lines += [f"  {command:<10} {phrases[command][lang]}" for command in PROGRAMS]
        lines += ["", phrases["more"][lang], ""]
    return "\n".join(lines).rstrip()


def _unknown(command: str) -> str:
    sentences = _phrases()["unknown"]
    names = {"command": command, "commands": ", ".join(PROGRAMS)}
    return "\n".join(sentences[lang].format(**names) for lang in ("en", "ja"))


if __name__ == "__main__":
    run()
