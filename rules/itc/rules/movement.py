"""Dice and the loads that they move: own ones and neutral ones (Rule: itc 8, 10, 12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Event, but, require
from bluebear.rules.itc.data.tables import CARDS, LIMITS, ROUTE, SIDES
from bluebear.rules.itc.data.terms import CONTINENTS, DICE, GOODS, ROUTES, Die, Good, Place, TCard
from bluebear.rules.itc.rules import events, route_state, state
from bluebear.rules.itc.rules.continents import COUNTS, arrive, take_under
from bluebear.rules.itc.rules.moves import Drop, Jump, Keep, Land, Roll, Side, Step, Use
from bluebear.rules.itc.rules.turn_context import Desk, draw_transport, rank_of, take_transport

# Own loads on their way: steps, the express, landing with goods dropped on purpose.
#
# Rule: itc 9.7, 9.8, 11.6, 12.1, 12.2.


def movements(table: state.State) -> Iterator[Step | Jump | Drop | Land]:
    """Every way in which the seat on turn can move its loads, if it has a point."""
    for found in route_state.loads_of(table, table.turn.seat):
        if why_stays(table, found.load) is not None:
            continue
        card = found.load.cards[0]
        if route_state.is_top(found.route, found.at):
            places = _open_places(table)
            for good in _droppable(table, found) if places else ():
                yield Drop(card, good)
            for place in places:
                yield Land(card, place)
            continue
        for side in route_state.ahead(table.routes[found.route], found.route, found.at):
            yield Step(card, side)
        for column in _jump_columns(table, found):
            yield Jump(card, column)


def keeps(table: state.State) -> Iterator[Keep]:
    """The way to take marks of a load back, where there are any."""
    busy = table.turn.busy
    if isinstance(busy, state.Dropping):
        yield Keep(busy.card)


def no_step(table: state.State, given: Step) -> NotAllowed | None:
    """What forbids to move a load one row up (Rule: itc 9.7)."""
    found = _load_of_mover(table, given.card)
    if isinstance(found, NotAllowed):
        return found
    sides = route_state.ahead(table.routes[found.route], found.route, found.at)
    if given.side in sides:
        return None
    if route_state.is_top(found.route, found.at):
        return NotAllowed("lands_next", rule="9.8", card=given.card)
    if not sides:
        return NotAllowed("way_blocked", rule="9.7", card=given.card)
    if sides == (Side.STRAIGHT,):
        return NotAllowed("straight_is_free", rule="9.7", card=given.card)
    return NotAllowed("side_taken", rule="9.7", card=given.card, sides=sides)


def no_jump(table: state.State, given: Jump) -> NotAllowed | None:
    """What forbids an express load to go to the top row (Rule: itc 11.6)."""
    found = _no_express_die(table) or _load_of_mover(table, given.card)
    if isinstance(found, NotAllowed):
        return found
    columns = _jump_columns(table, found)
    if given.column in columns:
        return None
    if not _is_express(table, found.load):
        return NotAllowed("no_express", rule="11.6", card=given.card)
    if route_state.is_top(found.route, found.at):
        return NotAllowed("lands_next", rule="9.8", card=given.card)
    if not columns:
        return NotAllowed("top_full", rule="11.6", route=found.route)
    return NotAllowed("jump_column", rule="11.6", columns=columns)


def no_drop(table: state.State, given: Drop) -> NotAllowed | None:
    """What forbids to mark a good for the grey market (Rule: itc 12.2)."""
    found = _landing_load(table, given.card)
    if isinstance(found, NotAllowed):
        return found
    goods = _droppable(table, found)
    if given.good in goods:
        return None
    return NotAllowed("no_such_good", rule="12.2", card=given.card, good=given.good, goods=goods)


def no_keep(table: state.State, given: Keep) -> NotAllowed | None:
    """What forbids to take marks back: there are none on this load (Rule: itc 12.2)."""
    if given in keeps(table):
        return None
    return NotAllowed("nothing_dropped", rule="12.2", card=given.card)


def no_landing(table: state.State, given: Land) -> NotAllowed | None:
    """What forbids a load to come to a continent (Rule: itc 12.1)."""
    found = _landing_load(table, given.card)
    if isinstance(found, NotAllowed):
        return found
    if given.place in _open_places(table):
        return None
    if given.place is Place.MARKET:
        return NotAllowed("lands_on_continents", rule="12.1")
    return NotAllowed("landed_already", rule="12.1", place=given.place)


def why_stays(table: state.State, load: state.Load) -> NotAllowed | None:
    """What forbids a load of the seat on turn to move at all (Rule: itc 9.1, 15.6, 15.7)."""
    if load.fresh and not table.move_loaded:
        return NotAllowed("just_loaded", rule="9.1", card=load.cards[0])
    if table.express_blue and _is_express(table, load):
        return _no_express_die(table)
    return None


def _load_of_mover(table: state.State, card: TCard) -> route_state.Found | NotAllowed:
    """The load of the seat on turn that a card names, or why it cannot be moved for a point."""
    refusal = state.no_transport(table.turn)
    if refusal is not None:
        return refusal
    found = route_state.find(table, card)
    if found is None:
        return NotAllowed("not_loaded", rule="9.7", card=card)
    owner, lower = found.load.owner, found.load.cards[0]
    if owner == state.NEUTRAL:
        return NotAllowed("neutral_load", rule="9.7", card=card)
    if owner != table.turn.seat:
        return NotAllowed("not_your_load", rule="9.7", card=card)
    if lower != card:
        return NotAllowed("lower_answers", rule="11.7", card=card, other_card=lower)
    return why_stays(table, found.load) or found


def _landing_load(table: state.State, card: TCard) -> route_state.Found | NotAllowed:
    """The own load that a card names, or why it cannot land."""
    found = _load_of_mover(table, card)
    if isinstance(found, NotAllowed):
        return found
    if not route_state.is_top(found.route, found.at):
        rows = ROUTE[found.route].rows - state.row_of(found.at)
        return NotAllowed("not_at_top", rule="9.8", card=card, count=rows)
    if not _open_places(table):
        return NotAllowed("landed_everywhere", rule="12.1")
    return found


def _no_express_die(table: state.State) -> NotAllowed | None:
    """What forbids every jump: another die than the blue one is used (Rule: itc 11.6)."""
    if table.turn.used is Die.BLUE:
        return None
    return NotAllowed("express_needs_blue", rule="11.6")


def _is_express(table: state.State, load: state.Load) -> bool:
    return require(table.seats[load.owner].under).get(load.cards[0]) is state.Under.EXPRESS


def _jump_columns(table: state.State, found: route_state.Found) -> tuple[int, ...]:
    """Where an express load can go: its column of the top row, else any (Rule: itc 11.6)."""
    is_express = _is_express(table, found.load) and not _no_express_die(table)
    if route_state.is_top(found.route, found.at) or not is_express:
        return ()
    columns = route_state.free_columns(
        table.routes[found.route], found.route, ROUTE[found.route].rows
    )
    same = state.column_of(found.at)
    return (same,) if same in columns else columns


def _open_places(table: state.State) -> list[Place]:
    """The continents where the seat on turn has not landed in this turn (Rule: itc 12.1)."""
    return [place for place in CONTINENTS if place not in table.turn.landed]


def _droppable(table: state.State, found: route_state.Found) -> tuple[Good, ...]:
    """The goods of a load that are not marked, each colour once (Rule: itc 12.2)."""
    by_card = [COUNTS[card] for card in found.load.cards]
    marked = marks_of(table, found.load.cards[0])
    return tuple(
        good
        for good, *counts, less in zip(GOODS, *by_card, marked, strict=True)
        if sum(counts) > less
    )


def marks_of(table: state.State, card: TCard) -> state.Goods:
    """The goods of a load that are marked for the grey market, counted (Rule: itc 12.2)."""
    busy = table.turn.busy
    return busy.goods if isinstance(busy, state.Dropping) and busy.card == card else state.NO_GOODS


def step(desk: Desk, given: Step) -> None:
    """A load moves one row up (Rule: itc 9.7)."""
    found = route_state.lying(desk.table, given.card)
    to = route_state.next_space(found.at, given.side)
    desk.table.turn.points -= 1
    route_state.move(desk.table, found, to)
    desk.emit(
        events.Stepped(desk.seat, given.card, found.route, state.row_of(to), state.column_of(to))
    )


def jump(desk: Desk, given: Jump) -> None:
    """An express load goes to the top row; its express card is used up (Rule: itc 11.6)."""
    found = route_state.lying(desk.table, given.card)
    desk.table.turn.points -= 1
    take_under(desk.table, found)
    bare = found._replace(load=but(found.load, under=state.Under.NONE))
    route_state.move(desk.table, bare, state.space(ROUTE[found.route].rows, given.column))
    desk.emit(events.Jumped(desk.seat, given.card, found.route, given.column))


def drop(desk: Desk, given: Drop) -> None:
    """A good is marked for the grey market (Rule: itc 12.2)."""
    rank = rank_of(given.good)
    marked = marks_of(desk.table, given.card)
    more = tuple(count + (each == rank) for each, count in enumerate(marked))
    desk.table.turn.busy = state.Dropping(given.card, more)
    desk.emit(events.Dropped(desk.seat, given.card, given.good))


def keep(desk: Desk, given: Keep) -> None:
    """The marks are taken back (Rule: itc 12.2)."""
    desk.table.turn.busy = None
    desk.emit(events.Kept(desk.seat, given.card))


def land(desk: Desk, given: Land) -> None:
    """A load comes to a continent (Rule: itc 12.1)."""
    turn = desk.table.turn
    turn.points -= 1
    turn.landed = tuple(sorted((*turn.landed, given.place)))
    drops = marks_of(desk.table, given.card)
    arrive(desk, route_state.lying(desk.table, given.card), given.place, drops)


# Neutral loads: they advance by themselves, arrive, and come to their routes (Rule: itc 10).


def advance(desk: Desk) -> None:
    """All neutral loads move one row up or arrive, as far as they can (Rule: itc 10.1, 10.2)."""
    moved: list[TCard] = []
    arrivals: list[Event] = []
    apart = Desk(desk.table, desk.chance, arrivals.append)
    for route in ROUTES:
        spaces = desk.table.routes[route]
        for at in route_state.from_the_top(
            at for at, load in spaces.items() if load.owner == state.NEUTRAL
        ):
            found = route_state.Found(route, at, spaces[at])
            if _advance_one(apart, found):
                moved.extend(found.load.cards)
    if moved:
        # Told before the arrivals that come of it.
        desk.emit(events.NeutralsAdvanced(tuple(moved)))
    for event in arrivals:
        desk.emit(event)


def _advance_one(desk: Desk, found: route_state.Found) -> bool:
    """Moves a load or lets it arrive; whether it could."""
    destination = CARDS[found.load.cards[0]].destination
    if route_state.is_top(found.route, found.at) and destination is not None:
        arrive(desk, found, destination)
        return True
    sides = route_state.ahead(desk.table.routes[found.route], found.route, found.at)
    if sides:
        route_state.move(desk.table, found, route_state.next_space(found.at, sides[0]))
    return bool(sides)


def enter(desk: Desk, card: TCard) -> None:
    """A drawn neutral card comes to its slower route, else to the other (Rule: itc 10.4, 8.6)."""
    for route in CARDS[card].routes:
        spaces = desk.table.routes[route]
        columns = route_state.free_columns(spaces, route, 1)
        if columns:
            spaces[state.space(1, columns[0])] = state.Load(
                (card,), state.NEUTRAL, state.Under.NONE, fresh=False
            )
            desk.emit(events.NeutralEntered(card, route, columns[0]))
            return
    desk.table.turn.stranded = (*desk.table.turn.stranded, card)
    desk.emit(events.NeutralStranded(card))


# Choosing, rolling and using dice, and drawing with the red one (Rule: itc 8).

PAIRS: Final = tuple(Roll((one, other)) for at, one in enumerate(DICE) for other in DICE[at + 1 :])
"""The three ways to choose two dice (Rule: itc 8.1)."""


def no_roll(table: state.State, move: Roll) -> NotAllowed | None:
    """What forbids a choice of dice: there are not two of them (Rule: itc 8.1)."""
    return None if move in PAIRS else NotAllowed("two_dice", rule="8.1")


def roll(desk: Desk, move: Roll) -> None:
    """Two dice are rolled together (Rule: itc 8.1)."""
    roll_dice(desk, move.dice)


def roll_dice(desk: Desk, dice: tuple[Die, ...]) -> None:
    """Dice are rolled and lie open."""
    rolled: dict[Die, int] = {}
    for die in dice:
        sides = desk.table.green_die if die is Die.GREEN else SIDES[die]
        rolled[die] = desk.chance.die(sides)
        desk.emit(events.Rolled(desk.seat, die, rolled[die]))
    desk.table.turn.dice = Keyed(rolled)
    desk.table.phase = state.Phase.ROLLED


def no_use(table: state.State, move: Use) -> NotAllowed | None:
    """What forbids to use a die: it does not lie open (Rule: itc 8.1)."""
    dice = table.turn.dice
    if move.die in dice:
        return None
    return NotAllowed("die_not_rolled", rule="8.1", die=move.die, dice=tuple(dice))


def use(desk: Desk, move: Use) -> None:
    """One of the dice is used; the red one draws first (Rule: itc 8.1, 8.2, 8.3, 8.4)."""
    turn, seat = desk.table.turn, desk.seat
    points = turn.dice[move.die]
    desk.table.phase = state.Phase.ACTING
    if move.die is Die.RED:
        points = LIMITS.red_points - _draw(desk, points)
    turn.used, turn.points = move.die, points
    desk.emit(events.Used(seat, move.die, points))


def _draw(desk: Desk, count: int) -> int:
    """Transport cards are drawn, neutral ones advance and enter; how many (Rule: itc 8.5)."""
    hand: list[TCard] = []
    neutral: list[TCard] = []
    for _ in range(count):
        card = draw_transport(desk)
        if card is None:
            break
        (neutral if CARDS[card].neutral else hand).append(card)
    for card in hand:
        take_transport(desk.trader, card)
    if hand:
        desk.emit(events.DrewTransports(desk.seat, len(hand), tuple(sorted(hand))))
    if neutral:
        advance(desk)
        for card in neutral:
            enter(desk, card)
    return len(hand) + len(neutral)
