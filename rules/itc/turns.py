"""What may be done in each phase, what forbids it, what does it, and every legal move.

Rule: itc 7.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Rash, Tell
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move
from bluebear.rules.itc import (
    course,
    dice,
    discarding,
    hands,
    inland,
    loading,
    market,
    moving,
    playing,
    setting_up,
    stones,
)
from bluebear.rules.itc.card_file import ActionCard
from bluebear.rules.itc.data import ACTIONS
from bluebear.rules.itc.desk import Desk
from bluebear.rules.itc.moves import (
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
from bluebear.rules.itc.points import pays_inland, pays_transport
from bluebear.rules.itc.state import Dropping, Organizing, Phase, Resettling, Selling, Table
from bluebear.rules.itc.terms import Kind
from bluebear.rules.itc.trade_events import Kept


class _Act(NamedTuple):
    """What forbids a kind of move, and what does it. Any: the move that it is listed for."""

    why_not: Callable[[Table, Any], NotAllowed | None]
    do: Callable[[Desk, Any], None]


_ANY_TIME: Final[Mapping[type[Move], _Act]] = {
    Play: _Act(playing.no_play, playing.play),
    Rob: _Act(playing.no_robbery, playing.rob),
    Unrest: _Act(playing.no_unrest, playing.stir),
    Obstruct: _Act(playing.no_obstacle, playing.obstruct),
    Transfer: _Act(stones.no_transfer, stones.transfer),
    Shift: _Act(stones.no_shift, stones.shift),
    Resettle: _Act(stones.no_resettling, stones.resettle),
    Fetch: _Act(stones.no_fetch, stones.fetch),
    Organize: _Act(stones.no_organizing, stones.organize),
    Recruit: _Act(stones.no_recruit, stones.recruit),
}
_ACTS: Final[Mapping[Phase, Mapping[type[Move], _Act]]] = {
    Phase.PLACING: {Stone: _Act(setting_up.no_first, course.place_first)},
    Phase.DICE: {**_ANY_TIME, Roll: _Act(dice.no_roll, dice.roll)},
    Phase.ROLLED: {**_ANY_TIME, Use: _Act(dice.no_use, dice.use)},
    Phase.ACTING: {
        **_ANY_TIME,
        LoadCard: _Act(loading.no_load, loading.load_card),
        HideUnder: _Act(loading.no_hiding, loading.hide_under),
        LoadMega: _Act(loading.no_mega, loading.load_mega),
        Step: _Act(moving.no_step, moving.step),
        Jump: _Act(moving.no_jump, moving.jump),
        Drop: _Act(moving.no_drop, moving.drop),
        Keep: _Act(moving.no_keep, moving.keep),
        Land: _Act(moving.no_landing, moving.land),
        Stone: _Act(inland.no_stone, inland.place_stone),
        Sell: _Act(inland.no_sale, inland.sell),
        Attack: _Act(market.no_attack, market.attack),
        End: _Act(course.no_end, course.end),
    },
    Phase.DISCARDING: {Discard: _Act(discarding.no_discard, course.discard)},
    Phase.OVER: {},
}
"""What may be done in each phase (Rule: itc 7.4)."""

_OTHERWISE: Final[Mapping[Phase, tuple[str, str]]] = {
    Phase.PLACING: ("place_first", "6.4"),
    Phase.DICE: ("roll_first", "8.1"),
    Phase.ROLLED: ("choose_first", "8.1"),
    Phase.ACTING: ("not_at_this_point", "7.4"),
    Phase.DISCARDING: ("discard_first", "11.3"),
}
"""The refusal, and its rule, of whatever cannot be done in a phase."""

_CARDS: Final[Mapping[Kind, Callable[[Table, ActionCard], Iterable[Move]]]] = {
    **dict.fromkeys(playing.PLAIN_KINDS, playing.plays),
    Kind.ROBBERY: playing.robberies,
    Kind.UNREST: playing.unrests,
    Kind.OBSTACLE: playing.obstacles,
    Kind.RELOCATE_RIVAL: stones.transfers,
    Kind.RELOCATE_OWN: stones.shifts,
    Kind.NEW_LOCATION: stones.resettlings,
    Kind.ORGANIZATION: stones.organizings,
}
"""The ways to play each kind of card that is played at any time; the others go with a load."""


def why_not(table: Table, move: Move) -> NotAllowed | None:
    """What forbids a move of the seat on turn; None if it is legal."""
    act = _ACTS[table.phase].get(type(move))
    if act is not None:
        return act.why_not(table, move)
    code, rule = _OTHERWISE[table.phase]
    return NotAllowed(code, rule=rule)


def after(table: Table, move: Move, chance: Chance, tell: Tell) -> None:
    """What a legal move does, with everything that follows without a decision."""
    desk = Desk(table, chance, tell)
    busy = table.turn.busy
    _ACTS[table.phase][type(move)].do(desk, move)
    if busy is not None and table.turn.busy is busy:
        _forget(desk, busy, move)


def _forget(desk: Desk, busy: Selling | Dropping | Resettling | Organizing, move: Move) -> None:
    """What the seat was in the middle of is ended by any act that does not go on with it.

    A running sale goes on over card 8 (Rule: itc 14.2, 12.2, 11.26, 11.27).
    """
    if isinstance(move, Play) and move.kind is Kind.SALES_BONUS:
        return
    desk.table.turn.busy = None
    if isinstance(busy, Dropping) and not (isinstance(move, Land) and move.card == busy.card):
        desk.tell(Kept(desk.seat, busy.card))


def choices(table: Table) -> list[Move | Rash]:
    """Every legal move of the seat on turn, in no order."""
    match table.phase:
        case Phase.PLACING:
            return [*setting_up.first_placings(table)]
        case Phase.DISCARDING:
            return [*discarding.discards(table)]
        case Phase.DICE:
            return [*dice.PAIRS, *_any_time(table)]
        case Phase.ROLLED:
            return [*dice.uses(table), *_any_time(table)]
        case Phase.ACTING:
            return [*_acts(table), *_any_time(table)]
        case Phase.OVER:
            return []


def _any_time(table: Table) -> list[Move]:
    found: list[Move] = []
    for code in hands.playable(table):
        card = ACTIONS[code]
        ways = _CARDS.get(card.kind)
        if ways is not None:
            found += ways(table, card)
    busy = table.turn.busy
    if isinstance(busy, Resettling):
        found += stones.fetches(table)
    elif isinstance(busy, Organizing):
        found += stones.recruits(table)
    return found


def _acts(table: Table) -> list[Move | Rash]:
    turn = table.turn
    found: list[Move | Rash] = [course.ending(table), *moving.keeps(table), *inland.sales(table)]
    if pays_transport(turn):
        found += loading.loadings(table)
        found += moving.movements(table)
    if pays_inland(turn):
        found += inland.placings(table)
        found += market.attacks(table)
    return found
