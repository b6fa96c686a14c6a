"""The best way within a roll: every simple way is a candidate, the search drops what cannot win
(Rule: tokai 16.3).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from bluebear.rules.tokai.rules.fares import Tally, ridden
from bluebear.rules.tokai.rules.movement import Stand
from bluebear.rules.tokai.rules.network import BIT, LINES, LINES_AT, STEPS, Step, distances
from bluebear.rules.tokai.rules.state import State


class Found(NamedTuple):
    """A way within the roll, and what the turn then costs in all."""

    steps: tuple[Step, ...]
    cost: int


def best_way(
    table: State, pawn: Stand, target: int, before: Tally, *, cheapest: bool, exactly: bool
) -> Found | None:
    """The best way of the active seat to a point, with exactly or at most the steps left.

    What counts first is the cost if `cheapest`, else the steps. Among equals one that keeps a
    through ticket, then one with few changes, then the first one in the order of the map. None if
    there is no such way. `pawn.visited` is not entered; `before` is the turn so far.
    """
    search = _Search(table, pawn, target, cheapest=cheapest, exactly=exactly)
    return search.run(before)


_Key = tuple[int, int, int, int]


class _Fare:
    """What a turn costs after some lines.

    `least` is that with any line of the target, which has to be ridden in the end. `onward`
    remembers what each further line makes of it.
    """

    __slots__ = ("cost", "least", "lost", "onward", "tally")

    def __init__(self, tally: Tally, least: int) -> None:
        self.tally: Final = tally
        self.cost: Final = _cost(tally)
        self.least: Final = least
        self.lost: Final = int(not tally.through)
        self.onward: Final[dict[int, _Fare]] = {}


class _Search:
    """Depth first, in the order of the map; keys only grow along a way, so losers are dropped."""

    def __init__(
        self, table: State, pawn: Stand, target: int, *, cheapest: bool, exactly: bool
    ) -> None:
        self._table = table
        self._start = pawn
        self._target = target
        self._cheapest = cheapest
        self._exactly = exactly
        self._steps = STEPS[table.mover.express]
        blocked = pawn.visited & ~BIT[pawn.at]
        self._far = distances(target, blocked, express=table.mover.express)
        self._last = frozenset(LINES_AT[target])
        self._fares: dict[Tally, _Fare] = {}
        self._way: list[Step] = []
        self._best: tuple[_Key, Found] | None = None

    def run(self, before: Tally) -> Found | None:
        """The best way, if there is one."""
        at, seen, left = self._start
        if self._far[at] <= left:
            self._walk(at, seen, left, -1, 0, self._fare(before))
        return None if self._best is None else self._best[1]

    def _walk(
        self, at: int, seen: int, left: int, line: int, stretches: int, before: _Fare
    ) -> None:
        for step in self._steps[at]:
            far = self._far[step.to]
            if far >= left or step.entered & seen:
                continue
            if not far and self._exactly and left > 1:
                continue
            after, ridden_on = before, stretches
            if step.line != line:
                after = before.onward.get(step.line) or self._ridden(before, step.line)
                ridden_on += 1
            changes = ridden_on + (step.line not in self._last)
            key = self._key(far, left - 1, changes, after)
            if self._best is not None and key >= self._best[0]:
                continue
            self._way.append(step)
            if far:
                entered = seen | step.entered
                self._walk(step.to, entered, left - 1, step.line, ridden_on, after)
            else:
                self._best = (key, Found(tuple(self._way), after.cost))
            self._way.pop()

    def _ridden(self, before: _Fare, line: int) -> _Fare:
        after = self._fare(ridden(self._table, before.tally, LINES[line].id))
        before.onward[line] = after
        return after

    def _fare(self, tally: Tally) -> _Fare:
        made = self._fares.get(tally)
        if made is None:
            least = min(_cost(ridden(self._table, tally, LINES[at].id)) for at in self._last)
            self._fares[tally] = made = _Fare(tally, least)
        return made

    def _key(self, far: int, left: int, stretches: int, fare: _Fare) -> _Key:
        """At least so much, however the way goes on."""
        steps = self._start.left - (0 if self._exactly else left - far)
        if self._cheapest:
            return fare.least, steps, fare.lost, stretches
        return steps, fare.least, fare.lost, stretches


def _cost(tally: Tally) -> int:
    return sum(due.amount for due in tally.dues)
