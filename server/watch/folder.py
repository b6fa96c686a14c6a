"""The data folder of a server: what lies in it, and who has it."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO, Final

JOURNAL: Final = "bluebear.sqlite"
"""The journal's file."""


def lock_folder(data: Path) -> IO[str] | None:
    """The lock on a data folder, held as long as the file is open; None if somebody has it."""
    file = (data / "lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file
