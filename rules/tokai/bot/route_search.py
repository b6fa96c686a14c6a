"""Ways of a whole trip, over as many turns as it takes: the shortest and the cheapest.

In a turn each payee gets the dearest rate of its lines that were ridden (Rule: tokai 11.3). So what
a way can cost depends on which payees it pays and up to which rate; there are few such budgets, and
for each the shortest way within it is a candidate. What a candidate costs over all turns is then
reckoned with usual rolls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import groupby, product
from typing import Final, NamedTuple

from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.rules import network
from bluebear.rules.tokai.rules.fares import charged, rate_of, tally
from bluebear.rules.tokai.rules.movement import Stand
from bluebear.rules.tokai.rules.state import Due, State

A_TURN: Final = 7
"""The steps of a usual roll."""

_LINES_AT: Final = tuple(sum(1 << line for line in lines) for lines in network.LINES_AT)
"""By point: the lines through it as bits."""
_MEETS: Final = [
    sum(1 << other for other, points in enumerate(network.POINTS_ON) if points & here)
    for here in network.POINTS_ON
]
"""By line: the lines that share a point with it, as bits."""


def _neighbours(steps: Iterable[network.Step]) -> tuple[tuple[int, int, int], ...]:
    found: dict[int, tuple[int, int, int]] = {}
    for line, to, entered in steps:
        lines, _, _ = found.get(to, (0, to, entered))
        found[to] = (lines | 1 << line, to, entered)
    return tuple(found.values())


_NEIGHBOURS: Final = tuple(tuple(map(_neighbours, each)) for each in network.STEPS)
"""By ticket and point: the points one step away, with the lines as bits and all points entered."""


class Stretch(NamedTuple):
    """A part of a way along one line: the points after its first, skipped ones left out."""

    line: int
    points: tuple[int, ...]


class Route(NamedTuple):
    """A way to a destination: its stretches, its steps, in how many turns, and for how much.

    `cost` is what it adds to the fares, `dues` is that by payee; both are true for usual rolls.
    """

    stretches: tuple[Stretch, ...]
    steps: int
    turns: int
    dues: tuple[Due, ...]

    @property
    def cost(self) -> int:
        """All dues together."""
        return sum(due.amount for due in self.dues)


class Routes(NamedTuple):
    """The shortest way, the cheaper among equals, and the cheapest, the shorter among equals."""

    shortest: Route
    cheapest: Route


class _Budget(NamedTuple):
    """Which lines may be ridden: as bits; `through` is a line that is ridden first, or -1."""

    cost: int
    lines: int
    through: int


def routes(table: State, seat: Seat, pawn: Stand, destination: int) -> Routes | None:
    """The shortest and the cheapest way of a seat from where it stands; None if no way is left."""
    search = _Search(table, seat, pawn, destination)
    if search.least == network.NOWHERE:
        return None
    found: list[Route] = []
    searched: list[tuple[int, int]] = []
    below = network.NOWHERE
    for budget in search.budgets():
        lines = search.joined(budget)
        if not lines or any(
            not lines & ~more and through in (-1, budget.through) for more, through in searched
        ):
            continue
        searched.append((lines, budget.through))
        # A dearer budget is of use only if its way is shorter than those before.
        behind = search.behind(budget, below=below)
        if behind is not None:
            below, left = behind
            found.append(search.route(budget, below, left))
            if below == search.least:
                break
    cheapest = min(found, key=lambda route: (route.cost, route.steps))
    return Routes(found[-1], cheapest)


class _Search:
    """The ways of one seat from one place to another."""

    def __init__(self, table: State, seat: Seat, pawn: Stand, destination: int) -> None:
        traveller = table.seats[seat]
        self.express: Final = traveller.express
        self._table = table
        self._seat = seat
        self._start = pawn
        self._destination = destination
        self._tickets = [network.LINE_AT[line] for line in traveller.through]
        self._steps = network.STEPS[self.express]
        self._near = network.distances(pawn.at, pawn.visited, express=self.express)
        self.least: Final = self._near[destination]
        """The fewest steps to the destination over all lines, or `NOWHERE`."""
        self._rates = [rate_of(table.owners, seat, line.id) for line in network.LINES]

    def budgets(self) -> list[_Budget]:
        """All budgets that differ, the cheapest first; the last one allows every line."""
        found = [
            _Budget(cost, lines, through)
            for through in (-1, *self._tickets)
            for cost, lines in self._levels(through)
        ]
        return sorted(found, key=lambda budget: (budget.cost, budget.through))

    def _levels(self, through: int) -> Iterator[tuple[int, int]]:
        """For a line ridden first with a through ticket, or none: every cost with its lines."""
        first = None if through < 0 else self._rate(through, on_ticket=True)
        by_payee: dict[int, dict[int, int]] = {}
        for line, rate in enumerate(self._rates):
            levels = by_payee.setdefault(rate.payee, {})
            levels[rate.amount] = levels.get(rate.amount, 0) | (1 << line)
        choices = []
        for payee, levels in by_payee.items():
            least = first.amount if first is not None and first.payee == payee else 0
            choices.append(_rising(least, levels))
        for combination in product(*choices):
            yield sum(cost for cost, _ in combination), sum(lines for _, lines in combination)

    def _rate(self, line: int, *, on_ticket: bool) -> Due:
        if not on_ticket:
            return self._rates[line]
        table, line_id = self._table, network.LINES[line].id
        return rate_of(table.owners, self._seat, line_id, through_fare=table.through)

    def joined(self, budget: _Budget) -> int:
        """The lines of a budget that hang together with where the seat stands, as bits.

        0 if none of them leads to the destination; most budgets are of that kind.
        """
        allowed = budget.lines | (1 << budget.through if budget.through >= 0 else 0)
        reached = waiting = _LINES_AT[self._start.at] & allowed
        while waiting:
            line = waiting.bit_length() - 1
            fresh = _MEETS[line] & allowed & ~reached
            reached |= fresh
            waiting = waiting & ~(1 << line) | fresh
        return reached if reached & _LINES_AT[self._destination] else 0

    def behind(self, budget: _Budget, *, below: int) -> tuple[int, Mapping[int, int]] | None:
        """The fewest steps to the destination within a budget; None if there are not so few.

        With them, by point: how many of them are left there. Points on no such way may be missing.
        Searched from the destination: who is still too far from the start by then is left out.
        """
        lines, near, doors = budget.lines, self._near, self._doors(budget)
        most = min(below - 1, doors.get(self._destination, network.NOWHERE))
        found, layer, steps = {self._destination: 0}, [self._destination], 0
        reached = self._start.visited | network.BIT[self._start.at] | network.BIT[self._destination]
        edges, outside = _NEIGHBOURS[self.express], sum(network.BIT[at] for at in doors)
        while layer and steps < most:
            steps += 1
            following = []
            for at in layer:
                for there, to, entered in edges[at]:
                    if there & lines and not entered & reached and steps + near[to] <= most:
                        reached |= network.BIT[to]
                        found[to] = steps
                        following.append(to)
            if reached & outside:
                outside &= ~reached
                most = min((most, *(steps + doors.get(at, network.NOWHERE) for at in following)))
            layer = following
        least = min(left + doors.get(at, network.NOWHERE) for at, left in found.items())
        return (least, found) if least < below else None

    def _doors(self, budget: _Budget) -> Mapping[int, int]:
        """By point: the steps that lead there from the start by one step or by a through ticket."""
        found: dict[int, int] = {}
        blocked = self._start.visited | network.BIT[self._start.at]
        layer, steps = [self._start.at], 0
        while layer:
            steps += 1
            following = []
            for at in layer:
                for line, to, entered in self._steps[at]:
                    stays = line == budget.through
                    if (
                        stays or (budget.lines >> line & 1 and steps == 1)
                    ) and not entered & blocked:
                        found.setdefault(to, steps)
                        if stays:
                            blocked |= network.BIT[to]
                            following.append(to)
            layer = following
        return found

    def route(self, budget: _Budget, fewest: int, behind: Mapping[int, int]) -> Route:
        """The way with the fewest steps and, of these, changes within a budget; see `behind`."""
        found = self._best(budget, fewest, behind)
        assert found is not None  # `behind` has found one
        steps, stretches = found
        turns, dues = self._fares(stretches, budget.through)
        return Route(stretches, steps, turns, dues)

    def _fares(self, stretches: tuple[Stretch, ...], through: int) -> tuple[int, tuple[Due, ...]]:
        """In how many turns a way is ridden, and what each payee gets in all of them.

        The first turn has the steps that are left of its roll, and pays what it owes anyway.
        """
        left = self._start.left or A_TURN
        in_turn = self._seat == self._table.active and self._start.left
        owed = tally(self._table).dues if in_turn else ()
        paid = Counter({due.payee: -due.amount for due in owed})
        turns, dues = 1, owed
        for number, stretch in enumerate(stretches):
            rate = self._rate(stretch.line, on_ticket=not number and stretch.line == through)
            for _ in stretch.points:
                if not left:
                    paid.update({due.payee: due.amount for due in dues})
                    turns, left, dues = turns + 1, A_TURN, ()
                dues = charged(dues, rate)
                left -= 1
        paid.update({due.payee: due.amount for due in dues})
        return turns, tuple(Due(payee, amount) for payee, amount in paid.items() if amount)

    def _best(
        self, budget: _Budget, fewest: int, behind: Mapping[int, int]
    ) -> tuple[int, tuple[Stretch, ...]] | None:
        """Dijkstra over (point, line ridden), by steps and then by changes.

        Only points are entered that lie on a way with the fewest steps, and those of a ticket.

        A line ridden with a through ticket counts as one of its own, `len(LINES)`: it is left once.
        """
        visited, lines = self._start.visited | network.BIT[self._start.at], budget.lines
        ticket = len(network.LINES)
        queue: list[tuple[int, int, int, int]] = []
        arrivals: dict[tuple[int, int], tuple[int, int]] = {}
        best: dict[tuple[int, int], tuple[int, int]] = {}

        def offer(steps: int, changes: int, at: int, line: int, before: tuple[int, int]) -> None:
            key = (at, line)
            if key not in best or (steps, changes) < best[key]:
                best[key] = (steps, changes)
                arrivals[key] = before
                heappush(queue, (steps, changes, line, at))

        start = (self._start.at, ticket if budget.through >= 0 else -1)
        best[start] = (0, 0)
        queue.append((0, 0, start[1], start[0]))
        while queue:
            steps, changes, line, at = heappop(queue)
            if (steps, changes) != best[at, line]:
                continue
            if at == self._destination:
                return steps, _stretches((at, line), arrivals, budget.through)
            for step in self._steps[at]:
                if step.entered & visited:
                    continue
                here = (at, line)
                if line == ticket and step.line == budget.through:
                    offer(steps + 1, changes, step.to, ticket, here)
                elif (
                    lines >> step.line & 1
                    and steps + 1 + behind.get(step.to, network.NOWHERE) <= fewest
                ):
                    changed = changes + (step.line != line)
                    offer(steps + 1, changed, step.to, step.line, here)
        return None


def _rising(least: int, levels: Mapping[int, int]) -> list[tuple[int, int]]:
    """What may be paid to one payee, at least so much, and the lines that each amount allows."""
    made = [(least, 0)]
    allowed = 0
    for amount in sorted(levels):
        allowed |= levels[amount]
        made.append((max(least, amount), allowed))
    return made


def _stretches(
    end: tuple[int, int], arrivals: Mapping[tuple[int, int], tuple[int, int]], through: int
) -> tuple[Stretch, ...]:
    """The way that led to a point, cut where the line changes."""
    walked: list[tuple[int, int]] = []
    here = end
    while here in arrivals:
        walked.append(here)
        here = arrivals[here]
    walked.reverse()
    ticket = len(network.LINES)
    return tuple(
        Stretch(through if line == ticket else line, tuple(at for at, _ in ridden))
        for line, ridden in groupby(walked, key=lambda each: each[1])
    )
