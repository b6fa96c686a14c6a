"""What may be done in each phase, what does it, and every legal move (Rule: itc 7.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from rules.core.chance import Chance
from rules.core.game import Kind as MoveKind
from rules.core.info import Options
from rules.core.old import Outcome
from rules.core.refusal import NotAllowed
from rules.core.vision import Move, Seat
from rules.itc import (
    course,
    dice,
    discarding,
    inland,
    jams,
    loading,
    market,
    moving,
    playing,
    points,
    setting_up,
    stones,
)
from rules.itc.desk import Desk
from rules.itc.moves import (
    Attack,
    Discard,
    Drop,
    End,
    Fetch,
    HideUnder,
    Jump,
    Keep,
    Land,
    LoadCard,
    LoadMega,
    Obstruct,
    Organize,
    Play,
    Recruit,
    Resettle,
    Rob,
    Roll,
    Sell,
    Shift,
    Step,
    Stone,
    Transfer,
    Unrest,
    Use,
)
from rules.itc.state import Dropping, Phase, Table
from rules.itc.terms import Kind
from rules.itc.trade_events import Kept

Handler = Callable[[Desk, Any], None]  # Any: each handler takes the move that it is listed for

_ANY_TIME: Final[Mapping[type[Move], Handler]] = {
    Play: playing.play,
    Rob: playing.rob,
    Unrest: playing.stir,
    Obstruct: playing.obstruct,
    Transfer: stones.transfer,
    Shift: stones.shift,
    Resettle: stones.resettle,
    Fetch: stones.fetch,
    Organize: stones.organize,
    Recruit: stones.recruit,
}
_HANDLERS: Final[Mapping[Phase, Mapping[type[Move], Handler]]] = {
    Phase.PLACING: {Stone: course.place_first},
    Phase.DICE: {**_ANY_TIME, Roll: dice.roll},
    Phase.ROLLED: {**_ANY_TIME, Use: dice.use},
    Phase.ACTING: {
        **_ANY_TIME,
        LoadCard: loading.load_card,
        HideUnder: loading.hide_under,
        LoadMega: loading.load_mega,
        Step: moving.step,
        Jump: moving.jump,
        Drop: moving.drop,
        Keep: moving.keep,
        Land: moving.land,
        Stone: inland.place_stone,
        Sell: inland.sell,
        Attack: market.attack,
        End: course.end,
    },
    Phase.DISCARDING: {Discard: course.discard},
    Phase.OVER: {},
}
"""What may be done in each phase, and what does it (Rule: itc 7.4)."""

_OTHERWISE: Final[Mapping[Phase, tuple[str, str]]] = {
    Phase.PLACING: ("place_first", "6.4"),
    Phase.DICE: ("roll_first", "8.1"),
    Phase.ROLLED: ("choose_first", "8.1"),
    Phase.ACTING: ("not_at_this_point", "7.4"),
    Phase.DISCARDING: ("discard_first", "11.3"),
}
"""The refusal, and its rule, of whatever cannot be done in a phase."""


def set_up(options: Options, seats: int, chance: Chance) -> Outcome:
    """The table before the first stone (Rule: itc 6)."""
    desk = setting_up.set_up(options, seats, chance)
    return Outcome(desk.table, tuple(desk.events))


def play(table: Table, seat: Seat, move: Move, chance: Chance) -> Outcome:
    """The outcome of a move, with everything that follows without a decision."""
    mover = table.mover
    if mover is None:
        raise NotAllowed("game_over", rule="13.1")
    if seat != mover:
        raise NotAllowed("not_your_turn", rule="7.2", other=mover)
    handler = _HANDLERS[table.phase].get(type(move))
    if handler is None:
        code, rule = _OTHERWISE[table.phase]
        raise NotAllowed(code, rule=rule)
    desk = Desk(table, chance)
    handler(desk, move)
    _forget(desk, table, move)
    return Outcome(desk.table, tuple(desk.events))


def _forget(desk: Desk, before: Table, move: Move) -> None:
    """What the seat was in the middle of is ended by any act that does not go on with it.

    A running sale goes on over card 8 (Rule: itc 14.2, 12.2, 11.26, 11.27).
    """
    busy = desk.table.turn.busy
    if busy is None or busy is not before.turn.busy:
        return
    if isinstance(move, Play) and move.kind is Kind.SALES_BONUS:
        return
    desk.change_turn(busy=None)
    if isinstance(busy, Dropping) and not (isinstance(move, Land) and move.card == busy.card):
        desk.tell(Kept(desk.seat, busy.card))


def choices(table: Table, seat: Seat) -> Iterator[Move]:
    """Every legal move of a seat, in no order."""
    if seat != table.mover:
        return
    match table.phase:
        case Phase.PLACING:
            yield from setting_up.first_placings(table, seat)
        case Phase.DISCARDING:
            yield from discarding.discards(table, seat)
        case Phase.DICE:
            yield from dice.PAIRS
            yield from _any_time(table, seat)
        case Phase.ROLLED:
            yield from map(Use, table.turn.dice)
            yield from _any_time(table, seat)
        case Phase.ACTING:
            yield from _acts(table, seat)
            yield from _any_time(table, seat)
        case Phase.OVER:
            pass


def _any_time(table: Table, seat: Seat) -> Iterator[Move]:
    yield from playing.plays(table, seat)
    yield from stones.relocations(table, seat)


def _acts(table: Table, seat: Seat) -> Iterator[Move]:
    yield End()
    yield from loading.loadings(table, seat)
    yield from moving.movements(table, seat)
    yield from inland.placings(table, seat)
    yield from inland.sales(table, seat)
    if market.may_attack_for_a_point(table, seat):
        yield Attack()


def kind(table: Table, move: Move) -> MoveKind:
    """What sort of move a legal move is: ending the turn is rash where it costs loads.

    Rule: itc 9.4.
    """
    if isinstance(move, Keep):
        return MoveKind.TAKE_BACK
    if isinstance(move, End) and points.pays_transport(table.turn) and jams.rescuers(table):
        return MoveKind.RASH
    return MoveKind.PLAIN
