"""The values of positions, moves and attacks, for the house bot `greedy` and searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, reduce
from operator import or_
from typing import Any, Final

from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa.bot.odds import moves as chance_to_move
from bluebear.rules.tokugawa.bot.odds import odds, still_open, support_possible, wins
from bluebear.rules.tokugawa.data import map_tables
from bluebear.rules.tokugawa.data.terms import Building, Town, Weapon
from bluebear.rules.tokugawa.rules import moves as m
from bluebear.rules.tokugawa.rules import pieces
from bluebear.rules.tokugawa.rules.combat import strengths
from bluebear.rules.tokugawa.rules.economy import income
from bluebear.rules.tokugawa.rules.movement import TERRAIN
from bluebear.rules.tokugawa.rules.scoring import points_of
from bluebear.rules.tokugawa.rules.state import Approach, Battle, Kind, Phase, Piece, State, other

# What a position is worth to a seat, in tenths of a koku: the judgement of the house bot.

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
_BESIDE_ALLY: Final = 40
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
_WANTED: Final = {
    contract: (pieces.mask_of(deal.towns), deal.ships, deal.points)
    for contract, deal in map_tables.DEALS.items()
}
"""The towns, ships and points of each contract."""


class Worth:
    """The position of one seat at one table; without `rivals` it is alone on the map.

    `towns` has its samurai, `ports` its ships, as masks.
    """

    def __init__(self, table: State, seat: Seat, *, rivals: bool = True) -> None:
        self.table = table
        self.seat = seat
        self.clan = table.seats[seat]
        self.foe = table.seats[other(seat)]
        ground = pieces.ground_of(table, seat)
        self.towns = ground.samurai
        self.ports = pieces.estate_of(table, seat).fleet
        self._friendly = ground.friendly
        self._enemy = ground.enemy if rivals else pieces.BIT[self.foe.capital]
        self._places: dict[Town, tuple[int, int]] = {}
        self._deals = tuple(self._deal_worths())
        self._wanted = reduce(or_, (wanted for wanted, *_ in self._deals), 0)
        self._promised: dict[tuple[int, int], int] = {}
        self.now = self.deals(self.towns, self.ports)

    @cached_property
    def rival(self) -> Worth:
        """The position of the other seat at the same table."""
        return Worth(self.table, other(self.seat))

    def koku(self) -> int:
        """What one koku more is worth: the first ones are worth most."""
        return _next_koku(self.clan.koku)

    def purse(self) -> int:
        """What all koku of the seat are worth together."""
        return sum(map(_next_koku, range(self.clan.koku)))

    def taken(self) -> int:
        """The contracts that the seat has."""
        return sum(
            _DEAL + _DEAL_POINT * map_tables.DEALS[each].points for each in self.clan.contracts
        )

    def samurai(self) -> int:
        """All samurai of the seat where they stand."""
        return sum(self.at(town, self.table.pieces[town]) for town in pieces.towns_of(self.towns))

    def deals(self, towns: int, ports: int) -> int:
        """What the open contracts are worth with samurai on these towns, ships in these ports."""
        towns, harbours = towns & self._wanted, ports.bit_count()
        made = self._promised.get((towns, harbours))
        if made is None:
            made = 0
            for wanted, ships, points, worth in self._deals:
                done = (wanted & towns).bit_count() + min(ships, harbours)
                # The last towns of a contract are worth more than the first ones.
                made += worth * done * done // (points * points)
            self._promised[towns, harbours] = made
        return made

    def _deal_worths(self) -> Iterable[tuple[int, int, int, int]]:
        """The open contracts: their towns, ships and points, and what they are worth."""
        for contract in self.table.open.values():
            wanted, ships, points = _WANTED[contract]
            worth = _DEAL + _DEAL_POINT * points
            if len(self.clan.contracts) >= _LAST_CONTRACT:
                worth = WIN if self._wins_with(points) else -WIN
            for _ in range((wanted & self._enemy).bit_count()):
                worth = worth * _BLOCKED // 10
            yield wanted, ships, points, worth

    def _wins_with(self, points: int) -> bool:
        """Whether the seat would win if the game ended with so many points more."""
        made = points_of(self.table)
        return made[self.seat].total + points > made[other(self.seat)].total

    def at(self, town: Town, piece: Piece) -> int:
        """A samurai on a town, contracts aside."""
        place = self._places.get(town)
        if place is None:
            place = self._places[town] = self._place(town)
        made, striking = place
        if striking:
            made += striking * pieces.STRENGTH[piece.kind][piece.back] // FOR_ALL
        return made + self.by_itself(piece)

    def _place(self, town: Town) -> tuple[int, int]:
        """What a town adds to any samurai, and in thousandths to each point of its strength."""
        bit, province = pieces.BIT[town], map_tables.PROVINCE_OF[town]
        area = pieces.PROVINCE_MASK[province]
        # One more samurai in a province: what it adds to the taxes there.
        friendly = (self._friendly & area & ~(bit & self.towns)).bit_count()
        lead = friendly - (self._enemy & area).bit_count()
        made = _TAXES if 0 <= lead < self.table.banks[province] else 0
        if pieces.ADJACENT[self.clan.capital] & bit:
            made += _BESIDE_ALLY
        steps = map_tables.STEPS[self.foe.capital][town]
        if steps == 1:
            return made + _BESIDE_FOE, _STRIKING * _open(self.foe.capital, town)
        return made + (_NEAR_FOE if steps == 2 else 0), 0

    def by_itself(self, piece: Piece) -> int:
        """A samurai wherever it stands."""
        made = _PIECE[piece.kind]
        if piece.back:
            made += _FORGED
        return made + _WEAK if piece.weak else made

    def arrival(self, town: Town, piece: Piece, *, origin: Town | None = None) -> int:
        """What it adds that a samurai comes to a town, from its stock or from another town."""
        left = self.towns if origin is None else self.towns & ~pieces.BIT[origin]
        made = self.deals(left | pieces.BIT[town], self.ports) - self.now + self.at(town, piece)
        return made if origin is None else made - self.at(origin, piece)


def _next_koku(koku: int) -> int:
    return 14 if koku < 4 else 11 if koku < 9 else 8 if koku < 15 else 5


@cache  # bounded: two capitals, five neighbours each
def _open(capital: Town, town: Town) -> int:
    """How often an attack from a neighbouring town gets to a capital, out of a thousand."""
    return _part(FOR_ALL, chance_to_move(map_tables.ROAD[town, capital]))


def _part(worth: int, chance: Fraction) -> int:
    """A worth that comes with a chance."""
    return worth * chance.numerator // chance.denominator


# The value of an attack to the attacker, and when dice are good enough.

_WEAKENED: Final = 10
_RAZED: Final = 12
"""Every building and ship that the defender loses."""
_BESIEGER: Final = 15
"""An enemy beside the own capital that is driven away, and each point of its strength."""
_REWARD: Final = 2
"""Rule: tokugawa 9.3."""


class Assault:
    """One attack, as the attacker sees it."""

    def __init__(self, origin: Town, town: Town, approach: Approach, ours: Worth) -> None:
        self._table = ours.table
        self._origin = origin
        self._town = town
        self._approach = approach
        self._ours = ours
        self._target = ours.table.pieces[town]

    def expected(self) -> int:
        """Success times its worth, with all the supporters that both can pay."""
        ours = self._ours
        allies, guards = support_possible(self._table, self._origin, self._town)
        allies = min(allies, ours.clan.koku - 1)
        guards = min(guards, ours.foe.koku)
        return self.success() * self._chance(allies, guards) // FOR_ALL

    def success(self) -> int:
        if self._target.kind is Kind.CAPITAL:
            return self._capital()
        ours, table = self._ours, self._table
        theirs = ours.rival
        without = theirs.towns & ~pieces.BIT[self._town]
        made = theirs.now - theirs.deals(without, theirs.ports)
        made += theirs.at(self._town, self._target) - theirs.by_itself(self._target)
        made += ours.arrival(self._town, table.pieces[self._origin], origin=self._origin)
        if pieces.ADJACENT[ours.clan.capital] & pieces.BIT[self._town]:
            made += _BESIEGER * (1 + max(0, pieces.power(self._target)))
        site = table.sites.get(self._town)
        if site is not None:
            made += _RAZED * (len(pieces.buildings_on(site)) + site.ships)
        if (
            self._target.weak
            or not pieces.ADJACENT[self._town] & pieces.ground_of(table, ours.seat).empty
        ):
            return made + theirs.by_itself(self._target)
        return made + _WEAKENED

    def _capital(self) -> int:
        """The second success wins; the first one is worth more when the second may follow."""
        if self._target.back:
            return WIN
        if self._table.actions > 1:
            return HIT + (WIN - HIT) * self._chance(0, 0) // FOR_ALL
        return HIT

    def _chance(self, allies: int, guards: int) -> int:
        """Out of a thousand."""
        chances = odds(
            self._table, self._origin, self._town, self._approach, allies=allies, guards=guards
        )
        return _part(FOR_ALL, chances.wins)

    def support(self, battle: Battle, seat: Seat, koku: int) -> int:
        """What one more supporter of a seat is worth: one koku, two of which come back with it."""
        attack, defence = strengths(self._table, battle)
        ahead = attack - defence
        allies, guards = len(battle.allies), len(battle.guards)
        stake = self.success()
        if seat == self._ours.seat:
            # The defender answers after seeing this, and is taken to answer with everything.
            _, could = support_possible(self._table, self._origin, self._town)
            guards = min(could, self._ours.foe.koku)
            before, after = wins(ahead, allies, guards), wins(ahead, allies + 1, guards)
            won = after
        else:
            before, after = wins(ahead, allies, guards + 1), wins(ahead, allies, guards)
            won = 1 - before
        gain = stake * (after - before) + koku * (_REWARD * won - 1)
        return gain.numerator // gain.denominator


# The house bot `greedy`: fortifies its capital, then does what is worth most right now.
#
# It judges moves one by one (`worth` says what a position is worth) and weighs throws with their
# exact chances (Rule: tokugawa 14).

_ACTION: Final = 4
"""What an action is worth that nothing was done with."""
_NEVER: Final = -(10**6)
_FORTIFY: Final = 900
"""A wall or castle for the own capital comes before everything else (Rule: tokugawa 14.3)."""
_CAPITAL_SHRINE: Final = 70
_BUILDING: Final = 9
"""Any building, for the majority at the end (Rule: tokugawa 11.3)."""
_GARDEN: Final = 12
_SMITHY: Final = 26
_NEW_SHIP: Final = 6
_FAR_SWORD: Final = 5
"""In the start phase a sword stands the better the nearer it is to the enemy capital."""


def worths(table: State, seat: Seat, moves: Sequence[Move], *, rivals: bool = True) -> list[int]:
    """What each move is worth; without rivals a seat looks at its own things alone."""
    judge = _Judge(table, seat, rivals=rivals)
    return [judge.worth(move) for move in moves]


class _Judge:
    """What each move of a seat is worth at one table."""

    def __init__(self, table: State, seat: Seat, *, rivals: bool) -> None:
        self._table = table
        self._seat = seat
        self._ours = Worth(table, seat, rivals=rivals)
        self._koku = self._ours.koku()

    def worth(self, move: Move) -> int:
        """Higher is better; doing nothing is worth nothing."""
        return _JUDGED[type(move)](self, move)

    def _place(self, move: m.Place) -> int:
        piece = pieces.chip(self._seat, Kind(move.weapon))
        made = self._ours.arrival(move.town, piece)
        if move.weapon is not Weapon.ARCHER:
            made -= _FAR_SWORD * map_tables.STEPS[self._ours.foe.capital][move.town]
        return made

    def _tax(self, move: m.Tax) -> int:
        return income(self._table, self._seat, move.province) * self._koku - _ACTION

    def _levy(self, move: m.Levy) -> int:
        piece = pieces.chip(self._seat, Kind(move.weapon))
        cost = map_tables.ARMS[move.weapon].cost * self._koku
        return self._ours.arrival(move.town, piece) - cost - _ACTION

    def _march(self, move: m.March) -> int:
        piece = self._table.pieces[move.origin]
        gain = self._ours.arrival(move.town, piece, origin=move.origin)
        if move.way is not m.Way.LAND:
            gain = _part(gain, chance_to_move(TERRAIN[move.way]))
        return gain - (0 if self._table.phase is Phase.SAILING else _ACTION)

    def _attack(self, move: m.Attack) -> int:
        assault = Assault(move.origin, move.town, move.approach, self._ours)
        return assault.expected() - self._koku - _ACTION

    def _support(self, move: m.Support) -> int:
        """One more reroll against one koku, of which two come back after a victory."""
        if move.supporter == m.DONE:
            return 0
        battle = self._table.fight
        ours = self._ours if self._table.turn == self._seat else self._ours.rival
        assault = Assault(battle.origin, battle.town, battle.approach, ours)
        return assault.support(battle, self._seat, self._koku)

    def _reroll(self, move: m.Reroll) -> int:
        """Better or worse than the dice that lie there; a defender who is asked has lost so far."""
        if self._table.phase is Phase.DEFENCE_ROLL:
            return 1
        found = still_open(self._table)
        return -1 if found is None or found[0] >= found[1] else 1

    def _retreat(self, move: m.Retreat) -> int:
        battle = self._table.fight
        piece = self._table.pieces[battle.town]
        return self._ours.arrival(move.town, piece, origin=battle.town)

    def _build(self, move: m.Build) -> int:
        plan = map_tables.PLANS[move.building]
        cost = plan.cost * self._koku + (_ACTION if plan.action else 0)
        return self._gain_of(move) - cost

    def _gain_of(self, move: m.Build) -> int:
        ours = self._ours
        at_home = move.town == ours.clan.capital
        match move.building:
            case Building.WALL | Building.CASTLE:
                return _FORTIFY if at_home else 0
            case Building.SHRINE:
                return _BUILDING + (_CAPITAL_SHRINE if at_home else 0)
            case Building.GARDEN:
                return _BUILDING + (_GARDEN if self._can_tax(move) else 0)
            case Building.SMITHY:
                return _BUILDING + _SMITHY
            case Building.SHIP:
                ports = ours.ports | pieces.BIT[move.town]
                return _BUILDING + _NEW_SHIP + ours.deals(ours.towns, ports) - ours.now

    def _can_tax(self, move: m.Build) -> bool:
        """Whether a garden adds to the taxes of its province: it is the first one there."""
        province = map_tables.PROVINCE_OF[move.town]
        gardens = pieces.estate_of(self._table, self._seat).stands[Building.GARDEN]
        first = not gardens & pieces.PROVINCE_MASK[province]
        return first and income(self._table, self._seat, province) > 0

    def _forge(self, move: m.Forge) -> int:
        piece = self._table.pieces[move.town]
        forged = pieces.chip(piece.owner, piece.kind, True, piece.weak)  # noqa: FBT003 - see `chip`
        return self._ours.at(move.town, forged) - self._ours.at(move.town, piece) - _ACTION


_JUDGED: Final[Mapping[type[Move], Callable[[_Judge, Any], int]]] = {
    m.Place: _Judge._place,
    m.Tax: _Judge._tax,
    m.Levy: _Judge._levy,
    m.March: _Judge._march,
    m.Attack: _Judge._attack,
    m.Support: _Judge._support,
    m.Reroll: _Judge._reroll,
    m.Retreat: _Judge._retreat,
    m.Build: _Judge._build,
    m.Forge: _Judge._forge,
    m.Dismiss: lambda *_: _NEVER,
    **dict.fromkeys((m.Stand, m.Stay, m.Pass), lambda *_: 0),
}
"""Any: each judge takes the moves of its own kind."""
