"""The longest route of one kind, exactly (Rule: railroad_ink 9.2, 9.3).

The squares with lines of the kind are the points of a graph, arms that meet its edges. A stroke of
n edges passes n + 1 points, except that a circuit begins and ends in the same one: it passes n, or
n + 1 where one of its squares has a spare arm to set the pen down on.

Parts with at most two points of odd degree can be drawn whole, and in a tree the longest stroke is
its diameter. What is left is searched: see `_most_edges`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rules.railroad_ink.ink import Arms, Joins, joins_of, spread
from rules.railroad_ink.squares import STEPS, Side, numbers_in

_REMEMBERED: Final = 4096
"""Lines whose longest route is remembered: a drawing of roads leaves the railways as they were."""

_DOWN: Final = STEPS[Side.S]
_ACROSS: Final = STEPS[Side.E]
_ENDS: Final = 2

_WASTES: Final = (0, 84)
"""Bounds of the search: most boards need the first; no board has more than 84 edges."""

_Edge = tuple[int, int, int]
"""Two points and the edges from one to the other."""
_State = tuple[int, ...]
"""For each open point of a search its code; last the number of ends that are spent."""


@lru_cache(maxsize=_REMEMBERED)
def longest(arms: Arms) -> int:
    """How many squares the longest stroke over lines of one kind passes, repeated ones repeatedly.

    `arms` are given as roads, whatever they are.
    """
    joins = joins_of(arms)
    left = arms.north | arms.east | arms.south | arms.west
    if not left:
        return 0
    down, across = joins
    odd = down ^ down << _DOWN ^ across ^ across << _ACROSS
    spare = _spare(arms, joins)
    best = 1
    left &= down | down << _DOWN | across | across << _ACROSS
    while left:
        part = spread(left & -left, joins)
        left &= ~part
        edges = (down & part).bit_count() + (across & part).bit_count()
        if edges < best:
            continue
        odds = (odd & part).bit_count()
        if odds == 0:
            stroke = edges + (spare & part != 0)
        elif odds == _ENDS:
            stroke = edges + 1
        elif edges == part.bit_count() - 1:
            stroke = _diameter(part, joins) + 1
        else:
            stroke = _most_edges(Joins(down & part, across & part), odds) + 1
        best = max(best, stroke)
    return best


def _spare(arms: Arms, joins: Joins) -> int:
    """The squares that have an arm which meets none of its kind."""
    down, across = joins
    return (
        arms.south & ~down
        | arms.north & ~(down << _DOWN)
        | arms.east & ~across
        | arms.west & ~(across << _ACROSS)
    )


def _diameter(part: int, joins: Joins) -> int:
    """The edges of the longest path of a tree: from the point furthest from any."""
    _, last = _waves(part & -part, joins)
    steps, _ = _waves(last & -last, joins)
    return steps


def _waves(squares: int, joins: Joins) -> tuple[int, int]:
    """How many steps it takes from some squares to the furthest, and which these are."""
    down, across = joins
    steps, front = 0, squares
    while True:
        wider = (
            (front & down) << _DOWN
            | front >> _DOWN & down
            | (front & across) << _ACROSS
            | front >> _ACROSS & across
        ) & ~squares
        if not wider:
            return steps, front
        squares |= wider
        front = wider
        steps += 1


def _most_edges(joins: Joins, odds: int) -> int:
    """The most edges of a stroke in a part that hangs together and has more than two odd points.

    A stroke is what is left when some edges are left out: connected, and with two odd points, its
    ends. Each chain that is left out mends two odd points at best, so the loss is at least half of
    the odd points beyond two; what comes on top of that, the waste, is tried in growing bounds.
    """
    chains = _chains(joins)
    edges = min((sorted(chains, key=order) for order in (_by_column, _by_row)), key=_openness)
    for waste in _WASTES:
        loss = _Search(edges, (odds - _ENDS) // 2, waste).least_loss()
        if loss is not None:
            break
    else:
        raise AssertionError("some stroke leaves out all edges but one")
    return sum(length for _, _, length in edges) - loss


def _chains(joins: Joins) -> list[_Edge]:
    """The graph without its points of degree two: a stroke goes along a whole chain or none of it.

    A stroke that ends within a chain can go on to its end. Where a chain comes back to its own
    beginning, the point before that stays.
    """
    around: dict[int, list[int]] = {}
    for number in numbers_in(joins.down):
        around.setdefault(number, []).append(number + _DOWN)
        around.setdefault(number + _DOWN, []).append(number)
    for number in numbers_in(joins.across):
        around.setdefault(number, []).append(number + _ACROSS)
        around.setdefault(number + _ACROSS, []).append(number)
    made: list[_Edge] = []
    for begin, nexts in around.items():
        if len(nexts) == _ENDS:
            continue
        for first in nexts:
            last, here, length = begin, first, 1
            while len(around[here]) == _ENDS:
                one, other = around[here]
                last, here = here, other if one == last else one
                length += 1
            if here == begin and last > first:
                made += [(begin, last, length - 1), (begin, last, 1)]
            elif here > begin:
                made.append((begin, here, length))
    return made


def _by_column(edge: _Edge) -> tuple[int, int]:
    return max(edge[:2]), min(edge[:2])


def _by_row(edge: _Edge) -> tuple[tuple[int, int], tuple[int, int]]:
    places = [(number % _ACROSS, number) for number in edge[:2]]
    return max(places), min(places)


def _openness(edges: list[_Edge]) -> int:
    """How much there is to remember in this order, roughly: twice as much for each open point."""
    last_at = {point: at for at, edge in enumerate(edges) for point in edge[:2]}
    opened: dict[int, None] = {}
    total = 0
    for at, edge in enumerate(edges):
        opened.update(dict.fromkeys(edge[:2]))
        total += 1 << len(opened)
        for point in edge[:2]:
            if last_at[point] == at:
                del opened[point]
    return total


class _Search:
    """Decides edge by edge what to keep, remembering only what matters for the rest.

    A point is open from its first to its last edge. Its code is the number of its part among the
    kept edges (0: none yet, else numbered as they come), times two, plus 1 if its degree is odd
    when all of its edges to come are kept. Leaving out an edge of length 1 between two odd points
    wastes nothing, between an odd and an even one 1, between two even ones 2; a longer one that
    much more. Of states alike the one with the least waste is kept, and none with more than `most`.
    """

    def __init__(self, edges: list[_Edge], least: int, most: int) -> None:
        self._edges = edges
        self._least = least
        self._most = most
        self._best: int | None = None
        self._last_at = {point: at for at, edge in enumerate(edges) for point in edge[:2]}
        degrees: dict[int, int] = {}
        for edge in edges:
            for point in edge[:2]:
                degrees[point] = degrees.get(point, 0) + 1
        self._odd = {point: degree & 1 for point, degree in degrees.items()}

    def least_loss(self) -> int | None:
        """The fewest edges that a stroke leaves out; None if that wastes more than `most`."""
        states: dict[_State, int] = {(0,): 0}
        opened: list[int] = []
        odd_to_come = sum(self._odd.values())
        left = sum(length for _, _, length in self._edges)
        for at, (one, other, length) in enumerate(self._edges):
            left -= length
            new = [point for point in (one, other) if point not in opened]
            if new:
                codes = tuple(self._odd[point] for point in new)
                states = {(*codes, *state): waste for state, waste in states.items()}
                opened = new + opened
                odd_to_come -= sum(codes)
            slots = opened.index(one), opened.index(other)
            states = _decided(states, slots, length, self._most)
            for point in (one, other):
                if self._last_at[point] == at:
                    slot = opened.index(point)
                    states = self._closed(states, slot, left, odd_to_come)
                    del opened[slot]
        return self._best

    def _closed(
        self, states: dict[_State, int], slot: int, left: int, odd_to_come: int
    ) -> dict[_State, int]:
        """The states that may go on when a point has had all its edges; `left` are to come."""
        made: dict[_State, int] = {}
        for state, waste in states.items():
            code = state[slot]
            ends = state[-1] + (code & 1 if code > 1 else 0)
            if ends > _ENDS:
                continue
            rest = state[:slot] + state[slot + 1 : -1]
            part = code >> 1
            if part and all(other >> 1 != part for other in rest):
                # This part is finished: it is the stroke, or the state leads to none.
                if ends == _ENDS and all(other < 2 for other in rest):
                    odd = sum(other & 1 for other in rest) + odd_to_come
                    self._note(self._least + waste - odd // 2 + left)
                continue
            after = (*_numbered(rest), ends)
            if made.get(after, waste + 1) > waste:
                made[after] = waste
        return made

    def _note(self, loss: int) -> None:
        if loss <= self._least + self._most and (self._best is None or loss < self._best):
            self._best = loss


def _decided(
    states: dict[_State, int], slots: tuple[int, int], length: int, most: int
) -> dict[_State, int]:
    """Each state with the edge between two slots left out, and with it kept."""
    one, other = slots
    made: dict[_State, int] = {}
    for state, waste in states.items():
        more = waste + 1 + length - (state[one] & 1) - (state[other] & 1)
        if more <= most:
            codes = list(state)
            codes[one] ^= 1
            codes[other] ^= 1
            without = tuple(codes)
            if made.get(without, more + 1) > more:
                made[without] = more
        kept = _kept(state, one, other)
        if made.get(kept, waste + 1) > waste:
            made[kept] = waste
    return made


def _kept(state: _State, one: int, other: int) -> _State:
    """A state with the edge between two slots kept: their parts become one."""
    parts = state[one] >> 1, state[other] >> 1
    if parts[0] == parts[1] and parts[0]:
        return state
    codes = list(state[:-1])
    part = max(parts) or len(codes) + 1
    gone = min(parts)
    if gone:
        codes = [part << 1 | code & 1 if code >> 1 == gone else code for code in codes]
    codes[one] = part << 1 | codes[one] & 1
    codes[other] = part << 1 | codes[other] & 1
    return (*_numbered(codes), state[-1])


def _numbered(codes: list[int] | _State) -> list[int]:
    """Codes with their parts numbered from 1 in the order in which they come."""
    names = {0: 0}
    made = []
    for code in codes:
        part = code >> 1
        name = names.get(part)
        if name is None:
            name = names[part] = len(names)
        made.append(name << 1 | code & 1)
    return made


__all__ = ["longest"]
