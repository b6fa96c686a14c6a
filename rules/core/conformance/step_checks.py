"""Plays random games and checks each step: patches, copies, events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import Case
from bluebear.rules.core.conformance.position_checks import check_plain, check_position
from bluebear.rules.core.conformance.random_play import Position, Step, is_checked, start, walk
from bluebear.rules.core.event_text import event_text, event_view
from bluebear.rules.core.grammar import CONCEALED
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.settle import Private, replaced
from bluebear.rules.core.type_codecs import SAME, Changes, KeyedPlan, Leaf, NodePlan, OneOf, Plan
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
                check_position(step.before, choice, tries=tries)
                check_step(step)
            position = step.after
            moves += 1
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
    check_patches(step)
    check_changes(step)
    check_copy(step)
    check_events(step.after)


def check_patches(step: Step) -> None:
    """For all eyes, the public patch and then the private ones must make the new view."""
    tree = step.before.case.game.tree
    old, new = step.before.state, step.after.state
    changes = tree.changes(old, new)
    for eyes in [*step.before.eyes_in_turn(), frozenset(step.before.seats())]:
        shown = tree.view(old, eyes)
        for patch in (changes.public, *(changes.private.get(seat) for seat in sorted(eyes))):
            shown = shown if patch is None else apply_patch(shown, patch)
        if shown != tree.view(new, eyes):
            raise step.before.fault(f"{step.line}: the patches for {sorted(eyes)} miss something")


def check_changes(step: Step) -> None:
    """The draft must settle to what a walk through both states finds, in the same order.

    So must states that share nothing, and views.
    """
    tree, old, new = step.before.case.game.tree, step.before.state, step.after.state
    assert step.after.made is not None  # a step was played
    views = tree.seen(old, SPECTATOR), tree.seen(new, SPECTATOR)
    pairs = [(old, new), (tree.load(tree.dump(old)), new), views]
    found = [step.after.made.changes, *(tree.changes(*pair) for pair in pairs)]
    for settled, pair in zip(found, (pairs[0], *pairs), strict=True):
        walked = walk_changes(tree.plan, *pair)
        if repr(settled) != repr(walked):
            raise step.before.fault(f"{step.line} settles to {settled}, but {walked} differs")


def walk_changes(plan: Plan, old: Any, new: Any) -> Changes:  # Any: states or views of any game
    """The patches from one state to another: the oracle of settling."""
    public, private, secret = _walk(plan, old, new, None)
    return Changes(None if public is SAME else public, private, secret)


def _walk(plan: Plan, old: Any, new: Any, seat: Seat | None) -> tuple[Any, Private, bool]:
    if old == new:
        return SAME, {}, False
    if isinstance(plan, Leaf):
        return None if new is None else plan.dump(new), {}, False
    if isinstance(plan, OneOf) and type(old) is type(new):
        plan = plan.plans[type(new)]
    if not isinstance(plan, NodePlan | KeyedPlan) or old is None or new is None:
        _, part, parts, differs = replaced(plan, new, old, seat)
        return part, {seat: parts} if parts and seat else parts, differs
    patch: dict[str, Any] = {}
    private: dict[Seat, Any] = {}
    secret = False
    for name, sight, below, was, now, owner in _parts(plan, old, new, seat):
        part, parts, differs = _walk(below, was, now, owner)
        if sight is not Visibility.PUBLIC:
            parts, differs = {}, was != now
            if sight is Visibility.OWNER and owner is not None and part is not SAME:
                parts = {owner: part}
        elif part is not SAME:
            patch[name] = part
        for at, each in parts.items():
            private.setdefault(at, {})[name] = each
        secret = secret or differs
    return patch or SAME, private, secret


def _parts(
    plan: NodePlan | KeyedPlan, old: Any, new: Any, seat: Seat | None
) -> Iterator[tuple[str, Visibility, Plan, Any, Any, Seat | None]]:
    """The parts of two values: name, visibility, plan, both values, the seat they belong to."""
    if isinstance(plan, NodePlan):
        for field in plan.listed:
            was, now = getattr(old, field.name), getattr(new, field.name)
            yield field.name, field.sight, field.plan, was, now, seat
        return
    for key in (*new, *(each for each in old if each not in new)):
        owner = key if plan.by_seat else seat
        yield str(key), Visibility.PUBLIC, plan.value, old.get(key), new.get(key), owner


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
