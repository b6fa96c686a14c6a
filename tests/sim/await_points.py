"""Where the server waits: every `await` that its tasks can stand on in a simulation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
_OTHER_MODULES: Final = (
    # Real files, sockets, threads and processes, and the disk: `tests/crash` is for those.
    "server/__main__.py",
    "server/lookups.py",
    "server/net/http.py",
    "server/rooms/house_bots.py",
    "server/net/http_client.py",
    "server/store/__init__.py",
    "server/store/leases.py",
    "server/store/postgres.py",
    "server/store/sqlite.py",
    "server/store/store.py",
    # Commands on a stopped server, or at its door.
    "server/ops/transfer.py",
    "server/ops/control.py",
    "server/features/ratings/queries.py",
    # What there is only with several processes: `test_cluster.py` and `tests/cluster`.
    "server/cluster/",
    "server/ops/node.py",
    "server/ops/supervisor.py",
)
"""What a squall has not, by the reason; a name that ends with a stroke is a folder."""


@cache
def awaits_of_server() -> frozenset[str]:
    """Every line of the server with an await, as `file:line`."""
    return frozenset(_points())


def _points() -> Iterator[str]:
    for path in sorted((_ROOT / "server").rglob("*.py")):
        name = str(path.relative_to(_ROOT))
        if name.startswith(_OTHER_MODULES):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Await | ast.AsyncWith | ast.AsyncFor):
                yield f"{name}:{node.lineno}"
