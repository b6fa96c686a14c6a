"""What does `bluebear WORD ...` run? One table, looked up once.

Programs are imported only when they are called: a client does not load the server.
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
    "backup": "bluebear.server.backup_cli",
    "restore": "bluebear.server.backup_cli",
    "migrate": "bluebear.server.migrate_cli",
    "operator": "bluebear.server.operator_cli",
    "forgotten": "bluebear.server.operator_cli",
    "ratings": "bluebear.server.ratings_cli",
    "nodes": "bluebear.server.nodes_cli",
    "drain": "bluebear.server.nodes_cli",
    "replay": "bluebear.server.records_cli",
    "verify": "bluebear.server.records_cli",
    "analyse": "bluebear.clients.bots.analyse_cli",
}
"""Command word -> the module whose `main(argv) -> int` runs it.

`argv` begins with the command word, since one module may stand behind two words.
"""


def main(argv: Sequence[str]) -> int:
    """Run the program that `argv[0]` names with all of `argv`; return its exit code.

    An unknown word is answered on stderr with exit code 2.
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
    # The one dynamic import of the house: the contract of the table above is its type.
    program = cast("Callable[[Sequence[str]], int]", import_module(PROGRAMS[argv[0]]).main)
    return program(argv)


def run() -> None:
    """Be the console script: take the words of the process, leave with the program's code."""
    sys.exit(main(sys.argv[1:]))


def _phrases() -> Mapping[str, Mapping[str, str]]:
    text = resources.files("bluebear").joinpath("phrases.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _help() -> str:
    """Both languages, always: who reads this has not said yet which is theirs."""
    phrases = _phrases()
    lines: list[str] = []
    for lang in ("en", "ja"):
        lines += [phrases["usage"][lang], "", f"{phrases['commands'][lang]}:"]
        lines += [f"  {word:<10} {phrases[word][lang]}" for word in PROGRAMS]
        lines += ["", phrases["more"][lang], ""]
    return "\n".join(lines).rstrip()


def _unknown(word: str) -> str:
    sentences = _phrases()["unknown"]
    known = ", ".join(PROGRAMS)
    return "\n".join(sentences[lang].format(command=word, commands=known) for lang in ("en", "ja"))


if __name__ == "__main__":
    run()
