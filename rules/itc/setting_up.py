"""Setting up: first cards, placing stones in turn, the first stone in the grey market.

Rule: itc 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.core.chance import Chance
from rules.core.info import RULES_OPTION, Options
from rules.core.keyed import Keyed
from rules.core.refusal import NotAllowed
from rules.core.vision import Seat
from rules.itc.course_events import Began, Dealt, MafiaBegan
from rules.itc.data import CARDS, LIMITS, PLAYER_CARDS
from rules.itc.desk import Desk
from rules.itc.moves import Stone
from rules.itc.piles import FULL_ACTION_PILE, NO_ACTIONS_USED
from rules.itc.state import (
    NO_GOODS,
    NO_INCOME,
    Phase,
    Store,
    Table,
    Trader,
    new_turn,
    seat_after,
)
from rules.itc.terms import CONTINENTS, Place, Route, TCard
from rules.itc.trade_events import StonePlaced

_NO_ONE_DEALT: Final = Trader(
    money=0,
    income=NO_INCOME,
    stock=LIMITS.stones,
    transports=0,
    actions=0,
    hand=(),
    kept=(),
    under=Keyed(),
)


def set_up(options: Options, seats: int, chance: Chance) -> Desk:
    """The table before the first stone (Rule: itc 6.1, 6.2, 6.3)."""
    start = Seat(chance.die(seats))
    store = Store(goods=NO_GOODS, fresh=NO_GOODS, stones=(0,) * seats)
    everybody = [Seat(seat) for seat in range(1, seats + 1)]
    table = Table(
        rules=int(options[RULES_OPTION]),
        goal=int(options["goal"]),
        attack_limit=bool(options["attack_limit"]),
        transport_pay=bool(options["transport_pay"]),
        green_die=int(options["green_die"]),
        max_rounds=int(options["max_rounds"]),
        phase=Phase.PLACING,
        round=0,
        start=start,
        last=False,
        turn=new_turn(start),
        routes=Keyed({route: Keyed() for route in Route}),
        places=Keyed(dict.fromkeys(Place, store)),
        seats=Keyed(dict.fromkeys(everybody, _NO_ONE_DEALT)),
        used_transports=Keyed(),
        used_actions=NO_ACTIONS_USED,
        transport_pile=(),
        action_pile=FULL_ACTION_PILE,
    )
    desk = Desk(table, chance)
    desk.tell(Began(start, table.goal))
    _deal(desk, everybody)
    return desk


def _deal(desk: Desk, everybody: list[Seat]) -> None:
    """Two player cards each; neutral ones are not dealt (Rule: itc 6.1)."""
    pile = list(PLAYER_CARDS)
    for seat in everybody:
        drawn = [pile.pop(desk.chance.pick(len(pile))) for _ in range(LIMITS.dealt)]
        hand: tuple[TCard, ...] = tuple(sorted(drawn))
        desk.change_trader(seat, hand=hand, transports=len(hand))
        desk.tell(Dealt(seat, hand))
    left = set(pile)
    rest = tuple(card for card in CARDS if card in left or CARDS[card].neutral)
    desk.change(transport_pile=tuple(sorted(rest)))


def place_first(desk: Desk, move: Stone) -> bool:
    """A stone of the set-up; whether it was the last one (Rule: itc 6.4, 6.5, 6.6)."""
    table = desk.table
    seat = desk.seat
    if move.place is Place.MARKET:
        raise NotAllowed("no_market_yet", rule="6.4")
    most = _most(table, move.place, seat)
    if table.places[move.place].stones[seat - 1] >= most:
        raise NotAllowed("too_far_ahead", rule="6.5", place=move.place, most=most)
    desk.take_stock(seat, 1)
    desk.add_stones(move.place, seat, 1)
    desk.tell(StonePlaced(seat, move.place))
    seats = len(table.seats)
    placed = sum(LIMITS.stones - trader.stock for trader in desk.table.seats.values())
    if placed == seats * LIMITS.placing_rounds:
        _first_mafia(desk)
        return True
    placing_round, at = divmod(placed, seats)
    desk.change(turn=new_turn(seat_after(table.start, placing_round + at, seats)))
    return False


def _first_mafia(desk: Desk) -> None:
    """Who would begin the next round has the first stone in the market (Rule: itc 6.6)."""
    table = desk.table
    seat = seat_after(table.start, LIMITS.placing_rounds, len(table.seats))
    desk.take_stock(seat, 1)
    desk.add_stones(Place.MARKET, seat, 1)
    desk.tell(MafiaBegan(seat))


def _most(table: Table, place: Place, seat: Seat) -> int:
    """How many stones a seat may have on a continent after placing (Rule: itc 6.5)."""
    others = (count for at, count in enumerate(table.places[place].stones, start=1) if at != seat)
    return max(others) + LIMITS.lead


def first_placings(table: Table, seat: Seat) -> Iterator[Stone]:
    """Where a seat can place a stone of the set-up."""
    for place in CONTINENTS:
        if table.places[place].stones[seat - 1] < _most(table, place, seat):
            yield Stone(place)
