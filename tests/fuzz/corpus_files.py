"""The kept inputs of a target: one a line, as Python writes bytes, with `#` for a reason.

What once broke something stands under `# found`; the rest is what coverage led to. Adding one
needs no code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "corpus"
STORED_MAX: Final = 160
"""Inputs that coverage may add to one file: the suite runs all of them."""


def path_of(name: str) -> Path:
    """Where the inputs of a target are kept."""
    return FOLDER / f"{name}.txt"


def stored(name: str) -> list[bytes]:
    """The kept inputs of a target, in the file's order. ValueError for a line that is none."""
    path = path_of(name)
    if not path.exists():
        return []
    made: list[bytes] = []
    for line in path.read_text(encoding="ascii").splitlines():
        if not line or line.startswith("#"):
            continue
        value = ast.literal_eval(line)
        if not isinstance(value, bytes):
            raise ValueError(f"{path}: no bytes: {line}")
        made.append(value)
    return made


def add(name: str, inputs: Iterable[bytes]) -> int:
    """Write further inputs at the end of a target's file; how many were new."""
    cached = set(stored(name))
    fresh = [each for each in dict.fromkeys(inputs) if each not in cached]
    if fresh:
        FOLDER.mkdir(exist_ok=True)
        with path_of(name).open("a", encoding="ascii") as file:
            file.writelines(f"{each!r}\n" for each in fresh)
    return len(fresh)
