"""The house bot `greedy`: fortifies its capital, then does what is worth most right now.

It judges moves one by one (`worth` says what a position is worth) and weighs throws with their
exact chances (Rule: tokugawa 14).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa import moves as m
from bluebear.rules.tokugawa.assault import Assault, keeps_dice
from bluebear.rules.tokugawa.atlas import ARMS, PLANS, PROVINCE_OF
from bluebear.rules.tokugawa.chips import chip, kind_of
from bluebear.rules.tokugawa.details import STEPS
from bluebear.rules.tokugawa.economy import income
from bluebear.rules.tokugawa.odds import moves as chance_to_move
from bluebear.rules.tokugawa.state import Phase, Table
from bluebear.rules.tokugawa.terms import Building, Terrain, Weapon
from bluebear.rules.tokugawa.worth import Worth

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


def worths(table: Table, seat: Seat, moves: Sequence[Move], *, rivals: bool = True) -> list[int]:
    """What each move is worth; without rivals a seat looks at its own things alone."""
    judge = _Judge(table, seat, rivals=rivals)
    return [judge.worth(move) for move in moves]


class _Judge:
    """What each move of a seat is worth at one table."""

    def __init__(self, table: Table, seat: Seat, *, rivals: bool) -> None:
        self._table = table
        self._seat = seat
        self._mine = Worth(table, seat, rivals=rivals)
        self._koku = self._mine.koku()

    def worth(self, move: Move) -> int:
        """Higher is better; doing nothing is worth nothing."""
        return _JUDGED[type(move)](self, move)

    def _place(self, move: m.Place) -> int:
        piece = chip(self._seat, kind_of(move.weapon))
        made = self._mine.arrival(move.town, piece)
        if move.weapon is not Weapon.ARCHER:
            made -= _FAR_SWORD * STEPS[self._mine.foe.capital][move.town]
        return made

    def _tax(self, move: m.Tax) -> int:
        return income(self._table, self._seat, move.province) * self._koku - _ACTION

    def _levy(self, move: m.Levy) -> int:
        piece = chip(self._seat, kind_of(move.weapon))
        cost = ARMS[move.weapon].cost * self._koku
        return self._mine.arrival(move.town, piece) - cost - _ACTION

    def _march(self, move: m.March) -> int:
        piece = self._table.pieces[move.origin]
        gain = self._mine.arrival(move.town, piece, origin=move.origin)
        if move.way is not m.Way.LAND:
            chance = chance_to_move(Terrain(move.way.value))
            gain = gain * chance.numerator // chance.denominator
        return gain - (0 if self._table.phase is Phase.SAILING else _ACTION)

    def _attack(self, move: m.Attack) -> int:
        assault = Assault(self._table, move.origin, move.town, move.approach, self._mine)
        return assault.expected() - self._koku - _ACTION

    def _support(self, move: m.Support) -> int:
        """One more reroll against one koku, of which two come back after a victory."""
        if move.supporter == m.DONE:
            return 0
        battle = self._table.fight
        attacker = self._table.turn
        mine = self._mine if attacker == self._seat else Worth(self._table, attacker)
        assault = Assault(self._table, battle.origin, battle.town, battle.approach, mine)
        return assault.support(battle, self._seat, self._koku)

    def _reroll(self, move: m.Reroll) -> int:
        """Better or worse than the dice that lie there; a defender who is asked has lost so far."""
        if self._table.phase is Phase.DEFENCE_ROLL:
            return 1
        return -1 if keeps_dice(self._table, self._table.fight) else 1

    def _retreat(self, move: m.Retreat) -> int:
        battle = self._table.fight
        piece = self._table.pieces[battle.town]
        return self._mine.arrival(move.town, piece, origin=battle.town)

    def _build(self, move: m.Build) -> int:
        plan = PLANS[move.building]
        cost = plan.cost * self._koku + (_ACTION if plan.action else 0)
        return self._gain_of(move) - cost

    def _gain_of(self, move: m.Build) -> int:
        mine = self._mine
        at_home = move.town == mine.clan.capital
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
                ports = mine.ports | {move.town}
                return _BUILDING + _NEW_SHIP + mine.deals(mine.towns, ports) - mine.now

    def _can_tax(self, move: m.Build) -> bool:
        """Whether a garden adds to the taxes of its province: it is the first one there."""
        province = PROVINCE_OF[move.town]
        first = not any(
            site.garden and site.owner == self._seat and PROVINCE_OF[town] == province
            for town, site in self._table.sites.items()
        )
        return first and income(self._table, self._seat, province) > 0

    def _forge(self, move: m.Forge) -> int:
        piece = self._table.pieces[move.town]
        forged = chip(piece.owner, piece.kind, True, piece.weak)  # noqa: FBT003 - see `chip`
        return self._mine.at(move.town, forged) - self._mine.at(move.town, piece) - _ACTION

    def _nothing(self, move: Move) -> int:
        return 0

    def _dismiss(self, move: m.Dismiss) -> int:
        return _NEVER


_JUDGED: Final[Mapping[type[Move], Callable[[_Judge, Any], int]]] = {
    m.Place: _Judge._place,
    m.Tax: _Judge._tax,
    m.Levy: _Judge._levy,
    m.March: _Judge._march,
    m.Attack: _Judge._attack,
    m.Support: _Judge._support,
    m.Reroll: _Judge._reroll,
    m.Stand: _Judge._nothing,
    m.Retreat: _Judge._retreat,
    m.Build: _Judge._build,
    m.Stay: _Judge._nothing,
    m.Forge: _Judge._forge,
    m.Dismiss: _Judge._dismiss,
    m.Pass: _Judge._nothing,
}
"""Any: each judge takes the moves of its own kind."""
