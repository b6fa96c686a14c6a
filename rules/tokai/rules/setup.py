"""Before the first turn: dice, order, the purchase before the game, start cities."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit
from bluebear.rules.core.game_info import RULES_OPTION, Options
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.tokai.data.map_data import LineId, PointId, RegionId
from bluebear.rules.tokai.rules import events, network
from bluebear.rules.tokai.rules.fares import give_tickets
from bluebear.rules.tokai.rules.moves import Prebuy
from bluebear.rules.tokai.rules.state import Basket, Next, Phase, State, Traveller, clockwise

# Three dice over the tables: a region, a city (Rule: tokai 4.1).
#
# They are always drawn in the same order: white, white, coloured.


def roll_three(chance: Chance) -> tuple[tuple[int, int], int]:
    """All three dice: the two white ones, and the coloured one."""
    whites = (chance.die(), chance.die())
    return whites, chance.die()


def roll_region(seat: Seat, chance: Chance, emit: Emit) -> RegionId:
    """The region that a seat rolls (Rule: tokai 4.1.1)."""
    whites, coloured = roll_three(chance)
    region = network.region_rolled(coloured, sum(whites))
    emit(events.RolledRegion(seat, coloured, whites, region))
    return region


def roll_city(seat: Seat, region: RegionId, chance: Chance, emit: Emit) -> PointId | None:
    """The city that a seat rolls in a region; None: any destination (Rule: tokai 4.1.1, 4.3)."""
    whites, coloured = roll_three(chance)
    point = network.city_rolled(region, coloured, sum(whites))
    if point is None:
        emit(events.RolledFree(seat, coloured, whites, region))
    else:
        emit(events.RolledCity(seat, coloured, whites, region, point))
    return point


# Before the first turn: the order, the purchase before the game, the start cities.
#
# Rule: tokai 3.1 to 4.5.

_REMEMBERED: Final = 64
"""Hands whose choices are kept: the table asks again for each seat until all have chosen."""


def set_up(options: Options, seats: int, chance: Chance, emit: Emit) -> State:
    """The table with the lines dealt, before any seat has chosen (Rule: tokai 3.1, 3.1.1)."""
    first = _roll_for_order(seats, chance, emit)
    deck = chance.shuffle(network.DEALT)
    number = network.CONSTANTS.prepurchase_cards
    travellers: dict[Seat, Traveller] = {}
    for seat in map(Seat, range(1, seats + 1)):
        dealt = deck[(seat - 1) * number : seat * number]
        hand = tuple(sorted(dealt, key=network.LINE_AT.__getitem__))  # as canonical lines are
        emit(events.Dealt(seat, hand))
        travellers[seat] = Traveller(hand=hand)
    return State(
        rules=int(options[RULES_OPTION]),
        openchoices=bool(options["openchoices"]),
        settlelast=bool(options["settlelast"]),
        strict=bool(options["strict"]),
        through=int(options["through"]),
        turnlimit=int(options["turnlimit"]),
        phase=Phase.PREBUY,
        first=first,
        active=first,
        turns=0,
        extra=False,
        granted=False,
        roll=0,
        legs=(),
        dues=(),
        owners=Keyed(),
        auction=None,
        closing=False,
        fallen=(),
        ending=None,
        seats=Keyed(travellers),
    )


def _roll_for_order(seats: int, chance: Chance, emit: Emit) -> Seat:
    """Who plays first: the highest three dice, again among equals (Rule: tokai 3.1, 3.2)."""
    rolling = [Seat(seat) for seat in range(1, seats + 1)]
    while True:
        totals: dict[Seat, int] = {}
        for seat in rolling:
            whites, coloured = roll_three(chance)
            totals[seat] = sum(whites) + coloured
            emit(events.RolledForOrder(seat, (*whites, coloured), totals[seat]))
        best = max(totals.values())
        rolling = [seat for seat, total in totals.items() if total == best]
        if len(rolling) == 1:
            emit(events.PlaysFirst(rolling[0]))
            return rolling[0]
        emit(events.Tied(tuple(rolling)))


def price_of(line: LineId) -> int:
    """The face of a line card."""
    return network.LINES[network.LINE_AT[line]].price


def cost(lines: tuple[LineId, ...], *, express: bool) -> int:
    """What lines and perhaps the express ticket cost together."""
    ticket = network.CONSTANTS.express_ticket_price if express else 0
    return sum(map(price_of, lines)) + ticket


def cost_of(move: Prebuy) -> int:
    return cost(require(move.lines), express=require(move.express))


@lru_cache(_REMEMBERED)
def choices(hand: tuple[LineId, ...]) -> tuple[Prebuy, ...]:
    """What may be picked from a hand, in the order of canonical lines (Rule: tokai 3.1.2)."""
    found = [
        Prebuy(lines, express)
        for number in range(1, len(hand) + 1)
        for lines in combinations(hand, number)
        for express in (False, True)
        if _fits(cost(lines, express=express))
    ]
    return tuple(sorted(found, key=_text_of))


def _text_of(move: Prebuy) -> str:
    return " ".join((*require(move.lines), *(("express",) if require(move.express) else ())))


def _fits(total: int) -> bool:
    return network.CONSTANTS.prepurchase_min <= total <= network.CONSTANTS.prepurchase_max


def no_prebuy(table: State, seat: Seat, move: Prebuy) -> NotAllowed | None:
    """What forbids a choice; None if it is legal (Rule: tokai 3.1.2)."""
    hand = table.seats[seat].hand
    strange = tuple(line for line in require(move.lines) if line not in hand)
    if strange:
        return NotAllowed("not_dealt", rule="3.1.2", lines=strange, hand=hand)
    total = cost_of(move)
    if _fits(total):
        return None
    return NotAllowed(
        "cost_does_not_fit",
        rule="3.1.2",
        cost=total,
        lowest=network.CONSTANTS.prepurchase_min,
        highest=network.CONSTANTS.prepurchase_max,
    )


def prebuy(table: State, seat: Seat, move: Prebuy, emit: Emit) -> Next:
    """A seat has chosen; when all have, all choices are shown (Rule: tokai 3.1.5).

    With `openchoices` each is shown at once (Rule: tokai 17.5).
    """
    basket = Basket(require(move.lines), require(move.express))
    table.seats[seat].chosen = True
    if table.openchoices:
        _take(table, seat, basket, emit)
    else:
        table.seats[seat].basket = basket
        emit(events.Chose(seat, basket.lines, basket.express, cost_of(move)))
    if not all(each.chosen for each in table.seats.values()):
        return Next.DECISION
    for each, one in table.seats.items():
        if one.basket is not None:
            _take(table, each, one.basket, emit)
        table.seats[each].hand = ()
    return Next.START


def _take(table: State, seat: Seat, basket: Basket, emit: Emit) -> None:
    """A choice is paid for (Rule: tokai 3.1.3)."""
    taker = table.seats[seat]
    total = cost(basket.lines, express=basket.express)
    taker.cash, taker.express, taker.basket = (
        network.CONSTANTS.start_money - total,
        basket.express,
        None,
    )
    for line in basket.lines:
        table.owners[line] = seat
    emit(events.Prebought(seat, basket.lines, total, taker.cash))
    if basket.express:
        emit(events.TicketPrebought(seat))


def roll_start(table: State, chance: Chance, emit: Emit) -> Next:
    """The next seat without a start city rolls one (Rule: tokai 4.1, 4.2)."""
    waiting = (s for s in clockwise(table.first, len(table.seats)) if not table.seats[s].trail)
    seat = next(waiting, None)
    if seat is None:
        return _begin(table, emit)
    region = roll_region(seat, chance, emit)
    point = roll_city(seat, region, chance, emit)
    if point is None:
        table.phase, table.active = Phase.START, seat
        return Next.DECISION
    other = _starting_at(table, point)
    if other is None:
        return begin_at(table, seat, point, emit)
    emit(events.StartTaken(seat, point, other))
    return Next.START


def no_start(table: State, point: PointId) -> NotAllowed | None:
    """What forbids a start city; None if it may be named (Rule: tokai 4.3)."""
    if point not in network.REGION_OF:
        return NotAllowed("no_destination", rule="4.3", point=point)
    other = _starting_at(table, point)
    if other is None:
        return None
    return NotAllowed("start_taken", rule="4.3", point=point, other=other)


def begin_at(table: State, seat: Seat, point: PointId, emit: Emit) -> Next:
    """A seat has its start city, rolled or named (Rule: tokai 4.1, 4.3)."""
    emit(events.Started(seat, point))
    table.seats[seat].trail = (point,)
    return Next.START


def _starting_at(table: State, point: PointId) -> Seat | None:
    return next((seat for seat, one in table.seats.items() if one.origin == point), None)


def _begin(table: State, emit: Emit) -> Next:
    """Lines bought before the game count as just bought (Rule: tokai 4.5, 11.8)."""
    for line, owner in table.owners.items():
        give_tickets(table, line, owner, emit)
    table.active = table.first
    return Next.TURN
