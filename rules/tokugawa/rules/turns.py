"""The course of a game: what is possible when, and what happens by itself (Rule: tokugawa 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Rash
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa.rules import building, combat, economy, movement, moves, scoring, setup
from bluebear.rules.tokugawa.rules.events import Passed, TurnBegan
from bluebear.rules.tokugawa.rules.pieces import other_time
from bluebear.rules.tokugawa.rules.state import SEATS, Ending, Phase, State, other

ACTIONS: Final = 3
"""From the third turn on (Rule: tokugawa 4.1)."""

UNDECIDED: Final = 500
"""Rounds without a contract and a hit after which even a game without a limit ends.

So many that only two who pass for ever come to it; every game has an end (Rule: tokugawa 11.6).
"""

_PASS: Final = moves.Pass()
_STAY: Final = moves.Stay()
_STAND: Final = moves.Stand()


class Action(NamedTuple):
    """A kind of move in a phase: all moves that are legal, what forbids one, what one does.

    Any: the last two get moves of that kind.
    """

    moves: Callable[[State, Seat], Sequence[Move | Rash]]
    why_not: Callable[[State, Seat, Any], NotAllowed | None]
    play: Callable[[State, Seat, Any, Chance, Emit], None]


Actions = Mapping[type[Move], Action]
"""What may be done, in the order of the lines."""


def _only(*only: Move) -> Callable[[State, Seat], Sequence[Move]]:
    return lambda table, seat: only


def _never(table: State, seat: Seat, move: Move) -> None:
    """Nothing forbids it."""


def _end_turn(table: State, seat: Seat, move: moves.Pass, chance: Chance, emit: Emit) -> None:
    """A seat gives up what is left of its turn (Rule: tokugawa 4.3)."""
    if table.actions:
        emit(Passed(seat, table.actions))
    _next_turn(table, emit)


_SUPPORT: Final[Actions] = {
    moves.Support: Action(combat.supports, combat.why_not_support, combat.support)
}
_ROLL: Final[Actions] = {
    moves.Reroll: Action(combat.rerolls, _never, combat.reroll),
    moves.Stand: Action(_only(_STAND), _never, combat.stand),
}
_ACT: Final[Actions] = {
    moves.Attack: Action(combat.attacks, combat.why_not_attack, combat.declare),
    moves.Build: Action(building.builds, building.why_not_build, building.build),
    moves.Dismiss: Action(economy.dismissals, economy.why_not_dismiss, economy.dismiss),
    moves.Forge: Action(building.forges, building.why_not_forge, building.forge),
    moves.Levy: Action(economy.levies, economy.why_not_levy, economy.levy),
    moves.March: Action(movement.marches, movement.why_not, movement.play),
    moves.Pass: Action(_only(_PASS), _never, _end_turn),
    moves.Tax: Action(economy.taxes, economy.why_not_tax, economy.tax),
}
_FREE: Final[Actions] = {kind: _ACT[kind] for kind in (moves.Build, moves.Dismiss, moves.Pass)}
"""What takes no action, as some buildings do (Rule: tokugawa 4.4)."""

_ACTIONS: Final[Mapping[Phase, Actions]] = {
    Phase.PLACING: {moves.Place: Action(setup.places, setup.why_not, setup.place)},
    Phase.ACTING: _ACT,
    Phase.SAILING: {
        moves.March: Action(movement.sailings, movement.why_not_sail, movement.sail),
        moves.Stay: Action(_only(_STAY), _never, movement.stay),
    },
    Phase.ATTACK_SUPPORT: _SUPPORT,
    Phase.DEFENCE_SUPPORT: _SUPPORT,
    Phase.ATTACK_ROLL: _ROLL,
    Phase.DEFENCE_ROLL: _ROLL,
    Phase.RETREATING: {
        moves.Retreat: Action(combat.retreat_moves, combat.why_not_retreat, combat.retreat)
    },
}


def _possible(table: State) -> Actions:
    """What may be done with the actions that are left (Rule: tokugawa 4.3, 4.4)."""
    actions = _ACTIONS[table.phase]
    return _FREE if actions is _ACT and not table.actions else actions


def choices(table: State, seat: Seat) -> Sequence[Move | Rash]:
    """Every legal move of the seat that decides, sorted by line."""
    made: list[Move | Rash] = []
    for action in _possible(table).values():
        made += action.moves(table, seat)
    return made


def why_not(table: State, seat: Seat, move: Move) -> NotAllowed | None:
    """What forbids a move of the seat that decides."""
    kind = type(move)
    action = _possible(table).get(kind)
    if action is not None:
        return action.why_not(table, seat, move)
    if kind in _ACTIONS[table.phase]:
        return NotAllowed("no_action_left", rule="4.3")
    return other_time(table)


def apply(table: State, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
    """A legal move is made."""
    actions, kind = _ACTIONS[table.phase], type(move)
    if actions is _ACT and kind not in _FREE:
        table.actions -= 1
    actions[kind].play(table, seat, move, chance, emit)


def fallback(table: State, seat: Seat) -> Move:
    """What is played for a seat whose time is up: what changes least."""
    match table.phase:
        case Phase.ATTACK_SUPPORT | Phase.DEFENCE_SUPPORT:
            return moves.NO_SUPPORT
        case Phase.SAILING:
            return _STAY
        case Phase.ATTACK_ROLL | Phase.DEFENCE_ROLL:
            return _STAND
        case Phase.RETREATING:
            return combat.retreat_moves(table, seat)[0]
        case Phase.PLACING:
            return setup.places(table, seat)[0]
        case _:
            return _PASS


def run_forced_moves(table: State, chance: Chance, emit: Emit) -> None:
    """Everything that happens by itself up to the next decision, or to the end of the game."""
    while table.phase is not Phase.OVER and not _GO_ON[table.phase](table, chance, emit):
        pass


# Each goes on by itself for a while, or says that a player has to decide (Rule: tokugawa 4.5).


def _place_on(table: State, chance: Chance, emit: Emit) -> bool:
    number = setup.placed(table)
    if number < setup.PLACINGS:
        table.turn = setup.placer(table.start, number)
        return True
    table.turn = table.start
    _begin_turn(table, emit)
    return False


def _act_on(table: State, chance: Chance, emit: Emit) -> bool:
    """Contracts are checked whenever a turn begins or goes on (Rule: tokugawa 4.2, 10.2)."""
    ending = building.take_fulfilled(table, table.turn, chance, emit)
    if ending is None and table.contracts_at_once:
        ending = building.take_in_turn(table, chance, emit)
    if ending is not None:
        scoring.end_by_points(table, ending, emit)
        return False
    # With no action left, only what is free keeps a turn going (Rule: tokugawa 4.5).
    seat = table.turn
    if table.actions or scoring.samurai_of(table, seat) or building.builds(table, seat):
        return True
    _next_turn(table, emit)
    return False


def _sail_on(table: State, chance: Chance, emit: Emit) -> bool:
    if movement.sailings(table, table.turn):
        return True
    movement.land(table)
    return False


def _support_on(table: State, chance: Chance, emit: Emit) -> bool:
    seat = table.turn if table.phase is Phase.ATTACK_SUPPORT else other(table.turn)
    if len(combat.supports(table, seat)) > 1:
        return True
    combat.support_done(table)
    return False


def _attack_on(table: State, chance: Chance, emit: Emit) -> bool:
    if not table.fight.dice:
        combat.strike(table, chance, emit)
    if table.fight.rerolls:
        return True
    combat.parry(table, chance, emit)
    return False


def _defend_on(table: State, chance: Chance, emit: Emit) -> bool:
    if table.fight.rerolls:
        return True
    combat.judge(table, emit)
    return False


def _retreat_on(table: State, chance: Chance, emit: Emit) -> bool:
    towns = combat.retreats(table)
    if len(towns) > 1:
        return True
    combat.fall_back(table, towns[0], emit)
    return False


_GO_ON: Final[Mapping[Phase, Callable[[State, Chance, Emit], bool]]] = {
    Phase.PLACING: _place_on,
    Phase.ACTING: _act_on,
    Phase.SAILING: _sail_on,
    Phase.ATTACK_SUPPORT: _support_on,
    Phase.DEFENCE_SUPPORT: _support_on,
    Phase.ATTACK_ROLL: _attack_on,
    Phase.DEFENCE_ROLL: _defend_on,
    Phase.RETREATING: _retreat_on,
}


def _next_turn(table: State, emit: Emit) -> None:
    """The next turn, or the end after the last round (Rule: tokugawa 4.1, 11.6)."""
    building.hallow_shrines(table, table.turn)
    table.actions = 0
    if _is_last(table):
        scoring.end_by_points(table, Ending.ROUNDS, emit)
        return
    table.turn = other(table.turn)
    _begin_turn(table, emit)


def _is_last(table: State) -> bool:
    """Whether this turn is the last: by the limit, or long undecided (Rule: tokugawa 11.6)."""
    if table.max_rounds:
        return table.number >= len(SEATS) * table.max_rounds
    return table.number - table.decided >= len(SEATS) * UNDECIDED


def _begin_turn(table: State, emit: Emit) -> None:
    """Rule: tokugawa 4.1, 4.2."""
    table.phase, table.taxed = Phase.ACTING, ()
    table.number += 1
    table.actions = min(table.number, ACTIONS)
    emit(TurnBegan(table.turn, table.round, table.actions))
    building.complete_castles(table, table.turn, emit)
