"""Battle dice, totals, and what becomes of winner and loser (Rule: tokugawa 8, 9)."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Rash, Tell
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat, but
from bluebear.rules.tokugawa import scoring
from bluebear.rules.tokugawa.atlas import MODIFIER, PLANS, PROVINCE_OF
from bluebear.rules.tokugawa.battle_events import (
    CapitalFell,
    CapitalHit,
    Conquered,
    Lost,
    Recovered,
    Removed,
    Restruck,
    Retreated,
    Rewarded,
    Struck,
    Trampled,
    Won,
)
from bluebear.rules.tokugawa.chips import (
    chip,
    discharge,
    move_ship,
    occupy,
    pay,
    power,
    put_site,
    step,
    take_off,
)
from bluebear.rules.tokugawa.ground import ADJACENT, PROVINCE_MASK, estate_of, ground_of, towns_of
from bluebear.rules.tokugawa.moves import Reroll, Retreat, Stand
from bluebear.rules.tokugawa.state import (
    SEATS,
    Approach,
    Battle,
    Ending,
    Kind,
    Phase,
    Piece,
    Site,
    Table,
    Work,
    other,
)
from bluebear.rules.tokugawa.tables import RETREATS
from bluebear.rules.tokugawa.terms import Building, Province, Town, Weather

REWARD: Final = 2
"""Koku for each supporter of the winner (Rule: tokugawa 9.3)."""
_REROLL: Final = Reroll()


def attack_strength(piece: Piece, site: Site | None, weather: Weather) -> int:
    """What is added to the attacker's dice; `site` is what he has where he comes from.

    Rule: tokugawa 8.2.
    """
    made = power(piece) + MODIFIER[weather]
    if site is not None and site.shrine is Work.DONE:
        made += PLANS[Building.SHRINE].attack
    return made


def defence_strength(piece: Piece, site: Site | None) -> int:
    """What is added to the defender's dice; `site` is what he has on the town.

    Rule: tokugawa 8.3.
    """
    made = power(piece)
    if site is not None:
        if site.castle is Work.DONE:
            made += PLANS[Building.CASTLE].defence
        if site.wall:
            made += PLANS[Building.WALL].defence
        if site.shrine is Work.DONE:
            made += PLANS[Building.SHRINE].defence
    return made


def strengths(table: Table, battle: Battle) -> tuple[int, int]:
    """What attacker and defender add to their dice."""
    return (
        attack_strength(
            table.pieces[battle.origin], table.sites.get(battle.origin), battle.weather
        ),
        defence_strength(table.pieces[battle.town], table.sites.get(battle.town)),
    )


def totals(table: Table, battle: Battle) -> tuple[int, int]:
    """Dice and strength of attacker and defender (Rule: tokugawa 8.2, 8.3)."""
    attack, defence = strengths(table, battle)
    return sum(battle.dice) + attack, sum(battle.reply) + defence


def is_held(table: Table, battle: Battle) -> bool:
    """Whether the defender would win with the dice that lie there (Rule: tokugawa 9.1)."""
    attack, defence = totals(table, battle)
    return defence > attack


def rerolls(table: Table, seat: Seat) -> list[Move | Rash]:
    """The throw instead of the dice that lie there; rash for a defender whose dice hold.

    Rule: tokugawa 8.1.
    """
    wins = table.phase is Phase.DEFENCE_ROLL and is_held(table, table.fight)
    return [Rash(_REROLL) if wins else _REROLL]


def strike(table: Table, chance: Chance, tell: Tell) -> None:
    """The attacker's first throw (Rule: tokugawa 8.1)."""
    battle, dice = table.fight, _two_dice(chance)
    battle.dice, battle.rerolls = dice, len(battle.allies)
    tell(Struck(table.turn, dice, sum(dice), battle.rerolls))


def parry(table: Table, chance: Chance, tell: Tell) -> None:
    """The defender's first throw (Rule: tokugawa 8.1)."""
    battle, dice = table.fight, _two_dice(chance)
    table.phase = Phase.DEFENCE_ROLL
    battle.reply, battle.rerolls = dice, len(battle.guards)
    tell(Struck(other(table.turn), dice, sum(dice), battle.rerolls))


def reroll(table: Table, seat: Seat, move: Reroll, chance: Chance, tell: Tell) -> None:
    """A seat rejects both its dice; the new ones count (Rule: tokugawa 8.1)."""
    battle, dice = table.fight, _two_dice(chance)
    battle.rerolls -= 1
    tell(Restruck(seat, dice, sum(dice), battle.rerolls))
    if table.phase is Phase.ATTACK_ROLL:
        battle.dice = dice
    else:
        battle.reply = dice


def stand(table: Table, seat: Seat, move: Stand, chance: Chance, tell: Tell) -> None:
    """A seat lets its dice stand."""
    table.fight.rerolls = 0


def _two_dice(chance: Chance) -> tuple[int, ...]:
    return (chance.die(), chance.die())


def judge(table: Table, tell: Tell) -> None:
    """The totals are compared (Rule: tokugawa 9.1, 9.2, 9.3, 9.4, 9.10)."""
    battle = table.fight
    attack, defence = totals(table, battle)
    seat, loser = table.turn, other(table.turn)
    if attack < defence:
        tell(Lost(seat, attack, loser, defence, battle.town))
        _reward(table, loser, len(battle.guards), tell)
        _end(table)
        return
    tell(Won(seat, attack, loser, defence, battle.town))
    _reward(table, seat, len(battle.allies), tell)
    target = table.pieces[battle.town]
    if target.kind is Kind.CAPITAL:
        _hit_capital(table, tell)
    elif target.weak or not retreats(table):
        tell(Removed(loser, target.kind, battle.town))
        discharge(table, battle.town)
        _conquer(table, tell)
    else:
        table.phase = Phase.RETREATING


def _reward(table: Table, seat: Seat, count: int, tell: Tell) -> None:
    """The winner is paid for his supporters (Rule: tokugawa 9.3)."""
    if count:
        province = PROVINCE_OF[table.fight.town]
        koku = min(REWARD * count, table.banks[province])
        tell(Rewarded(seat, count, koku, province))
        pay(table, seat, -koku, province)


def _hit_capital(table: Table, tell: Tell) -> None:
    """Rule: tokugawa 9.10, 11.1."""
    battle, seat, loser = table.fight, table.turn, other(table.turn)
    province = PROVINCE_OF[battle.town]
    if table.pieces[battle.town].back:
        tell(CapitalFell(seat, loser, battle.town))
        _trample(table, province, tell)
        scoring.end(table, Ending.CAPITAL, seat, tell)
        return
    tell(CapitalHit(seat, loser, battle.town))
    table.pieces[battle.town] = chip(loser, Kind.CAPITAL, True)  # noqa: FBT003 - see `chip`
    table.decided = table.number
    _recover(table, battle.origin, tell)
    _trample(table, province, tell)
    _end(table)


def retreats(table: Table) -> tuple[Town, ...]:
    """The adjacent empty towns, sorted (Rule: tokugawa 9.4)."""
    return towns_of(ADJACENT[table.fight.town] & ground_of(table, table.turn).empty)


def retreat_moves(table: Table, seat: Seat) -> list[Move]:
    """Where the beaten samurai may go, sorted."""
    return [RETREATS[town] for town in retreats(table)]


def why_not_retreat(table: Table, seat: Seat, move: Retreat) -> NotAllowed | None:
    """What forbids the beaten samurai to go there."""
    towns = retreats(table)
    if move.town in towns:
        return None
    return NotAllowed("no_retreat", rule="9.4", town=move.town, towns=towns)


def retreat(table: Table, seat: Seat, move: Retreat, chance: Chance, tell: Tell) -> None:
    """The beaten samurai goes back (Rule: tokugawa 9.4)."""
    fall_back(table, move.town, tell)


def fall_back(table: Table, town: Town, tell: Tell) -> None:
    """The beaten samurai goes back, and the attacker forward (Rule: tokugawa 9.4, 9.5)."""
    battle = table.fight
    beaten = table.pieces[battle.town]
    tell(Retreated(beaten.owner, beaten.kind, battle.town, town))
    weak = chip(beaten.owner, beaten.kind, beaten.back, True)  # noqa: FBT003 - see `chip`
    del table.pieces[battle.town]
    table.pieces[town] = weak
    occupy(table, beaten.owner, town, tell)
    _conquer(table, tell)


def _conquer(table: Table, tell: Tell) -> None:
    """The attacker moves onto the town that is empty now (Rule: tokugawa 9.5 to 9.9)."""
    battle, seat = table.fight, table.turn
    origin, town = battle.origin, battle.town
    tell(Conquered(seat, table.pieces[origin].kind, origin, town))
    step(table, origin, town)
    _recover(table, town, tell)
    _trample(table, PROVINCE_OF[town], tell)
    occupy(table, seat, town, tell)
    if battle.approach is Approach.SEA:
        move_ship(table, seat, origin, town)
    _end(table)


def _recover(table: Table, town: Town, tell: Tell) -> None:
    """Rule: tokugawa 9.6."""
    piece = table.pieces[town]
    if piece.weak:
        tell(Recovered(piece.owner, piece.kind, town))
        table.pieces[town] = chip(piece.owner, piece.kind, piece.back)


def _trample(table: Table, province: Province, tell: Tell) -> None:
    """All gardens of the province are gone, of both sides (Rule: tokugawa 9.8)."""
    for seat in SEATS:
        gardens = estate_of(table, seat).stands[Building.GARDEN]
        towns = towns_of(gardens & PROVINCE_MASK[province])
        if towns:
            tell(Trampled(seat, province, towns))
        for town in towns:
            put_site(table, town, but(table.sites[town], garden=False))
            take_off(table, seat, Building.GARDEN)


def _end(table: Table) -> None:
    """The battle is over, and the turn goes on."""
    table.phase, table.battle = Phase.ACTING, None
