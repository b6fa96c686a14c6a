"""Every line that a seat may play in its turn, by the stage of the turn (Rule: itc 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from tests.oracle.itc.cards import CONTINENTS, MARKET, TRANSPORTS, named_on
from tests.oracle.itc.positions import Positions
from tests.oracle.itc.table import Table, Turn
from tests.oracle.itc.traffic import NO_SEAT, PER_ROUTE, Load

MEGA_SUM = 400
SETTLERS = 5
RECRUITS = 3


def first_stones(positions: Positions, seat: int) -> Iterator[str]:
    """Where a stone may be put before the first turn (Rule: itc 6.5)."""
    for continent in CONTINENTS:
        stones = positions.stones[continent]
        rest = max(stones[other] for other in positions.seats if other != seat)
        if stones[seat] + 1 <= rest + 3:
            yield f"/stone {continent}"


def lines(table: Table, turn: Turn) -> Iterator[str]:
    """All lines of the player on turn (Rule: itc 7)."""
    seat = turn.seat
    if turn.stage == "discard":
        for card in (*table.in_hand[seat], *table.actions_in_hand[seat]):
            yield f"/discard {card}"
        return
    yield from _any_time(table, turn)
    if turn.stage == "dice":
        for first, second in combinations(("blue", "green", "red"), 2):
            yield f"/dice {first} {second}"
        if _may_play(table, turn, 14):
            yield "/play 14"
    elif turn.stage == "rolled":
        for die in turn.dice:
            yield f"/use {die}"
        if _may_play(table, turn, 19):
            yield "/play 19"
    else:
        yield "/end"
        if turn.die == "blue" and _may_play(table, turn, 15):
            yield "/play 15"
        if turn.die != "blue" and _may_play(table, turn, 8):
            yield "/play 8"
        if turn.transport():
            yield from _transport(table, turn)
        yield from _inland(table, turn)


def _may_play(table: Table, turn: Turn, number: int) -> bool:
    """One card of each number in a turn (Rule: itc 11.1)."""
    return number not in turn.played and bool(table.holds(turn.seat, number))


def _any_time(table: Table, turn: Turn) -> Iterator[str]:
    """The cards that may be played at any time of an own turn (Rule: itc 11)."""
    seat, positions = turn.seat, table.positions
    is_controller = positions.controller() == seat
    if _may_play(table, turn, 2):
        for other in table.seats:
            if other != seat:
                yield from (
                    f"/transfer {other} {route}" for route in _routes(positions, other, CONTINENTS)
                )
    if _may_play(table, turn, 3):
        ends = (*CONTINENTS, MARKET) if is_controller else CONTINENTS
        yield from (f"/shift {route}" for route in _routes(positions, seat, ends))
    for number in (4, 6):
        if _may_play(table, turn, number):
            yield f"/play {number}"
    if _may_play(table, turn, 7):
        yield from _obstacles(table)
    for number, verb in ((11, "rob"), (12, "unrest")):
        if _may_play(table, turn, number):
            yield from (f"/{verb} {named_on(card)[0]}" for card in table.holds(seat, number))
    if _may_play(table, turn, 13) and not is_controller and positions.stock[seat]:
        yield "/play 13"
    yield from _settlers(table, turn)
    if is_controller:
        yield from _recruits(table, turn)


def _routes(positions: Positions, seat: int, ends: Sequence[str]) -> Iterator[str]:
    """From where to where a stone of a seat may go (Rule: itc 11, cards 2 and 3)."""
    for origin, position in product(positions.with_stones(seat), ends):
        if position != origin:
            yield f"{origin} {position}"


def _obstacles(table: Table) -> Iterator[str]:
    """Rule: itc 11, card 7."""
    for load in table.traffic.loads:
        if load.row > 1:
            for side in table.traffic.sides(load, -1):
                yield f"/obstacle {_written(load)} {side}"


def _settlers(table: Table, turn: Turn) -> Iterator[str]:
    """Card 16, stone by stone (Rule: itc 11, card 16)."""
    origins = table.positions.with_stones(turn.seat)
    if _may_play(table, turn, 16):
        for position in CONTINENTS:
            if position not in origins:
                for origin in origins:
                    yield f"/resettle {position} {origin}"
    if turn.settling and turn.settling.moved < SETTLERS:
        for origin in origins:
            if origin != turn.settling.continent:
                yield f"/fetch {origin}"


def _recruits(table: Table, turn: Turn) -> Iterator[str]:
    """Card 17, stone by stone; a rival's is replaced from the own stock (Rule: itc A36)."""

    def may_come(seat: int, continent: str) -> bool:
        there = table.positions.stones[continent][seat] > 0
        return there and (seat == turn.seat or table.positions.stock[turn.seat] > 0)

    if _may_play(table, turn, 17):
        for continent in CONTINENTS:
            for seat in table.seats:
                if may_come(seat, continent):
                    yield f"/organize {continent} {seat}"
    begun = turn.recruiting
    if begun and len(begun.seats) < RECRUITS:
        for seat in table.seats:
            if seat not in begun.seats and may_come(seat, begun.continent):
                yield f"/recruit {seat}"


def _written(load: Load) -> str:
    return str(load.name) if load.owner != NO_SEAT else f"n{load.name:02}"


def _transport(table: Table, turn: Turn) -> Iterator[str]:
    """What a point of transport is good for (Rule: itc 9.1, 15.6, 15.7)."""
    yield from _loading(table, turn)
    traffic = table.traffic
    for load in traffic.of(turn.seat):
        if load.is_new and not table.moves_loaded:
            continue
        if load.under == "10" and table.has_express_blue and turn.die != "blue":
            continue
        if not traffic.is_at_top(load):
            for side in traffic.sides(load, +1):
                yield f"/move {load.name} {side}"
        if turn.die == "blue" and load.under == "10":
            for column in traffic.jumps(load):
                yield f"/express {load.name} {column}"
        if traffic.is_at_top(load):
            yield from _landing(turn, load)


def _loading(table: Table, turn: Turn) -> Iterator[str]:
    """Rule: itc 9.1, 11.6, 11.7, and cards 1, 10 and 18 of 11."""
    seat, traffic = turn.seat, table.traffic
    stock = table.positions.stock[seat]
    unders = {1: "smuggling", 10: "express"}
    for card in table.in_hand[seat] if stock else ():
        for route in TRANSPORTS[card].routes:
            if traffic.cards_on(route, seat) + 1 <= PER_ROUTE:
                for column in traffic.free(route, 1):
                    yield f"/load {card} {route} {column}"
                    for number, under in unders.items():
                        if _may_play(table, turn, number):
                            yield f"/hide {card} {route} {column} {under}"
    if stock >= 2 and _may_play(table, turn, 18):
        for low, high in combinations(sorted(table.in_hand[seat]), 2):
            for route in TRANSPORTS[low].routes if low + high <= MEGA_SUM else ():
                if route in TRANSPORTS[high].routes and not traffic.cards_on(route, seat):
                    for column in traffic.free(route, 1):
                        yield f"/mega {low} {high} {route} {column}"


def _landing(turn: Turn, load: Load) -> Iterator[str]:
    """Each landing of a turn on another continent (Rule: itc 12.1, 12.2, 17.3)."""
    if load.sent_away:
        yield f"/keep {load.name}"
    open_to_it = [continent for continent in CONTINENTS if continent not in turn.landed]
    for continent in open_to_it:
        yield f"/land {load.name} {continent}"
    transported = [good for card in load.cards for good in TRANSPORTS[card].goods]
    for good in set(transported) if open_to_it else ():
        if load.sent_away[good] < transported.count(good):
            yield f"/drop {load.name} {good}"


def _inland(table: Table, turn: Turn) -> Iterator[str]:
    """What a point is good for on continents and in the grey market (Rule: itc 14)."""
    seat, positions, points = turn.seat, table.positions, turn.inland()
    is_controller = positions.controller() == seat
    for position in (*CONTINENTS, MARKET) if is_controller else CONTINENTS:
        colour = positions.cheapest(position)
        if points and positions.stock[seat]:
            yield f"/stone {position}"
        if colour is None:
            continue
        if position == MARKET:
            may_sell = points > 0
        else:
            stones = positions.stones[position][seat]
            spent = turn.sale.spent if turn.sale and turn.sale.continent == position else 0
            is_enough = stones >= 1 and stones + spent >= positions.goods[position][colour]
            may_sell = is_enough and points + turn.sale_points > 0
        if may_sell:
            yield f"/sell {position} {colour}"
    may_attack = not is_controller and not (turn.has_attacked and table.has_attack_limit)
    if points and may_attack and positions.stock[seat]:
        yield "/attack"
