"""A copy of the server beside the rest of the repository, for tests that add or delete a module."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def copy_server(folder: Path) -> Path:
    """Make a copy in an empty folder; returns its `server`."""
    package = folder / "bluebear"
    package.mkdir()
    for each in (ROOT / "bluebear").iterdir():
        if each.name != "server":
            (package / each.name).symlink_to(each.resolve())
    for name in ("tests", "rules", "examples", "pyproject.toml", "docs"):
        (folder / name).symlink_to(ROOT / name)
    server = package / "server"
    # With what was compiled: it fits while its source is as old and as long as it was.
    shutil.copytree(ROOT / "server", server, ignore=shutil.ignore_patterns("static"))
    return server


def run(folder: Path, *arguments: str) -> None:
    """Run Python on the copy."""
    result = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
