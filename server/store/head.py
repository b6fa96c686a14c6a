"""What was last written, kept beside the journal: an older file under its name is noticed.

A torn write-ahead log, or a copy without it, opens as an older journal that looks whole. So after
each commit the number and digest of its row in the log go into a small file, `NAME.head`, without
a sync of their own: what was synced there is at most a little behind the journal, never ahead of
it. A journal that is behind its head has lost something that was answered.
"""

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MAGIC: Final = "bluebear-head-1"
_SIZE: Final = 128
"""Bytes of the file, always: writing to it needs no new place on a full disk."""


@dataclass(frozen=True, slots=True)
class Head:
    """The newest row of a log: its number, the digest of its bytes, how many entries there were
    ever, and the time of the newest one in milliseconds.
    """

    row: int
    digest: str
    entries: int
    at: int


@dataclass(frozen=True, slots=True)
class Behind:
    """An opened journal is not the one that was last written.

    `entries` are missing at least (0: as many, but others), the newest of which was saved at `at`
    (milliseconds).
    """

    entries: int
    at: int


def digest_of(body: bytes) -> str:
    """The digest of a row's bytes."""
    return hashlib.blake2b(body, digest_size=16).hexdigest()


def behind(found: Head | None, kept: Head | None) -> Behind | None:
    """Whether the newest row that was found is older than the one that was kept."""
    if kept is None:
        return None
    if found is None:
        return Behind(kept.entries, kept.at)
    if found.row < kept.row:
        return Behind(max(0, kept.entries - found.entries), kept.at)
    if found.row == kept.row and found.digest != kept.digest:
        return Behind(0, kept.at)
    return None


class HeadFile:
    """The file beside a journal; owned by it. Raises OSError if it cannot be opened."""

    def __init__(self, journal: Path) -> None:
        self.path = head_path(journal)
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def read(self) -> Head | None:
        """What was last written; None if nothing, or nothing whole."""
        words = os.pread(self._file, _SIZE, 0).decode("ascii", "replace").split()
        if len(words) != 6 or words[0] != _MAGIC:
            return None
        *fields, check = words[1:]
        if digest_of(" ".join(fields).encode()) != check:
            return None
        row, digest, entries, at = fields
        return Head(int(row), digest, int(entries), int(at))

    def write(self, head: Head) -> None:
        """Note the newest row. Where that fails the head stays behind, which only sees less."""
        fields = f"{head.row} {head.digest} {head.entries} {head.at}"
        text = f"{_MAGIC} {fields} {digest_of(fields.encode())}\n"
        with suppress(OSError):
            os.pwrite(self._file, text.encode().ljust(_SIZE), 0)

    def close(self) -> None:
        """Let go of the file, synced."""
        with suppress(OSError):
            os.fsync(self._file)
        os.close(self._file)


def head_path(journal: Path) -> Path:
    """Where the head of a journal lies."""
    return journal.with_name(f"{journal.name}.head")
