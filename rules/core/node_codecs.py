"""Codecs of node classes: those of `bluebear.rules.core.type_codecs` that apply the visibility
markers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import compress
from operator import is_not
from typing import Any, cast

from msgspec.structs import astuple

from bluebear.rules.core.draft import drafted
from bluebear.rules.core.merge_patch import Shaped, apply, diff, graft
from bluebear.rules.core.type_codecs import ABSENT, SAME, Plan, Shown
from bluebear.rules.core.visibility import Event, Eyes, Move, Node, Seat, Visibility


class Field:
    """One field of a node: its name, its plan, its marker, and whether it may be absent."""

    __slots__ = ("name", "optional", "plan", "sight")

    def __init__(self, name: str, plan: Plan, sight: Visibility, *, optional: bool) -> None:
        self.name = name
        self.plan = plan
        self.sight = sight
        self.optional = optional


class NodePlan(Plan):
    opens = True

    def __init__(self, cls: type[Node], listed: Sequence[Field]) -> None:
        self.cls = cls
        # Moves and events never change: they have no drafts.
        changes = not issubclass(cls, Move | Event)
        self.draft: type | None = (
            drafted(cls, [f.name for f in listed if f.plan.opens]) if changes else None
        )
        self.listed = listed
        self.places = {field.name: place for place, field in enumerate(listed)}
        shown = [f for f in listed if f.sight is Visibility.PUBLIC]
        owned = [f for f in listed if f.sight is Visibility.OWNER]
        self.has_private = bool(owned) or any(f.plan.has_private for f in shown)
        self.has_secret = len(shown) < len(listed) or any(f.plan.has_secret for f in shown)
        self._dumped = self._placed(listed)
        self._shown = self._placed(shown)
        self._diffs = [f.plan.diff_public if f.sight is Visibility.PUBLIC else None for f in listed]
        self._changes = [_changes_of(f) for f in listed]
        self._names = [f.name for f in listed]
        self._range = range(len(listed))
        self._owned = self._placed(owned)
        self._below = self._placed([f for f in shown if f.plan.has_private])
        self._secret = [self.places[f.name] for f in listed if f.sight is not Visibility.PUBLIC]
        self._secret_below = self._placed([f for f in shown if f.plan.has_secret])

    def _placed(self, fields: Sequence[Field]) -> list[tuple[int, str, Plan]]:
        return [(self.places[field.name], field.name, field.plan) for field in fields]

    def dump(self, value: Any) -> Any:
        values = astuple(value)
        made: Shaped = {}
        for place, name, plan in self._dumped:
            item = values[place]
            if item is not None:
                made[name] = item if plan.is_plain else plan.dump(item)
        return made

    def load(self, dumped: Any) -> Any:
        if type(dumped) is not dict:
            raise ValueError(f"expected the fields of {self.cls.__name__}, not {dumped!r}")
        unknown = dumped.keys() - {field.name for field in self.listed}
        if unknown:
            raise ValueError(f"{self.cls.__name__} has no field {min(unknown)!r}")
        return self.cls(
            **{
                field.name: field.plan.load(dumped[field.name]) if field.name in dumped else None
                for field in self.listed
            }
        )

    def public(self, value: Any) -> Any:
        values = astuple(value)
        made: Shaped = {}
        for place, name, plan in self._shown:
            item = values[place]
            if item is not None:
                made[name] = item if plan.is_plain else plan.public(item)
        return made

    def private(self, value: Any, seat: Seat | None) -> Any:
        values = astuple(value)
        made: Shaped = {}
        for place, name, plan in self._owned:
            item = values[place]
            if item is not None:
                made[name] = plan.public(item)
        for place, name, plan in self._below:
            item = values[place]
            shown = ABSENT if item is None else plan.private(item, seat)
            if shown is not ABSENT:
                made[name] = shown
        return made or ABSENT

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        if not self.has_secret:
            return value
        values: list[Any] = []
        for field, item in zip(self.listed, astuple(value), strict=True):
            if item is None or field.sight is Visibility.HIDDEN:
                values.append(None)
            elif field.sight is Visibility.OWNER:
                # Inside an Owner field everything is public, so nothing deeper is hidden.
                values.append(field.plan.seen(item, eyes, seat) if seat in eyes else None)
            else:
                values.append(field.plan.seen(item, eyes, seat))
        return self.cls(*values)

    def diff_public(self, old: Any, new: Any) -> Any:
        if old is None or new is None:
            return None if new is None else self.public(new)
        patch: Shaped = {}
        olds, news = astuple(old), astuple(new)
        for place in compress(self._range, map(is_not, olds, news)):
            diff = self._diffs[place]
            change = SAME if diff is None else diff(olds[place], news[place])
            if change is not SAME:
                patch[self._names[place]] = change
        return patch or SAME

    def diff_private(self, old: Any, new: Any, seat: Seat | None) -> Any:
        if old is new:
            return SAME
        patch: Shaped = {}
        olds, news = astuple(old), astuple(new)
        for place, name, plan in self._owned:
            before, after = olds[place], news[place]
            change = SAME if before is after else plan.diff_public(before, after)
            if change is not SAME:
                patch[name] = change
        for place, name, plan in self._below:
            before, after = olds[place], news[place]
            if before is after or after is None:
                continue
            if before is None:
                change = plan.private(after, seat)
            else:
                change = plan.diff_private(before, after, seat)
            if change is not SAME and change is not ABSENT:
                patch[name] = change
        return patch or SAME

    def secret_changed(self, old: Any, new: Any) -> bool:
        if old is new or not self.has_secret:
            return False
        olds, news = astuple(old), astuple(new)
        if any(olds[place] != news[place] for place in self._secret):
            return True
        for place, _, plan in self._secret_below:
            before, after = olds[place], news[place]
            if before is after:
                continue
            if before is None or after is None or plan.secret_changed(before, after):
                return True
        return False

    def owners(self, value: Any, seat: Seat | None) -> Iterable[Seat]:
        found = set() if seat is None else {seat}
        values = astuple(value)
        for place, _, plan in self._below:
            if values[place] is not None:
                found.update(plan.owners(values[place], seat))
        return found

    def differing(self, old: Any, new: Any, seat: Seat | None) -> Iterable[tuple[str, Shown]]:
        olds, news = astuple(old), astuple(new)
        for place in compress(self._range, map(is_not, olds, news)):
            yield self._names[place], self._changes[place](olds[place], news[place], seat)


def _changes_of(field: Field) -> Callable[[Any, Any, Seat | None], Shown]:
    """The function that computes how a field differs, by the field's visibility."""
    if field.sight is Visibility.PUBLIC:
        return field.plan.changes
    return partial(_owned if field.sight is Visibility.OWNER else _hidden, field.plan)


def _owned(plan: Plan, old: Any, new: Any, seat: Seat | None) -> Shown:
    """The change of an Owner field: private to its seat as a whole, whatever is inside."""
    if old == new:
        return SAME, None, False
    shown = plan.diff_public(old, new)
    return SAME, None if seat is None or shown is SAME else {seat: shown}, True


def _hidden(plan: Plan, old: Any, new: Any, seat: Seat | None) -> Shown:
    return SAME, None, old != new


class OneOf(Plan):
    """A node of one of several classes; the key `is` says which."""

    opens = True

    def __init__(self, plans: Sequence[NodePlan]) -> None:
        self.plans = {plan.cls: plan for plan in plans}
        self.names = {plan.cls.__name__: plan for plan in plans}
        self.has_private = any(plan.has_private for plan in plans)
        self.has_secret = any(plan.has_secret for plan in plans)

    def dump(self, value: Any) -> Any:
        return {"is": type(value).__name__, **self.plans[type(value)].dump(value)}

    def load(self, dumped: Any) -> Any:
        fields = dict(dumped)
        return self.names[fields.pop("is")].load(fields)

    def public(self, value: Any) -> Any:
        return {"is": type(value).__name__, **self.plans[type(value)].public(value)}

    def private(self, value: Any, seat: Seat | None) -> Any:
        return self.plans[type(value)].private(value, seat)

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        return self.plans[type(value)].seen(value, eyes, seat)

    def diff_public(self, old: Any, new: Any) -> Any:
        if old is None or new is None:
            return None if new is None else self.public(new)
        if type(old) is type(new):
            return self.plans[type(new)].diff_public(old, new)
        return diff(self.public(old), self.public(new)) or SAME

    def diff_private(self, old: Any, new: Any, seat: Seat | None) -> Any:
        if type(old) is type(new):
            return self.plans[type(new)].diff_private(old, new, seat)
        # The public patch has replaced the old public part by the new one; the private part of the
        # old class is still in the client's view.
        had, public = self.public(old), self.public(new)
        graft(had, self._owned(old, seat))
        left = apply(diff(self.public(old), public), had)
        graft(public, self._owned(new, seat))
        return diff(left, public) or SAME

    def _owned(self, value: Any, seat: Seat | None) -> Shaped:
        shown = self.private(value, seat)
        return {} if shown is ABSENT else cast(Shaped, shown)

    def secret_changed(self, old: Any, new: Any) -> bool:
        if type(old) is type(new):
            return self.plans[type(new)].secret_changed(old, new)
        return self.has_secret

    def owners(self, value: Any, seat: Seat | None) -> Iterable[Seat]:
        return self.plans[type(value)].owners(value, seat)

    def changes(self, old: Any, new: Any, seat: Seat | None) -> Shown:
        if type(old) is type(new):
            return self.plans[type(new)].changes(old, new, seat)
        if old is None or new is None:
            return super().changes(old, new, seat)
        privates = {owner: self.diff_private(old, new, owner) for owner in self.owners(new, seat)}
        shown = {owner: private for owner, private in privates.items() if private is not SAME}
        return self.diff_public(old, new), shown, self.has_secret
