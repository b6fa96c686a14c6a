"""Copies of a journal: of one that is being written to, and of one that is closed.

SQLite's own backup runs page by page beside the commits, which go on; what is committed meanwhile
goes into the copy as well. So a copy is the journal of one moment: every room's history up to an
entry, whole. It is one file, checked before it gets its name.
"""

import fcntl
import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

from bluebear.server.store.types import JournalError, NotOpened
from bluebear.server.store.upgrade import file_version

JOURNAL: Final = "bluebear.sqlite"
"""The journal's file."""

PAGES_AT_ONCE: Final = 128
"""Pages (512 KiB) between two commits' turns: about a millisecond in which nothing else is done."""
PAUSE_SECONDS: Final = 0.005
"""Between two such turns, so that the others have most of the time."""

COPY_SUFFIX: Final = ".part"
"""What a copy is called until it is whole."""

HEAD_SUFFIX: Final = ".head"
"""What the file is called that tells of a journal's newest row."""

JOURNAL_FILES: Final = ("", "-wal", "-shm", "-journal", HEAD_SUFFIX)
"""The endings of the files that are one journal."""


def lock_folder(data: Path) -> IO[str]:
    """The lock on a data folder, held while the file is open.

    Raises NotOpened: no_journal, in_use; OSError where the folder allows no lock.
    """
    if not data.is_dir():
        raise NotOpened("no_journal", str(data))
    file = (data / "lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if not isinstance(error, BlockingIOError):
            raise
        raise NotOpened("in_use", str(data)) from error
    return file


def copy_path(data: Path, at: int) -> Path:
    """The path of a copy that an operator requests at a time (ms)."""
    made = datetime.fromtimestamp(at // 1000, UTC)
    return data / "backups" / f"bluebear-{made:%Y%m%d-%H%M%S}.sqlite"


def copy_pages(source: sqlite3.Connection, target: Path) -> int:
    """Copy a journal through its connection, which other calls may use meanwhile; returns its size.

    Blocks: call it in a thread. The complete copy replaces an older one of that name. Raises
    JournalError.
    """
    partial = target.with_name(f"{target.name}{COPY_SUFFIX}")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        partial.touch(mode=0o600)
        with closing(sqlite3.connect(partial, isolation_level=None)) as copy:
            # Synced once, at the end: syncs by SQLite would hold the source's lock.
            copy.execute("PRAGMA synchronous = OFF")
            copy.execute("PRAGMA journal_mode = OFF")
            source.backup(copy, pages=PAGES_AT_ONCE, sleep=PAUSE_SECONDS)
        _check(partial)
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
        partial.replace(target)
        _sync_folder(target.parent)
    except (sqlite3.Error, OSError) as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise JournalError(f"{target}: {error}") from error
    return target.stat().st_size


def copy_file(journal: Path, target: Path) -> int:
    """Copy a journal that no server has open; its size. Raises NotOpened and JournalError."""
    if not journal.is_file():
        raise NotOpened("no_journal", str(journal))
    try:
        with closing(sqlite3.connect(journal, timeout=0, isolation_level=None)) as source:
            source.execute("PRAGMA locking_mode = exclusive")
            source.execute("BEGIN IMMEDIATE")
            source.execute("COMMIT")
            return copy_pages(source, target)
    except sqlite3.OperationalError as error:
        raise NotOpened("journal_in_use", f"{journal}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise NotOpened("journal_foreign", f"{journal}: {error}") from error


def restore(copy: Path, journal: Path, replaced: Path) -> Path | None:
    """Replace a closed journal by a copy.

    The previous files move into the new folder `replaced`, which is returned; None if there were
    none. Raises NotOpened if `copy` is no copy, JournalError if it cannot be written.
    """
    _refuse_foreign(copy)
    fresh = journal.with_name(f"{journal.name}{COPY_SUFFIX}")
    try:
        journal.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        copy_file(copy, fresh)
        files = (journal.with_name(f"{journal.name}{end}") for end in JOURNAL_FILES)
        old = [file for file in files if file.exists()]
        if old:
            replaced.mkdir(mode=0o700)
        for file in old:
            file.replace(replaced / file.name)
        fresh.replace(journal)
        _sync_folder(journal.parent)
    except OSError as error:
        raise JournalError(f"{journal}: {error}") from error
    return replaced if old else None


def _refuse_foreign(copy: Path) -> None:
    try:
        # Read only: to look at a copy changes nothing of it.
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            if not file_version(opened, str(copy)):
                raise NotOpened("journal_foreign", f"{copy}: nothing is in it")
    except sqlite3.Error as error:
        code = "no_journal" if not copy.exists() else "journal_foreign"
        raise NotOpened(code, f"{copy}: {error}") from error


def _check(path: Path) -> None:
    """Raise sqlite3.DatabaseError for a damaged copy; leaves it as a single file."""
    with closing(sqlite3.connect(path, isolation_level=None)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")
        (report,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if report != "ok":
        raise sqlite3.DatabaseError(f"the copy is not whole: {report}")


def _sync_folder(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
