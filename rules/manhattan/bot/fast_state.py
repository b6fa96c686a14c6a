"""A table of Manhattan on plain lists, for playouts: the same rules, a tenth of the time.

`tests/rules/manhattan/test_lists.py` plays it beside the rules, move by move. Seats, cities, sites
and cards count from 0 here; a cell is city * 9 + site.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from bluebear.rules.core.visibility import Seat
from bluebear.rules.manhattan.rules.block_choice import evenness
from bluebear.rules.manhattan.rules.cards import site_of
from bluebear.rules.manhattan.rules.moves import takes
from bluebear.rules.manhattan.rules.scoring import FOR_TALLEST, PER_BUILDING, PER_CITY
from bluebear.rules.manhattan.rules.state import CARDS, HAND, SIZES, City, Phase, Points, State

CITY_OF: Final = tuple(City)
SITES_HERE: Final = 9
NO_OWNER: Final = -1

Shuffle = Callable[[list[int]], None]
"""Brings cards into an order by chance; the last is drawn first."""

_PLACES: Final = tuple(tuple(site_of(card, quarter) - 1 for card in CARDS) for quarter in range(4))
"""By quarter turns, then by card: the site."""


@cache  # bounded: 1,680 stocks, rounds of four and of six blocks
def _even(stock: tuple[int, ...], number: int) -> tuple[int, ...]:
    """The choice that uses up all sizes most evenly."""
    return max(takes(stock, number), key=lambda take: evenness(stock, take.blocks)).blocks


class FastState:
    """One table. Owner: the playout on it; `copied` is another one.

    `earned` are the points of the last scoring that was played.
    """

    def __init__(self, table: State, stack: list[int], shuffle: Shuffle) -> None:
        """A table with its cards to draw, the last first; hands that the view hides are empty."""
        builders = table.seats.values()
        self.seats = len(builders)
        self.phase = table.phase
        self.round = table.round
        self.rounds = table.rounds
        self.per_round = table.per_round
        self.start = table.start - 1
        self.turn = (table.turn or table.start) - 1
        self.places = [_PLACES[table.quarter(Seat(seat + 1))] for seat in range(self.seats)]
        self.stock = [builder.stock for builder in builders]
        self.chosen = [list(builder.chosen) for builder in builders]
        self.hands = [[card - 1 for card in builder.hand or ()] for builder in builders]
        self.earned: list[Points] = []
        self.scores = [builder.score for builder in builders]
        self.used = list(table.used.values())
        self.stack = stack
        self.shuffle = shuffle
        cells = len(CITY_OF) * SITES_HERE
        self.owners = [NO_OWNER] * cells
        self.heights = [0] * cells
        self.floors = [[0] * cells for _ in range(self.seats)]
        self.owned = [0] * self.seats
        self.majorities = [0] * (len(CITY_OF) * self.seats)
        for city, buildings in enumerate(table.cities.values()):
            for site, building in buildings.items():
                cell = city * SITES_HERE + site - 1
                self._set_owner(cell, building.owner - 1)
                self.heights[cell] = building.height
                for seat, count in enumerate(building.floors):
                    self.floors[seat][cell] = count

    def copied(self) -> FastState:
        """The same table once more, to be played on."""
        made = FastState.__new__(FastState)
        made.seats = self.seats
        made.phase = self.phase
        made.round = self.round
        made.rounds = self.rounds
        made.per_round = self.per_round
        made.start = self.start
        made.turn = self.turn
        made.places = self.places
        made.earned = self.earned
        made.shuffle = self.shuffle
        made.owners = self.owners[:]
        made.heights = self.heights[:]
        made.floors = [each[:] for each in self.floors]
        made.owned = self.owned[:]
        made.majorities = self.majorities[:]
        made.stock = self.stock[:]
        made.chosen = [each[:] for each in self.chosen]
        made.hands = [each[:] for each in self.hands]
        made.scores = self.scores[:]
        made.used = self.used[:]
        made.stack = self.stack[:]
        return made

    def _set_owner(self, cell: int, seat: int) -> None:
        before = self.owners[cell]
        first = cell // SITES_HERE * self.seats
        if before != NO_OWNER:
            self.owned[before] -= 1
            self.majorities[first + before] -= 1
        self.owned[seat] += 1
        self.majorities[first + seat] += 1
        self.owners[cell] = seat

    def take(self, blocks: Sequence[int]) -> None:
        """The seat whose turn it is takes its blocks of the round (Rule: manhattan 3.1)."""
        seat = self.turn
        ones, twos, threes, fours = map(blocks.count, SIZES)
        before = self.stock[seat]
        self.stock[seat] = (
            before[0] - ones,
            before[1] - twos,
            before[2] - threes,
            before[3] - fours,
        )
        self.chosen[seat] = sorted(blocks, reverse=True)
        self.turn = (seat + 1) % self.seats

    def even(self) -> tuple[int, ...]:
        """What a seat takes that uses up all sizes evenly."""
        return _even(self.stock[self.turn], self.per_round)

    def build(self, block: int, cell: int) -> None:
        """The seat whose turn it is builds and draws (Rule: manhattan 4.1, 4.4, 4.5)."""
        seat = self.turn
        if self.owners[cell] != seat:
            self._set_owner(cell, seat)
        self.floors[seat][cell] += block
        self.heights[cell] += block
        self.chosen[seat].remove(block)
        card = self.places[seat].index(cell % SITES_HERE)
        self.used[card] += 1
        hand = self.hands[seat]
        hand.remove(card)
        hand.append(self._draw())
        self.turn = (seat + 1) % self.seats

    def _draw(self) -> int:
        """Rule: manhattan 4.6."""
        if not self.stack:
            self.stack = [card for card, count in enumerate(self.used) for _ in range(count)]
            self.used = [0] * len(CARDS)
            self.shuffle(self.stack)
        return self.stack.pop()

    def settle(self) -> None:
        """Everything that happens by itself up to the next decision (Rule: manhattan 3.3, 4.7)."""
        while True:
            if self.phase is Phase.BUILDING:
                chosen = self.chosen[self.turn]
                if not chosen:
                    self._score()
                elif self._opens(self.hands[self.turn], chosen[0]):
                    return
                else:
                    self._exchange()
            elif self.phase is Phase.CHOOSING:
                if self.chosen[self.turn]:
                    self.phase = Phase.BUILDING
                    continue
                choices = takes(self.stock[self.turn], self.per_round)
                if len(choices) > 1:
                    return
                self.take(choices[0].blocks)
            else:
                return

    def _opens(self, cards: Sequence[int], block: int) -> bool:
        """Whether one of these cards lets the seat build a block in some city."""
        seat, owners = self.turn, self.owners
        places, floors = self.places[seat], self.floors
        seat_floors = floors[seat]
        for card in cards:
            for cell in range(places[card], len(owners), SITES_HERE):
                owner = owners[cell]
                if owner in (NO_OWNER, seat) or floors[owner][cell] <= seat_floors[cell] + block:
                    return True
        return False

    def _exchange(self) -> None:
        """Rule: manhattan 4.7."""
        seat = self.turn
        hand = self.hands[seat]
        there = [card for card, count in enumerate(self.used) if count]
        if not self._opens([*there, *hand, *self.stack], self.chosen[seat][0]):
            self.chosen[seat].pop()
            self.turn = (seat + 1) % self.seats
            return
        for card in hand:
            self.used[card] += 1
        self.hands[seat] = [self._draw() for _ in range(HAND)]

    def points(self) -> list[Points]:
        """What the cities as they stand are worth to each seat (Rule: manhattan 5)."""
        seats, all_seats = self.seats, range(self.seats)
        won = [0] * seats
        for first in range(0, len(self.majorities), seats):
            here = self.majorities[first : first + seats]
            most = max(here)
            if most and here.count(most) == 1:
                won[here.index(most)] += 1
        best = max(self.heights)
        alone = self.heights.count(best) == 1
        tallest = self.owners[self.heights.index(best)] if alone else NO_OWNER
        return [
            Points(
                PER_BUILDING * self.owned[seat],
                PER_CITY * won[seat],
                FOR_TALLEST if seat == tallest else 0,
            )
            for seat in all_seats
        ]

    def _score(self) -> None:
        self.earned = self.points()
        for seat, points in enumerate(self.earned):
            self.scores[seat] += points.total
        if self.round == self.rounds:
            self.phase = Phase.OVER
            return
        self.phase = Phase.CHOOSING
        self.round += 1
        self.start = self.turn = (self.start + 1) % self.seats
