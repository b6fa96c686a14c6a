"""What an operator sees: structured logs and counters. Never contents, names of secrets, tokens."""

from __future__ import annotations

import json
import logging
from bisect import bisect_left
from collections import Counter
from typing import Final

LOG: Final = logging.getLogger("bluebear")

COUNTERS: Final[Counter[str]] = Counter()
"""What has happened how often since the start, by name; bounded by the names in the code."""


def count(name: str, by: int = 1) -> None:
    """Count something that happened."""
    COUNTERS[name] += by


def log(level: int, what: str, **fields: object) -> None:
    """One structured line: what happened, and the fields that tell where."""
    LOG.log(level, what, extra={"fields": fields})


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON: time, level, what, its fields, and the traceback of a bug."""
        made: dict[str, object] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"),
            "level": record.levelname.lower(),
            "what": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            made["trace"] = self.formatException(record.exc_info)
        return json.dumps(made, ensure_ascii=False, default=str)


def start_logging() -> None:
    """Write logs to the standard error stream, one JSON object a line."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # The library logs each abrupt end of a connection with its trace; we count them instead.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)


BOUNDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""In seconds; the disk of a busy server answers in two of them, a person waits for one."""


class Times:
    """So many that took at most so long; owned by the part that measures."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Something took so long."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds
