"""Saves records and minutes as files in the working directory of the person who requested them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ENDINGS: Final = {"record": "record", "minutes": "txt"}
"""Codes of the notes that are saved as files, and the suffixes of the files."""

_GAME_ID: Final = re.compile(r"\bg[0-9a-f]{15}\b")
_TRIES: Final = 100
"""Maximum number of files of one game, for its successive states."""


def save_download(folder: Path, code: str, text: str) -> Path | None:
    """Save a note in a new file; returns None for a note of another kind.

    Never overwrites a file with different contents. Raises OSError.
    """
    match = _GAME_ID.search(text) if code in ENDINGS else None
    if match is None:
        return None
    body = text if text.endswith("\n") else f"{text}\n"
    for number in range(1, _TRIES):
        again = f"-{number}" if number > 1 else ""
        path = folder / f"{match[0]}{again}.{ENDINGS[code]}"
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(body)
        except FileExistsError:
            if path.read_text(encoding="utf-8", errors="replace") != body:
                continue
        return path
    raise FileExistsError(str(folder))
