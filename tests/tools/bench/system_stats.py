"""What the machine says: time and memory of a process, and what its disk needs to sync."""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")
_SYNCS: Final = 300
_WRITTEN: Final = b"\0" * 4096


def processor_seconds(pid: int) -> tuple[float, float]:
    """User and system time of a process with all its threads since it began."""
    # The name of the command may have blanks; what follows its bracket has none.
    tokens = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(tokens[11]) * _TICK, int(tokens[12]) * _TICK


def family_seconds(pid: int) -> float:
    """How long a process and its children that live have worked: a database has one for each of
    its connections.
    """
    return (
        sum(ticks for owned_items, parent, ticks in _processes() if pid in (owned_items, parent))
        * _TICK
    )


def _processes() -> Iterator[tuple[int, int, int]]:
    """Of each process its number, its parent, and its ticks of processor time."""
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            tokens = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        yield int(folder.name), int(tokens[1]), int(tokens[11]) + int(tokens[12])


def resident_kib(pid: int) -> int:
    """Memory of a process that is really there."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise ValueError(f"process {pid} has no memory")


def share_of(taken: Sequence[float], fraction: float) -> float:
    """A quantile; `taken` need not be sorted. 0 of nothing."""
    ordered = sorted(taken)
    return ordered[min(len(ordered) - 1, int(len(ordered) * fraction))] if ordered else 0.0


def sync_ms(folder: Path) -> dict[str, float]:
    """How long an fdatasync after appending a page takes here: p50 and p99."""
    taken = []
    with tempfile.NamedTemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(_SYNCS):
            file.write(_WRITTEN)
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            taken.append((time.perf_counter() - began) * 1e3)
    return {"p50": round(share_of(taken, 0.5), 3), "p99": round(share_of(taken, 0.99), 3)}


def facts() -> dict[str, object]:
    """What figures depend on, without names of places or people."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return {
        "processor": model,
        "processors": len(os.sched_getaffinity(0)),
        "kernel": platform.release().partition("-")[0],
        "python": platform.python_version(),
    }
