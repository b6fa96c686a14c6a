"""`bluebear backup` and `bluebear restore`: a copy of the journal, and its way back."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bluebear.server.config import DEFAULT_DATA
from bluebear.server.ops.control import ask
from bluebear.server.sentences import FAILED, UNUSABLE, print_sentence
from bluebear.server.store import JournalError, NotOpened
from bluebear.server.store.backup import (
    BACKUPS,
    JOURNAL,
    backup_name,
    copy_file,
    lock_folder,
    restore,
)


def main(argv: Sequence[str]) -> int:
    """Copy the journal of a data folder, or put a copy back. `argv[0]` is the command word.

    Returns 0; 1 if it went wrong, 2 for a file or folder that does not do, with a sentence.
    """
    parser = argparse.ArgumentParser(prog=f"bluebear {argv[0]}")
    default = os.environ.get("BLUEBEAR_DATA", DEFAULT_DATA)
    if argv[0] == "restore":
        parser.add_argument("file", type=Path, help="a copy that `bluebear backup` has made")
    else:
        parser.add_argument("--to", type=Path, help=f"the file to write; else one in {BACKUPS}/")
    parser.add_argument("--data", type=Path, default=Path(default))
    given = parser.parse_args(argv[1:])
    now = datetime.now(UTC)
    if argv[0] == "restore":
        return _restore(given.data, given.file, now)
    return _back_up(
        given.data,
        (given.to or given.data / BACKUPS / backup_name(int(now.timestamp() * 1000))).absolute(),
    )


def _back_up(data: Path, target: Path) -> int:
    """By the server that runs there, or, if none does, from the file."""
    reply = ask(data, f"backup {target}")
    if reply is None:
        return _back_up_file(data, target)
    if "error" in reply:
        print(reply["error"], file=sys.stderr)
        return print_sentence(FAILED, "backup.failed", path=str(target))
    return print_sentence(
        0, "backup.done", path=str(reply["path"]), size=_mebibytes(reply["bytes"])
    )


def _back_up_file(data: Path, target: Path) -> int:
    lock = lock_folder(data) if data.is_dir() else None
    if lock is None:
        key = "serve.in_use" if data.is_dir() else "backup.no_journal"
        return print_sentence(UNUSABLE, key, path=str(data))
    with lock:
        try:
            copied = copy_file(data / JOURNAL, target)
        except NotOpened as problem:
            return _not_opened(problem, data)
        except JournalError as problem:
            print(problem, file=sys.stderr)
            return print_sentence(FAILED, "backup.failed", path=str(target))
    return print_sentence(0, "backup.done", path=str(copied.path), size=_mebibytes(copied.bytes))


def _restore(data: Path, file: Path, now: datetime) -> int:
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = lock_folder(data)
    if lock is None:
        return print_sentence(UNUSABLE, "serve.in_use", path=str(data))
    with lock:
        try:
            old = restore(file, data / JOURNAL, data / f"replaced-{now:%Y%m%d-%H%M%S}")
        except NotOpened as problem:
            return _not_opened(problem, file)
        except JournalError as problem:
            print(problem, file=sys.stderr)
            return print_sentence(FAILED, "backup.not_restored", path=str(file))
    if old is None:
        return print_sentence(0, "backup.restored", path=str(file), data=str(data))
    return print_sentence(0, "backup.replaced", path=str(file), data=str(data), old=str(old))


def _not_opened(problem: NotOpened, path: Path) -> int:
    print(problem, file=sys.stderr)
    key = "backup.no_journal" if problem.code == "no_journal" else f"serve.{problem.code}"
    return print_sentence(UNUSABLE, key, path=str(path))


def _mebibytes(size: object) -> str:
    return f"{int(str(size)) / 2**20:.1f}"
