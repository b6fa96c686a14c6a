"""`bluebear operator`, `bluebear forgotten`: what is said of people on the server's own machine."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bluebear.rules.core.phrases import LANGS
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
        return _tell(FAILED, "serve.operator_unknown", name=name)
    if error == "register_first":
        return _tell(FAILED, "serve.operator_guest", name=name)
    if error is not None:
        return _tell(FAILED, "serve.operator_failed", name=name)
    found = said["operators"]
    names = ", ".join(map(str, found)) if isinstance(found, list) else ""
    if not names:
        return _tell(0, "serve.operators_none")
    return _tell(0, "serve.operators", names=names)


def _forgotten(data: Path, name: str) -> int:
    said = ask(data, f"forgotten {name}")
    if said is None:
        return _no_server(data)
    error, minutes = said.get("error"), said.get("minutes")
    if error == "no_such_person":
        return _tell(FAILED, "serve.forgotten_unknown", name=name)
    if error == "register_first":
        return _tell(FAILED, "serve.forgotten_guest", name=name)
    if error is not None:
        return _tell(FAILED, "serve.operator_failed", name=name)
    return _tell(0, "serve.forgotten", name=name, minutes=minutes)


def _no_server(data: Path) -> int:
    return _tell(UNUSABLE, "serve.operator_no_server", path=data)


def _tell(code: int, key: str, **params: object) -> int:
    for lang in LANGS:
        print(say(key, lang, None, **params), file=sys.stderr if code else sys.stdout)
    return code
