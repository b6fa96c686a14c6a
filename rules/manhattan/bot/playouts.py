"""Playouts of Manhattan on plain lists: deals, a quick policy, the promise of the next scoring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bluebear.rules.core.game import leaders
from bluebear.rules.core.search_model import PlayoutEnd, Terms
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.manhattan.bot.evaluation import terms_of, worth_when
from bluebear.rules.manhattan.bot.fast_state import CITY_OF, NO_OWNER, SITES_HERE, FastState
from bluebear.rules.manhattan.rules.moves import BUILDS, Build, Take
from bluebear.rules.manhattan.rules.state import CARDS, COPIES, HAND, Phase, Points, Site, State

TRIES: Final = 6
"""The policy looks at so many builds by chance and takes the best of them."""
_TAKEOVER: Final = 16
_NEW: Final = 8
_LEAD: Final = 2
_SAFE: Final = 5
"""A lead of five floors cannot be reached with one block (Rule: manhattan 4.3)."""

# Knuth's generator: the policy draws a number in a tenth of the time that a Chance takes.
_TIMES: Final = 6364136223846793005
_PLUS: Final = 1442695040888963407
_MASK: Final = 2**64 - 1
_HIGH: Final = 33


class Playouts:
    """Playouts of one view; a `bluebear.rules.core.search_model.Core`. Owner: one search."""

    def __init__(self, view: State, seat: Seat) -> None:
        self._seat = seat - 1
        self._view = FastState(view, [], self._shuffle)
        seen = [card for builder in view.seats.values() for card in builder.hand or ()]
        self._pool = [
            card - 1 for card in CARDS for _ in range(COPIES - view.used[card] - seen.count(card))
        ]
        self._state = 0
        self._seed = 0
        self._dealt = self._view

    def deal(self, seed: int) -> None:
        """Deal the cards that the seat does not see."""
        self._state = self._seed = seed & _MASK
        self._dealt = table = self._view.copied()
        table.stack = self._pool[:]
        self._shuffle(table.stack)
        for hand in table.hands:
            if not hand:
                hand += [table.stack.pop() for _ in range(HAND)]

    def _shuffle(self, cards: list[int]) -> None:
        state = self._state
        for last in range(len(cards) - 1, 0, -1):
            state = (state * _TIMES + _PLUS) & _MASK
            at = (state >> _HIGH) % (last + 1)
            cards[last], cards[at] = cards[at], cards[last]
        self._state = state

    def play_out(self, move: Move) -> PlayoutEnd:
        """Where a move leads by the next scoring."""
        table = self._dealt.copied()
        table.shuffle = self._shuffle
        self._state = self._seed
        since = table.round
        self._move(table, move)
        table.settle()
        reply: Move | None = None
        while table.round == since and table.phase is not Phase.OVER:
            if table.phase is Phase.CHOOSING:
                table.take(table.even())
            else:
                block, cell = self._choice(table)
                if reply is None and table.turn != self._seat:
                    reply = build_of(block, cell)
                table.build(block, cell)
            table.settle()
        # Since the scoring nothing was built, so its points are those of the cities as they stand.
        return rest_of(table, table.earned, reply)

    def _move(self, table: FastState, move: Move) -> None:
        if isinstance(move, Build):
            table.build(move.block, CITY_OF.index(move.city) * SITES_HERE + move.site - 1)
        elif isinstance(move, Take):
            table.take(move.blocks)

    def _choice(self, table: FastState) -> tuple[int, int]:
        """What the policy builds: the best of some builds by chance, block and cell.

        It reads the mover's own hand and what lies open.
        """
        seat = table.turn
        owners, floors, places = table.owners, table.floors, table.places[seat]
        hand, chosen, seat_floors = table.hands[seat], table.chosen[seat], floors[seat]
        rival_floors = [each for at, each in enumerate(floors) if at != seat]
        number = len(chosen)
        state = self._state
        best, found = -99, (0, 0)
        for _ in range(TRIES):
            state = (state * _TIMES + _PLUS) & _MASK
            drawn = state >> _HIGH
            block = chosen[drawn % number]
            cell = (drawn >> 8) % 6 * SITES_HERE + places[hand[(drawn >> 4) & 3]]
            owner = owners[cell]
            if owner == NO_OWNER:
                worth = _NEW + _LEAD * block - block
            else:
                total = seat_floors[cell] + block
                if owner != seat and floors[owner][cell] > total:
                    continue
                lead = total - max([each[cell] for each in rival_floors])
                worth = _LEAD * (min(_SAFE, lead)) - block
                if owner != seat:
                    worth += _TAKEOVER
            if worth > best:
                best, found = worth, (block, cell)
        self._state = state
        return found if best > -99 else self._any(table)

    def _any(self, table: FastState) -> tuple[int, int]:
        """Any build; the seat has one."""
        seat = table.turn
        places, seat_floors = table.places[seat], table.floors[seat]
        legal = [
            (block, cell)
            for block in sorted(set(table.chosen[seat]))
            for card in sorted(set(table.hands[seat]))
            for cell in range(places[card], len(table.owners), SITES_HERE)
            if (owner := table.owners[cell]) in (NO_OWNER, seat)
            or table.floors[owner][cell] <= seat_floors[cell] + block
        ]
        self._state = (self._state * _TIMES + _PLUS) & _MASK
        return legal[(self._state >> _HIGH) % len(legal)]


def rest_of(table: FastState, city_points: Sequence[Points], reply: Move | None) -> PlayoutEnd:
    """Where a table on lists stands, whose cities are worth these points as they stand."""
    over = table.phase is Phase.OVER
    left = 0 if over else table.rounds + 1 - table.round
    terms: Sequence[Terms] = [
        terms_of(left, score, points, stock)
        for score, points, stock in zip(table.scores, city_points, table.stock, strict=True)
    ]
    first: tuple[Seat, ...] = ()
    if over:
        first = leaders({Seat(at): score for at, score in enumerate(table.scores, 1)})
    return PlayoutEnd(tuple(terms), worth_when(left).spread, first, reply)


def build_of(block: int, cell: int) -> Build:
    city, site = divmod(cell, SITES_HERE)
    return BUILDS[CITY_OF[city]][Site(site + 1)][block - 1]
