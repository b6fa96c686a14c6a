"""Keeps what a release writes: the journal `accounts` of the newest set, in both databases.

    python -m tests.journals.keep_databases 0.1.0

`databases/0.1.0.sqlite.gz` is a file, `databases/0.1.0.sql.gz` a dump of PostgreSQL. They are made
once for each version of the tables and never again: the tests of the upgrade open them.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from bluebear.server.ops.transfer import Moved, move
from bluebear.server.store import Outgoing, SqliteStore, outbox
from bluebear.server.store.postgres import PostgresStore
from tests.journals import reader
from tests.journals.test_journals import HERE, SETS
from tests.postgres import MISSING, private_postgres, programs

DATABASES: Final = HERE / "databases"
JOURNAL: Final = "accounts"


async def _keep(version: str, folder: Path, url: str) -> None:
    path = await reader.unpacked(SETS[-1] / f"{JOURNAL}.jsonl.gz", folder)
    source, target = SqliteStore(path), PostgresStore(url)
    await source.write(outbox.put, [Outgoing("o-1", 1, b"to be sent")])
    await move(source, target, Moved())
    await source.close()
    await target.close()
    _write(f"{version}.sqlite.gz", path.read_bytes())
    _write(f"{version}.sql.gz", _dump(url).encode())


def _dump(url: str) -> str:
    bin_folder = programs()
    assert bin_folder is not None, MISSING
    command = [str(bin_folder / "pg_dump"), "--inserts", "--no-owner", "--schema=bluebear", url]
    dump = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    # Lines for psql alone, which newer programs write.
    return "\n".join(line for line in dump.splitlines() if not line.startswith("\\"))


def read_version(text: str) -> str:
    """A version such as `0.1.0`. Raises ArgumentTypeError for anything else."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", text):
        raise argparse.ArgumentTypeError(f"{text} is no version such as 0.1.0")
    return text


def _write(name: str, content: bytes) -> None:
    with (DATABASES / name).open("xb") as file:
        file.write(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, prog="tests.journals.keep_databases")
    parser.add_argument("version", type=read_version, help="the version of the release")
    given = parser.parse_args()
    DATABASES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as made,
        tempfile.TemporaryDirectory(prefix="bluebear-pg-") as data,
        private_postgres(Path(data)) as database,
    ):
        asyncio.run(_keep(given.version, Path(made), database))
