"""A private PostgreSQL to measure by, and how long its processes have worked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.postgres import private_postgres

_TICKS = os.sysconf("SC_CLK_TCK")


class Database:
    """A database on the disk that is measured."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self._main = int((folder / "data" / "postmaster.pid").read_text().split()[0])

    def cpu_seconds(self) -> float:
        """How long its processes that live have worked: each connection has one of its own."""
        return sum(
            ticks for parent, pid, ticks in _processes() if self._main in (parent, pid)
        ) / float(_TICKS)


@contextmanager
def database(parent: Path | None) -> Iterator[Database]:
    """One that is gone afterwards, in a folder below `parent`."""
    with TemporaryDirectory(prefix="bluebear-pg-", dir=parent) as name:
        folder = Path(name)
        with private_postgres(folder) as url:
            yield Database(url, folder)


def _processes() -> Iterator[tuple[int, int, int]]:
    """Of each process its parent, its number, and its ticks of processor time."""
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        yield int(fields[1]), int(folder.name), int(fields[11]) + int(fields[12])
