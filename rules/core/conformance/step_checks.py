"""The checks of a step from one position to the next: patches, copies, events."""

from __future__ import annotations

from typing import Any

from bluebear.rules.core.conformance.position_checks import check_plain
from bluebear.rules.core.conformance.random_play import Position, Step
from bluebear.rules.core.event_text import event_text, event_view
from bluebear.rules.core.grammar import CONCEALED
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.visibility import Eyes, Visibility


def check_step(step: Step) -> None:
    """Run all checks of one step. Raises ConformanceError."""
    game = step.before.case.game
    if step.after.counter < step.before.counter:
        raise step.before.fault("the draws have been counted backwards")
    concealed = game.grammar.format(step.move, sees_owner=False)
    if step.move.sight is not Visibility.PUBLIC and concealed != CONCEALED:
        raise step.before.fault(f"{concealed} should be hidden as a whole")
    check_patches(step)
    check_changes(step)
    check_copy(step)
    check_events(step.after)


def check_patches(step: Step) -> None:
    """For all eyes, the public patch and then the private ones must make the new view."""
    tree = step.before.case.game.tree
    old, new = step.before.state, step.after.state
    public = tree.diff_public(old, new)
    for eyes in [*step.before.eyes_in_turn(), frozenset(step.before.seats())]:
        shown = tree.view(old, eyes)
        if public is not None:
            shown = apply_patch(shown, public)
        for seat in sorted(eyes):
            private = tree.diff_private(old, new, seat)
            if private is not None:
                shown = apply_patch(shown, private)
        if shown != tree.view(new, eyes):
            raise step.before.fault(f"{step.line}: the patches for {_named(eyes)} miss something")


def check_changes(step: Step) -> None:
    """The changes of the outcome must equal those found by comparing the two states."""
    tree, old, new = step.before.case.game.tree, step.before.state, step.after.state
    assert step.after.made is not None  # a step was played
    noted = step.after.made.changes
    found = {seat: tree.diff_private(old, new, seat) for seat in step.before.seats()}
    private = {seat: patch for seat, patch in found.items() if patch is not None}
    if noted.public != tree.diff_public(old, new):
        raise step.before.fault(f"{step.line}: the public changes are not what differs")
    if dict(noted.private) != private:
        raise step.before.fault(f"{step.line}: the changes of the owners are not what differs")
    if noted.secret != tree.secret_changed(old, new):
        raise step.before.fault(f"{step.line}: whether a secret changed is not what differs")


def check_copy(step: Step) -> None:
    """A move must have the same outcome from a position that was dumped and loaded."""
    before, case = step.before, step.before.case
    dumped = case.game.tree.dump(before.state)
    check_plain(before, dumped)
    copy = case.game.tree.load(dumped)
    move = case.game.grammar.parse(step.line)
    chance = before.chance()
    made = case.game.play(copy, step.seat, move, chance)
    same = case.game.tree.digest(made.state) == case.game.tree.digest(step.after.state)
    if not same or made.events != step.after.events or chance.counter != step.after.counter:
        raise before.fault(f"{step.line} goes otherwise in a copy that was dumped and loaded")


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


def apply_patch(target: Any, patch: Any) -> Any:  # Any: plain trees
    """RFC 7396, implemented a second time, so that the kit does not trust the code it checks."""
    if not isinstance(patch, dict):
        return patch
    made = dict(target) if isinstance(target, dict) else {}
    for key, item in patch.items():
        if item is None:
            made.pop(key, None)
        else:
            made[key] = apply_patch(made.get(key, {}), item)
    return made


def _named(eyes: Eyes) -> str:
    return "seats " + ", ".join(map(str, sorted(eyes))) if eyes else "a spectator"
