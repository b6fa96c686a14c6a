"""What `/healthz` says to everybody: whether the server is well, and nothing of private rooms."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bluebear.server.app import App
from bluebear.server.journal import Behind
from bluebear.server.room.state import Privacy


def free_share(folder: Path) -> float:
    """The free share of the disk that a folder is on. Raises OSError."""
    found = os.statvfs(folder)
    return found.f_bavail / found.f_blocks if found.f_blocks else 1.0


def report(
    app: App, broken: int, settings: Mapping[str, str | int], behind: Behind | None
) -> dict[str, Any]:  # Any: a plain tree
    """The tree that is answered; `broken` games do not load. `ok` goes with the status."""
    troubles = app.health.troubles()
    rooms = [live for live in app.engine.live.values() if live.exists]
    public = [live for live in rooms if live.room.table.privacy is Privacy.PUBLIC]
    missing = {} if behind is None else {"missing": behind.entries}
    writer = app.writer
    # Under the bench alone: how much is said in private rooms is nobody's business.
    written = {"written": {"entries": writer.entries, "commits": writer.commits}}
    return {
        "ok": not troubles,
        "troubles": [each.value for each in troubles],
        "version": app.version,
        "connections": len(app.dispatcher.connections),
        "rooms": len(public),
        "rooms_held": sum(bool(live.suspended) for live in public),
        "games": {"loaded": len(app.games), "broken": broken},
        "journal": {**settings, **missing},
        **({} if app.config.bounded else written),
    }
