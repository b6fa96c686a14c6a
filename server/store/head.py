"""Notices a journal that has lost its newest entries, by a file beside it with the last write.

A torn write-ahead log, or a copy without it, opens as an older journal that looks complete. So
after each commit the number and digest of the newest row are written to a small file, `NAME.head`,
without a sync: the file may be slightly older than the journal, never newer. A journal that is
older than its head has lost acknowledged entries.
"""

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MAGIC: Final = "bluebear-head-1"
_SIZE: Final = 128
"""The constant size of the file in bytes: a write needs no new block on a full disk."""


@dataclass(frozen=True, slots=True)
class Head:
    """The newest row of a log: its number, the digest of its bytes, the number of all entries, and
    the time of the newest entry (ms).
    """

    row: int
    digest: str
    entries: int
    at: int


@dataclass(frozen=True, slots=True)
class Behind:
    """An opened journal is older than its head.

    At least `entries` are missing (0: the newest entry differs); the newest was saved at `at` (ms).
    """

    entries: int
    at: int


def digest_of(body: bytes) -> str:
    """The digest of a row's bytes."""
    return hashlib.blake2b(body, digest_size=16).hexdigest()


def behind(newest: Head | None, written: Head | None) -> Behind | None:
    """Compare the newest row of a journal with the head file; None if nothing is missing."""
    if written is None:
        return None
    if newest is None:
        return Behind(written.entries, written.at)
    if newest.row < written.row:
        return Behind(max(0, written.entries - newest.entries), written.at)
    if newest.row == written.row and newest.digest != written.digest:
        return Behind(0, written.at)
    return None


class HeadFile:
    """The file beside a journal; owned by it. Raises OSError if it cannot be opened."""

    def __init__(self, journal: Path) -> None:
        self.path = head_path(journal)
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def read(self) -> Head | None:
        """The last write; None if the file is empty or damaged."""
        magic, *fields = os.pread(self._file, _SIZE, 0).decode("ascii", "replace").split() or [""]
        if len(fields) != 5 or magic != _MAGIC:
            return None
        *fields, check = fields
        if digest_of(" ".join(fields).encode()) != check:
            return None
        row, digest, entries, at = fields
        return Head(int(row), digest, int(entries), int(at))

    def write(self, head: Head) -> None:
        """Write the newest row. A failure leaves an older head, which notices fewer losses."""
        fields = f"{head.row} {head.digest} {head.entries} {head.at}"
        text = f"{_MAGIC} {fields} {digest_of(fields.encode())}\n"
        with suppress(OSError):
            os.pwrite(self._file, text.encode().ljust(_SIZE), 0)

    def close(self) -> None:
        """Sync and close the file."""
        with suppress(OSError):
            os.fsync(self._file)
        os.close(self._file)


def head_path(journal: Path) -> Path:
    """The path of a journal's head file."""
    return journal.with_name(f"{journal.name}.head")
