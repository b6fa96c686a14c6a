"""Before the first turn: the order, the purchase before the game, the start cities.

Rule: tokai 3.1 to 4.5.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Final

from rules.core.chance import Chance
from rules.core.info import RULES_OPTION, Options
from rules.core.keyed import Keyed
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Seat, but, held
from rules.tokai.atlas import LineId, PointId
from rules.tokai.course import Going, Next
from rules.tokai.dice import roll_city, roll_region, roll_three
from rules.tokai.fares import Seats, give_tickets
from rules.tokai.moves import NameDestination, Prebuy
from rules.tokai.network import CONSTANTS, DEALT, DESTINATIONS, LINE_AT, LINES
from rules.tokai.setting_up_events import (
    Chose,
    Dealt,
    PlaysFirst,
    Prebought,
    RolledForOrder,
    Started,
    StartTaken,
    TicketPrebought,
    Tied,
)
from rules.tokai.state import Basket, Phase, Table, Traveller, clockwise

_REMEMBERED: Final = 64
"""Hands whose choices are kept: the table asks again for each seat until all have chosen."""


def set_up(options: Options, seats: int, chance: Chance, events: list[Event]) -> Table:
    """The table with the lines dealt, before anybody has chosen (Rule: tokai 3.1, 3.1.1)."""
    first = _roll_for_order(seats, chance, events)
    deck = chance.shuffle(DEALT)
    number = CONSTANTS.prepurchase_cards
    travellers: dict[Seat, Traveller] = {}
    for seat in map(Seat, range(1, seats + 1)):
        hand = in_map_order(deck[(seat - 1) * number : seat * number])
        events.append(Dealt(seat, hand))
        travellers[seat] = Traveller(
            cash=0,
            express=False,
            trail=(),
            destination=None,
            payoff=0,
            through=(),
            hand=hand,
            chosen=False,
            basket=None,
        )
    return Table(
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


def _roll_for_order(seats: int, chance: Chance, events: list[Event]) -> Seat:
    """Who plays first: the highest total of three dice, rolled again among equals.

    Rule: tokai 3.1, 3.2.
    """
    rolling = [Seat(seat) for seat in range(1, seats + 1)]
    while True:
        totals: dict[Seat, int] = {}
        for seat in rolling:
            whites, coloured = dice = roll_three(chance)
            totals[seat] = dice.total
            events.append(RolledForOrder(seat, (*whites, coloured), dice.total))
        best = max(totals.values())
        rolling = [seat for seat, total in totals.items() if total == best]
        if len(rolling) == 1:
            events.append(PlaysFirst(rolling[0]))
            return rolling[0]
        events.append(Tied(tuple(rolling)))


def in_map_order(lines: tuple[LineId, ...]) -> tuple[LineId, ...]:
    """Lines in the order of the map, which is the order of canonical lines."""
    return tuple(sorted(lines, key=LINE_AT.__getitem__))


def price_of(line: LineId) -> int:
    """The face of a line card."""
    return LINES[LINE_AT[line]].price


def cost(lines: tuple[LineId, ...], *, express: bool) -> int:
    """What lines and perhaps the express ticket cost together."""
    ticket = CONSTANTS.express_ticket_price if express else 0
    return sum(map(price_of, lines)) + ticket


def cost_of(move: Prebuy) -> int:
    """What a choice costs."""
    return cost(held(move.lines), express=held(move.express))


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
    return tuple(sorted(found, key=_words))


def _words(move: Prebuy) -> str:
    return " ".join((*held(move.lines), *(("express",) if held(move.express) else ())))


def _fits(total: int) -> bool:
    return CONSTANTS.prepurchase_min <= total <= CONSTANTS.prepurchase_max


def prebuy(table: Table, seat: Seat, move: Prebuy, events: list[Event]) -> Going:
    """A seat has chosen; when all have, everybody's choice is shown (Rule: tokai 3.1.5).

    With `openchoices` each is shown at once (Rule: tokai 17.5).
    """
    traveller = table.seats[seat]
    lines, express = held(move.lines), held(move.express)
    strange = [line for line in lines if line not in traveller.hand]
    if strange:
        raise NotAllowed("not_dealt", rule="3.1.2", lines=tuple(strange), hand=traveller.hand)
    total = cost(lines, express=express)
    if not _fits(total):
        raise NotAllowed(
            "cost_does_not_fit",
            rule="3.1.2",
            cost=total,
            lowest=CONSTANTS.prepurchase_min,
            highest=CONSTANTS.prepurchase_max,
        )
    basket = Basket(lines, express)
    chosen = but(traveller, chosen=True, basket=basket)
    table = but(table, seats=table.seats.put(seat, chosen))
    if table.openchoices:
        table = _taken(table, seat, basket, events)
    else:
        events.append(Chose(seat, lines, express, total))
    if not all(each.chosen for each in table.seats.values()):
        return Going(table, Next.DECISION)
    for each, one in table.seats.items():
        if one.basket is not None:
            table = _taken(table, each, one.basket, events)
    seats = {each: but(one, hand=()) for each, one in table.seats.items()}
    return Going(but(table, seats=Keyed(seats)), Next.START)


def _taken(table: Table, seat: Seat, basket: Basket, events: list[Event]) -> Table:
    """The table with a choice paid for (Rule: tokai 3.1.3)."""
    total = cost(basket.lines, express=basket.express)
    cash = CONSTANTS.start_money - total
    events.append(Prebought(seat, basket.lines, total, cash))
    if basket.express:
        events.append(TicketPrebought(seat))
    after = but(table.seats[seat], cash=cash, express=basket.express, basket=None)
    owned = {**dict(table.owners.items()), **dict.fromkeys(basket.lines, seat)}
    return but(table, owners=Keyed(owned), seats=table.seats.put(seat, after))


def roll_start(table: Table, chance: Chance, events: list[Event]) -> Going:
    """The next seat without a start city rolls one (Rule: tokai 4.1, 4.2)."""
    waiting = (s for s in clockwise(table.first, len(table.seats)) if not table.seats[s].trail)
    seat = next(waiting, None)
    if seat is None:
        return _begin(table, events)
    region = roll_region(seat, chance, events)
    point = roll_city(seat, region, chance, events)
    if point is None:
        return Going(but(table, phase=Phase.START, active=seat), Next.DECISION)
    other = _starting_at(table.seats, point)
    if other is not None:
        events.append(StartTaken(seat, point, other))
        return Going(table, Next.START)
    return _placed(table, seat, point, events)


def start_cities(table: Table) -> tuple[PointId, ...]:
    """What the seat that rolled `free` may name (Rule: tokai 4.3)."""
    return tuple(p for p in DESTINATIONS if _starting_at(table.seats, p) is None)


def name_start(table: Table, seat: Seat, move: NameDestination, events: list[Event]) -> Going:
    """A seat names its start city (Rule: tokai 4.3)."""
    point = move.destination
    if point not in DESTINATIONS:
        raise NotAllowed("no_destination", rule="4.3", point=point)
    other = _starting_at(table.seats, point)
    if other is not None:
        raise NotAllowed("start_taken", rule="4.3", point=point, other=other)
    return _placed(table, seat, point, events)


def _placed(table: Table, seat: Seat, point: PointId, events: list[Event]) -> Going:
    events.append(Started(seat, point))
    after = but(table.seats[seat], trail=(point,))
    return Going(but(table, seats=table.seats.put(seat, after)), Next.START)


def _starting_at(seats: Seats, point: PointId) -> Seat | None:
    return next((seat for seat, one in seats.items() if one.origin == point), None)


def _begin(table: Table, events: list[Event]) -> Going:
    """Lines bought before the game count as just bought (Rule: tokai 4.5, 11.8)."""
    seats = table.seats
    for line, owner in table.owners.items():
        seats = give_tickets(seats, line, owner, events)
    return Going(but(table, seats=seats, active=table.first), Next.TURN)
