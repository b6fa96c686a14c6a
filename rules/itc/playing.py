"""Action cards that change dice, points, goods and loads (Rule: itc 11).

Those that move players' stones are in `stones`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rules.core.refusal import NotAllowed
from rules.core.vision import Seat, held
from rules.itc.data import ACTIONS
from rules.itc.desk import Desk
from rules.itc.dice import roll_dice
from rules.itc.hands import code_of, need_card, play_card
from rules.itc.market import can_attack, fight, need_attackers
from rules.itc.moves import Obstruct, Play, Rob, Unrest
from rules.itc.neutral import advance
from rules.itc.route_events import SetBack
from rules.itc.state import Phase, Table, column_of, row_of
from rules.itc.stores import send_to_market, without_one
from rules.itc.terms import DICE, GOODS, Die, Kind, Place
from rules.itc.tracks import behind, find, loads, move, space_back
from rules.itc.trade_events import Purged, Robbed, StoneLost

_SALES_POINTS: Final = ACTIONS[code_of(Kind.SALES_BONUS)].amount
TRANSPORT_POINTS: Final = ACTIONS[code_of(Kind.INFRASTRUCTURE)].amount
"""Further points of card 15 (Rule: itc 11.25)."""


def play(desk: Desk, given: Play) -> None:
    """A card that needs no further choice (Rule: itc 11.1)."""
    if given.kind not in _EFFECTS:
        raise NotAllowed("card_has_own_verb", rule="11.1", kind=given.kind)
    need_card(desk.table, given.kind)
    _check_time(desk.table, given.kind)
    play_card(desk, given.kind)
    _EFFECTS[given.kind](desk)


def _check_time(table: Table, kind: Kind) -> None:
    """NotAllowed if a card cannot be played now (Rule: itc 11.1)."""
    used, phase = table.turn.used, table.phase
    match kind:
        case Kind.SALES_BONUS if used not in (Die.GREEN, Die.RED):
            raise NotAllowed("needs_green_or_red", rule="11.18")
        case Kind.INFRASTRUCTURE if used is not Die.BLUE:
            raise NotAllowed("needs_blue", rule="11.25")
        case Kind.MANAGEMENT if phase is not Phase.DICE:
            raise NotAllowed("only_before_rolling", rule="11.24")
        case Kind.NEW_IDEAS if phase is not Phase.ROLLED:
            raise NotAllowed("only_after_rolling", rule="11.29")
        case Kind.GANG_ATTACK:
            need_attackers(table)
        case _:
            pass


def _may_play(table: Table, seat: Seat, kind: Kind) -> bool:
    used, phase = table.turn.used, table.phase
    match kind:
        case Kind.SALES_BONUS:
            return used in (Die.GREEN, Die.RED)
        case Kind.INFRASTRUCTURE:
            return used is Die.BLUE
        case Kind.MANAGEMENT:
            return phase is Phase.DICE
        case Kind.NEW_IDEAS:
            return phase is Phase.ROLLED
        case Kind.GANG_ATTACK:
            return can_attack(table, seat)
        case _:
            return True


def _purge(desk: Desk) -> None:
    """Rule: itc 11.16."""
    store = desk.table.places[Place.MARKET]
    ranks = [rank for rank, count in enumerate(store.goods) if count]
    for rank in ranks:
        store = without_one(store, rank)
    desk.change_store(Place.MARKET, store)
    if ranks:
        desk.tell(Purged(tuple(GOODS[rank] for rank in ranks)))


def _more_sales(desk: Desk) -> None:
    """Rule: itc 11.18."""
    desk.change_turn(extra=desk.table.turn.extra + _SALES_POINTS)


def _more_transport(desk: Desk) -> None:
    """Rule: itc 11.25."""
    desk.change_turn(points=desk.table.turn.points + TRANSPORT_POINTS)


def _roll_all(desk: Desk) -> None:
    """Rule: itc 11.24."""
    roll_dice(desk, DICE)


def _roll_again(desk: Desk) -> None:
    """Rule: itc 11.29."""
    roll_dice(desk, tuple(desk.table.turn.dice))


_EFFECTS: Final[Mapping[Kind, Callable[[Desk], None]]] = {
    Kind.NEUTRAL_PUSH: advance,
    Kind.GANG_PURGE: _purge,
    Kind.SALES_BONUS: _more_sales,
    Kind.GANG_ATTACK: fight,
    Kind.MANAGEMENT: _roll_all,
    Kind.INFRASTRUCTURE: _more_transport,
    Kind.NEW_IDEAS: _roll_again,
}

PLAIN_KINDS: Final = tuple(_EFFECTS)
"""The numbers that `/play` takes."""


def rob(desk: Desk, given: Rob) -> None:
    """The dearest good of a continent goes to the grey market (Rule: itc 11.21)."""
    need_card(desk.table, Kind.ROBBERY, given.place)
    play_card(desk, Kind.ROBBERY, given.place)
    store = desk.table.places[given.place]
    ranks = [rank for rank, count in enumerate(store.goods) if count]
    if not ranks:
        return
    desk.change_store(given.place, without_one(store, ranks[-1]))
    desk.tell(Robbed(given.place, GOODS[ranks[-1]]))
    send_to_market(desk, (ranks[-1],))


def stir(desk: Desk, given: Unrest) -> None:
    """Whoever has most stones on a continent loses one (Rule: itc 11.22)."""
    need_card(desk.table, Kind.UNREST, given.place)
    play_card(desk, Kind.UNREST, given.place)
    stones = desk.table.places[given.place].stones
    most = max(stones)
    if not most:
        return
    for seat, count in enumerate(stones, start=1):
        if count == most:
            desk.add_stones(given.place, Seat(seat), -1)
            desk.take_stock(Seat(seat), -1)
            desk.tell(StoneLost(Seat(seat), given.place))


def obstruct(desk: Desk, given: Obstruct) -> None:
    """A load is set one row back (Rule: itc 11.17)."""
    need_card(desk.table, Kind.OBSTACLE)
    found = find(desk.table, given.card)
    if found is None:
        raise NotAllowed("not_loaded", rule="11.17", card=given.card)
    if found.load.cards[0] != given.card:
        raise NotAllowed(
            "lower_answers", rule="11.7", card=given.card, other_card=found.load.cards[0]
        )
    if row_of(found.at) == 1:
        raise NotAllowed("in_first_row", rule="11.17", card=given.card)
    sides = behind(desk.table.routes[found.route], found.route, found.at)
    if not sides:
        raise NotAllowed("nothing_free_behind", rule="11.17", card=given.card)
    if given.side not in sides:
        raise NotAllowed("not_that_side", rule="11.17", card=given.card, sides=sides)
    play_card(desk, Kind.OBSTACLE)
    to = space_back(found.at, given.side)
    move(desk, found, to)
    desk.tell(SetBack(given.card, found.route, row_of(to), column_of(to)))


def plays(table: Table, seat: Seat) -> Iterator[Play | Rob | Unrest | Obstruct]:
    """What a seat can play now of the cards of this module."""
    played = table.turn.played
    for code in dict.fromkeys(held(table.seats[seat].kept)):
        card = ACTIONS[code]
        if card.kind in played:
            continue
        match card.kind:
            case Kind.ROBBERY:
                yield Rob(card.places[0])
            case Kind.UNREST:
                yield Unrest(card.places[0])
            case Kind.OBSTACLE:
                for route, at, load in loads(table):
                    for side in behind(table.routes[route], route, at):
                        yield Obstruct(load.cards[0], side)
            case kind if kind in _EFFECTS and _may_play(table, seat, kind):
                yield Play(kind)
            case _:
                pass
