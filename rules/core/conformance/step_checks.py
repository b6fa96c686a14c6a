"""Plays random games and checks each step: patches, copies, events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import Case, crashes
from bluebear.rules.core.conformance.position_checks import check_bot, check_plain, check_position
from bluebear.rules.core.conformance.random_play import Position, Step, is_checked, start, walk
from bluebear.rules.core.event_text import event_text, event_view
from bluebear.rules.core.grammar import CONCEALED
from bluebear.rules.core.merge_patch import Shaped, apply, diff
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.tree import StateTree
from bluebear.rules.core.type_codecs import Changes
from bluebear.rules.core.visibility import SPECTATOR, Seat, Visibility


def check_case(case: Case, seeds: Sequence[int], *, tries: int = 8) -> int:
    """Play a random game for each seed, every second one wild; return the number of moves played.

    After `ALL_CHECKED` moves of a game, positions are checked less and less often. At each checked
    position `tries` legal and as many illegal moves are tried. Raises ConformanceError.
    """
    moves = 0
    for seed in seeds:
        choice = FastChance(seed)
        position = start(case, seed)
        check_events(position)
        for step in walk(case, seed, wild=bool(seed % 2)):
            if is_checked(step.before.number):
                with crashes(case.game, step.before.fault):
                    check_position(step.before, choice, tries=tries)
                    check_step(step)
                    if seed == seeds[0]:
                        check_bot(step.before)
            position = step.after
            moves += 1
        with crashes(case.game, position.fault):
            check_position(position, choice, tries=tries)
            _check_result(position)
    return moves


def _check_result(at: Position) -> None:
    game = at.case.game
    result = game.result(at.state)
    if result is None or sorted(each.seat for each in result.standings) != at.seats():
        raise at.fault("the result does not place every seat")
    for line in result.breakdown:
        if line.rule not in game.rules:
            raise at.fault(f"score {line.key} rests on {line.rule}, which is no paragraph")
        if f"score.{line.key}" not in game.phrases:
            raise at.fault(f"no phrase score.{line.key}")


def check_step(step: Step) -> None:
    """Run all checks of one step. Raises ConformanceError."""
    if step.after.counter < step.before.counter:
        raise step.before.fault("the draws have been counted backwards")
    concealed = step.before.line(step.move, sees_owner=False)
    if step.move.sight is not Visibility.PUBLIC and concealed != CONCEALED:
        raise step.before.fault(f"{concealed} should be hidden as a whole")
    tree = step.before.case.game.tree
    check_plain(step.before, dumped := tree.dump(step.before.state))
    copy = tree.load(dumped)
    check_changes(step, copy)
    check_copy(step, copy)
    check_events(step.after)


def check_changes(step: Step, copy: Any) -> None:  # Any: as in `Position`
    """The patches must be all that differs in the views of both states, and make the new views.

    So must those of states that share nothing, such as from `copy` to the new state, and of views.
    """
    tree, old, new = step.before.case.game.tree, step.before.state, step.after.state
    assert step.after.made is not None  # a step was played
    settled = step.after.made.changes
    assert settled is not None
    seats = step.before.seats()
    views = tree.seen(old, SPECTATOR), tree.seen(new, SPECTATOR)
    of_states = _changes_of_views(tree, old, new, seats)
    for changes, wanted in (
        (settled, of_states),
        (tree.changes(old, new), of_states),
        (tree.changes(copy, new), of_states),
        (tree.changes(*views), _changes_of_views(tree, *views, seats)),
    ):
        # What has come or gone may have had a secret.
        secret = changes.secret and wanted.secret
        if Changes(changes.public, changes.private, secret) != wanted:
            raise step.before.fault(f"{step.line} settles to {changes}, but {wanted} differs")
    shown = tree.view(old, frozenset(seats))
    for patch in (settled.public or {}, *settled.private.values()):
        shown = apply(patch, shown)
    if shown != tree.view(new, frozenset(seats)):
        raise step.before.fault(f"{step.line}: the patches for all seats miss something")


def _changes_of_views(
    tree: StateTree[Any], old: Any, new: Any, seats: Sequence[Seat]
) -> Changes:  # Any: as in `Position`
    """The changes from one state to another, by what is seen of both."""
    public, private = diff(tree.view(old), tree.view(new)), dict[Seat, Shaped]()
    for seat in seats:
        was, now = (tree.view(each, frozenset((seat,))) for each in (old, new))
        if part := diff(apply(public, was), now):
            private[seat] = part
    before, after = (diff(tree.view(each), tree.dump(each)) for each in (old, new))
    return Changes(public or None, private, secret=before != after)


def check_copy(step: Step, copy: Any) -> None:  # Any: as in `Position`
    """A move must have the same outcome from `copy`, the position as dumped and loaded."""
    before, case = step.before, step.before.case
    chance = before.chance()
    made = case.game.play(copy, step.seat, case.game.grammar.parse(step.line), chance)
    same = case.game.tree.digest(made.state) == case.game.tree.digest(step.after.state)
    if not same or made.events != step.after.events or chance.counter != step.after.counter:
        what = "draw only from `chance`, and remember only in the state"
        raise before.fault(f"{step.line} goes otherwise in a copy, dumped and loaded: {what}")


def check_events(at: Position) -> None:
    """Every event must be declared, and have its text for all eyes in both languages."""
    game = at.case.game
    for event in at.events:
        if type(event) not in game.events:
            raise at.fault(f"{type(event).__name__} is not listed in `events`")
        for eyes in at.eyes_in_turn():
            check_plain(at, event_view(event, eyes) or {})
            for lang in LANGS:
                try:
                    event_text(game.phrases, event, eyes, lang=lang)
                except KeyError as missing:
                    raise at.fault(f"{event!r} cannot be told: {missing}") from missing
