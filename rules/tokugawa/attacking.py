"""Attacks up to the battle dice: declaration, movement, support (Rule: tokugawa 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rules.core.chance import Chance
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Move, Seat, but
from rules.tokugawa.atlas import NEIGHBOURS, PROVINCE_OF, ROAD
from rules.tokugawa.battle_events import Attacked, Supported
from rules.tokugawa.chips import has_ship, pay
from rules.tokugawa.events import Failed, Weathered
from rules.tokugawa.ground import ADJACENT, BIT, PORT_MASK, Ground, ground_of, towns_of
from rules.tokugawa.marching import check_ship, rolls_on_land, thrown, weather_thrown
from rules.tokugawa.moves import DONE, Attack, Support
from rules.tokugawa.refusals import own_samurai, too_dear
from rules.tokugawa.state import Approach, Battle, Phase, Table, other
from rules.tokugawa.tables import NO_SUPPORT, SUPPORTS, attack
from rules.tokugawa.terms import Terrain, Town, Weather

FEE: Final = 1
"""Koku for an attack (Rule: tokugawa 7.2)."""
SUPPORT_FEE: Final = 1
"""Koku for each support (Rule: tokugawa 7.4)."""


def attacks(table: Table, seat: Seat, ground: Ground) -> Iterator[Move]:
    """Every attack that a seat may declare, sorted by line (Rule: tokugawa 7.1, 7.2)."""
    if table.seats[seat].koku < FEE:
        return
    for origin in towns_of(ground.samurai):
        by_road, by_sea = _targets(table, seat, origin, ground)
        for town in towns_of(by_road | by_sea):
            if by_road & BIT[town]:
                yield attack(origin, town, Approach.ROAD)
            if by_sea & BIT[town]:
                yield attack(origin, town, Approach.SEA)


def _targets(table: Table, seat: Seat, origin: Town, ground: Ground) -> tuple[int, int]:
    """The enemies that a samurai could attack by road, and by sea (Rule: tokugawa 7.1)."""
    by_sea = PORT_MASK & ground.enemy if has_ship(table, seat, origin) else 0
    return ADJACENT[origin] & ground.enemy, by_sea


def attack_checked(table: Table, seat: Seat, move: Attack) -> None:
    """NotAllowed if this samurai cannot attack that town in this way."""
    piece = table.pieces.get(move.origin)
    if piece is not None and piece.owner == seat and move.origin == table.seats[seat].capital:
        raise NotAllowed("capital_never_attacks", rule="7.5", town=move.origin)
    own_samurai(table, seat, move.origin, "7.1")
    target = table.pieces.get(move.town)
    if target is None or target.owner == seat:
        by_road, by_sea = _targets(table, seat, move.origin, ground_of(table, seat))
        towns = towns_of(by_road | by_sea)
        code = "no_enemy" if towns else "no_enemy_at_all"
        raise NotAllowed(code, rule="7.1", origin=move.origin, town=move.town, towns=towns)
    if move.approach is Approach.SEA:
        check_ship(table, seat, move.origin, move.town, "7.1")
    elif (move.origin, move.town) not in ROAD:
        raise NotAllowed(
            "not_adjacent",
            rule="7.1",
            origin=move.origin,
            town=move.town,
            towns=NEIGHBOURS[move.origin],
        )
    too_dear(table.seats[seat], FEE, "7.2")


def declare(table: Table, seat: Seat, move: Attack, chance: Chance, events: list[Event]) -> Table:
    """The table after an attack was declared and its movement thrown (Rule: tokugawa 7.2, 7.3)."""
    province = PROVINCE_OF[move.town]
    piece, target = table.pieces[move.origin], table.pieces[move.town]
    events.append(
        Attacked(seat, piece.kind, move.origin, target.owner, target.kind, move.town, FEE, province)
    )
    table = pay(table, seat, FEE, province)
    terrain = terrain_of(move.origin, move.town, move.approach)
    weather: Weather | None
    if move.approach is Approach.ROAD and not rolls_on_land(piece):
        weather = weather_thrown(chance)
        events.append(Weathered(seat, weather))
    else:
        weather = thrown(seat, terrain, chance, events)
    if weather is None:
        events.append(Failed(seat, piece.kind, move.origin))
        return table
    battle = Battle(
        origin=move.origin,
        town=move.town,
        approach=move.approach,
        weather=weather,
        allies=(),
        guards=(),
        dice=(),
        reply=(),
        rerolls=0,
    )
    return but(table, phase=Phase.ATTACK_SUPPORT, battle=battle)


def terrain_of(origin: Town, town: Town, approach: Approach) -> Terrain:
    """Over what an attacker comes; KeyError where no road leads."""
    return Terrain.SEA if approach is Approach.SEA else ROAD[origin, town]


def supporters(table: Table, battle: Battle, seat: Seat) -> tuple[Town, ...]:
    """Who could still support a seat in a battle, sorted, koku aside (Rule: tokugawa 7.4)."""
    mask = ADJACENT[battle.town] & ground_of(table, seat).own & ~BIT[battle.origin]
    for town in battle.allies + battle.guards:
        mask &= ~BIT[town]
    return towns_of(mask)


def supports(table: Table, battle: Battle, seat: Seat) -> Sequence[Move]:
    """What a seat may answer when it is asked for support, sorted by line."""
    if table.seats[seat].koku < SUPPORT_FEE:
        return [NO_SUPPORT]
    made = [SUPPORTS[town] for town in supporters(table, battle, seat)]
    return sorted([*made, NO_SUPPORT], key=_said)


def _said(move: Support) -> str:
    return move.supporter


def support_checked(table: Table, battle: Battle, seat: Seat, move: Support) -> None:
    """NotAllowed if the piece named cannot support, or not once more."""
    if move.supporter == DONE:
        return
    town = Town(move.supporter)
    if town in battle.allies or town in battle.guards:
        raise NotAllowed("supports_already", rule="7.4", supporter=town)
    could = supporters(table, battle, seat)
    if town not in could:
        raise NotAllowed("no_supporter", rule="7.4", supporter=town, town=battle.town, towns=could)
    too_dear(table.seats[seat], SUPPORT_FEE, "7.4")


def support(table: Table, battle: Battle, seat: Seat, move: Support, events: list[Event]) -> Table:
    """The table after a seat called one supporter, or said that it wants no more."""
    by_attacker = table.phase is Phase.ATTACK_SUPPORT
    if move.supporter == DONE:
        return but(table, phase=Phase.DEFENCE_SUPPORT if by_attacker else Phase.ATTACK_ROLL)
    town = Town(move.supporter)
    province = PROVINCE_OF[battle.town]
    events.append(Supported(seat, table.pieces[town].kind, town, SUPPORT_FEE, province))
    if by_attacker:
        battle = but(battle, allies=tuple(sorted((*battle.allies, town))))
    else:
        battle = but(battle, guards=tuple(sorted((*battle.guards, town))))
    return but(pay(table, seat, SUPPORT_FEE, province), battle=battle)


def can_support(table: Table, battle: Battle) -> bool:
    """Whether the seat that is asked for support has any choice."""
    seat = table.turn if table.phase is Phase.ATTACK_SUPPORT else other(table.turn)
    return table.seats[seat].koku >= SUPPORT_FEE and bool(supporters(table, battle, seat))
