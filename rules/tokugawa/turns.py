"""The course of a game: turns, their moves, and what happens by itself (Rule: tokugawa 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.core.chance import Chance
from rules.core.game import Kind
from rules.core.old import Outcome
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Move, Seat, but
from rules.tokugawa import (
    attacking,
    building,
    contracts,
    economy,
    fighting,
    marching,
    placing,
    scoring,
)
from rules.tokugawa.atlas import ARMS, PLANS
from rules.tokugawa.events import Passed, Stayed, TurnBegan
from rules.tokugawa.ground import ground_of
from rules.tokugawa.moves import (
    Attack,
    Build,
    Dismiss,
    Forge,
    Levy,
    March,
    Pass,
    Place,
    Reroll,
    Retreat,
    Stand,
    Stay,
    Support,
    Tax,
)
from rules.tokugawa.refusals import other_time
from rules.tokugawa.state import SEATS, Battle, Ending, Phase, Table, other
from rules.tokugawa.tables import NO_SUPPORT, RETREATS

ACTIONS: Final = 3
"""From the third turn on (Rule: tokugawa 4.1)."""

UNDECIDED: Final = 500
"""Rounds without a contract and a hit after which even a game without a limit ends.

So many that only two who pass for ever come to it; every game has an end (Rule: tokugawa 11.6).
"""

_LEAST_LEVY: Final = min(arms.cost for arms in ARMS.values())
_PASS: Final = Pass()
_STAY: Final = Stay()
_STAND: Final = Stand()
_REROLL: Final = Reroll()


def legal(table: Table, seat: Seat) -> Sequence[Move]:
    """Every legal move of a seat, sorted by line."""
    if seat != table.decides:
        return ()
    battle = table.battle
    if table.phase is Phase.ACTING:
        return _actions(table, seat)
    if table.phase is Phase.PLACING:
        return placing.places(table, seat)
    if table.ship_at is not None:
        return [*marching.sailings(table, seat, table.ship_at), _STAY]
    if battle is None:
        return ()
    if table.phase is Phase.RETREATING:
        return [RETREATS[town] for town in fighting.retreats(table, battle)]
    if table.phase in (Phase.ATTACK_ROLL, Phase.DEFENCE_ROLL):
        return (_REROLL, _STAND)
    return attacking.supports(table, battle, seat)


def _actions(table: Table, seat: Seat) -> list[Move]:
    ground = ground_of(table, seat)
    if not table.actions:
        return [*building.builds(table, seat, ground), *economy.dismissals(ground), _PASS]
    return [
        *attacking.attacks(table, seat, ground),
        *building.builds(table, seat, ground),
        *economy.dismissals(ground),
        *building.forges(table, seat, ground),
        *economy.levies(table, seat, ground),
        *marching.marches(table, seat, ground),
        _PASS,
        *economy.taxes(table, ground),
    ]


def kind(table: Table, move: Move) -> Kind:
    """What is rash: throwing away a battle that is held, or a samurai with no other in its place.

    A dismissal costs nothing, so without koku and an action to levy another samurai it can wait
    for the next turn (Rule: tokugawa 5.6, 8.1).
    """
    battle = table.battle
    match move:
        case Reroll() if battle is not None and table.phase is Phase.DEFENCE_ROLL:
            return Kind.RASH if fighting.is_held(table, battle) else Kind.PLAIN
        case Dismiss() if not table.actions or table.seats[table.turn].koku < _LEAST_LEVY:
            return Kind.RASH
        case _:
            return Kind.PLAIN


def fallback(table: Table, seat: Seat) -> Move:
    """What is played for a seat whose time is up: what changes least."""
    if table.phase in (Phase.ATTACK_SUPPORT, Phase.DEFENCE_SUPPORT):
        return NO_SUPPORT
    if table.phase in (Phase.PLACING, Phase.RETREATING):
        return legal(table, seat)[0]
    if table.phase is Phase.SAILING:
        return _STAY
    return _PASS if table.phase is Phase.ACTING else _STAND


def play(table: Table, seat: Seat, move: Move, chance: Chance) -> Outcome:
    """The outcome of a move, with everything that follows without a decision."""
    decides = table.decides
    if decides is None:
        raise NotAllowed("game_over", rule="11.1")
    if seat != decides:
        raise NotAllowed("not_your_turn", rule="4.5", other=decides)
    events: list[Event] = []
    if table.phase is Phase.ACTING:
        table = _acted(table, seat, move, chance, events)
    elif table.phase is Phase.PLACING:
        if not isinstance(move, Place):
            raise other_time(table)
        placing.checked(table, seat, move)
        table = placing.place(table, seat, move, events)
    elif table.phase is Phase.SAILING:
        table = _sailed(table, seat, move, chance, events)
    elif table.battle is not None:
        table = _fought(table, table.battle, seat, move, chance, events)
    return _run_on(table, chance, events)


def _acted(table: Table, seat: Seat, move: Move, chance: Chance, events: list[Event]) -> Table:
    """The table after a move of one's own turn (Rule: tokugawa 4.3, 4.4)."""
    match move:
        case Pass():
            if table.actions:
                events.append(Passed(seat, table.actions))
            return but(table, actions=-1)
        case Dismiss():
            economy.dismiss_checked(table, seat, move)
            return economy.dismiss(table, seat, move, events)
        case Build():
            building.build_checked(table, seat, move)
            spent = but(table, actions=table.actions - PLANS[move.building].action)
            return building.build(spent, seat, move, events)
        case Tax() | Levy() | March() | Attack() | Forge():
            if not table.actions:
                raise NotAllowed("no_action_left", rule="4.3")
            return _action(table, seat, move, chance, events)
        case _:
            raise other_time(table)


def _action(
    table: Table,
    seat: Seat,
    move: Tax | Levy | March | Attack | Forge,
    chance: Chance,
    events: list[Event],
) -> Table:
    spent = but(table, actions=table.actions - 1)
    match move:
        case Tax():
            economy.tax_checked(table, seat, move)
            return economy.tax(spent, seat, move, events)
        case Levy():
            economy.levy_checked(table, seat, move)
            return economy.levy(spent, seat, move, events)
        case March():
            marching.checked(table, seat, move)
            return marching.play(spent, seat, move, chance, events)
        case Attack():
            attacking.attack_checked(table, seat, move)
            return attacking.declare(spent, seat, move, chance, events)
        case Forge():
            building.forge_checked(table, seat, move)
            return building.forge(spent, seat, move, events)


def _sailed(table: Table, seat: Seat, move: Move, chance: Chance, events: list[Event]) -> Table:
    """The table after a new ship sailed or stayed (Rule: tokugawa 10.5)."""
    port = table.ship_at
    landed = but(table, phase=Phase.ACTING, ship_at=None)
    if isinstance(move, Stay) and port is not None:
        events.append(Stayed(seat, port))
        return landed
    if not isinstance(move, March):
        raise other_time(table)
    if move.origin != port or move not in marching.sailings(table, seat, port):
        raise NotAllowed("sail_from_here", rule="10.5", town=port)
    return marching.play(landed, seat, move, chance, events)


def _fought(
    table: Table, battle: Battle, seat: Seat, move: Move, chance: Chance, events: list[Event]
) -> Table:
    """The table after a decision in a battle (Rule: tokugawa 7.4, 8.1, 9.4)."""
    match table.phase, move:
        case ((Phase.ATTACK_SUPPORT | Phase.DEFENCE_SUPPORT), Support()):
            attacking.support_checked(table, battle, seat, move)
            return attacking.support(table, battle, seat, move, events)
        case ((Phase.ATTACK_ROLL | Phase.DEFENCE_ROLL), Reroll()):
            return fighting.reroll(table, battle, seat, chance, events)
        case ((Phase.ATTACK_ROLL | Phase.DEFENCE_ROLL), Stand()):
            return fighting.stand(table, battle)
        case Phase.RETREATING, Retreat():
            fighting.retreat_checked(table, battle, move)
            return fighting.retreat(table, battle, move.town, events)
        case _:
            raise other_time(table)


def _run_on(table: Table, chance: Chance, events: list[Event]) -> Outcome:
    """Everything that happens by itself up to the next decision, or to the end of the game."""
    waits = False
    while not waits and table.phase is not Phase.OVER:
        battle = table.battle
        if table.phase is Phase.PLACING:
            table, waits = _placing_on(table, events)
        elif table.phase is Phase.ACTING:
            table, waits = _acting_on(table, chance, events)
        elif table.phase is Phase.SAILING and table.ship_at is not None:
            waits = bool(marching.sailings(table, table.turn, table.ship_at))
            if not waits:
                table = but(table, phase=Phase.ACTING, ship_at=None)
        elif battle is not None:
            table, waits = _battle_on(table, battle, chance, events)
    if table.ending is Ending.CAPITAL:
        table = scoring.ended(table, Ending.CAPITAL, events)
    return Outcome(table, tuple(events))


def _placing_on(table: Table, events: list[Event]) -> tuple[Table, bool]:
    number = placing.placed(table)
    if number < placing.PLACINGS:
        return but(table, turn=placing.placer(table.start, number)), True
    return _turn_begun(but(table, turn=table.start), events), False


def _acting_on(table: Table, chance: Chance, events: list[Event]) -> tuple[Table, bool]:
    """Contracts are checked whenever a turn begins or goes on (Rule: tokugawa 4.2, 10.2)."""
    seat = table.turn
    if table.actions >= 0:
        table = contracts.checked(table, seat, chance, events)
        if table.ending is not None:
            return scoring.ended(table, table.ending, events), False
        # With no action left, only what is free keeps a turn going (Rule: tokugawa 4.5).
        if table.actions or len(_actions(table, seat)) > 1:
            return table, True
    return _turn_ended(table, events), False


def _turn_ended(table: Table, events: list[Event]) -> Table:
    """The next turn, or the end after the last round (Rule: tokugawa 4.1, 11.6)."""
    table = building.shrines_hallowed(table, table.turn)
    if _is_last(table):
        return scoring.ended(but(table, actions=0), Ending.ROUNDS, events)
    return _turn_begun(but(table, turn=other(table.turn), taxed=()), events)


def _is_last(table: Table) -> bool:
    """Whether the game ends with this turn: the last round, or long undecided without a limit.

    Rule: tokugawa 11.6.
    """
    if table.max_rounds:
        return table.number >= len(SEATS) * table.max_rounds
    return table.number - table.decided >= len(SEATS) * UNDECIDED


def _turn_begun(table: Table, events: list[Event]) -> Table:
    """Rule: tokugawa 4.1, 4.2."""
    number = table.number + 1
    actions = min(number, ACTIONS)
    table = but(table, phase=Phase.ACTING, number=number, actions=actions)
    events.append(TurnBegan(table.turn, table.round, actions))
    return building.castles_completed(table, table.turn, events)


def _battle_on(
    table: Table, battle: Battle, chance: Chance, events: list[Event]
) -> tuple[Table, bool]:
    """The next step of a battle, unless it is somebody's to decide (Rule: tokugawa 7.4 to 9.4)."""
    match table.phase:
        case Phase.ATTACK_SUPPORT:
            if attacking.can_support(table, battle):
                return table, True
            return but(table, phase=Phase.DEFENCE_SUPPORT), False
        case Phase.DEFENCE_SUPPORT:
            if attacking.can_support(table, battle):
                return table, True
            return but(table, phase=Phase.ATTACK_ROLL), False
        case Phase.ATTACK_ROLL:
            if not battle.dice:
                return fighting.strike(table, battle, chance, events), False
            if battle.rerolls:
                return table, True
            return fighting.parry(table, battle, chance, events), False
        case Phase.DEFENCE_ROLL:
            if battle.rerolls:
                return table, True
            return fighting.judge(table, battle, events), False
        case _:
            towns = fighting.retreats(table, battle)
            if len(towns) > 1:
                return table, True
            return fighting.retreat(table, battle, towns[0], events), False
