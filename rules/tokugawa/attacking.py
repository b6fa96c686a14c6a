"""Attacks up to the battle dice: declaration, movement, support (Rule: tokugawa 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Tell
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa.atlas import NEIGHBOURS, PROVINCE_OF, ROAD
from bluebear.rules.tokugawa.battle_events import Attacked, Supported
from bluebear.rules.tokugawa.chips import pay
from bluebear.rules.tokugawa.events import Failed, Weathered
from bluebear.rules.tokugawa.ground import (
    ADJACENT,
    BIT,
    by_ship,
    estate_of,
    ground_of,
    mask_of,
    towns_of,
)
from bluebear.rules.tokugawa.marching import rolls_on_land, thrown, weather_thrown
from bluebear.rules.tokugawa.moves import DONE, Attack, Support
from bluebear.rules.tokugawa.refusals import can_pay, no_ship, own_samurai, too_dear
from bluebear.rules.tokugawa.state import Approach, Battle, Phase, Table
from bluebear.rules.tokugawa.tables import NO_SUPPORT, SUPPORTS, attack
from bluebear.rules.tokugawa.terms import Terrain, Town, Weather

FEE: Final = 1
"""Koku for an attack (Rule: tokugawa 7.2)."""
SUPPORT_FEE: Final = 1
"""Koku for each support (Rule: tokugawa 7.4)."""


def attacks(table: Table, seat: Seat) -> list[Move]:
    """Every attack that a seat may declare, sorted by line (Rule: tokugawa 7.1, 7.2)."""
    if not can_pay(table.seats[seat], FEE):
        return []
    ground, fleet = ground_of(table, seat), estate_of(table, seat).fleet
    made: list[Move] = []
    for origin in towns_of(ground.samurai):
        by_road, by_sea = _targets(origin, ground.enemy, fleet)
        for town in towns_of(by_road | by_sea):
            if by_road & BIT[town]:
                made.append(attack(origin, town, Approach.ROAD))
            if by_sea & BIT[town]:
                made.append(attack(origin, town, Approach.SEA))
    return made


def _targets(origin: Town, enemy: int, fleet: int) -> tuple[int, int]:
    """The enemies that a samurai could attack by road, and by sea (Rule: tokugawa 7.1)."""
    return ADJACENT[origin] & enemy, by_ship(fleet, origin) & enemy if fleet else 0


def why_not_attack(table: Table, seat: Seat, move: Attack) -> NotAllowed | None:
    """What forbids this samurai to attack that town in this way."""
    origin, town = move.origin, move.town
    if origin == table.seats[seat].capital:
        return NotAllowed("capital_never_attacks", rule="7.5", town=origin)
    no = own_samurai(table, seat, origin, "7.1") or _no_target(table, seat, move)
    if no is None and move.approach is Approach.SEA:
        no = no_ship(table, seat, origin, town, "7.1")
    return no or too_dear(table.seats[seat], FEE, "7.2")


def _no_target(table: Table, seat: Seat, move: Attack) -> NotAllowed | None:
    """What forbids an attack: no enemy is there, or no road leads there."""
    origin, town = move.origin, move.town
    enemy = ground_of(table, seat).enemy
    by_road, by_sea = _targets(origin, enemy, estate_of(table, seat).fleet)
    if not enemy & BIT[town]:
        towns = towns_of(by_road | by_sea)
        code = "no_enemy" if towns else "no_enemy_at_all"
        return NotAllowed(code, rule="7.1", origin=origin, town=town, towns=towns)
    if move.approach is Approach.SEA or by_road & BIT[town]:
        return None
    towns = NEIGHBOURS[origin]
    return NotAllowed("not_adjacent", rule="7.1", origin=origin, town=town, towns=towns)


def declare(table: Table, seat: Seat, move: Attack, chance: Chance, tell: Tell) -> None:
    """An attack is declared and its movement thrown (Rule: tokugawa 7.2, 7.3)."""
    origin, town = move.origin, move.town
    province = PROVINCE_OF[town]
    piece, target = table.pieces[origin], table.pieces[town]
    tell(Attacked(seat, piece.kind, origin, target.owner, target.kind, town, FEE, province))
    pay(table, seat, FEE, province)
    weather: Weather | None
    if move.approach is Approach.ROAD and not rolls_on_land(piece):
        weather = weather_thrown(chance)
        tell(Weathered(seat, weather))
    else:
        weather = thrown(seat, terrain_of(origin, town, move.approach), chance, tell)
    if weather is None:
        tell(Failed(seat, piece.kind, origin))
        return
    table.phase = Phase.ATTACK_SUPPORT
    table.battle = Battle(
        origin=origin,
        town=town,
        approach=move.approach,
        weather=weather,
        allies=(),
        guards=(),
        dice=(),
        reply=(),
        rerolls=0,
    )


def terrain_of(origin: Town, town: Town, approach: Approach) -> Terrain:
    """Over what an attacker comes; KeyError where no road leads."""
    return Terrain.SEA if approach is Approach.SEA else ROAD[origin, town]


def supporters(table: Table, battle: Battle, seat: Seat) -> tuple[Town, ...]:
    """Who could still support a seat in a battle, sorted, koku aside (Rule: tokugawa 7.4)."""
    gone = mask_of((battle.origin, *battle.allies, *battle.guards))
    return towns_of(ADJACENT[battle.town] & ground_of(table, seat).own & ~gone)


def supports(table: Table, seat: Seat) -> Sequence[Move]:
    """What a seat may answer when it is asked for support, sorted by line."""
    if not can_pay(table.seats[seat], SUPPORT_FEE):
        return [NO_SUPPORT]
    made = [SUPPORTS[town] for town in supporters(table, table.fight, seat)]
    return sorted([*made, NO_SUPPORT], key=_said)


def _said(move: Support) -> str:
    return move.supporter


def why_not_support(table: Table, seat: Seat, move: Support) -> NotAllowed | None:
    """What forbids to call on a piece: it cannot support, or not once more."""
    if move.supporter == DONE:
        return None
    town, battle = Town(move.supporter), table.fight
    could = supporters(table, battle, seat)
    if town in could:
        return too_dear(table.seats[seat], SUPPORT_FEE, "7.4")
    if town in battle.allies or town in battle.guards:
        return NotAllowed("supports_already", rule="7.4", supporter=town)
    return NotAllowed("no_supporter", rule="7.4", supporter=town, town=battle.town, towns=could)


def support(table: Table, seat: Seat, move: Support, chance: Chance, tell: Tell) -> None:
    """A seat calls one supporter, or says that it wants no more."""
    if move.supporter == DONE:
        support_done(table)
        return
    town, battle = Town(move.supporter), table.fight
    province = PROVINCE_OF[battle.town]
    tell(Supported(seat, table.pieces[town].kind, town, SUPPORT_FEE, province))
    pay(table, seat, SUPPORT_FEE, province)
    if table.phase is Phase.ATTACK_SUPPORT:
        battle.allies = tuple(sorted((*battle.allies, town)))
    else:
        battle.guards = tuple(sorted((*battle.guards, town)))


def support_done(table: Table) -> None:
    """After the attacker the defender is asked for support, then the dice are thrown."""
    asked = table.phase is Phase.ATTACK_SUPPORT
    table.phase = Phase.DEFENCE_SUPPORT if asked else Phase.ATTACK_ROLL
