"""What a text looks like, by Unicode's confusables (UTS 39, section 4).

The data are in `confusables.txt` beside this file: single signs, and what they look like.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from importlib import resources
from typing import Final


def skeleton(text: str) -> str:
    """What is equal for two texts that look alike, letter by letter and in their own case; NFD."""
    shape = unicodedata.normalize("NFD", text).translate(_PROTOTYPES)
    return unicodedata.normalize("NFD", shape)


def _read() -> Mapping[int, str]:
    table: dict[int, str] = {}
    read = resources.files("bluebear.server.people").joinpath("confusables.txt").read_text("ascii")
    for line in read.splitlines():
        if not line.startswith("#"):
            target, _, sources = line.partition(" < ")
            shape = "".join(chr(int(number, 16)) for number in target.split("+"))
            table.update(dict.fromkeys((int(each, 16) for each in sources.split()), shape))
    return table


_PROTOTYPES: Final = _read()
