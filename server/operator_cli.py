"""`bluebear operator`, `bluebear forgotten`: what is said of people on the server's own machine."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.server.config import DEFAULT_DATA
from bluebear.server.sentences import say
from bluebear.server.watch.control import ask

FAILED: Final = 1
UNUSABLE: Final = 2


def main(argv: Sequence[str]) -> int:
    """Name an operator, take that back, or list them; or let somebody set another password.

    `argv[0]` is the command word. Returns 0; 1 if the person will not do, 2 without a running
    server, with a sentence.
    """
    parser = argparse.ArgumentParser(prog=f"bluebear {argv[0]}")
    forgotten = argv[0] == "forgotten"
    default = os.environ.get("BLUEBEAR_DATA", DEFAULT_DATA)
    parser.add_argument("--data", type=Path, default=Path(default))
    if forgotten:
        parser.add_argument("name", help="who has forgotten his password, and may set another")
    else:
        whom = "who; without it, who is one is listed"
        parser.add_argument("name", nargs="?", default="", help=whom)
        parser.add_argument("--remove", action="store_true", help="he is an operator no longer")
    given = parser.parse_args(argv[1:])
    name = " ".join(given.name.split())
    if forgotten:
        return _forgotten(given.data, name)
    return _operator(given.data, name, "-" if given.remove else "+")


def _operator(data: Path, name: str, sign: str) -> int:
    said = ask(data, f"operator {sign}{name}" if name else "operator")
    if said is None:
        return _no_server(data)
    error = said.get("error")
    if error == "no_such_person":
        return _tell(FAILED, lambda lang: say("serve.operator_unknown", lang, name=name))
    if error == "register_first":
        return _tell(FAILED, lambda lang: say("serve.operator_guest", lang, name=name))
    if error is not None:
        return _tell(FAILED, lambda lang: say("serve.operator_failed", lang, name=name))
    found = said["operators"]
    names = ", ".join(map(str, found)) if isinstance(found, list) else ""
    if not names:
        return _tell(0, lambda lang: say("serve.operators_none", lang))
    return _tell(0, lambda lang: say("serve.operators", lang, names=names))


def _forgotten(data: Path, name: str) -> int:
    said = ask(data, f"forgotten {name}")
    if said is None:
        return _no_server(data)
    error, minutes = said.get("error"), said.get("minutes")
    if error == "no_such_person":
        return _tell(FAILED, lambda lang: say("serve.forgotten_unknown", lang, name=name))
    if error == "register_first":
        return _tell(FAILED, lambda lang: say("serve.forgotten_guest", lang, name=name))
    if error is not None:
        return _tell(FAILED, lambda lang: say("serve.operator_failed", lang, name=name))
    return _tell(0, lambda lang: say("serve.forgotten", lang, name=name, minutes=minutes))


def _no_server(data: Path) -> int:
    return _tell(UNUSABLE, lambda lang: say("serve.operator_no_server", lang, path=data))


def _tell(code: int, sentence: Callable[[Lang], str]) -> int:
    for lang in LANGS:
        print(sentence(lang), file=sys.stderr if code else sys.stdout)
    return code
