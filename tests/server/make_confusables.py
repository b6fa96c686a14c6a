"""`python -m tests.server.make_confusables`: write what looks alike, by Unicode's confusables.

`confusable_homoglyphs` has the pairs of Unicode's `confusables.txt` in both directions, and answers
whether a text has any; it makes no skeleton (UTS 39, section 4). All that a skeleton needs is in
the pairs: every source has one target, so whatever has more than one neighbour is the target of
them all. What is written is kept beside the code that reads it, not looked up at run time: keys of
names are stored, so they may not change because a library did.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import metadata, resources
from pathlib import Path
from typing import Final

LIBRARY: Final = "confusable-homoglyphs"
FILE: Final = Path(__file__).parents[2] / "server" / "people" / "confusables.txt"
_HEAD: Final = """\
# What looks like what: a sign or signs, and the single signs that look like them, in hexadecimal.
# Made by tests/server/make_confusables.py of {library} {version} (MIT license), whose data are
# Unicode's confusables.txt (Unicode Technical Standard 39); see NOTICE. Not to be edited.
"""
_LEFT_TO_RIGHT: Final = "\u200e"
"""Stands around signs of right-to-left scripts in the library's data, for readers of the file."""


def prototypes(data: Mapping[str, list[Mapping[str, str]]]) -> dict[str, list[str]]:
    """By each sign (or signs) that others look like, these others, in order of their numbers."""
    around: dict[str, set[str]] = {}
    for sign, similar in data.items():
        for like in similar:
            here, there = _bare(sign), _bare(like["c"])
            around.setdefault(here, set()).add(there)
            around.setdefault(there, set()).add(here)
    order = {sign: number for number, sign in enumerate(around)}
    made: dict[str, list[str]] = {}
    for one, rest in around.items():
        for other in rest:
            # Of a pair without others the target is what is longer than one sign, or came later.
            rank, other_rank = (
                (len(around[each]), len(each), order[each]) for each in (one, other)
            )
            if rank > other_rank:
                made.setdefault(one, []).append(other)
    return {target: sorted(made[target]) for target in sorted(made)}


def _bare(sign: str) -> str:
    return sign.strip(_LEFT_TO_RIGHT) or sign


def library() -> Mapping[str, list[Mapping[str, str]]]:
    """The library's data: by sign what looks like it, in both directions."""
    file = resources.files("confusable_homoglyphs").joinpath("confusables.json")
    data: Mapping[str, list[Mapping[str, str]]] = json.loads(file.read_text("utf-8"))
    return data


def table() -> str:
    """The file, as today's library gives it."""
    lines = [
        f"{_numbers(target)} < {' '.join(map(_numbers, sources))}\n"
        for target, sources in prototypes(library()).items()
    ]
    head = _HEAD.format(library=LIBRARY, version=metadata.version(LIBRARY))
    return head + "".join(lines)


def _numbers(signs: str) -> str:
    return "+".join(f"{ord(sign):X}" for sign in signs)


if __name__ == "__main__":
    FILE.write_text(table(), encoding="utf-8")
