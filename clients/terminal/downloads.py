"""Records and minutes as files, where the person who asked for them works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ENDINGS: Final = {"record": "record", "minutes": "txt"}
"""The notes that are kept as files, and how their names end."""

_GAME_ID: Final = re.compile(r"\bg[0-9a-f]{15}\b")
_TRIES: Final = 100
"""Files of one game, as it went on."""


def keep_paper(folder: Path, code: str, text: str) -> Path | None:
    """Write a note into a file of its own; None for a note that is none to keep.

    A file that says something else is never overwritten. Raises OSError.
    """
    found = _GAME_ID.search(text) if code in ENDINGS else None
    if found is None:
        return None
    body = text if text.endswith("\n") else f"{text}\n"
    for number in range(1, _TRIES):
        again = f"-{number}" if number > 1 else ""
        path = folder / f"{found[0]}{again}.{ENDINGS[code]}"
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(body)
        except FileExistsError:
            if path.read_text(encoding="utf-8", errors="replace") != body:
                continue
        return path
    raise FileExistsError(str(folder))
