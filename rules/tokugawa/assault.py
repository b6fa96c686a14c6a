"""What an attack is worth to whoever attacks, and when dice are good enough, for the house bot."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.atlas import NEIGHBOURS
from bluebear.rules.tokugawa.chips import power, standing
from bluebear.rules.tokugawa.fighting import strengths
from bluebear.rules.tokugawa.ground import ADJACENT, ground_of
from bluebear.rules.tokugawa.odds import TWO_DICE, odds, support_possible, wins
from bluebear.rules.tokugawa.state import Approach, Battle, Kind, Table
from bluebear.rules.tokugawa.terms import Town
from bluebear.rules.tokugawa.worth import FOR_ALL, HIT, WIN, Worth

_PAIRS: Final = sum(TWO_DICE.values())
_WEAKENED: Final = 10
_RAZED: Final = 12
"""Every building and ship that the defender loses."""
_BESIEGER: Final = 15
"""An enemy beside the own capital that is driven away, and each point of its strength."""
_REWARD: Final = 2
"""Rule: tokugawa 9.3."""


class Assault:
    """One attack, as the attacker sees it."""

    def __init__(
        self, table: Table, origin: Town, town: Town, approach: Approach, mine: Worth
    ) -> None:
        self._table = table
        self._origin = origin
        self._town = town
        self._approach = approach
        self._mine = mine
        self._target = table.pieces[town]

    def expected(self) -> int:
        """Success times its worth, with all the supporters that both can pay."""
        mine = self._mine
        allies, guards = support_possible(self._table, self._origin, self._town)
        allies = min(allies, mine.clan.koku - 1)
        guards = min(guards, mine.foe.koku)
        return self.success() * self._chance(allies, guards) // FOR_ALL

    def success(self) -> int:
        """What a success is worth."""
        if self._target.kind is Kind.CAPITAL:
            return self._capital()
        mine, table = self._mine, self._table
        theirs = Worth(table, self._target.owner)
        without = theirs.towns - {self._town}
        made = theirs.now - theirs.deals(without, theirs.ports)
        made += theirs.at(self._town, self._target) - theirs.by_itself(self._target)
        made += mine.arrival(self._town, table.pieces[self._origin], origin=self._origin)
        if self._town in NEIGHBOURS[mine.clan.capital]:
            made += _BESIEGER * (1 + max(0, power(self._target)))
        site = table.sites.get(self._town)
        if site is not None:
            made += _RAZED * (len(standing(site)) + site.ships)
        if self._target.weak or not ADJACENT[self._town] & ground_of(table, mine.seat).empty:
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
        chance = odds(
            self._table, self._origin, self._town, self._approach, allies=allies, guards=guards
        ).wins
        return FOR_ALL * chance.numerator // chance.denominator

    def support(self, battle: Battle, seat: Seat, koku: int) -> int:
        """What one more supporter of a seat is worth: one koku, two of which come back with it."""
        attack, defence = strengths(self._table, battle)
        ahead = attack - defence
        allies, guards = len(battle.allies), len(battle.guards)
        stake = self.success()
        if seat == self._mine.seat:
            # The defender answers when he has seen this; he is taken to answer with all he has.
            _, could = support_possible(self._table, self._origin, self._town)
            guards = min(could, self._mine.foe.koku)
            before, after = wins(ahead, allies, guards), wins(ahead, allies + 1, guards)
            won = after
        else:
            before, after = wins(ahead, allies, guards + 1), wins(ahead, allies, guards)
            won = 1 - before
        gain = stake * (after - before) + koku * (_REWARD * won - 1)
        return gain.numerator // gain.denominator


def keeps_dice(table: Table, battle: Battle) -> bool:
    """Whether the attacker's dice are at least as good as what another throw promises."""
    attack, defence = strengths(table, battle)
    ahead, guards = attack - defence, len(battle.guards)
    needed = sum(battle.dice) + ahead
    fails = Fraction(sum(ways for dice, ways in TWO_DICE.items() if dice <= needed), _PAIRS)
    now: Fraction = fails ** (guards + 1)
    return now >= wins(ahead, battle.rerolls - 1, guards)
