"""Two worlds: what a viewer is sent must be the same in every world that he cannot tell apart.

At a position and for some eyes `deal` makes another world. Both must look alike to the eyes, and
go on looking alike after the same line, unless an event that `reveals`, or a draw into the eyes'
own part, explains the difference. Board, status, completion, queries and long forms are functions
of the view and the legal moves by their signatures, so comparing those two covers them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from rules.core.chance import Chance, Fast, WouldDraw
from rules.core.conformance.case import Case
from rules.core.conformance.draws import check_draws, check_setups
from rules.core.conformance.position import refusal_of
from rules.core.conformance.walk import Position, any_move, is_checked, walk
from rules.core.merging import Shaped
from rules.core.phrases import LANGS
from rules.core.telling import event_text, event_view
from rules.core.vision import Event, Eyes, Move, Seat

SETUPS: Final = 24
"""So many set-ups are compared; among them are some in which the eyes see the same."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """How many pairs of worlds were played on, and in how many the eyes saw no difference."""

    played: int = 0
    equal: int = 0

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(self.played + other.played, self.equal + other.equal)

    def __str__(self) -> str:
        return f"{self.equal} of {self.played} pairs equal"


def check_worlds(case: Case, seeds: Sequence[int], *, tries: int = 3) -> Pairs:
    """Plays a game for each seed and deals another world at every position (of long games: many).

    Raises ConformanceError for a difference that nothing explains, and when no pair was equal.
    """
    check_setups(case, range(seeds[0], seeds[0] + SETUPS))
    total = Pairs()
    for seed in seeds:
        choice = Fast(seed)
        for step in walk(case, seed, wild=bool(seed % 2)):
            if not is_checked(step.before.number):
                continue
            everybody = step.before.everybody()
            eyes = everybody[choice.pick(len(everybody))]
            total += check_position_in_worlds(step.before, eyes, choice, tries=tries)
    if total.played and not total.equal:
        raise case.fault("in no pair of worlds did anybody see the same afterwards", seeds[0])
    return total


def check_position_in_worlds(at: Position, eyes: Eyes, chance: Chance, *, tries: int) -> Pairs:
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
            total += _compare_after(at, other, seat, pair, eyes)
            check_draws(at, seat, pair[0], eyes, tries=tries)
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
    game = at.case.game
    ours = list(game.legal(at.state, seat))
    move = ours[chance.pick(len(ours))]
    shown = game.grammar.format(move, sees_owner=seat in eyes)
    theirs = [
        each
        for each in game.legal(other.state, seat)
        if game.grammar.format(each, sees_owner=seat in eyes) == shown
    ]
    return (move, theirs[chance.pick(len(theirs))]) if theirs else None


def _compare_after(
    at: Position, other: Position, seat: Seat, pair: tuple[Move, Move], eyes: Eyes
) -> Pairs:
    game = at.case.game
    here, there = at.after(seat, pair[0]), other.after(seat, pair[1])
    views = [game.tree.view(world.state, eyes) for world in (here, there)]
    if views[0] == views[1] and _frames(at, here, eyes) == _frames(other, there, eyes):
        return Pairs(1, 1)
    if _revealed(here, eyes) or _revealed(there, eyes):
        return Pairs(1, 0)
    line = game.grammar.format(pair[0])
    if views[0] == views[1]:
        raise at.fault(f"{line}: {sorted(eyes)} sees no difference, but is told one")
    if not _drawn(at, here, there, eyes):
        raise at.fault(f"{line} shows {sorted(eyes)} something hidden, and no event says so")
    return Pairs(1, 0)


def _frames(before: Position, after: Position, eyes: Eyes) -> object:
    """All that the eyes are sent of a step."""
    game = before.case.game
    old, new = before.state, after.state
    told = [(event_view(each, eyes), *_sentences(after, each, eyes)) for each in after.events]
    return (
        [each for each in told if each[0] is not None],
        game.tree.diff_public(old, new),
        [game.tree.diff_own(old, new, seat) for seat in sorted(eyes)],
        [_options_of(after, seat) for seat in sorted(eyes)],
        after.movers(),
        game.result(new),
        # Whether a move can be undone without a vote is told to everybody.
        after.counter == before.counter,
        game.tree.secret_changed(old, new),
    )


def _sentences(at: Position, event: Event, eyes: Eyes) -> list[str | None]:
    phrases = at.case.game.phrases
    return [event_text(phrases, event, eyes, lang=lang) for lang in LANGS]


def _revealed(at: Position, eyes: Eyes) -> bool:
    """Whether the eyes learned of an event that says of itself that it reveals."""
    return any(type(event).reveals and event_view(event, eyes) is not None for event in at.events)


def _drawn(before: Position, here: Position, there: Position, eyes: Eyes) -> bool:
    """Whether a draw has come into the eyes' own part and nothing else differs."""
    drew = here.counter > before.counter and there.counter > before.counter
    tree = before.case.game.tree
    return drew and bool(eyes) and _public(tree, here) == _public(tree, there)


def _public(tree: Any, at: Position) -> Shaped:  # Any: the tree of the game's own state class
    shown: Shaped = tree.public(at.state)
    return shown
