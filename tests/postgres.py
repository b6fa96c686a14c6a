"""A private PostgreSQL for tests: created in a folder, reached over a socket in it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

MISSING: Final = "PostgreSQL is not here; on Debian: apt-get install postgresql"
IN_MEMORY: Final = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""A disk in memory, where there is one: every commit is synced, and there that costs nothing."""
_OWNER_ONLY: Final = 0o700
_USER: Final = "postgres"


def programs() -> Path | None:
    """The folder of PostgreSQL's programs: from the path, or where Debian puts them."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    results = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return results[-1].parent if results else None


@contextmanager
def private_postgres(folder: Path) -> Iterator[str]:
    """Make a database in an empty folder and serve it there; its URL, as long as this lasts."""
    bin_folder = programs()
    assert bin_folder is not None, MISSING
    data = folder / "data"
    folder.chmod(_OWNER_ONLY)
    as_user = _given_to_user(folder)
    subprocess.run(
        [bin_folder / "initdb", "-D", data, "-U", _USER, "-A", "trust", "-E", "UTF8", "--no-sync"],
        user=as_user,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    start_postgres(folder)
    try:
        yield f"postgresql://{_USER}@/postgres?host={folder}"
    finally:
        stop_postgres(folder)


def start_postgres(folder: Path) -> None:
    """Serve a database that was made in this folder; returns when it answers."""
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c max_connections=50"
    _control(folder, "-l", str(folder / "log"), "-o", options, "start")


def stop_postgres(folder: Path, mode: str = "immediate") -> None:
    """Serve it no more: `immediate` is as when its process is killed, `fast` breaks connections."""
    _control(folder, "-m", mode, "stop")


def postgres_pid(folder: Path) -> int | None:
    """The process that serves the database, None if there is none."""
    with suppress(OSError, ValueError):
        return int((folder / "data" / "postmaster.pid").read_text().split()[0])
    return None


def _control(folder: Path, *arguments: str) -> None:
    bin_folder = programs()
    assert bin_folder is not None, MISSING
    control = [str(bin_folder / "pg_ctl"), "-D", str(folder / "data"), "-w", "-s", *arguments]
    as_user = _USER if os.geteuid() == 0 else None
    subprocess.run(control, user=as_user, check=True, stdout=subprocess.DEVNULL)


def _given_to_user(folder: Path) -> str | None:
    """PostgreSQL will not run as root: then a folder is given to its own user."""
    if os.geteuid() != 0:
        return None
    shutil.chown(folder, _USER, _USER)
    # The server's user must be able to pass through to the folder.
    for above in folder.parents:
        if above.owner() == "root" and above.stat().st_mode & 0o001 == 0:
            above.chmod(above.stat().st_mode | 0o011)
    return _USER
