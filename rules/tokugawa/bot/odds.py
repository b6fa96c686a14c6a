"""Exact chances of an attack, from the same tables and strengths as the attack itself.

Rule: tokugawa 13.3, 14.1, 14.2. Both sides are taken to throw again when that is best for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Final

from bluebear.rules.core.tables import Entry
from bluebear.rules.tokugawa.data.map_tables import MODIFIER, NEEDED, WEATHER_FACES
from bluebear.rules.tokugawa.data.pieces_loader import DIE
from bluebear.rules.tokugawa.data.terms import Terrain, Town, Weather
from bluebear.rules.tokugawa.rules import combat
from bluebear.rules.tokugawa.rules.movement import rolls_on_land
from bluebear.rules.tokugawa.rules.pieces import ADJACENT, BIT, ground_of
from bluebear.rules.tokugawa.rules.state import Approach, Phase, State

_FACES: Final = range(1, DIE + 1)
_PAIRS: Final = DIE * DIE

TWO_DICE: Final[Mapping[int, int]] = {
    total: sum(a + b == total for a, b in product(_FACES, repeat=2))
    for total in range(2, 2 * DIE + 1)
}
"""In how many of the 36 ways two battle dice show a sum (Rule: tokugawa 8.1)."""

_CERTAIN: Final = Fraction(1)
_NEVER: Final = Fraction(0)


@cache
def chance_of(weather: Weather) -> Fraction:
    """How likely a weather is (Rule: tokugawa 1.3)."""
    return Fraction(WEATHER_FACES.count(weather), len(WEATHER_FACES))


@cache
def moves_in(terrain: Terrain, weather: Weather) -> Fraction:
    """How likely a movement with a throw succeeds in a weather (Rule: tokugawa 6.4)."""
    needs = NEEDED[terrain][weather]
    return _NEVER if needs is None else Fraction(sum(die >= needs for die in _FACES), DIE)


@cache
def moves(terrain: Terrain) -> Fraction:
    """How likely a movement with a throw succeeds (Rule: tokugawa 6.7)."""
    return sum((chance_of(each) * moves_in(terrain, each) for each in Weather), _NEVER)


@cache  # bounded: 26 differences, up to five supporters each
def wins(ahead: int, allies: int = 0, guards: int = 0) -> Fraction:
    """How likely an attacker wins the battle (Rule: tokugawa 8.1, 9.1).

    `ahead` is the attacker's strength and weather minus the defender's; `allies` and `guards` are
    how often attacker and defender may throw again.
    """
    worth = {dice: _CERTAIN - _holds(dice + ahead, guards) for dice in TWO_DICE}
    value = _mean(worth)
    for _ in range(allies):
        # Who throws again gets what the throw is worth with one repetition fewer.
        value = _mean({dice: max(each, value) for dice, each in worth.items()})
    return value


def _holds(needed: int, guards: int) -> Fraction:
    """How likely a defender's dice exceed a number, who throws again while they do not."""
    fails = Fraction(sum(ways for dice, ways in TWO_DICE.items() if dice <= needed), _PAIRS)
    return _CERTAIN - fails ** (guards + 1)


def _mean(worth: Mapping[int, Fraction]) -> Fraction:
    return Fraction(sum((each * TWO_DICE[dice] for dice, each in worth.items()), _NEVER), _PAIRS)


class InWeather(Entry):
    """An attack in one weather: chances of the weather, of arriving, of winning then."""

    weather: Weather
    chance: Fraction
    arrives: Fraction
    attack: int
    defence: int
    wins: Fraction


class Odds(Entry):
    """The chances of one attack, weather by weather, with so many supporters on both sides.

    `arrives`: that the movement succeeds; `wins`: the whole attack, movement included.
    """

    cases: tuple[InWeather, ...]
    arrives: Fraction
    wins: Fraction


def odds(
    table: State,
    origin: Town,
    town: Town,
    approach: Approach,
    *,
    allies: int = 0,
    guards: int = 0,
) -> Odds:
    """The chances of the samurai on `origin` against the piece on `town`.

    There must be pieces of both seats, and a road or ports; turn and koku do not matter.
    """
    always = approach is Approach.ROAD and not rolls_on_land(table.pieces[origin])
    terrain = None if always else combat.terrain_of(table, origin, town, approach)
    attack, defence = combat.strengths_between(table, origin, town)
    return _odds(terrain, attack, defence, allies, guards)


@cache  # bounded: four terrains, some ten strengths on both sides, up to five supporters each
def _odds(terrain: Terrain | None, strength: int, defence: int, allies: int, guards: int) -> Odds:
    """The same for an attack over a terrain; without one its movement always succeeds."""
    cases = []
    for weather in Weather:
        arrives = _CERTAIN if terrain is None else moves_in(terrain, weather)
        attack = strength + MODIFIER[weather]
        won = wins(attack - defence, allies, guards)
        cases.append(InWeather(weather, chance_of(weather), arrives, attack, defence, won))
    return Odds(
        tuple(cases),
        sum((case.chance * case.arrives for case in cases), _NEVER),
        sum((case.chance * case.arrives * case.wins for case in cases), _NEVER),
    )


def from_here(table: State) -> Fraction:
    """How likely the attacker wins the battle under way, with the supporters named so far.

    The dice that lie there count; both sides throw again when that is best for them.
    """
    battle = table.fight
    if not battle.dice:
        attack, defence = combat.strengths(table, battle)
        return wins(attack - defence, len(battle.allies), len(battle.guards))
    outcomes = still_open(table) or (_stands(table),)
    return max(outcomes) if table.phase is Phase.ATTACK_ROLL else min(outcomes)


def still_open(table: State) -> tuple[Fraction, Fraction] | None:
    """The attacker's chances with the deciding seat's dice as they are, and with a new throw.

    None where no seat may throw again.
    """
    battle = table.fight
    if not battle.rerolls:
        return None
    (attack, defence), left = combat.strengths(table, battle), battle.rerolls - 1
    if not battle.reply:
        return _stands(table), wins(attack - defence, left, len(battle.guards))
    return _stands(table), _CERTAIN - _holds(sum(battle.dice) + attack - defence, left)


def _stands(table: State) -> Fraction:
    """The attacker's chance if the deciding seat's dice stay as they are."""
    battle = table.fight
    if battle.reply:
        return _NEVER if combat.defends(table, battle) else _CERTAIN
    attack, defence = combat.totals(table, battle)
    return _CERTAIN - _holds(attack - defence, len(battle.guards))


def with_one_more(table: State) -> Fraction:
    """How likely the attacker wins if the seat that is asked names one more supporter."""
    battle = table.fight
    attack, defence = combat.strengths(table, battle)
    ours, theirs = (1, 0) if table.phase is Phase.ATTACK_SUPPORT else (0, 1)
    return wins(attack - defence, len(battle.allies) + ours, len(battle.guards) + theirs)


def support_possible(table: State, origin: Town, town: Town) -> tuple[int, int]:
    """How many pieces could support attacker and defender, koku aside (Rule: tokugawa 7.4)."""
    ground, beside = ground_of(table, table.pieces[origin].owner), ADJACENT[town]
    allies = beside & ground.friendly & ~BIT[origin]
    return allies.bit_count(), (beside & ground.enemy).bit_count()
