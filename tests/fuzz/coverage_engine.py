"""A fuzzer of our own, for systems on which atheris does not install, and for thinning a corpus.

It keeps an input that has reached a line, by way of a line, that none before has reached. Python's
own tracing is some fifty times slower than atheris; what it finds, it finds by the same idea.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from tests.fuzz.mutator import Mutator
from tests.fuzz.target import Target

_ROOT: Final = Path(__file__).parents[2]
_OURS: Final = tuple(
    f"{_ROOT}/{name}"
    for name in (
        "bluebear/protocol/",
        "bluebear/rules/",
        "bluebear/server/",
        "tests/fuzz/seeded_bug",
    )
)

Reached = set[tuple[CodeType, int, int]]
"""Steps from line to line."""


def reached_by(target: Target, data: bytes) -> Reached:
    """The steps in our code that an input leads to. Raises what `judge` raises."""
    steps: Reached = set()
    before: dict[int, int] = {}

    def trace_lines(frame: FrameType, event: str, _: object) -> Any:  # Any: a tracer
        key, line = id(frame), frame.f_lineno
        steps.add((frame.f_code, before.get(key, 0), line))
        before[key] = line
        return trace_lines

    def trace_calls(frame: FrameType, event: str, _: object) -> Any:  # Any: a tracer, or nothing
        return trace_lines if frame.f_code.co_filename.startswith(_OURS) else None

    sys.settrace(trace_calls)
    try:
        target.judge(data)
    finally:
        sys.settrace(None)
    return steps


def thinned(target: Target, inputs: Iterable[bytes], seen: Iterable[bytes]) -> list[bytes]:
    """Those inputs that reach what neither the known ones nor shorter ones reach."""
    reached: Reached = set()
    for data in seen:
        reached |= reached_by(target, data)
    made = []
    for data in sorted(inputs, key=lambda each: (len(each), each)):
        steps = reached_by(target, data)
        if not steps <= reached:
            reached |= steps
            made.append(data)
    return made


class Guided:
    """A pool of inputs that grows by what they reach; owned by one run."""

    def __init__(self, target: Target, seed: str, pool: Iterable[bytes]) -> None:
        self._target = target
        self._mutator = Mutator(f"{seed} {target.name}", tuple(target.terms()))
        self.pool = list(pool)
        self.current = b""
        self.reached: Reached = set()
        for data in self.pool:
            self.reached |= reached_by(target, data)

    def go_on(self, runs: int) -> None:
        """Try so many more inputs. Raises what the target must not raise, for the one `tried`."""
        for _ in range(runs):
            self._step()

    def _step(self) -> None:
        data = self.current = self._mutator.made(self.pool)
        steps = reached_by(self._target, data)
        if not steps <= self.reached:
            self.reached |= steps
            self.pool.append(data)
