"""How rounds went, and what many pieces of them come to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Report:
    """Rounds of one kind. `pauses` are each person's longest wait in each round, in seconds;
    `refused` are lines that had to be said again, `deposed` nodes that were started again because
    they were deposed, by what was done to them or for want of a processor.
    """

    kind: str
    pauses: list[list[float]] = field(default_factory=list)
    lines: int = 0
    refused: int = 0
    deposed: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        waits = [max(each) for each in self.pauses]
        all_pauses = [each for one in self.pauses for each in one]
        again = ", ".join(f"{name} {times} times" for name, times in sorted(self.deposed.items()))
        return (
            f"{self.kind}: {len(waits)} rounds, {self.lines} lines acknowledged, none lost or "
            f"doubled; longest wait {share(waits, 0.5):.2f} s (median), {max(waits):.2f} s (most); "
            f"of all people p50 {share(all_pauses, 0.5):.2f} s, p99 {share(all_pauses, 0.99):.2f} s"
            f"; {self.refused} lines refused; deposed: {again or 'nobody'}"
        )

    def keep(self, into: Path) -> None:
        """Write it behind others, as one line."""
        with into.open("a") as stored:
            stored.write(json.dumps(asdict(self)) + "\n")


def stored_in(path: Path) -> list[Report]:
    """What several pieces come to, kind by kind."""
    kinds: dict[str, Report] = {}
    for line in path.read_text().splitlines():
        piece = Report(**json.loads(line))
        complete = kinds.setdefault(piece.kind, Report(piece.kind))
        complete.pauses += piece.pauses
        complete.lines += piece.lines
        complete.refused += piece.refused
        complete.deposed = dict(Counter(complete.deposed) + Counter(piece.deposed))
    return list(kinds.values())


def share(values: Sequence[float], fraction: float) -> float:
    """The value below which this part of them lies; of none 0."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(fraction * len(ordered)))] if ordered else 0.0
