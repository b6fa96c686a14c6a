"""The oracle of settling: the changes between two states by a walk through both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bluebear.rules.core.settle import Private, replaced
from bluebear.rules.core.type_codecs import SAME, Changes, KeyedPlan, Leaf, NodePlan, OneOf, Plan
from bluebear.rules.core.visibility import Seat, Visibility


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
        _, fragment, fragments, differs = replaced(plan, new, old, seat)
        return fragment, {seat: fragments} if fragments and seat else fragments, differs
    patch: dict[str, Any] = {}
    private: dict[Seat, Any] = {}
    secret = False
    for name, sight, below, was, now, owner in _parts(plan, old, new, seat):
        fragment, fragments, differs = _walk(below, was, now, owner)
        if sight is not Visibility.PUBLIC:
            fragments, differs = {}, was != now
            if sight is Visibility.OWNER and owner is not None and fragment is not SAME:
                fragments = {owner: fragment}
        elif fragment is not SAME:
            patch[name] = fragment
        for at, each in fragments.items():
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
