"""`bluebear operator`: who may run a server, named on the server's own machine."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from rules.core.phrases import LANGS, Lang
from server.config import DEFAULT_DATA
from server.sentences import say
from server.watch.control import ask

FAILED: Final = 1
UNUSABLE: Final = 2


def main(argv: Sequence[str]) -> int:
    """Name an operator, take that back, or list them. `argv[0]` is the command word.

    Returns 0; 1 if the person will not do, 2 without a running server, with a sentence.
    """
    parser = argparse.ArgumentParser(prog=f"bluebear {argv[0]}")
    default = os.environ.get("BLUEBEAR_DATA", DEFAULT_DATA)
    parser.add_argument("name", nargs="?", default="", help="who; without it, who is one is listed")
    parser.add_argument("--remove", action="store_true", help="he is an operator no longer")
    parser.add_argument("--data", type=Path, default=Path(default))
    given = parser.parse_args(argv[1:])
    name = " ".join(given.name.split())
    sign = "-" if given.remove else "+"
    said = ask(given.data, f"operator {sign}{name}" if name else "operator")
    if said is None:
        return _tell(UNUSABLE, lambda lang: say("serve.operator_no_server", lang, path=given.data))
    if said.get("error") == "no_such_person":
        return _tell(FAILED, lambda lang: say("serve.operator_unknown", lang, name=name))
    if said.get("error") == "register_first":
        return _tell(FAILED, lambda lang: say("serve.operator_guest", lang, name=name))
    if "error" in said:
        return _tell(FAILED, lambda lang: say("serve.operator_failed", lang, name=name))
    found = said["operators"]
    names = ", ".join(map(str, found)) if isinstance(found, list) else ""
    if not names:
        return _tell(0, lambda lang: say("serve.operators_none", lang))
    return _tell(0, lambda lang: say("serve.operators", lang, names=names))


def _tell(code: int, sentence: Callable[[Lang], str]) -> int:
    for lang in LANGS:
        print(sentence(lang), file=sys.stderr if code else sys.stdout)
    return code
