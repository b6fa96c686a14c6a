"""The longest route of one kind, exactly (Rule: railroad_ink 9.2, 9.3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from bluebear.rules.railroad_ink.rules import pieces

# The longest stroke over lines that cannot be drawn whole (Rule: railroad_ink 9.2).
# Legal boards have few junctions, but they may be dense: 21 T pieces of one kind. Trying every
# stroke would take for ever there, so what matters of all strokes is remembered while going over
# the board.

_DOWN: Final = pieces.STEPS[pieces.Side.S]
_ACROSS: Final = pieces.STEPS[pieces.Side.E]
_ENDS: Final = 2

_Edge = tuple[int, int, int]
"""Two points and the edges from one to the other."""

_State = tuple[int, ...]
"""For each open point of a search its code; last the number of ends that are spent."""


def most_edges(down: int, across: int, odds: int) -> int:
    """The most edges of a stroke in a part that hangs together and has more than two odd points.

    A stroke is what is left when some edges are left out: connected, and with two odd points, its
    ends. Each chain that is left out mends two odd points at best, so the loss is at least half of
    the odd points beyond two; what comes on top of that is the waste, which is kept least.
    """
    chains = _chains(down, across)
    orders = (_steps(sorted(chains, key=order)) for order in (_by_column, _by_row))
    total = sum(length for _, _, length in chains)
    return total - _Search(min(orders, key=_openness), total, (odds - _ENDS) // 2).least_loss()


def _chains(down: int, across: int) -> list[_Edge]:
    """The graph without its points of degree two: a stroke goes along a whole chain or none of it.

    A stroke that ends within a chain can go on to its end. Where a chain comes back to its own
    beginning, the point before that stays.
    """
    around: dict[int, list[int]] = {}
    for joins, step in ((down, _DOWN), (across, _ACROSS)):
        for number in pieces.numbers_in(joins):
            around.setdefault(number, []).append(number + step)
            around.setdefault(number + step, []).append(number)
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


class _Step(NamedTuple):
    """What happens at one edge: points open, the edge is kept or left out, points close."""

    codes: tuple[int, ...]
    """Those of the points that open, before all others."""
    one: int
    other: int
    """The slots of the edge's points."""
    length: int
    closed: tuple[int, ...]
    """The slots of the points that have had all their edges, the last one first."""
    left: int
    """The edges to come, and below the odd points to open."""
    odd: int


def _openness(steps: list[_Step]) -> int:
    """How much there is to remember in this order, roughly: twice as much for each open point."""
    total = opened = 0
    for step in steps:
        opened += len(step.codes)
        total += 1 << opened
        opened -= len(step.closed)
    return total


class _Search:
    """Decides edge by edge what to keep, remembering only what matters for the rest.

    A point is open from its first to its last edge. Its code is the number of its part among the
    kept edges (0: none yet, else numbered as they come), times two, plus 1 if its degree is odd
    when all of its edges to come are kept. Leaving out an edge of length 1 between two odd points
    wastes nothing, between an odd and an even one 1, between two even ones 2; a longer one that
    much more. States are taken in the order of their waste, so each is followed once and the first
    stroke that wastes no more than what is followed is the longest.
    """

    def __init__(self, steps: list[_Step], total: int, least: int) -> None:
        self._steps = steps
        self._least = least
        self._best = total
        """The least loss that was found; that of no stroke at all to begin with."""

    def least_loss(self) -> int:
        """The fewest edges that a stroke leaves out."""
        waiting: list[dict[int, list[_State]]] = [{} for _ in range(len(self._steps) + 1)]
        followed: list[set[_State]] = [set() for _ in waiting]
        waiting[0][0] = [(0,)]
        waste = 0
        while self._least + waste < self._best:
            for at, step in enumerate(self._steps):
                for state in waiting[at].pop(waste, ()):
                    if state in followed[at]:
                        continue
                    followed[at].add(state)
                    for after, more in self._followed(step, state, waste):
                        if after not in followed[at + 1]:
                            waiting[at + 1].setdefault(more, []).append(after)
            waste += 1
        return self._best

    def _followed(self, step: _Step, state: _State, waste: int) -> Iterator[tuple[_State, int]]:
        """The states after an edge is kept or left out, each with its waste."""
        opened = (*step.codes, *state)
        taken = self._closed(step, _with_edge(opened, step.one, step.other), waste)
        if taken is not None:
            yield taken, waste
        more = waste + 1 + step.length - (opened[step.one] & 1) - (opened[step.other] & 1)
        if self._least + more < self._best:
            codes = list(opened)
            codes[step.one] ^= 1
            codes[step.other] ^= 1
            without = self._closed(step, tuple(codes), more)
            if without is not None:
                yield without, more

    def _closed(self, step: _Step, state: _State, waste: int) -> _State | None:
        """A state without the points that have had all their edges; None if it ends here."""
        for slot in step.closed:
            code = state[slot]
            ends = state[-1] + (code & 1 if code > 1 else 0)
            if ends > _ENDS:
                return None
            rest = state[:slot] + state[slot + 1 : -1]
            part = code >> 1
            if part and all(other >> 1 != part for other in rest):
                # This part is finished: it is the stroke, or the state leads to none.
                if ends == _ENDS and all(other < 2 for other in rest):
                    odd = sum(other & 1 for other in rest) + step.odd
                    self._best = min(self._best, self._least + waste - odd // 2 + step.left)
                return None
            state = (*_numbered(rest), ends)
        return state


def _steps(edges: list[_Edge]) -> list[_Step]:
    """The edges with the points that open and close at each."""
    last_at = {point: at for at, edge in enumerate(edges) for point in edge[:2]}
    degrees: dict[int, int] = {}
    for edge in edges:
        for point in edge[:2]:
            degrees[point] = degrees.get(point, 0) + 1
    odd = sum(degree & 1 for degree in degrees.values())
    left = sum(length for _, _, length in edges)
    opened: list[int] = []
    made = []
    for at, (one, other, length) in enumerate(edges):
        new = [point for point in (one, other) if point not in opened]
        opened = new + opened
        codes = tuple(degrees[point] & 1 for point in new)
        odd -= sum(codes)
        left -= length
        slots = opened.index(one), opened.index(other)
        closed = sorted(
            (slot for slot, point in zip(slots, (one, other), strict=True) if last_at[point] == at),
            reverse=True,
        )
        made.append(_Step(codes, *slots, length, tuple(closed), left, odd))
        for slot in closed:
            del opened[slot]
    return made


def _with_edge(state: _State, one: int, other: int) -> _State:
    """A state with the edge between two slots kept: their parts become one."""
    parts = state[one] >> 1, state[other] >> 1
    if parts[0] == parts[1] and parts[0]:
        return state
    codes = list(state[:-1])
    part = max(parts) or len(codes) + 1
    merged = min(parts)
    if merged:
        codes = [part << 1 | code & 1 if code >> 1 == merged else code for code in codes]
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


# The squares with lines of the kind are the points of a graph, arms that meet its edges. A stroke
# of n edges passes n + 1 points, except that a circuit begins and ends in the same one: it passes
# n, or n + 1 where one of its squares has a spare arm to set the pen down on.
# Parts with at most two points of odd degree can be drawn whole, and in a tree the longest stroke
# is its diameter. What is left is searched: see `most_edges`.

_REMEMBERED: Final = 4096
"""Parts whose longest route is remembered: what is weighed is often drawn, taken back, told."""


def longest(part: int, ink: pieces.Ink, *, lap_once: bool = False) -> int:
    """How many squares the longest stroke over a part passes, repeated ones repeatedly.

    A part is a set of lines of one kind that hang together. With `lap_once` a lap counts its
    squares, whether or not it has a spare arm.
    """
    down, across = pieces.joins_of(ink)
    down &= part
    across &= part
    if lap_once or down.bit_count() + across.bit_count() < part.bit_count():
        return most_squares(part, down, across, 0)
    return most_squares(part, down, across, int(_has_spare(part, ink, down, across)))


@lru_cache(maxsize=_REMEMBERED)
def most_squares(part: int, down: int, across: int, spare: int) -> int:
    """The squares that the longest stroke over a part passes, by where its lines meet.

    `spare` is what a bare circuit gains by an arm where the pen can be set down, 0 or 1.
    """
    edges = down.bit_count() + across.bit_count()
    odds = (down ^ down << _DOWN ^ across ^ across << _ACROSS).bit_count()
    if odds == 0:
        return edges + spare or 1
    if odds == _ENDS:
        return edges + 1
    if edges < part.bit_count():
        return _diameter(part, down, across) + 1
    return most_edges(down, across, odds) + 1


def _has_spare(part: int, ink: pieces.Ink, down: int, across: int) -> bool:
    """Whether a part has an arm which meets none of its kind."""
    north, east, south, west = pieces.arms_of(ink)
    spare = south & ~down | north & ~(down << _DOWN) | east & ~across | west & ~(across << _ACROSS)
    return spare & part != 0


def _diameter(part: int, down: int, across: int) -> int:
    """The edges of the longest path of a tree: from the point furthest from any."""
    _, last = _waves(part & -part, down, across)
    steps, _ = _waves(last & -last, down, across)
    return steps


def _waves(lines: int, down: int, across: int) -> tuple[int, int]:
    """How many steps it takes from some lines to the furthest, and which these are."""
    steps, front = 0, lines
    while True:
        wider = (
            (front & down) << _DOWN
            | front >> _DOWN & down
            | (front & across) << _ACROSS
            | front >> _ACROSS & across
        ) & ~lines
        if not wider:
            return steps, front
        lines |= wider
        front = wider
        steps += 1
