"""The data folder of a server: what lies in it, and who has it."""

from __future__ import annotations

import fcntl
from datetime import datetime
from pathlib import Path
from typing import IO, Final

JOURNAL: Final = "bluebear.sqlite"
"""The journal's file."""
BACKUPS: Final = "backups"
"""The folder of copies."""


def lock_folder(data: Path) -> IO[str] | None:
    """The lock on a data folder, held as long as the file is open; None if somebody has it."""
    file = (data / "lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def backup_name(now: datetime) -> str:
    """What a copy of that moment is called."""
    return f"bluebear-{now:%Y%m%d-%H%M%S}.sqlite"
