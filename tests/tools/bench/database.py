"""A private PostgreSQL to measure by, and how long its processes have worked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.postgres import private_postgres
from tests.tools.bench.system_stats import family_seconds


class Database:
    """A database on the disk that is measured; `pid` is the parent of all its processes."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.pid = int((folder / "data" / "postmaster.pid").read_text().split()[0])

    def cpu_seconds(self) -> float:
        """How long its processes that live have worked: each connection has one of its own."""
        return family_seconds(self.pid)


@contextmanager
def database(parent: Path | None) -> Iterator[Database]:
    """One that is gone afterwards, in a folder below `parent`."""
    with TemporaryDirectory(prefix="bluebear-pg-", dir=parent) as name:
        folder = Path(name)
        with private_postgres(folder) as url:
            yield Database(url, folder)
