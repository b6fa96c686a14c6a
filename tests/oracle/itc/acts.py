"""What a line does (Rule: itc 8 to 12, 14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from tests.oracle.itc.cards import (
    COLOURS,
    CONTINENTS,
    LOAD_PRICES,
    MARKET,
    NEUTRALS,
    SMUGGLED,
    SOLD,
    TRANSPORTS,
    named_on,
    number_of,
)
from tests.oracle.itc.table import Recruiting, Sale, Settling, Table, Turn
from tests.oracle.itc.traffic import NO_SEAT, Load

ATTACKERS: Final = 3


def act(table: Table, turn: Turn, verb: str, arguments: list[str]) -> None:
    """Do what a legal line says; whatever was under way ends if it is something else."""
    _end_pending_action(table, turn, verb, arguments)
    _ACTS[verb](table, turn, arguments)


def _end_pending_action(table: Table, turn: Turn, verb: str, arguments: list[str]) -> None:
    """Card 8 ends nothing (Rule: itc 14.2, 17.3, A28)."""
    if (verb, arguments) == ("play", ["8"]):
        return
    if verb != "fetch":
        turn.settling = None
    if verb != "recruit":
        turn.recruiting = None
    if verb != "sell" or turn.sale is None or turn.sale.continent != arguments[0]:
        turn.sale = None
    for load in table.traffic.loads:
        if verb not in ("drop", "land") or load.name != int(arguments[0]):
            load.sent_away.clear()


def _spend_card(table: Table, turn: Turn, card: str) -> None:
    """Rule: itc 11.1, 11.2."""
    turn.played.add(number_of(card))
    table.actions_in_hand[turn.seat].remove(card)
    if card not in ("1", "10"):
        table.actions.discard([card])


def _stone(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 14.1."""
    turn.points -= 1
    table.positions.put(turn.seat, arguments[0])


def _dice(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 8.1."""
    turn.dice = tuple(arguments)
    turn.stage = "rolled"
    for die in turn.dice:
        roll = table.chance("rolled")
        if roll["die"] != die:
            raise ValueError(f"the {die} die was to be rolled: {roll}")
        turn.rolled[die] = roll["number"]


def _use(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 8.2, 8.3, 8.4."""
    turn.die = arguments[0]
    turn.stage = "act"
    turn.points = turn.rolled[turn.die]
    if turn.die == "red":
        turn.points = 6 - _draw(table, turn, turn.rolled["red"])


def _draw(table: Table, turn: Turn, count: int) -> int:
    """Draw T cards, move the neutral loads, let the new ones enter; how many came.

    Rule: itc 8.4, 8.5, 8.6.
    """
    count = min(count, table.transports.size())
    reply = table.reports[:1]
    of_seat: list[int] = []
    # Nothing is told where none came into the hand.
    if reply and reply[0]["event"] == "drew_transports":
        of_seat += table.chance("drew_transports")["cards"]
    coming = [
        event["card"]
        for event in table.reports
        if event["event"] in ("neutral_entered", "neutral_stranded")
    ]
    if len(of_seat) + len(coming) != count:
        raise ValueError(f"{count} cards were to be drawn, not {of_seat} and {coming}")
    if set(of_seat) & set(NEUTRALS) or set(coming) - set(NEUTRALS):
        raise ValueError(f"{of_seat} came into a hand, {coming} to the board")
    table.transports.draw([*of_seat, *coming])
    table.in_hand[turn.seat] += of_seat
    if coming:
        advance(table)
    for card in coming:
        _enter(table, turn, card)
    return count


def advance(table: Table) -> None:
    """All neutral loads, one after the other (Rule: itc 10.1, 10.2)."""
    traffic = table.traffic
    for load in traffic.neutrals_in_order():
        if traffic.is_at_top(load):
            _arrive(table, load, TRANSPORTS[load.name].destination)
        else:
            sides = traffic.sides(load, +1)
            if sides:
                traffic.shift(load, +1, next(iter(sides)))


def _enter(table: Table, turn: Turn, card: int) -> None:
    """Rule: itc 10.4, 8.6."""
    reply = table.chance("neutral_entered", "neutral_stranded")
    entry = table.traffic.entry(TRANSPORTS[card].routes)
    seen = (reply["route"], reply["column"]) if reply["event"] == "neutral_entered" else None
    if seen != entry:
        raise ValueError(f"{card} enters at {entry}, not at {seen}")
    if entry is None:
        turn.stranded += TRANSPORTS[card].goods
        table.transports.discard([card])
    else:
        route, column = entry
        table.traffic.loads.append(Load(NO_SEAT, (card,), route, column))


def _load(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 9.1."""
    card, route, column, *under = arguments
    _put_on(table, turn, [int(card)], route, int(column))
    if under:
        number = {"smuggling": "1", "express": "10"}[under[0]]
        _spend_card(table, turn, number)
        table.traffic.named(int(card)).under = number


def _mega(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 11.7."""
    low, high, route, column = arguments
    _spend_card(table, turn, "18")
    _put_on(table, turn, [int(low), int(high)], route, int(column))


def _put_on(table: Table, turn: Turn, cards: list[int], route: str, column: int) -> None:
    turn.points -= 1
    for card in cards:
        table.in_hand[turn.seat].remove(card)
        table.positions.stock[turn.seat] -= 1
    load = Load(turn.seat, tuple(cards), route, column, is_new=True)
    table.traffic.loads.append(load)


def _move(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 9.1."""
    turn.points -= 1
    table.traffic.shift(table.traffic.named(int(arguments[0])), +1, arguments[1])


def _express(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 11.6."""
    turn.points -= 1
    load = table.traffic.named(int(arguments[0]))
    table.traffic.jump(load, int(arguments[1]))
    load.under = ""
    table.actions.discard(["10"])


def _drop(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 12.2, 17.3."""
    table.traffic.named(int(arguments[0])).sent_away[arguments[1]] += 1


def _keep(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 17.3."""
    table.traffic.named(int(arguments[0])).sent_away.clear()


def _land(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 12.1."""
    turn.points -= 1
    turn.landed.add(arguments[1])
    _arrive(table, table.traffic.named(int(arguments[0])), arguments[1])


def _arrive(table: Table, load: Load, continent: str) -> None:
    """A load leaves its route for a continent (Rule: itc 12)."""
    table.traffic.leave(load)
    for card in load.cards:
        income = _unload(table, load, card, continent)
        if load.owner != NO_SEAT and table.pays_transport:
            table.pay(load.owner, income)
    if load.under == "1":
        table.pay(load.owner, SMUGGLED[load.route])
    clear_away(table, load)


def _unload(table: Table, load: Load, card: int, continent: str) -> int:
    """The goods of one card find their places; what it pays (Rule: itc 12.3 to 12.6)."""
    positions, printed = table.positions, TRANSPORTS[card]
    roll = table.chance("theft_rolled")
    if (roll["card"], roll["place"]) != (card, continent):
        raise ValueError(f"{card} arrives on {continent}, not {roll}")
    goods = list(printed.goods)
    is_robbed = roll["number"] == 6
    if is_robbed:
        stolen = printed.at_risk()
        goods.remove(stolen)
        controller = positions.controller()
        positions.to_market(stolen)
        if controller is not None:
            table.pay(controller, LOAD_PRICES[stolen])
    undelivered = 0
    for good in sorted(goods, key=COLOURS.index):
        if load.sent_away[good] > 0:
            load.sent_away[good] -= 1
            is_welcome = False
        else:
            is_welcome = not positions.is_empty(continent) and positions.accepts(continent, good)
        if is_welcome:
            positions.fresh[continent][good] += 1
        else:
            positions.to_market(good)
            undelivered += LOAD_PRICES[good]
    if load.owner == NO_SEAT:
        return 0
    return printed.price(load.route, is_robbed=is_robbed) - undelivered


def clear_away(table: Table, load: Load) -> None:
    """Cards to the discards, stones to the stock (Rule: itc 12.7, 9.4)."""
    table.transports.discard(load.cards)
    if load.under:
        table.actions.discard([load.under])
    if load.owner != NO_SEAT:
        table.positions.stock[load.owner] += len(load.cards)


def _sell(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 14.2, 14.3; the point of card 8 goes first (A28)."""
    position, colour = arguments
    if position in CONTINENTS and turn.sale_points:
        turn.sale_points -= 1
    else:
        turn.points -= 1
    table.pay(turn.seat, table.positions.goods[position].pop(colour) * SOLD[colour])
    table.positions.back(turn.seat, position)
    if position in CONTINENTS:
        turn.sale = Sale(position, 1 + (turn.sale.spent if turn.sale else 0))


def _attack(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 14.4."""
    turn.points -= 1
    turn.has_attacked = True
    _fight(table, turn.seat)


def _fight(table: Table, seat: int) -> None:
    """Up to three stones against all of the controller's (Rule: itc 14.4, 14.5)."""
    positions, defender = table.positions, table.positions.controller()
    attackers = min(ATTACKERS, positions.stock[seat])
    while defender is not None and attackers and positions.stones[MARKET][defender]:
        if not table.reports or table.reports[0]["event"] != "clashed":
            raise ValueError(f"{attackers} stones are left to fight")
        roll = table.chance("clashed")
        if roll["number"] > roll["other_number"]:
            positions.back(defender, MARKET)
        elif roll["number"] < roll["other_number"]:
            attackers -= 1
    for _ in range(attackers):
        positions.put(seat, MARKET)


def _play(table: Table, turn: Turn, arguments: list[str]) -> None:
    """The cards that name nothing (Rule: itc 11)."""
    card = arguments[0]
    _spend_card(table, turn, card)
    match card:
        case "4":
            advance(table)
        case "6":
            table.positions.purge()
        case "8":
            turn.sale_points += 1
        case "13":
            _fight(table, turn.seat)
        case "14":
            _dice(table, turn, ["blue", "green", "red"])
        case "15":
            turn.points += 3
        case "19":
            _dice(table, turn, list(turn.dice))
        case _:
            raise ValueError(f"card {card} is not played like this")


def _rob(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 11, card 11."""
    _spend_card(table, turn, f"11-{arguments[0]}")
    table.positions.rob(arguments[0])


def _unrest(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 11, card 12."""
    _spend_card(table, turn, f"12-{arguments[0]}")
    table.positions.unrest(arguments[0])


def _transfer(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 11, card 2."""
    _spend_card(table, turn, "2")
    table.positions.carry(int(arguments[0]), arguments[1], arguments[2])


def _shift(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 11, card 3."""
    _spend_card(table, turn, "3")
    table.positions.carry(turn.seat, arguments[0], arguments[1])


def _obstacle(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 11, card 7."""
    _spend_card(table, turn, "7")
    table.traffic.shift(table.traffic.named(int(arguments[0].removeprefix("n"))), -1, arguments[1])


def _resettle(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 11, card 16."""
    _spend_card(table, turn, "16")
    turn.settling = Settling(arguments[0], 0)
    _fetch(table, turn, arguments[1:])


def _fetch(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc 11, card 16."""
    if turn.settling is None:
        raise ValueError("no new location was begun")
    position, moved = turn.settling
    table.positions.carry(turn.seat, arguments[0], position)
    turn.settling = Settling(position, moved + 1)


def _organize(table: Table, turn: Turn, arguments: list[str]) -> None:
    """Rule: itc A36."""
    _spend_card(table, turn, "17")
    turn.recruiting = Recruiting(arguments[0], ())
    _recruit(table, turn, arguments[1:])


def _recruit(table: Table, turn: Turn, arguments: list[str]) -> None:
    """An own stone moves, another's is replaced from the stock (Rule: itc A36)."""
    if turn.recruiting is None:
        raise ValueError("no organization was begun")
    continent, seats = turn.recruiting
    seat = int(arguments[0])
    table.positions.back(seat, continent)
    table.positions.put(turn.seat, MARKET)
    turn.recruiting = Recruiting(continent, (*seats, seat))


_ACTS: Final[Mapping[str, Callable[[Table, Turn, list[str]], None]]] = {
    "stone": _stone,
    "dice": _dice,
    "use": _use,
    "load": _load,
    "hide": _load,
    "mega": _mega,
    "move": _move,
    "express": _express,
    "drop": _drop,
    "keep": _keep,
    "land": _land,
    "sell": _sell,
    "attack": _attack,
    "play": _play,
    "rob": _rob,
    "unrest": _unrest,
    "transfer": _transfer,
    "shift": _shift,
    "obstacle": _obstacle,
    "resettle": _resettle,
    "fetch": _fetch,
    "organize": _organize,
    "recruit": _recruit,
}


def at_once(table: Table, card: str) -> None:
    """Cards 5, 9 and 20, as soon as they are drawn (Rule: itc 11.1, 11.4, 11.5)."""
    table.actions.discard([card])
    if number_of(card) == 9:
        _inspect(table, named_on(card)[0])
        return
    for continent in named_on(card):
        table.positions.deliver(continent, 3 if number_of(card) == 5 else 4)


def _inspect(table: Table, route: str) -> None:
    """Rule: itc 11.5."""
    for load in table.traffic.loads:
        if load.route == route and load.under == "1":
            table.pay(load.owner, -SMUGGLED[route])
            load.under = ""
            table.actions.discard(["1"])
    table.actions.merge()


def lose_jammed(table: Table, turn: Turn) -> None:
    """What a turn's end takes away and settles (Rule: itc 9.4, 8.6, 12.8)."""
    for load in table.traffic.jammed(turn.seat):
        table.traffic.loads.remove(load)
        goods = Counter(good for card in load.cards for good in TRANSPORTS[card].goods)
        for good in sorted(goods.elements(), key=COLOURS.index):
            table.positions.to_market(good)
        clear_away(table, load)
    for good in turn.stranded:
        table.positions.to_market(good)
    for load in table.traffic.loads:
        load.is_new = False
        load.sent_away.clear()
    table.positions.settle()
