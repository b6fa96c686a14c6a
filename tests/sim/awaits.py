"""Where the server waits: every `await` that its tasks can stand on in a simulation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
_ELSEWHERE: Final = (
    "server/__main__.py",
    "server/bringing.py",
    "server/edge/transport.py",
    "server/edge/page.py",
    "server/engine/child.py",
    "server/journal/aside.py",
    "server/journal/memory.py",
    "server/journal/sqlite.py",
)
"""Real files, sockets and processes, and the simulated disk; `tests/crash` is for those."""


@cache
def awaits_of_server() -> frozenset[str]:
    """Every line of the server with an await, as `file:line`."""
    return frozenset(_found())


def _found() -> Iterator[str]:
    for path in sorted((_ROOT / "server").rglob("*.py")):
        name = str(path.relative_to(_ROOT))
        if name in _ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Await | ast.AsyncWith | ast.AsyncFor):
                yield f"{name}:{node.lineno}"
