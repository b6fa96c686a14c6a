"""Moving by land and by sea, and the throw that it takes (Rule: tokugawa 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from operator import attrgetter, or_
from typing import Final, NamedTuple

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa.data.map_tables import ARMS, LAND, NEEDED, PORTS, TOWNS, WEATHER_FACES
from bluebear.rules.tokugawa.data.terms import Terrain, Town, Weapon, Weather
from bluebear.rules.tokugawa.rules import pieces
from bluebear.rules.tokugawa.rules.events import Declared, Failed, Moved, Stayed, Storm, Thrown
from bluebear.rules.tokugawa.rules.moves import March, Stay, Way, march
from bluebear.rules.tokugawa.rules.state import Phase, Piece, State

_WAY: Final[Mapping[Terrain, Way]] = {terrain: Way(terrain.value) for terrain in Terrain}
TERRAIN: Final[Mapping[Way, Terrain]] = {way: terrain for terrain, way in _WAY.items()}


class Lead(NamedTuple):
    """Where one way leads from a town when it is empty, and the moves there.

    Each move stands beside the bit of its goal.
    """

    way: Way
    towns: int
    moves: tuple[tuple[int, March], ...]


def _lead(origin: Town, way: Way, towns: int) -> Lead:
    moves = ((pieces.BIT[town], march(origin, town, way)) for town in pieces.towns_of(towns))
    return Lead(way, towns, tuple(moves))


def _by_roads(origin: Town) -> tuple[tuple[Lead, Mapping[int, int]], ...]:
    """The ways by land from a town, each with the roads of its terrain."""
    found = []
    for terrain in LAND:
        towns = pieces.reach(pieces.ROADS[terrain], pieces.BIT[origin], pieces.ALL)
        if towns != pieces.BIT[origin]:
            found.append((_lead(origin, _WAY[terrain], towns), pieces.ROADS[terrain]))
    return tuple(found)


_BY_ROADS: Final = {town: _by_roads(town) for town in TOWNS}
_NEAR: Final = {
    town: reduce(or_, (lead.towns for lead, _ in leads)) for town, leads in _BY_ROADS.items()
}
"""The towns that roads of any one terrain join to a town."""
_BY_ANY_ROAD: Final = {town: _lead(town, Way.LAND, _NEAR[town]) for town in TOWNS}
_BY_SEA: Final = {town: _lead(town, Way.SEA, pieces.PORT_MASK) for town in PORTS}
_PLACES: Final = {town: (pieces.BIT[town], near) for town, near in _NEAR.items()}
_GOAL: Final = attrgetter("town", "way")


def rolls_on_land(piece: Piece) -> bool:
    """Whether a samurai throws dice to move by land; archers do not (Rule: tokugawa 6.3, 6.4)."""
    return ARMS[Weapon(piece.kind)].rolls


def marches(table: State, seat: Seat) -> Sequence[Move]:
    """Every move of every samurai of a seat, sorted by line (Rule: tokugawa 6.2, 6.6)."""
    return _all_marches(pieces.ground_of(table, seat), pieces.estate_of(table, seat).fleet)


@lru_cache(maxsize=512)
def _all_marches(ground: pieces.Ground, fleet: int) -> tuple[March, ...]:
    made: list[March] = []
    enemy, empty, archers = ground.enemy, ground.empty, ground.archers
    for origin in pieces.towns_of(ground.samurai):
        bit, near = _PLACES[origin]
        ports = pieces.by_ship(fleet, origin) & empty if fleet else 0
        made += _marches(origin, bit & archers, enemy & near, empty & near, ports)
    return tuple(made)


@lru_cache(maxsize=2048)
def _marches(origin: Town, archer: int, enemy: int, empty: int, ports: int) -> tuple[March, ...]:
    """The moves of one samurai: `enemy` and `empty` are near it, `ports` are for its ship."""
    leads = _by_land(origin, archer, enemy, empty)
    if ports:
        leads.append((_BY_SEA[origin], ports))
    found = [move for lead, goals in leads for bit, move in lead.moves if bit & goals]
    if len(leads) > 1:
        found.sort(key=_GOAL)
    return tuple(found)


def _by_land(origin: Town, archer: int, enemy: int, empty: int) -> list[tuple[Lead, int]]:
    """In which ways a samurai gets to which empty towns.

    It goes through all towns that are not the enemy's; an archer need not say over what.
    Rule: tokugawa 6.2, 6.3.
    """
    found, together = [], 0
    for lead, roads in _BY_ROADS[origin]:
        towns = (
            pieces.reach(roads, pieces.BIT[origin], pieces.ALL & ~enemy)
            if enemy & lead.towns
            else lead.towns
        )
        goals = towns & empty
        if goals:
            found.append((lead, goals))
            together |= goals
    return [(_BY_ANY_ROAD[origin], together)] if archer and together else found


def _by_land_now(ground: pieces.Ground, origin: Town) -> list[tuple[Lead, int]]:
    return _by_land(origin, pieces.BIT[origin] & ground.archers, ground.enemy, ground.empty)


def sailings(table: State, seat: Seat) -> list[Move]:
    """Where the ship that was just built may sail, sorted (Rule: tokugawa 10.5)."""
    port = table.ship_at
    if port is None:
        return []
    goals = (
        pieces.by_ship(pieces.estate_of(table, seat).fleet, port)
        & pieces.ground_of(table, seat).empty
    )
    return [march(port, town, Way.SEA) for town in pieces.towns_of(goals)]


def why_not_sail(table: State, seat: Seat, move: March) -> NotAllowed | None:
    """What forbids a move with a new ship: it is no way out of its port by sea."""
    if move in sailings(table, seat):
        return None
    return NotAllowed("sail_from_here", rule="10.5", town=table.ship_at)


def why_not(table: State, seat: Seat, move: March) -> NotAllowed | None:
    """What forbids this samurai to move there in this way."""
    ground = pieces.ground_of(table, seat)
    if move.origin == table.seats[seat].capital:
        return NotAllowed("capital_stays", rule="3.4", town=move.origin)
    no = pieces.why_no_samurai(table, seat, move.origin, "6.1") or _no_goal(ground, move)
    if no is not None:
        return no
    if move.way is Way.SEA:
        return pieces.no_ship(table, seat, move.origin, move.town, "6.6")
    return _no_road(ground, move)


def _no_goal(ground: pieces.Ground, move: March) -> NotAllowed | None:
    """What forbids a move to end there: it is where it begins, or a piece is there."""
    if move.town == move.origin:
        return NotAllowed("stays_there", rule="6.2", town=move.town)
    bit = pieces.BIT[move.town]
    if bit & ground.empty:
        return None
    code = "occupied" if bit & ground.friendly else "enemy_there"
    return NotAllowed(code, rule="6.2", town=move.town)


def _no_road(ground: pieces.Ground, move: March) -> NotAllowed | None:
    """What forbids a move by land to an empty town: no road, or its terrain is named wrongly."""
    origin, town = move.origin, move.town
    leads = _by_land_now(ground, origin)
    fits = [lead.way for lead, goals in leads if goals & pieces.BIT[town]]
    if move.way in fits:
        return None
    named = {"origin": origin, "town": town}
    if not fits:
        towns = pieces.towns_of(reduce(or_, (goals for _, goals in leads), 0))
        return NotAllowed("no_way" if towns else "no_way_out", rule="6.2", **named, towns=towns)
    if fits == [Way.LAND]:
        return NotAllowed("archers_go_by_land", rule="6.2", **named)
    code = "name_the_terrain" if move.way is Way.LAND else "other_terrain"
    terrains = tuple(TERRAIN[way] for way in fits)
    return NotAllowed(code, rule="6.2", **named, terrain=terrains)


def ways(table: State, seat: Seat, origin: Town, town: Town) -> tuple[Way, ...]:
    """In which ways a seat's samurai could move from town to town, phase and actions aside."""
    ground, bit = pieces.ground_of(table, seat), pieces.BIT[town]
    if not pieces.BIT[origin] & ground.samurai or not bit & ground.empty:
        return ()
    found = tuple(lead.way for lead, goals in _by_land_now(ground, origin) if goals & bit)
    return (
        (*found, Way.SEA)
        if pieces.by_ship(pieces.estate_of(table, seat).fleet, origin) & bit
        else found
    )


def play(table: State, seat: Seat, move: March, chance: Chance, emit: Emit) -> None:
    """A move is tried (Rule: tokugawa 6.4, 6.5)."""
    piece = table.pieces[move.origin]
    if move.way is not Way.LAND:
        terrain = TERRAIN[move.way]
        emit(Declared(seat, piece.kind, move.origin, move.town, terrain))
        if thrown(seat, terrain, chance, emit) is None:
            emit(Failed(seat, piece.kind, move.origin))
            return
    emit(Moved(seat, piece.kind, move.origin, move.town))
    pieces.step(table, move.origin, move.town)
    pieces.occupy(table, seat, move.town, emit)
    if move.way is Way.SEA:
        pieces.move_ship(table, seat, move.origin, move.town)


def sail(table: State, seat: Seat, move: March, chance: Chance, emit: Emit) -> None:
    """The samurai beside a new ship tries to go with it (Rule: tokugawa 10.5)."""
    land(table)
    play(table, seat, move, chance, emit)


def stay(table: State, seat: Seat, move: Stay, chance: Chance, emit: Emit) -> None:
    """A new ship stays where it was built (Rule: tokugawa 10.5)."""
    if table.ship_at is not None:
        emit(Stayed(seat, table.ship_at))
    land(table)


def land(table: State) -> None:
    """No seat is asked about a new ship any longer."""
    table.phase, table.ship_at = Phase.ACTING, None


def thrown(seat: Seat, terrain: Terrain, chance: Chance, emit: Emit) -> Weather | None:
    """The weather in which a movement succeeds, None if it fails (Rule: tokugawa 6.4)."""
    weather = weather_thrown(chance)
    die = chance.die()
    needs = NEEDED[terrain][weather]
    if needs is None:
        emit(Storm(seat, weather, die))
        return None
    emit(Thrown(seat, weather, die, needs))
    return weather if die >= needs else None


def weather_thrown(chance: Chance) -> Weather:
    """What the weather die shows (Rule: tokugawa 1.3)."""
    return WEATHER_FACES[chance.pick(len(WEATHER_FACES))]
