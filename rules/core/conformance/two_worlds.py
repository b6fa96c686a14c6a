"""Two worlds: what a viewer is sent must be the same in every world that he cannot tell apart.

At a position and for some eyes `deal` makes another world. Both must look alike to the eyes, and
go on looking alike after the same line, unless events that `reveal` something to these very eyes
tell them otherwise in the two worlds. Board, status, completion, queries and long forms are
functions of the view and the legal moves by their signatures, so comparing those two covers them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bluebear.rules.core.chance import Chance, FastChance, WouldDraw
from bluebear.rules.core.conformance.case import Case, game_fault
from bluebear.rules.core.conformance.differences import seen_apart, told_apart, told_of
from bluebear.rules.core.conformance.draw_leaks import OTHER_SEEDS, check_draws, check_setups
from bluebear.rules.core.conformance.flags import NO_FLAGS, Flags, eyes_of
from bluebear.rules.core.conformance.position_checks import refusal_of
from bluebear.rules.core.conformance.random_play import Position, Step, any_move, is_checked, walk
from bluebear.rules.core.event_text import revealed
from bluebear.rules.core.game import Game
from bluebear.rules.core.visibility import Eyes, Move, Seat, Visibility

SETUPS: Final = 24
"""So many set-ups are compared; among them are some in which the eyes see the same."""
CLOSER: Final = 16
"""A step with an event whose flag has explained nothing is played in so many worlds more."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """How many pairs of worlds were played on, and in how many the eyes saw no difference."""

    played: int = 0
    equal: int = 0

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(self.played + other.played, self.equal + other.equal)

    def __str__(self) -> str:
        return f"{self.equal} of {self.played} pairs equal"


def check_worlds(
    case: Case, seeds: Sequence[int], *, tries: int = 3, flags: Flags = NO_FLAGS
) -> Pairs:
    """Plays a game for each seed and deals another world at every position (of long games: many).

    `flags` are noted that explain a difference. Raises ConformanceError for a difference that
    nothing explains, and when no pair was equal.
    """
    check_setups(case, range(seeds[0], seeds[0] + SETUPS), flags)
    total = Pairs()
    for seed in seeds:
        choice = FastChance(seed)
        for step in walk(case, seed, wild=bool(seed % 2)):
            flags.meet(step)
            if not is_checked(step.before.number):
                continue
            everybody = step.before.everybody()
            eyes = everybody[choice.pick(len(everybody))]
            total += check_position_in_worlds(step.before, eyes, choice, flags, tries=tries)
    if total.played and not total.equal:
        raise case.fault("in no pair of worlds did anybody see the same afterwards", seeds[0])
    return total


def check_flags(game: Game[Any], flags: Flags) -> None:
    """Every flag that was met in the games of all cases has explained a difference, or does so now.

    Raises ConformanceError for one that excuses and never explains.
    """
    choice = FastChance(0)
    for kind, steps in flags.unexplained():
        for step, event in [(each, event) for each in steps for event in each.after.events]:
            if type(event) is not kind:
                continue
            for eyes in eyes_of(event, step.before.everybody()):
                if flags.is_open(kind):
                    _look_closer(step, eyes, choice, flags)
        if flags.is_open(kind):
            to = (
                "its seat's eyes"
                if kind.reveals is Visibility.OWNER
                else "eyes other than its seat's"
            )
            raise game_fault(
                game,
                f"{kind.__name__}.reveals explains no difference: in {len(steps)} steps it tells"
                f" {to} the same in all worlds that look the same to them",
            )


def _look_closer(step: Step, eyes: Eyes, chance: Chance, flags: Flags) -> None:
    """Play one step again in other worlds with other draws each time, then with draws alone."""
    at, game = step.before, step.before.case.game
    for number in range(CLOSER):
        other = replace(at, state=game.deal(game.seen(at.state, eyes), eyes, chance))
        theirs = _alike(other, step.seat, step.move, eyes, chance)
        if theirs is not None:
            seed = at.seed + number * OTHER_SEEDS
            here, there = at.after(step.seat, step.move, seed), other.after(step.seat, theirs, seed)
            flags.compare(here.events, there.events, eyes)
    check_draws(at, step.seat, step.move, eyes, flags, tries=CLOSER)


def check_position_in_worlds(
    at: Position, eyes: Eyes, chance: Chance, flags: Flags = NO_FLAGS, *, tries: int
) -> Pairs:
    """Deals another world for the eyes, compares it, and plays lines that both worlds allow."""
    game = at.case.game
    other = replace(at, state=game.deal(game.seen(at.state, eyes), eyes, chance))
    _compare_now(at, other, eyes, chance, tries=tries)
    total = Pairs()
    movers = at.movers()
    for _ in range(tries):
        seat = movers[chance.pick(len(movers))]
        pair = _same_to(at, other, seat, eyes, chance)
        if pair is not None:
            total += _compare_after(at, other, seat, pair, eyes, flags)
            check_draws(at, seat, pair[0], eyes, flags, tries=tries)
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
            move = any_move(game.grammar.verbs, at, chance)
            if move is not None:
                if _told(at, seat, move) != _told(other, seat, move):
                    line = game.grammar.format(move)
                    raise at.fault(f"the refusal of {line} tells seat {seat} something hidden")


def _options_of(at: Position, seat: Seat) -> object:
    """What a seat may do, of what kind, what a fallback or a take-back would be."""
    game, state = at.case.game, at.state
    legal = [(move, game.kind(state, seat, move)) for move in game.legal(state, seat)]
    backs = [game.take_back(state, seat, what) for what in ("", *game.grammar.verbs)]
    return legal, backs, game.fallback(state, seat) if legal else None


def _told(at: Position, seat: Seat, move: Move) -> object:
    """What a refusal tells, without the exception around it; None if there is none."""
    try:
        refusal = refusal_of(at, seat, move)
    except WouldDraw:
        return None
    if refusal is None:
        return None
    return refusal.code, refusal.rule, refusal.candidates, repr(refusal.params)


def _same_to(
    at: Position, other: Position, seat: Seat, eyes: Eyes, chance: Chance
) -> tuple[Move, Move] | None:
    """A legal move here and one there that look the same to the eyes."""
    ours = list(at.case.game.legal(at.state, seat))
    move = ours[chance.pick(len(ours))]
    theirs = _alike(other, seat, move, eyes, chance)
    return None if theirs is None else (move, theirs)


def _alike(other: Position, seat: Seat, move: Move, eyes: Eyes, chance: Chance) -> Move | None:
    """A legal move of another world that looks to the eyes like this one."""
    game = other.case.game
    shown = game.grammar.format(move, sees_owner=seat in eyes)
    theirs = [
        each
        for each in game.legal(other.state, seat)
        if game.grammar.format(each, sees_owner=seat in eyes) == shown
    ]
    return theirs[chance.pick(len(theirs))] if theirs else None


def _compare_after(
    at: Position, other: Position, seat: Seat, pair: tuple[Move, Move], eyes: Eyes, flags: Flags
) -> Pairs:
    game = at.case.game
    here, there = at.after(seat, pair[0]), other.after(seat, pair[1])
    views = [game.tree.view(world.state, eyes) for world in (here, there)]
    if views[0] == views[1] and _frames(at, here, eyes) == _frames(other, there, eyes):
        return Pairs(1, 1)
    if revealed(here.events, eyes) != revealed(there.events, eyes):
        flags.compare(here.events, there.events, eyes)
        return Pairs(1, 0)
    line = game.grammar.format(pair[0])
    where = [told_apart(told_of(at, here.events, eyes), told_of(other, there.events, eyes))]
    if views[0] == views[1]:
        what = f"{line}: {sorted(eyes)} sees no difference, but is told one"
    else:
        what = f"{line} shows {sorted(eyes)} something hidden, and no event says so"
        where.append(f"{game.state.__name__}{seen_apart(*views)}")
    named = ", ".join(filter(None, where))
    raise at.fault(f"{what}: {named}" if named else what)


def _frames(before: Position, after: Position, eyes: Eyes) -> object:
    """All that the eyes are sent of a step."""
    game = before.case.game
    old, new = before.state, after.state
    return (
        told_of(after, after.events, eyes),
        game.tree.diff_public(old, new),
        [game.tree.diff_own(old, new, seat) for seat in sorted(eyes)],
        [_options_of(after, seat) for seat in sorted(eyes)],
        after.movers(),
        game.result(new),
        # Whether a move can be undone without a vote is told to everybody.
        after.counter == before.counter,
        game.tree.secret_changed(old, new),
    )
