"""The course of a game: phases, what may be done in each, the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Rash, ScoreLine, leaders
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat, but
from bluebear.rules.itc.data.card_data import ActionCard
from bluebear.rules.itc.data.tables import ACTIONS, LIMITS
from bluebear.rules.itc.data.terms import CONTINENTS, ROUTES, Kind
from bluebear.rules.itc.rules import (
    cards,
    continents,
    loading,
    movement,
    moves,
    setup,
    state,
    turn_context,
)
from bluebear.rules.itc.rules.events import DutyNoted, GameOver, Kept, TooManyCards, TurnBegan
from bluebear.rules.itc.rules.route_state import settle
from bluebear.rules.itc.rules.turn_context import Desk

_ATTACK: Final = moves.Attack()
_END: Final = moves.End()
_RASH_END: Final = Rash(_END)


def place_first(desk: Desk, move: moves.Stone) -> None:
    """A stone of the set-up; after the last one the first turn begins (Rule: itc 6.4, 6.6)."""
    if setup.place_first(desk, move):
        desk.table.round = 1
        _begin(desk, desk.table.first)


def _begin(desk: Desk, seat: Seat) -> None:
    """A turn up to the choice of dice (Rule: itc 7.4)."""
    table, duties = desk.table, loading.duties_of(desk.table, seat)
    desk.seat = seat
    table.phase, table.turn = state.Phase.DICE, state.Turn(seat, duties=duties)
    desk.emit(TurnBegan(seat, table.round))
    for route in ROUTES:
        for row in duties.get(route) or ():
            desk.emit(DutyNoted(seat, route, row))
    cards.draw(desk)


def ending(table: state.State) -> moves.End | Rash:
    """The end of the turn, rash where it costs loads that could still be saved (Rule: itc 9.4)."""
    rash = state.pays_transport(table.turn) and loading.rescuers(table)
    return _RASH_END if rash else _END


def end(desk: Desk, move: moves.End) -> None:
    """The end of a turn, up to the hand limit (Rule: itc 7.5, 8.6, 9.4, 11.3, 12.8)."""
    loading.judge(desk)
    for card in desk.table.turn.stranded:
        loading.lose_goods(desk, card)
    settle(desk.table, desk.seat)
    fresh = [place for place, store in desk.table.places.items() if any(store.fresh)]
    for place in fresh:
        desk.table.places[place] = but(desk.table.places[place], fresh=state.NO_GOODS)
    if not setup.is_over_limit(desk.trader):
        _next(desk)
        return
    desk.table.phase, desk.table.turn = state.Phase.DISCARDING, state.Turn(desk.seat)
    desk.emit(TooManyCards(desk.seat, desk.trader.cards - LIMITS.hand))


def discard(desk: Desk, move: moves.Discard) -> None:
    """A card is discarded; with few enough the next turn begins (Rule: itc 11.3)."""
    setup.discard(desk, move)
    if not setup.is_over_limit(desk.trader):
        _next(desk)


def _next(desk: Desk) -> None:
    """The next turn, round, or the end (Rule: itc 7.3, 13.1, 13.3)."""
    table = desk.table
    seat = state.seat_after(desk.seat, 1, len(table.seats))
    if seat == table.first:
        if table.last or table.round == table.max_rounds:
            _finish(desk)
            return
        table.round += 1
    _begin(desk, seat)


def _finish(desk: Desk) -> None:
    table = desk.table
    winner = leaders({seat: trader.money for seat, trader in table.seats.items()})
    table.phase, table.turn = state.Phase.OVER, state.Turn(desk.seat)
    desk.emit(GameOver(winner, table.seats[winner[0]].money))


# What may be done in each phase, what forbids it, what does it, and every legal move.
#
# Rule: itc 7.4.


class _Act(NamedTuple):
    """What forbids a kind of move, and what does it. Any: the move that it is listed for."""

    why_not: Callable[[state.State, Any], NotAllowed | None]
    do: Callable[[Desk, Any], None]


_ANY_TIME: Final[Mapping[type[Move], _Act]] = {
    moves.Play: _Act(cards.no_play, cards.play),
    moves.Rob: _Act(cards.no_raid, cards.rob),
    moves.Unrest: _Act(cards.no_raid, cards.stir),
    moves.Obstruct: _Act(cards.no_obstacle, cards.obstruct),
    moves.Transfer: _Act(cards.no_transfer, cards.transfer),
    moves.Shift: _Act(cards.no_shift, cards.shift),
    moves.Resettle: _Act(cards.no_resettling, cards.resettle),
    moves.Fetch: _Act(cards.no_fetch, cards.fetch),
    moves.Organize: _Act(cards.no_organizing, cards.organize),
    moves.Recruit: _Act(cards.no_recruit, cards.recruit),
}
_ACTS: Final[Mapping[state.Phase, Mapping[type[Move], _Act]]] = {
    state.Phase.PLACING: {moves.Stone: _Act(setup.no_first, place_first)},
    state.Phase.DICE: {**_ANY_TIME, moves.Roll: _Act(movement.no_roll, movement.roll)},
    state.Phase.ROLLED: {**_ANY_TIME, moves.Use: _Act(movement.no_use, movement.use)},
    state.Phase.ACTING: {
        **_ANY_TIME,
        moves.LoadCard: _Act(loading.no_load, loading.load_card),
        moves.HideUnder: _Act(loading.no_hiding, loading.hide_under),
        moves.LoadMega: _Act(loading.no_mega, loading.load_mega),
        moves.Step: _Act(movement.no_step, movement.step),
        moves.Jump: _Act(movement.no_jump, movement.jump),
        moves.Drop: _Act(movement.no_drop, movement.drop),
        moves.Keep: _Act(movement.no_keep, movement.keep),
        moves.Land: _Act(movement.no_landing, movement.land),
        moves.Stone: _Act(continents.no_stone, continents.place_stone),
        moves.Sell: _Act(continents.no_sale, continents.sell),
        moves.Attack: _Act(continents.no_attack, continents.attack),
        # Nothing forbids to end a turn in which dice were used (Rule: itc 7.1).
        moves.End: _Act(lambda _table, _move: None, end),
    },
    state.Phase.DISCARDING: {moves.Discard: _Act(setup.no_discard, discard)},
    state.Phase.OVER: {},
}
"""What may be done in each phase (Rule: itc 7.4)."""

_OTHERWISE: Final[Mapping[state.Phase, tuple[str, str]]] = {
    state.Phase.PLACING: ("place_first", "6.4"),
    state.Phase.DICE: ("roll_first", "8.1"),
    state.Phase.ROLLED: ("choose_first", "8.1"),
    state.Phase.ACTING: ("not_at_this_point", "7.4"),
    state.Phase.DISCARDING: ("discard_first", "11.3"),
}
"""The refusal, and its rule, of whatever cannot be done in a phase."""

_CARDS: Final[Mapping[Kind, Callable[[state.State, ActionCard], Iterable[Move]]]] = {
    **dict.fromkeys(cards.PLAIN_KINDS, cards.plays),
    Kind.ROBBERY: cards.raids,
    Kind.UNREST: cards.raids,
    Kind.OBSTACLE: cards.obstacles,
    Kind.RELOCATE_RIVAL: cards.transfers,
    Kind.RELOCATE_OWN: cards.shifts,
    Kind.NEW_LOCATION: cards.resettlings,
    Kind.ORGANIZATION: cards.organizings,
}
"""The ways to play each kind of card that is played at any time; the others go with a load."""


def why_not(table: state.State, seat: Seat, move: Move) -> NotAllowed | None:
    """What forbids a move of the seat on turn; None if it is legal."""
    act = _ACTS[table.phase].get(type(move))
    if act is not None:
        return act.why_not(table, move)
    code, rule = _OTHERWISE[table.phase]
    return NotAllowed(code, rule=rule)


def apply(table: state.State, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
    """What a legal move does, with everything that follows without a decision."""
    desk = Desk(table, chance, emit)
    busy = table.turn.busy
    _ACTS[table.phase][type(move)].do(desk, move)
    if busy is not None and table.turn.busy is busy:
        _forget(desk, busy, move)


def _forget(
    desk: Desk,
    busy: state.Selling | state.Dropping | state.Resettling | state.Organizing,
    move: Move,
) -> None:
    """What the seat was in the middle of is ended by any act that does not go on with it.

    A running sale goes on over card 8 (Rule: itc 14.2, 12.2, 11.26, 11.27).
    """
    if isinstance(move, moves.Play) and move.kind is Kind.SALES_BONUS:
        return
    desk.table.turn.busy = None
    if isinstance(busy, state.Dropping) and not (
        isinstance(move, moves.Land) and move.card == busy.card
    ):
        desk.emit(Kept(desk.seat, busy.card))


def choices(table: state.State) -> list[Move | Rash]:
    """Every legal move of the seat on turn, in no order."""
    match table.phase:
        case state.Phase.PLACING:
            return [move for move in moves.STONES if setup.no_first(table, move) is None]
        case state.Phase.DISCARDING:
            hand = setup.hand_cards(table.seats[table.turn.seat])
            return [*map(moves.Discard, hand)]
        case state.Phase.DICE:
            return [*movement.PAIRS, *_any_time(table)]
        case state.Phase.ROLLED:
            return [*map(moves.Use, table.turn.dice), *_any_time(table)]
        case state.Phase.ACTING:
            return [*_acts(table), *_any_time(table)]
        case state.Phase.OVER:
            return []


def _any_time(table: state.State) -> list[Move]:
    found: list[Move] = []
    for code in turn_context.playable(table):
        card = ACTIONS[code]
        ways = _CARDS.get(card.kind)
        if ways is not None:
            found += ways(table, card)
    if isinstance(table.turn.busy, state.Resettling | state.Organizing):
        further = (*map(moves.Fetch, CONTINENTS), *map(moves.Recruit, table.seats))
        found += [move for move in further if why_not(table, table.turn.seat, move) is None]
    return found


def _acts(table: state.State) -> list[Move | Rash]:
    turn = table.turn
    found: list[Move | Rash] = [ending(table), *movement.keeps(table), *continents.sales(table)]
    if state.pays_transport(turn):
        found += loading.loadings(table)
        found += movement.movements(table)
    if state.pays_inland(turn):
        found += continents.placings(table)
        if continents.no_attack(table, _ATTACK) is None:
            found.append(_ATTACK)
    return found


# The move for when a clock has run out.

_SIMPLE: Final[Mapping[state.Phase, type[Move]]] = {
    state.Phase.PLACING: moves.Stone,
    state.Phase.DICE: moves.Roll,
    state.Phase.ROLLED: moves.Use,
    state.Phase.ACTING: moves.End,
    state.Phase.DISCARDING: moves.Discard,
}
"""What goes on with the turn in each phase and takes no card and no decision of weight."""


def fallback(table: state.State, listed: Sequence[Move | Rash]) -> Move:
    """Goes on with the turn, or ends it; what saves a load from being lost is moved first.

    `listed` are the choices by line. Rule: itc 7.4, 9.4.
    """
    for move in listed:
        if isinstance(move, _SIMPLE[table.phase]):
            return move
    rescuers = loading.rescuers(table)
    return next(
        each
        for each in listed
        if isinstance(each, moves.Step | moves.Land) and each.card in rescuers
    )


# Where the money came from by which a game is decided (Rule: itc 13.2).

SOURCES: Final = {
    "transport": "12.6",
    "smuggling": "12.7",
    "thefts": "12.3",
    "sales": "14.2",
    "market": "14.3",
}
"""The sources of income, each with the rule that it rests on."""


def breakdown(table: state.State) -> Iterator[ScoreLine]:
    """Where the money of every seat came from."""
    for seat, trader in table.seats.items():
        for source, rule in SOURCES.items():
            yield ScoreLine(seat, source, getattr(trader.income, source), rule)
