"""Battle dice, totals, and what becomes of winner and loser (Rule: tokugawa 8, 9)."""

from __future__ import annotations

from typing import Final

from rules.core.chance import Chance
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Seat, but
from rules.tokugawa.atlas import MODIFIER, PLANS, PROVINCE_OF
from rules.tokugawa.battle_events import (
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
from rules.tokugawa.chips import (
    chip,
    discharged,
    occupied,
    pay,
    power,
    ship_moved,
    taken_off,
    with_site,
)
from rules.tokugawa.ground import ADJACENT, PROVINCE_MASK, ground_of, towns_of
from rules.tokugawa.moves import Retreat
from rules.tokugawa.state import (
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
from rules.tokugawa.terms import Building, Province, Town, Weather

REWARD: Final = 2
"""Koku for each supporter of the winner (Rule: tokugawa 9.3)."""


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


def strike(table: Table, battle: Battle, chance: Chance, events: list[Event]) -> Table:
    """The table after the attacker's first throw (Rule: tokugawa 8.1)."""
    dice = _two_dice(chance)
    rerolls = len(battle.allies)
    events.append(Struck(table.turn, dice, sum(dice), rerolls))
    return but(table, battle=but(battle, dice=dice, rerolls=rerolls))


def parry(table: Table, battle: Battle, chance: Chance, events: list[Event]) -> Table:
    """The table after the defender's first throw (Rule: tokugawa 8.1)."""
    dice = _two_dice(chance)
    rerolls = len(battle.guards)
    events.append(Struck(other(table.turn), dice, sum(dice), rerolls))
    return but(table, phase=Phase.DEFENCE_ROLL, battle=but(battle, reply=dice, rerolls=rerolls))


def reroll(table: Table, battle: Battle, seat: Seat, chance: Chance, events: list[Event]) -> Table:
    """The table after a seat rejected both its dice; the new ones count (Rule: tokugawa 8.1)."""
    dice = _two_dice(chance)
    left = battle.rerolls - 1
    events.append(Restruck(seat, dice, sum(dice), left))
    if table.phase is Phase.ATTACK_ROLL:
        return but(table, battle=but(battle, dice=dice, rerolls=left))
    return but(table, battle=but(battle, reply=dice, rerolls=left))


def stand(table: Table, battle: Battle) -> Table:
    """The table after a seat let its dice stand."""
    return but(table, battle=but(battle, rerolls=0))


def _two_dice(chance: Chance) -> tuple[int, ...]:
    return (chance.die(), chance.die())


def judge(table: Table, battle: Battle, events: list[Event]) -> Table:
    """The table after the totals were compared (Rule: tokugawa 9.1, 9.2, 9.3, 9.4, 9.10)."""
    attack, defence = totals(table, battle)
    seat, loser = table.turn, other(table.turn)
    province = PROVINCE_OF[battle.town]
    if attack < defence:
        events.append(Lost(seat, attack, loser, defence, battle.town))
        return _over(_rewarded(table, loser, len(battle.guards), province, events))
    events.append(Won(seat, attack, loser, defence, battle.town))
    table = _rewarded(table, seat, len(battle.allies), province, events)
    target = table.pieces[battle.town]
    if target.kind is Kind.CAPITAL:
        return _capital_hit(table, battle, events)
    if target.weak or not retreats(table, battle):
        events.append(Removed(loser, target.kind, battle.town))
        return _conquered(discharged(table, battle.town), battle, events)
    return but(table, phase=Phase.RETREATING)


def _rewarded(
    table: Table, seat: Seat, count: int, province: Province, events: list[Event]
) -> Table:
    if not count:
        return table
    koku = min(REWARD * count, table.banks[province])
    events.append(Rewarded(seat, count, koku, province))
    return pay(table, seat, -koku, province)


def _capital_hit(table: Table, battle: Battle, events: list[Event]) -> Table:
    """Rule: tokugawa 9.10."""
    seat, loser = table.turn, other(table.turn)
    if table.pieces[battle.town].back:
        events.append(CapitalFell(seat, loser, battle.town))
        table = _trampled(table, PROVINCE_OF[battle.town], events)
        return but(table, phase=Phase.OVER, battle=None, ending=Ending.CAPITAL, winner=seat)
    events.append(CapitalHit(seat, loser, battle.town))
    hit = chip(loser, Kind.CAPITAL, True)  # noqa: FBT003 - see `chip`
    table = but(table, pieces=table.pieces.put(battle.town, hit), decided=table.number)
    table = _recovered(table, battle.origin, events)
    return _over(_trampled(table, PROVINCE_OF[battle.town], events))


def retreats(table: Table, battle: Battle) -> tuple[Town, ...]:
    """The adjacent empty towns, sorted (Rule: tokugawa 9.4)."""
    return towns_of(ADJACENT[battle.town] & ground_of(table, table.turn).empty)


def retreat_checked(table: Table, battle: Battle, move: Retreat) -> None:
    """NotAllowed if the beaten samurai cannot go there."""
    towns = retreats(table, battle)
    if move.town not in towns:
        raise NotAllowed("no_retreat", rule="9.4", town=move.town, towns=towns)


def retreat(table: Table, battle: Battle, town: Town, events: list[Event]) -> Table:
    """The table after the beaten samurai went back, and the attacker forward.

    Rule: tokugawa 9.4, 9.5.
    """
    beaten = table.pieces[battle.town]
    events.append(Retreated(beaten.owner, beaten.kind, battle.town, town))
    weak = chip(beaten.owner, beaten.kind, beaten.back, True)  # noqa: FBT003 - see `chip`
    table = but(table, pieces=table.pieces.drop(battle.town).put(town, weak))
    return _conquered(occupied(table, beaten.owner, town, events), battle, events)


def _conquered(table: Table, battle: Battle, events: list[Event]) -> Table:
    """The attacker moves onto the town that is empty now (Rule: tokugawa 9.5 to 9.9)."""
    seat = table.turn
    piece = table.pieces[battle.origin]
    events.append(Conquered(seat, piece.kind, battle.origin, battle.town))
    pieces = table.pieces.drop(battle.origin).put(battle.town, piece)
    table = _recovered(but(table, pieces=pieces), battle.town, events)
    table = _trampled(table, PROVINCE_OF[battle.town], events)
    table = occupied(table, seat, battle.town, events)
    if battle.approach is Approach.SEA:
        table = ship_moved(table, seat, battle.origin, battle.town)
    return _over(table)


def _recovered(table: Table, town: Town, events: list[Event]) -> Table:
    """Rule: tokugawa 9.6."""
    piece = table.pieces[town]
    if not piece.weak:
        return table
    events.append(Recovered(piece.owner, piece.kind, town))
    return but(table, pieces=table.pieces.put(town, chip(piece.owner, piece.kind, piece.back)))


def _trampled(table: Table, province: Province, events: list[Event]) -> Table:
    """All gardens of the province are gone, of both sides (Rule: tokugawa 9.8)."""
    for seat in SEATS:
        towns = tuple(
            town
            for town in towns_of(PROVINCE_MASK[province])
            if (site := table.sites.get(town)) is not None and site.garden and site.owner == seat
        )
        if towns:
            events.append(Trampled(seat, province, towns))
        for town in towns:
            bare = but(table.sites[town], garden=False)
            table = but(table, sites=with_site(table.sites, town, bare))
            table = taken_off(table, seat, Building.GARDEN)
    return table


def _over(table: Table) -> Table:
    return but(table, phase=Phase.ACTING, battle=None)
