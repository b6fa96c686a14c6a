"""Runs `bluebear COMMAND ...`, by a table of commands and their modules.

A program's module is imported only when it runs, so a client does not load the server.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module, metadata, resources
from typing import Final, cast

USAGE_ERROR: Final = 2
LANGS: Final = ("en", "ja")

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
    """Run the program that `argv[0]` names with all of `argv`; its exit code, 2 for no program."""
    if not argv or argv[0] in ("-h", "--help", "help"):
        _print_help()
        return 0
    if argv[0] in ("-V", "--version"):
        print(f"bluebear {metadata.version('bluebear')}")
        return 0
    if argv[0] not in PROGRAMS:
        names = {"command": argv[0], "commands": ", ".join(PROGRAMS)}
        for lang in LANGS:
            print(_phrases()["unknown"][lang].format(**names), file=sys.stderr)
        return USAGE_ERROR
    # The only dynamic import of a program: the table above defines the type of `main`.
    program = cast("Callable[[Sequence[str]], int]", import_module(PROGRAMS[argv[0]]).main)
    return program(argv)


def run() -> None:
    """The console script: run `main` with the process's arguments, and exit with its code."""
    code = 0
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough (`| head`); nothing more can be written, also not at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _phrases() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(resources.files("bluebear").joinpath("phrases.toml").read_text("utf-8"))


def _print_help() -> None:
    """The help in both languages, since the reader's language is not known yet."""
    for lang in LANGS:
        texts = {key: each[lang] for key, each in _phrases().items()}
        commands = [f"  {command:<10} {texts[command]}" for command in PROGRAMS]
        print(texts["usage"], "", f"{texts['commands']}:", *commands, "", sep="\n")
        print(texts["more"], "", sep="\n")


if __name__ == "__main__":
    run()
