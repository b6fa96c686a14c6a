"""Which files are the project's? Those of the checkout without what tools and games leave there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("bluebear", "clients", "protocol", "rules", "server")

_LEFT_BY_TOOLS: Final = frozenset({"__pycache__", "build", "dist", "node_modules", "var"})
_HIDDEN_BUT_OURS: Final = frozenset({".ci", ".github", ".dockerignore", ".gitignore"})


def files(*suffixes: str, below: str = ".") -> list[Path]:
    """The project's files with one of the suffixes (all, if none is given), sorted."""
    return sorted(
        path for path in _walk(ROOT / below) if not suffixes or path.name.endswith(suffixes)
    )


def name(path: Path) -> str:
    """How a file is called in a report: its path from the root."""
    return path.relative_to(ROOT).as_posix()


def text(path: Path) -> str:
    """A text file; empty for what is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def _walk(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if _is_ours(each)]
        yield from (Path(here, each) for each in names if _is_ours(each))


def _is_ours(entry: str) -> bool:
    if entry in _LEFT_BY_TOOLS or entry.endswith((".egg-info", ".pyc", ".tsbuildinfo")):
        return False
    return not entry.startswith(".") or entry in _HIDDEN_BUT_OURS
