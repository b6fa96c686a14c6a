"""What a position is worth to a seat, in tenths of a koku: the judgement of the house bot."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Final

from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.atlas import DEALS, NEIGHBOURS, PROVINCE_OF, ROAD
from bluebear.rules.tokugawa.chips import STRENGTH
from bluebear.rules.tokugawa.details import STEPS
from bluebear.rules.tokugawa.odds import moves
from bluebear.rules.tokugawa.scoring import points_of
from bluebear.rules.tokugawa.state import Kind, Piece, Table, other
from bluebear.rules.tokugawa.terms import Province, Town

WIN: Final = 5000
"""The end of the game, won or lost."""
HIT: Final = 500
"""The first success against a capital: it stays, and the next one ends the game."""
FOR_ALL: Final = 1000
"""Chances are whole numbers out of so many."""

_DEAL: Final = 120
_DEAL_POINT: Final = 40
"""A contract when it is fulfilled, and each of its points."""
_BLOCKED: Final = 6
"""Tenths of a contract's worth that are left for each town where the enemy stands."""
_BESIDE_OWN: Final = 40
"""A samurai beside the own capital: it helps there, and no enemy can be levied there."""
_BESIDE_FOE: Final = 20
"""A samurai beside the enemy capital: it helps in attacks on it."""
_NEAR_FOE: Final = 6
_TAXES: Final = 4
"""One samurai more than the enemy where the bank can pay it."""
_LAST_CONTRACT: Final = 2
"""Who has so many contracts ends the game with the next."""
_PIECE: Final = {Kind.ARCHER: 14, Kind.SPEAR: 22, Kind.SWORD: 40, Kind.CAPITAL: 0}
"""A samurai wherever it stands."""
_FORGED: Final = 12
_WEAK: Final = -8
_STRIKING: Final = 45
"""Beside the enemy capital, for each point of strength and every time that the road is open."""


class Worth:
    """The position of one seat at one table; without `rivals` it is alone on the map."""

    def __init__(self, table: Table, seat: Seat, *, rivals: bool = True) -> None:
        self.table = table
        self.seat = seat
        self.clan = table.seats[seat]
        self.foe = table.seats[other(seat)]
        self.towns = frozenset(
            town for town, piece in table.pieces.items() if piece.owner == seat
        ) - {self.clan.capital}
        self.against = frozenset(
            town for town, piece in table.pieces.items() if rivals and piece.owner != seat
        ) - {self.foe.capital}
        self.ports = frozenset(
            town for town, site in table.sites.items() if site.owner == seat and site.ships
        )
        self._lead = self._leads()
        self._deals = tuple(self._deal_worths())
        self.now = self.deals(self.towns, self.ports)

    def koku(self) -> int:
        """What one koku more is worth: the first ones are worth most."""
        return _next_koku(self.clan.koku)

    def purse(self) -> int:
        """What all koku of the seat are worth together."""
        return sum(map(_next_koku, range(self.clan.koku)))

    def taken(self) -> int:
        """The contracts that the seat has."""
        return sum(_DEAL + _DEAL_POINT * DEALS[each].points for each in self.clan.contracts)

    def samurai(self) -> int:
        """All samurai of the seat where they stand."""
        return sum(self.at(town, self.table.pieces[town]) for town in self.towns)

    def deals(self, towns: AbstractSet[Town], ports: Collection[Town]) -> int:
        """What the open contracts are worth with samurai on these towns, ships in these ports."""
        made, harbours = 0, len(ports)
        for wanted, ships, points, worth in self._deals:
            done = len(wanted & towns) + min(ships, harbours)
            # The last towns of a contract are worth more than the first ones.
            made += worth * done * done // (points * points)
        return made

    def _leads(self) -> Mapping[Province, int]:
        """By province: by how many pieces the seat is ahead there, capitals included."""
        made = dict.fromkeys(self.table.banks, 0)
        for town in (*self.towns, self.clan.capital):
            made[PROVINCE_OF[town]] += 1
        for town in (*self.against, self.foe.capital):
            made[PROVINCE_OF[town]] -= 1
        return made

    def _deal_worths(self) -> Iterable[tuple[frozenset[Town], int, int, int]]:
        """The open contracts: their towns, ships and points, and what they are worth."""
        for contract in self.table.open.values():
            deal = DEALS[contract]
            worth = _DEAL + _DEAL_POINT * deal.points
            if len(self.clan.contracts) >= _LAST_CONTRACT:
                worth = WIN if self._wins_with(deal.points) else -WIN
            for town in deal.towns:
                if town in self.against or town == self.foe.capital:
                    worth = worth * _BLOCKED // 10
            yield frozenset(deal.towns), deal.ships, deal.points, worth

    def _wins_with(self, points: int) -> bool:
        """Whether the seat would win if the game ended with so many points more."""
        made = points_of(self.table)
        return made[self.seat].total + points > made[other(self.seat)].total

    def at(self, town: Town, piece: Piece) -> int:
        """A samurai on a town, contracts aside."""
        made = self.by_itself(piece) + self._taxes(PROVINCE_OF[town], town)
        if town in NEIGHBOURS[self.clan.capital]:
            made += _BESIDE_OWN
        steps = STEPS[self.foe.capital][town]
        if steps == 1:
            made += _BESIDE_FOE + self._striking(town, piece)
        elif steps == 2:
            made += _NEAR_FOE
        return made

    def by_itself(self, piece: Piece) -> int:
        """A samurai wherever it stands."""
        made = _PIECE[piece.kind]
        if piece.back:
            made += _FORGED
        return made + _WEAK if piece.weak else made

    def _striking(self, town: Town, piece: Piece) -> int:
        strength = STRENGTH[piece.kind][piece.back]
        return _STRIKING * strength * _open(self.foe.capital, town) // FOR_ALL

    def _taxes(self, province: Province, town: Town) -> int:
        """One more samurai in a province: what it adds to the taxes there."""
        lead = self._lead[province] - (town in self.towns)
        return _TAXES if 0 <= lead < self.table.banks[province] else 0

    def arrival(self, town: Town, piece: Piece, *, origin: Town | None = None) -> int:
        """What it adds that a samurai comes to a town, from its stock or from another town."""
        gone = self.towns - {origin} if origin is not None else self.towns
        made = self.deals(gone | {town}, self.ports) - self.now + self.at(town, piece)
        return made if origin is None else made - self.at(origin, piece)


def _next_koku(koku: int) -> int:
    return 14 if koku < 4 else 11 if koku < 9 else 8 if koku < 15 else 5


@cache  # bounded: two capitals, five neighbours each
def _open(capital: Town, town: Town) -> int:
    """How often an attack from a neighbouring town gets to a capital, out of a thousand."""
    chance = moves(ROAD[town, capital])
    return FOR_ALL * chance.numerator // chance.denominator
