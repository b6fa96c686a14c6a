"""Draws whose results a test gives, and all results that draws may have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from bluebear.rules.core.chance import Chance

T = TypeVar("T")


class ScriptedChance(Chance):
    """Draws with results given by a test: those of `pick`, in order.

    Raises ScriptError if a result is impossible or none is left. A shuffle reads one result for
    each item from the last to the second: the index, from 0, with which the item is swapped.
    """

    __slots__ = ("_left",)

    def __init__(self, *picks: int) -> None:
        super().__init__()
        self._left = list(picks)

    @property
    def left(self) -> tuple[int, ...]:
        """The results that were not drawn yet."""
        return tuple(self._left)

    def _below(self, bound: int, section: int) -> int:
        if not self._left:
            raise ScriptError(f"draw {self.counter} of {bound}: the script is at its end")
        made = self._left.pop(0)
        if not 0 <= made < bound:
            raise ScriptError(f"draw {self.counter}: {made} is not below {bound}")
        return made


class ScriptError(Exception):
    """A scripted draw has no result left, or an impossible one."""


class _Explorer(Chance):
    """Follows one path of results and records where it could have branched."""

    __slots__ = ("path", "taken", "weight")

    def __init__(self, path: Sequence[int]) -> None:
        super().__init__()
        self.path = path
        self.taken: list[tuple[int, int]] = []
        self.weight = Fraction(1)

    def _below(self, bound: int, section: int) -> int:
        at = len(self.taken)
        made = self.path[at] if at < len(self.path) else 0
        self.taken.append((made, bound))
        self.weight /= bound
        return made


def every_outcome(run: Callable[[Chance], T]) -> Iterator[tuple[Fraction, T]]:
    """All results of a function that draws, each with its exact probability."""
    path: list[int] | None = []
    while path is not None:
        explorer = _Explorer(path)
        made = run(explorer)
        yield explorer.weight, made
        path = _next_path(explorer.taken)


def _next_path(taken: list[tuple[int, int]]) -> list[int] | None:
    made = list(taken)
    while made:
        result, bound = made.pop()
        if result + 1 < bound:
            return [before for before, _ in made] + [result + 1]
    return None
