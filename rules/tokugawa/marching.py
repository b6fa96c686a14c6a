"""Moving by land and by sea, and the throw that it takes (Rule: tokugawa 6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rules.core.chance import Chance
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Move, Seat, but
from rules.tokugawa.atlas import ARMS, IS_PORT, LAND, NEEDED, WEATHER_FACES
from rules.tokugawa.chips import has_ship, occupied, ship_moved, weapon_of
from rules.tokugawa.events import Declared, Failed, Moved, Storm, Thrown
from rules.tokugawa.ground import BIT, PORT_MASK, Ground, ground_of, reach, towns_of
from rules.tokugawa.moves import March, Way
from rules.tokugawa.refusals import own_samurai
from rules.tokugawa.state import Kind, Piece, Table
from rules.tokugawa.tables import march
from rules.tokugawa.terms import Terrain, Town, Weather

_WAY: Final[Mapping[Terrain, Way]] = {terrain: Way(terrain.value) for terrain in Terrain}
_TERRAIN: Final[Mapping[Way, Terrain]] = {way: terrain for terrain, way in _WAY.items()}


def rolls_on_land(piece: Piece) -> bool:
    """Whether a samurai throws dice to move by land; archers do not (Rule: tokugawa 6.3, 6.4)."""
    return ARMS[weapon_of(piece.kind)].rolls


def marches(table: Table, seat: Seat, ground: Ground) -> Iterator[Move]:
    """Every move of every samurai of a seat, sorted by line (Rule: tokugawa 6.2, 6.6)."""
    regions: dict[Terrain, list[int]] = {terrain: [] for terrain in LAND}
    for origin in towns_of(ground.samurai):
        yield from _from(table, seat, origin, ground, regions)


def _from(
    table: Table, seat: Seat, origin: Town, ground: Ground, regions: dict[Terrain, list[int]]
) -> Iterator[Move]:
    """The moves of one samurai; `regions` remembers what was found for the ones before it."""
    goals = [
        (_WAY[terrain], _region(terrain, origin, ground, regions[terrain]) & ground.empty)
        for terrain in LAND
    ]
    if not rolls_on_land(table.pieces[origin]):
        together = 0
        for _, mask in goals:
            together |= mask
        goals = [(Way.LAND, together)]
    if has_ship(table, seat, origin):
        goals.append((Way.SEA, ground.empty & PORT_MASK))
    goals.sort()
    reached = 0
    for _, mask in goals:
        reached |= mask
    for town in towns_of(reached):
        bit = BIT[town]
        for way, mask in goals:
            if mask & bit:
                yield march(origin, town, way)


def _region(terrain: Terrain, origin: Town, ground: Ground, known: list[int]) -> int:
    """The towns that roads of a terrain join to an own samurai, through empty and own towns."""
    bit = BIT[origin]
    for region in known:
        if region & bit:
            return region
    made = reach(terrain, bit, ground.own | ground.empty)
    known.append(made)
    return made


def sailings(table: Table, seat: Seat, port: Town) -> list[Move]:
    """Where a ship that was just built may sail, sorted (Rule: tokugawa 10.5)."""
    empty = ground_of(table, seat).empty & PORT_MASK
    return [march(port, town, Way.SEA) for town in towns_of(empty)]


def checked(table: Table, seat: Seat, move: March) -> None:
    """NotAllowed if this samurai cannot move there in this way."""
    piece = own_samurai(table, seat, move.origin, "6.1")
    _check_goal(table, seat, move)
    if move.way is Way.SEA:
        check_ship(table, seat, move.origin, move.town, "6.6")
        return
    named = {"origin": move.origin, "town": move.town}
    terrains = _terrains(table, seat, move.origin, move.town)
    if not terrains:
        towns = _land_goals(table, seat, move.origin)
        code = "no_way" if towns else "no_way_out"
        raise NotAllowed(code, rule="6.2", **named, towns=towns)
    if rolls_on_land(piece):
        if move.way is Way.LAND:
            raise NotAllowed("name_the_terrain", rule="6.2", **named, terrain=terrains)
        if _TERRAIN[move.way] not in terrains:
            raise NotAllowed("other_terrain", rule="6.2", **named, terrain=terrains)
    elif move.way is not Way.LAND:
        raise NotAllowed("archers_go_by_land", rule="6.2", **named)


def _check_goal(table: Table, seat: Seat, move: March) -> None:
    """NotAllowed if a move does not end on another town that is empty."""
    if move.town == move.origin:
        raise NotAllowed("stays_there", rule="6.2", town=move.town)
    standing = table.pieces.get(move.town)
    if standing is not None:
        code = "occupied" if standing.owner == seat else "enemy_there"
        raise NotAllowed(code, rule="6.2", town=move.town)


def ways(table: Table, seat: Seat, origin: Town, town: Town) -> tuple[Way, ...]:
    """In which ways a seat's samurai could move from town to town, phase and actions aside."""
    piece = table.pieces.get(origin)
    if piece is None or piece.owner != seat or piece.kind is Kind.CAPITAL or town in table.pieces:
        return ()
    found = tuple(_WAY[terrain] for terrain in _terrains(table, seat, origin, town))
    if found and not rolls_on_land(piece):
        found = (Way.LAND,)
    return (*found, Way.SEA) if town in IS_PORT and has_ship(table, seat, origin) else found


def _terrains(table: Table, seat: Seat, origin: Town, town: Town) -> tuple[Terrain, ...]:
    """Over which terrains a samurai could move from town to town (Rule: tokugawa 6.2)."""
    ground = ground_of(table, seat)
    passable = ground.own | ground.empty
    return tuple(terrain for terrain in LAND if reach(terrain, BIT[origin], passable) & BIT[town])


def _land_goals(table: Table, seat: Seat, origin: Town) -> tuple[Town, ...]:
    """Where a samurai could move by land, sorted (Rule: tokugawa 6.2)."""
    ground = ground_of(table, seat)
    found = 0
    for terrain in LAND:
        found |= reach(terrain, BIT[origin], ground.own | ground.empty)
    return towns_of(found & ground.empty)


def check_ship(table: Table, seat: Seat, origin: Town, town: Town, rule: str) -> None:
    """NotAllowed if no own ship leads from town to town."""
    for port in (origin, town):
        if port not in IS_PORT:
            raise NotAllowed("no_port", rule=rule, town=port)
    if origin == town:
        raise NotAllowed("stays_there", rule=rule, town=town)
    if not has_ship(table, seat, origin):
        raise NotAllowed("no_ship", rule=rule, town=origin)


def play(table: Table, seat: Seat, move: March, chance: Chance, events: list[Event]) -> Table:
    """The table after a move was tried (Rule: tokugawa 6.4, 6.5)."""
    piece = table.pieces[move.origin]
    if move.way is not Way.LAND:
        terrain = _TERRAIN[move.way]
        events.append(Declared(seat, piece.kind, move.origin, move.town, terrain))
        if thrown(seat, terrain, chance, events) is None:
            events.append(Failed(seat, piece.kind, move.origin))
            return table
    events.append(Moved(seat, piece.kind, move.origin, move.town))
    table = but(table, pieces=table.pieces.drop(move.origin).put(move.town, piece))
    table = occupied(table, seat, move.town, events)
    if move.way is Way.SEA:
        table = ship_moved(table, seat, move.origin, move.town)
    return table


def thrown(seat: Seat, terrain: Terrain, chance: Chance, events: list[Event]) -> Weather | None:
    """The weather in which a movement succeeds, None if it fails (Rule: tokugawa 6.4)."""
    weather = weather_thrown(chance)
    die = chance.die()
    needs = NEEDED[terrain][weather]
    if needs is None:
        events.append(Storm(seat, weather, die))
        return None
    events.append(Thrown(seat, weather, die, needs))
    return weather if die >= needs else None


def weather_thrown(chance: Chance) -> Weather:
    """What the weather die shows (Rule: tokugawa 1.3)."""
    return WEATHER_FACES[chance.pick(len(WEATHER_FACES))]
