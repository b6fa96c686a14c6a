"""The two-worlds test: states with equal views must give a viewer equal data.

At a position and for some eyes `deal` makes another world: another state with the same view. The
eyes must see no difference, also after the same line in both, unless events that `reveal`
something to these eyes differ. Board, status, completion, queries and long forms depend only on
the view and the legal moves by their signatures, so comparing those two covers them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from bluebear.rules.core.chance import Chance, FastChance, WouldDraw
from bluebear.rules.core.conformance.case import Case, game_fault
from bluebear.rules.core.conformance.draw_leaks import (
    OTHER_SEEDS,
    announced,
    check_draws,
    check_setups,
    event_difference,
    view_difference,
)
from bluebear.rules.core.conformance.flags import NO_FLAGS, Flags, eyes_of
from bluebear.rules.core.conformance.position_checks import refusal_of
from bluebear.rules.core.conformance.random_play import Position, Step, any_move, is_checked, walk
from bluebear.rules.core.event_text import revealed
from bluebear.rules.core.game import Game
from bluebear.rules.core.visibility import Eyes, Move, Seat, Visibility

SETUPS: Final = 24
"""The number of set-ups that are compared; enough that some look equal to the eyes."""
CLOSER: Final = 16
"""The number of further worlds for a step with an event whose flag has explained nothing."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs of worlds that were played on, and those of them without a visible difference."""

    played: int = 0
    equal: int = 0

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(self.played + other.played, self.equal + other.equal)

    def __str__(self) -> str:
        return f"{self.equal} of {self.played} pairs equal"


def check_worlds(
    case: Case, seeds: Sequence[int], *, tries: int = 3, flags: Flags = NO_FLAGS
) -> Pairs:
    """Play a game for each seed, and compare another world at every checked position.

    Flags that explain a difference are closed in `flags`. Raises ConformanceError for a difference
    that no event explains, and if no pair was equal.
    """
    check_setups(case, range(seeds[0], seeds[0] + SETUPS), flags)
    total = Pairs()
    for seed in seeds:
        choice = FastChance(seed)
        for step in walk(case, seed, wild=bool(seed % 2)):
            flags.meet(step)
            if not is_checked(step.before.number):
                continue
            all_eyes = step.before.all_eyes()
            eyes = all_eyes[choice.pick(len(all_eyes))]
            total += check_position_in_worlds(step.before, eyes, choice, flags, tries=tries)
    if total.played and not total.equal:
        raise case.fault("in no pair of worlds did anybody see the same afterwards", seeds[0])
    return total


def check_flags(game: Game[Any], flags: Flags) -> None:
    """Every flag met in the games of all cases must explain a difference, in more worlds if needed.

    Raises ConformanceError for a flag that never explains one.
    """
    choice = FastChance(0)
    for kind, steps in flags.unexplained():
        for step, event in [(each, event) for each in steps for event in each.after.events]:
            if type(event) is not kind:
                continue
            for eyes in eyes_of(event, step.before.all_eyes()):
                if flags.is_open(kind):
                    _check_more_worlds(step, eyes, choice, flags)
        if flags.is_open(kind):
            is_owner = kind.reveals is Visibility.OWNER
            to = "its seat's eyes" if is_owner else "eyes other than its seat's"
            raise game_fault(
                game,
                f"{kind.__name__}.reveals explains no difference: in {len(steps)} steps it tells"
                f" {to} the same in all worlds that look the same to them",
            )


def _check_more_worlds(step: Step, eyes: Eyes, chance: Chance, flags: Flags) -> None:
    """Replay a step in other worlds with other draws each time, then with other draws only."""
    at, game = step.before, step.before.case.game
    for number in range(CLOSER):
        other = replace(at, state=game.determinize(game.seen(at.state, eyes), eyes, chance))
        if (theirs := _match(other, step.seat, step.move, eyes, chance)) is not None:
            seed = at.seed + number * OTHER_SEEDS
            here, there = at.after(step.seat, step.move, seed), other.after(step.seat, theirs, seed)
            flags.compare(here.events, there.events, eyes)
    check_draws(step, eyes, flags, tries=CLOSER)


def check_position_in_worlds(
    at: Position, eyes: Eyes, chance: Chance, flags: Flags = NO_FLAGS, *, tries: int
) -> Pairs:
    """Compare the position with another world, and play lines that are legal in both."""
    game = at.case.game
    other = replace(at, state=game.determinize(game.seen(at.state, eyes), eyes, chance))
    _compare_now(at, other, eyes, chance, tries=tries)
    total = Pairs()
    movers = at.movers()
    for _ in range(tries):
        seat = movers[chance.pick(len(movers))]
        if (pair := _same_to(at, other, seat, eyes, chance)) is not None:
            move, theirs = pair
            step = Step(at, seat, move, at.after(seat, move))
            total += _compare_after(step, other, other.after(seat, theirs), eyes, flags)
            check_draws(step, eyes, flags, tries=tries)
    return total


def _compare_now(at: Position, other: Position, eyes: Eyes, chance: Chance, *, tries: int) -> None:
    game = at.case.game
    same = game.tree.view(other.state, eyes) == game.tree.view(at.state, eyes)
    if not same or game.seen(other.state, eyes) != game.seen(at.state, eyes):
        raise at.fault(f"deal gives {sorted(eyes)} another view than the one it was given")
    for broken in game.invariants(other.state):
        raise at.fault(f"deal gives an impossible state: {broken}")
    if other.movers() != at.movers() or (game.result(other.state) is None) != bool(at.movers()):
        raise at.fault(f"who is to move tells {sorted(eyes)} something hidden")
    for seat in sorted(eyes):
        if _options_of(at, seat) != _options_of(other, seat):
            raise at.fault(f"what seat {seat} may do depends on something that it does not see")
        for _ in range(tries):
            if (move := any_move(game.grammar.verbs, at, chance)) is not None:
                if _refusal_data(at, seat, move) != _refusal_data(other, seat, move):
                    what = f"the refusal of {at.line(move)} tells seat {seat} something hidden"
                    raise at.fault(what)


def _options_of(at: Position, seat: Seat) -> object:
    """The choices of a seat, its take-backs and its fallback."""
    game, state = at.case.game, at.state
    legal = game.sorted(state, seat)
    backs = [game.take_back(state, seat, what) for what in ("", *game.grammar.verbs)]
    return legal, backs, game.fallback(state, seat) if legal else None


def _refusal_data(at: Position, seat: Seat, move: Move) -> object:
    """The data of a move's refusal, to compare; None if it is played or draws."""
    try:
        refusal = refusal_of(at, seat, move)
    except WouldDraw:
        return None
    return refusal and (refusal.code, refusal.rule, refusal.candidates, repr(refusal.params))


def _same_to(
    at: Position, other: Position, seat: Seat, eyes: Eyes, chance: Chance
) -> tuple[Move, Move] | None:
    """A legal move here and one there that look equal to the eyes; None if there is no such."""
    ours = list(at.case.game.legal(at.state, seat))
    move = ours[chance.pick(len(ours))]
    theirs = _match(other, seat, move, eyes, chance)
    return None if theirs is None else (move, theirs)


def _match(other: Position, seat: Seat, move: Move, eyes: Eyes, chance: Chance) -> Move | None:
    """A legal move of another world that looks to the eyes like this move."""
    game = other.case.game
    line = partial(other.line, sees_owner=seat in eyes)
    shown = line(move)
    theirs = [each for each in game.legal(other.state, seat) if line(each) == shown]
    return theirs[chance.pick(len(theirs))] if theirs else None


def _compare_after(step: Step, other: Position, there: Position, eyes: Eyes, flags: Flags) -> Pairs:
    at, here = step.before, step.after
    game = at.case.game
    views = [game.tree.view(world.state, eyes) for world in (here, there)]
    if views[0] == views[1] and _frames(at, here, eyes) == _frames(other, there, eyes):
        return Pairs(1, 1)
    if revealed(here.events, eyes) != revealed(there.events, eyes):
        flags.compare(here.events, there.events, eyes)
        return Pairs(1, 0)
    events = announced(at, here.events, eyes), announced(other, there.events, eyes)
    where = [event_difference(*events)]
    if views[0] == views[1]:
        what = f"{step.line}: {sorted(eyes)} sees no difference, but its events have one"
    else:
        what = f"{step.line} shows {sorted(eyes)} something hidden, and no event says so"
        where.append(f"{game.state.__name__}{view_difference(*views)}")
    named = ", ".join(filter(None, where))
    raise at.fault(f"{what}: {named}" if named else what)


def _frames(before: Position, after: Position, eyes: Eyes) -> object:
    """All data of a step that is sent to the eyes."""
    game = before.case.game
    new = after.state
    changes = game.tree.changes(before.state, new)
    return (
        announced(after, after.events, eyes),
        changes.public,
        [changes.private.get(seat) for seat in sorted(eyes)],
        [_options_of(after, seat) for seat in sorted(eyes)],
        after.movers(),
        game.result(new),
        # All members see whether a move can be undone without a vote.
        after.counter == before.counter,
        changes.secret,
    )
