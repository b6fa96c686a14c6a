"""Attacks, from the declaration to what becomes of winner and loser (Rule: tokugawa 7, 8, 9)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from operator import or_
from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Rash
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat, but
from bluebear.rules.tokugawa.data import map_tables
from bluebear.rules.tokugawa.data.terms import Building, Province, Terrain, Town, Weather
from bluebear.rules.tokugawa.rules import events, moves, pieces, scoring, state
from bluebear.rules.tokugawa.rules.movement import rolls_on_land, thrown, weather_thrown

# Attacks up to the battle dice: declaration, movement, support (Rule: tokugawa 7).

FEE: Final = 1
"""Koku for an attack (Rule: tokugawa 7.2)."""
SUPPORT_FEE: Final = 1
"""Koku for each support (Rule: tokugawa 7.4)."""


def attacks(table: state.State, seat: Seat) -> list[Move]:
    """Every attack that a seat may declare, sorted by line (Rule: tokugawa 7.1, 7.2)."""
    if table.seats[seat].koku < FEE:
        return []
    ground, fleet = pieces.ground_of(table, seat), pieces.estate_of(table, seat).fleet
    made: list[Move] = []
    for origin in pieces.towns_of(ground.samurai):
        by_road, by_sea = _targets(table, origin, ground.enemy, fleet)
        for town in pieces.towns_of(by_road | by_sea):
            if by_road & pieces.BIT[town]:
                made.append(moves.attack(origin, town, state.Approach.ROAD))
            if by_sea & pieces.BIT[town]:
                made.append(moves.attack(origin, town, state.Approach.SEA))
    return made


def _targets(table: state.State, origin: Town, enemy: int, fleet: int) -> tuple[int, int]:
    """The enemies that a samurai could attack by road, and by sea (Rule: tokugawa 7.1, 7.6)."""
    by_road = pieces.ADJACENT[origin]
    if table.run_up:
        by_road = reduce(or_, (_run(terrain, origin, enemy) for terrain in map_tables.LAND))
    return by_road & enemy, pieces.by_ship(fleet, origin) & enemy if fleet else 0


def _run(terrain: Terrain, origin: Town, enemy: int) -> int:
    """The towns to which roads of one terrain lead past no enemy."""
    roads = pieces.ROADS[terrain]
    passed = pieces.reach(roads, pieces.BIT[origin], pieces.ALL & ~enemy)
    return passed | sum(
        pieces.BIT[town] for town in pieces.towns_of(enemy) if roads[pieces.BIT[town]] & passed
    )


def attacked_by_road(table: state.State, seat: Seat, origin: Town, town: Town) -> bool:
    """Whether a samurai of a seat gets to the enemy on a town by road; turn and koku aside."""
    by_road, _ = _targets(table, origin, pieces.ground_of(table, seat).enemy, 0)
    return bool(by_road & pieces.BIT[town])


def why_not_attack(table: state.State, seat: Seat, move: moves.Attack) -> NotAllowed | None:
    """What forbids this samurai to attack that town in this way."""
    origin, town = move.origin, move.town
    if origin == table.seats[seat].capital:
        return NotAllowed("capital_never_attacks", rule="7.5", town=origin)
    no = pieces.why_no_samurai(table, seat, origin, "7.1") or _no_target(table, seat, move)
    if no is None and move.approach is state.Approach.SEA:
        no = pieces.no_ship(table, seat, origin, town, "7.1")
    return no or pieces.too_dear(table.seats[seat], FEE, "7.2")


def _no_target(table: state.State, seat: Seat, move: moves.Attack) -> NotAllowed | None:
    """What forbids an attack: no enemy is there, or no road leads there."""
    origin, town = move.origin, move.town
    enemy = pieces.ground_of(table, seat).enemy
    by_road, by_sea = _targets(table, origin, enemy, pieces.estate_of(table, seat).fleet)
    if not enemy & pieces.BIT[town]:
        towns = pieces.towns_of(by_road | by_sea)
        code = "no_enemy" if towns else "no_enemy_at_all"
        return NotAllowed(code, rule="7.1", origin=origin, town=town, towns=towns)
    if move.approach is state.Approach.SEA or by_road & pieces.BIT[town]:
        return None
    return not_adjacent(table, origin, town)


def not_adjacent(table: state.State, origin: Town, town: Town) -> NotAllowed:
    """The refusal of an attack by road to where none leads."""
    if table.run_up:
        return NotAllowed("no_run_up", rule="7.6", origin=origin, town=town)
    towns = map_tables.NEIGHBOURS[origin]
    return NotAllowed("not_adjacent", rule="7.1", origin=origin, town=town, towns=towns)


def declare(table: state.State, seat: Seat, move: moves.Attack, chance: Chance, emit: Emit) -> None:
    """An attack is declared and its movement thrown (Rule: tokugawa 7.2, 7.3)."""
    origin, town = move.origin, move.town
    province = map_tables.PROVINCE_OF[town]
    piece, target = table.pieces[origin], table.pieces[town]
    emit(events.Attacked(seat, piece.kind, origin, target.owner, target.kind, town, FEE, province))
    pieces.pay(table, seat, FEE, province)
    weather: Weather | None
    if move.approach is state.Approach.ROAD and not rolls_on_land(piece):
        weather = weather_thrown(chance)
        emit(events.Weathered(seat, weather))
    else:
        weather = thrown(seat, terrain_of(table, origin, town, move.approach), chance, emit)
    if weather is None:
        emit(events.Failed(seat, piece.kind, origin))
        return
    table.phase = state.Phase.ATTACK_SUPPORT
    table.battle = state.Battle(origin, town, move.approach, weather)


def terrain_of(table: state.State, origin: Town, town: Town, approach: state.Approach) -> Terrain:
    """Over what an attacker comes, with `run_up` over the easiest that leads there.

    KeyError or StopIteration where no road leads. Rule: tokugawa 7.3, 7.6.
    """
    if approach is state.Approach.SEA:
        return Terrain.SEA
    if not table.run_up:
        return map_tables.ROAD[origin, town]
    enemy = pieces.ground_of(table, table.pieces[origin].owner).enemy
    return next(
        terrain for terrain in map_tables.LAND if _run(terrain, origin, enemy) & pieces.BIT[town]
    )


def supporters(table: state.State, battle: state.Battle, seat: Seat) -> tuple[Town, ...]:
    """Who could still support a seat in a battle, sorted, koku aside (Rule: tokugawa 7.4)."""
    busy = pieces.mask_of((battle.origin, *battle.allies, *battle.guards))
    return pieces.towns_of(
        pieces.ADJACENT[battle.town] & pieces.ground_of(table, seat).friendly & ~busy
    )


def supports(table: state.State, seat: Seat) -> Sequence[Move]:
    """What a seat may answer when it is asked for support, sorted by line."""
    if table.seats[seat].koku < SUPPORT_FEE:
        return [moves.NO_SUPPORT]
    made = [moves.SUPPORTS[town] for town in supporters(table, table.fight, seat)]
    return sorted([*made, moves.NO_SUPPORT], key=lambda move: move.supporter)


def why_not_support(table: state.State, seat: Seat, move: moves.Support) -> NotAllowed | None:
    """What forbids to call on a piece: it cannot support, or not once more."""
    if move.supporter == moves.DONE:
        return None
    town, battle = Town(move.supporter), table.fight
    could = supporters(table, battle, seat)
    if town in could:
        return pieces.too_dear(table.seats[seat], SUPPORT_FEE, "7.4")
    if town in battle.allies or town in battle.guards:
        return NotAllowed("supports_already", rule="7.4", supporter=town)
    return NotAllowed("no_supporter", rule="7.4", supporter=town, town=battle.town, towns=could)


def support(
    table: state.State, seat: Seat, move: moves.Support, chance: Chance, emit: Emit
) -> None:
    """A seat calls one supporter, or says that it wants no more."""
    if move.supporter == moves.DONE:
        support_done(table)
        return
    town, battle = Town(move.supporter), table.fight
    province = map_tables.PROVINCE_OF[battle.town]
    emit(events.Supported(seat, table.pieces[town].kind, town, SUPPORT_FEE, province))
    pieces.pay(table, seat, SUPPORT_FEE, province)
    if table.phase is state.Phase.ATTACK_SUPPORT:
        battle.allies = tuple(sorted((*battle.allies, town)))
    else:
        battle.guards = tuple(sorted((*battle.guards, town)))


def support_done(table: state.State) -> None:
    """After the attacker the defender is asked for support, then the dice are thrown."""
    is_attack = table.phase is state.Phase.ATTACK_SUPPORT
    table.phase = state.Phase.DEFENCE_SUPPORT if is_attack else state.Phase.ATTACK_ROLL


# Battle dice, totals, and what becomes of winner and loser (Rule: tokugawa 8, 9).

REWARD: Final = 2
"""Koku for each supporter of the winner (Rule: tokugawa 9.3)."""
_REROLL: Final = moves.Reroll()
_Thrown = type[events.Struck] | type[events.Restruck]


def strengths_between(table: state.State, origin: Town, town: Town) -> tuple[int, int]:
    """What attacker and defender add to their dice, without the weather."""
    attack, _ = _added_by(table.sites.get(origin))
    _, defence = _added_by(table.sites.get(town))
    attacker, defender = table.pieces[origin], table.pieces[town]
    return pieces.power(attacker) + attack, pieces.power(defender) + defence


@cache  # bounded: 2 seats, 72 sets of buildings, 6 numbers of ships
def _added_by(site: state.Site | None) -> tuple[int, int]:
    """What the buildings on a town add to an attack from there, and to the defence of the town."""
    built = () if site is None else pieces.buildings_on(site)
    serving = [
        map_tables.PLANS[each] for each in built if getattr(site, each) is not state.Work.NEW
    ]
    return sum(plan.attack for plan in serving), sum(plan.defence for plan in serving)


def strengths(table: state.State, battle: state.Battle) -> tuple[int, int]:
    """What attacker and defender add to their dice (Rule: tokugawa 8.2, 8.3)."""
    attack, defence = strengths_between(table, battle.origin, battle.town)
    return attack + map_tables.MODIFIER[battle.weather], defence


def totals(table: state.State, battle: state.Battle) -> tuple[int, int]:
    """Dice and strength of attacker and defender (Rule: tokugawa 8.2, 8.3)."""
    attack, defence = strengths(table, battle)
    return sum(battle.dice) + attack, sum(battle.reply) + defence


def defends(table: state.State, battle: state.Battle) -> bool:
    """Whether the defender would win with the dice that lie there (Rule: tokugawa 9.1)."""
    attack, defence = totals(table, battle)
    return defence > attack


def rerolls(table: state.State, seat: Seat) -> list[Move | Rash]:
    """The throw instead of the present dice; rash where these hold (Rule: tokugawa 8.1)."""
    wins = table.phase is state.Phase.DEFENCE_ROLL and defends(table, table.fight)
    return [Rash(_REROLL) if wins else _REROLL]


def strike(table: state.State, chance: Chance, emit: Emit) -> None:
    """The attacker's first throw (Rule: tokugawa 8.1)."""
    _throw(table, table.turn, len(table.fight.allies), events.Struck, chance, emit)


def parry(table: state.State, chance: Chance, emit: Emit) -> None:
    """The defender's first throw (Rule: tokugawa 8.1)."""
    table.phase = state.Phase.DEFENCE_ROLL
    _throw(table, state.other(table.turn), len(table.fight.guards), events.Struck, chance, emit)


def reroll(table: state.State, seat: Seat, move: moves.Reroll, chance: Chance, emit: Emit) -> None:
    """A seat rejects both its dice; the new ones count (Rule: tokugawa 8.1)."""
    _throw(table, seat, table.fight.rerolls - 1, events.Restruck, chance, emit)


def _throw(
    table: state.State, seat: Seat, rerolls: int, kind: _Thrown, chance: Chance, emit: Emit
) -> None:
    """A seat throws its two dice, and may do so again so many times."""
    battle, dice = table.fight, (chance.die(), chance.die())
    battle.rerolls = rerolls
    emit(kind(seat, dice, sum(dice), rerolls))
    if seat == table.turn:
        battle.dice = dice
    else:
        battle.reply = dice


def stand(table: state.State, seat: Seat, move: moves.Stand, chance: Chance, emit: Emit) -> None:
    """A seat lets its dice stand."""
    table.fight.rerolls = 0


def judge(table: state.State, emit: Emit) -> None:
    """The totals are compared (Rule: tokugawa 9.1, 9.2, 9.3, 9.4, 9.10)."""
    battle = table.fight
    attack, defence = totals(table, battle)
    seat, loser = table.turn, state.other(table.turn)
    if attack < defence:
        emit(events.Lost(seat, attack, loser, defence, battle.town))
        _reward(table, loser, len(battle.guards), emit)
        _end(table)
        return
    emit(events.Won(seat, attack, loser, defence, battle.town))
    _reward(table, seat, len(battle.allies), emit)
    target = table.pieces[battle.town]
    if target.kind is state.Kind.CAPITAL:
        _hit_capital(table, emit)
    elif target.weak or not retreats(table):
        emit(events.Removed(loser, target.kind, battle.town))
        pieces.discharge(table, battle.town)
        _conquer(table, emit)
    else:
        table.phase = state.Phase.RETREATING


def _reward(table: state.State, seat: Seat, count: int, emit: Emit) -> None:
    """The winner is paid for each supporter (Rule: tokugawa 9.3)."""
    if count:
        province = map_tables.PROVINCE_OF[table.fight.town]
        koku = min(REWARD * count, table.banks[province])
        emit(events.Rewarded(seat, count, koku, province))
        pieces.pay(table, seat, -koku, province)


def _hit_capital(table: state.State, emit: Emit) -> None:
    """Rule: tokugawa 9.10, 11.1."""
    battle, seat, loser = table.fight, table.turn, state.other(table.turn)
    province = map_tables.PROVINCE_OF[battle.town]
    if table.pieces[battle.town].back:
        emit(events.CapitalFell(seat, loser, battle.town))
        _trample(table, province, emit)
        scoring.end(table, state.Ending.CAPITAL, seat, emit)
        return
    emit(events.CapitalHit(seat, loser, battle.town))
    table.pieces[battle.town] = pieces.chip(loser, state.Kind.CAPITAL, True)  # noqa: FBT003 - see `chip`
    table.decided = table.number
    _recover(table, battle.origin, emit)
    _trample(table, province, emit)
    _end(table)


def retreats(table: state.State) -> tuple[Town, ...]:
    """The adjacent empty towns, sorted (Rule: tokugawa 9.4)."""
    return pieces.towns_of(
        pieces.ADJACENT[table.fight.town] & pieces.ground_of(table, table.turn).empty
    )


def retreat_moves(table: state.State, seat: Seat) -> list[Move]:
    """Where the beaten samurai may go, sorted."""
    return [moves.RETREATS[town] for town in retreats(table)]


def why_not_retreat(table: state.State, seat: Seat, move: moves.Retreat) -> NotAllowed | None:
    """What forbids the beaten samurai to go there."""
    towns = retreats(table)
    if move.town in towns:
        return None
    return NotAllowed("no_retreat", rule="9.4", town=move.town, towns=towns)


def retreat(
    table: state.State, seat: Seat, move: moves.Retreat, chance: Chance, emit: Emit
) -> None:
    """The beaten samurai goes back (Rule: tokugawa 9.4)."""
    fall_back(table, move.town, emit)


def fall_back(table: state.State, town: Town, emit: Emit) -> None:
    """The beaten samurai goes back, and the attacker forward (Rule: tokugawa 9.4, 9.5)."""
    battle = table.fight
    beaten = table.pieces[battle.town]
    emit(events.Retreated(beaten.owner, beaten.kind, battle.town, town))
    weak = pieces.chip(beaten.owner, beaten.kind, beaten.back, True)  # noqa: FBT003 - see `chip`
    del table.pieces[battle.town]
    table.pieces[town] = weak
    pieces.occupy(table, beaten.owner, town, emit)
    _conquer(table, emit)


def _conquer(table: state.State, emit: Emit) -> None:
    """The attacker moves onto the town that is empty now (Rule: tokugawa 9.5 to 9.9)."""
    battle, seat = table.fight, table.turn
    origin, town = battle.origin, battle.town
    emit(events.Conquered(seat, table.pieces[origin].kind, origin, town))
    pieces.step(table, origin, town)
    _recover(table, town, emit)
    _trample(table, map_tables.PROVINCE_OF[town], emit)
    pieces.occupy(table, seat, town, emit)
    if battle.approach is state.Approach.SEA:
        pieces.move_ship(table, seat, origin, town)
    _end(table)


def _recover(table: state.State, town: Town, emit: Emit) -> None:
    """Rule: tokugawa 9.6."""
    piece = table.pieces[town]
    if piece.weak:
        emit(events.Recovered(piece.owner, piece.kind, town))
        table.pieces[town] = pieces.chip(piece.owner, piece.kind, piece.back)


def _trample(table: state.State, province: Province, emit: Emit) -> None:
    """All gardens of the province are gone, of both sides (Rule: tokugawa 9.8)."""
    for seat in state.SEATS:
        gardens = pieces.estate_of(table, seat).stands[Building.GARDEN]
        towns = pieces.towns_of(gardens & pieces.PROVINCE_MASK[province])
        if towns:
            emit(events.Trampled(seat, province, towns))
        for town in towns:
            pieces.put_site(table, town, but(table.sites[town], garden=False))
            pieces.take_off(table, seat, Building.GARDEN)


def _end(table: state.State) -> None:
    """The battle is over, and the turn goes on."""
    table.phase, table.battle = state.Phase.ACTING, None
