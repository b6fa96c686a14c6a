"""Plans: how to dump, load, show and diff the values of each type that a state may hold.

`rules.core.tree` compiles the hints of a class into a plan once; everything generic walks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple, cast

from msgspec.structs import astuple

from rules.core.draft import KeyedDraft, drafted, now
from rules.core.keyed import Keyed, wrapped
from rules.core.merging import Tree, graft, merge_diff, patched
from rules.core.vision import Eyes, Seat, Sight


class _Nothing(Enum):
    SAME = "same"
    ABSENT = "absent"


SAME: Final = _Nothing.SAME
ABSENT: Final = _Nothing.ABSENT


class Changes(NamedTuple):
    """What a move changed: the public patch, each seat's own patch, whether a secret differs.

    The patches are JSON merge patches; None and a missing seat mean that nothing changed. An own
    patch is applied after the public one.
    """

    public: Tree | None
    own: Mapping[Seat, Tree]
    secret: bool


Settled = tuple[Any, Any, "dict[Seat, Tree] | None", bool]
"""A frozen value; what to show of it under its name, SAME for nothing; own parts; `secret`."""


class Plan:
    """How to treat the values of one type. A leaf is public whole and has no own part."""

    has_own = False
    has_secret = False
    is_plain = False
    """Whether a value is its own plain tree."""
    opens = False
    """Whether a draft of the value can be written to, instead of being replaced whole."""

    def dump(self, value: Any) -> Any:
        return value

    def load(self, dumped: Any) -> Any:
        return dumped

    def public(self, value: Any) -> Any:
        return value

    def own(self, value: Any, seat: Seat | None) -> Any:
        return ABSENT

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        return value

    def diff_public(self, old: Any, new: Any) -> Any:
        return SAME if old is new or old == new else self.public(new)

    def diff_own(self, old: Any, new: Any, seat: Seat | None) -> Any:
        return SAME

    def secret_changed(self, old: Any, new: Any) -> bool:
        return False

    def owners(self, value: Any, seat: Seat | None) -> Iterable[Seat]:
        """The seats that may have an own part in a value."""
        return ()

    def settle(self, value: Any, before: Any, seat: Seat | None) -> Settled:
        """The frozen value of what stands where `before` stood, and how it differs from it."""
        after = now(value)
        if after is before or after == before:
            return before, SAME, None, False
        if after is None:
            return None, None, None, self.has_secret
        if before is None:
            shown, secret = self.public(after), self.has_secret
        else:
            shown, secret = self.diff_public(before, after), self.secret_changed(before, after)
        owns: dict[Seat, Tree] = {}
        for owner in self.owners(after, seat) if self.has_own else ():
            own = self.own(after, owner) if before is None else self.diff_own(before, after, owner)
            if own is not SAME and own is not ABSENT:
                owns[owner] = own
        return after, shown, owns, secret


class Leaf(Plan):
    is_plain = True

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def load(self, dumped: Any) -> Any:
        if type(dumped) is not self.kind:
            raise ValueError(f"expected {self.kind.__name__}, not {dumped!r}")
        return dumped


class EnumLeaf(Plan):
    def __init__(self, kind: type[Enum]) -> None:
        self.kind = kind

    def dump(self, value: Any) -> Any:
        return value._value_

    def load(self, dumped: Any) -> Any:
        return self.kind(dumped)

    def public(self, value: Any) -> Any:
        return value._value_


class TuplePlan(Plan):
    """A tuple is replaced whole in a patch, so nothing inside may be hidden from anybody."""

    def __init__(self, items: Sequence[Plan], *, repeats: bool) -> None:
        self.items = items
        self.repeats = repeats
        self.plain = all(plan.is_plain for plan in items)

    def _paired(self, value: Sequence[Any]) -> Iterable[tuple[Plan, Any]]:
        if self.repeats:
            plan = self.items[0]
            return ((plan, item) for item in value)
        return zip(self.items, value, strict=True)

    def dump(self, value: Any) -> Any:
        if self.plain:
            return list(value)
        return [plan.dump(item) for plan, item in self._paired(value)]

    def load(self, dumped: Any) -> Any:
        if type(dumped) is not list:
            raise ValueError(f"expected a list, not {dumped!r}")
        return tuple(plan.load(item) for plan, item in self._paired(dumped))

    def public(self, value: Any) -> Any:
        if self.plain:
            return list(value)
        return [plan.public(item) for plan, item in self._paired(value)]


class RowPlan(Plan):
    """A node that is shown as an array of its fields."""

    def __init__(self, cls: type, names: Sequence[str], items: Sequence[Plan]) -> None:
        self.cls = cls
        self.names = names
        self.row = TuplePlan(items, repeats=False)
        self._shows = [_showing(plan) for plan in items]

    def dump(self, value: Any) -> Any:
        return self.public(value)

    def load(self, dumped: Any) -> Any:
        return self.cls(*self.row.load(dumped))

    def public(self, value: Any) -> Any:
        return [
            item if show is None else show(item)
            for show, item in zip(self._shows, astuple(value), strict=True)
        ]


def _showing(plan: Plan) -> Callable[[Any], Any] | None:
    """What shows a value that is public whole; None where it is its own plain tree."""
    if plan.is_plain:
        return None
    return list if isinstance(plan, TuplePlan) and plan.plain else plan.public


class KeyedPlan(Plan):
    opens = True

    def __init__(self, key: Callable[[str], Any], value: Plan, *, by_seat: bool) -> None:
        self.by_seat = by_seat
        self.key = key
        self.value = value
        self.has_own = value.has_own
        self.has_secret = value.has_secret

    def dump(self, value: Any) -> Any:
        return {str(key): self.value.dump(item) for key, item in value.items()}

    def load(self, dumped: Any) -> Any:
        return Keyed({self.key(key): self.value.load(item) for key, item in dumped.items()})

    def public(self, value: Any) -> Any:
        show = self.value.public
        return {str(key): show(item) for key, item in value.items()}

    def own(self, value: Any, seat: Seat | None) -> Any:
        made = {}
        for key, item in self._entries(value, seat):
            shown = self.value.own(item, key if self.by_seat else seat)
            if shown is not ABSENT:
                made[str(key)] = shown
        return made or ABSENT

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        if not self.has_secret:
            return value
        show = self.value.seen
        return Keyed(
            {key: show(item, eyes, key if self.by_seat else seat) for key, item in value.items()}
        )

    def _entries(self, value: Any, seat: Seat | None) -> Iterable[tuple[Any, Any]]:
        if not self.by_seat:
            return cast("Iterable[tuple[Any, Any]]", value.items())
        return ((seat, value[seat]),) if seat in value else ()

    def diff_public(self, old: Any, new: Any) -> Any:
        if old is new:
            return SAME
        patch: Tree = {}
        added = 0
        for key, before, item in new.changed(old):
            if before is None:
                added += 1
                patch[str(key)] = self.value.public(item)
                continue
            change = self.value.diff_public(before, item)
            if change is not SAME:
                patch[str(key)] = change
        if len(old) + added > len(new):
            patch.update((str(key), None) for key in old if key not in new)
        return patch or SAME

    def diff_own(self, old: Any, new: Any, seat: Seat | None) -> Any:
        if old is new:
            return SAME
        if self.by_seat and old.get(seat) is new.get(seat):
            return SAME
        patch: Tree = {}
        for key, item in self._entries(new, seat):
            before = old.get(key)
            if before is item:
                continue
            owner = key if self.by_seat else seat
            if before is None:
                change = self.value.own(item, owner)
            else:
                change = self.value.diff_own(before, item, owner)
            if change is not SAME and change is not ABSENT:
                patch[str(key)] = change
        return patch or SAME

    def secret_changed(self, old: Any, new: Any) -> bool:
        if old is new or not self.has_secret:
            return False
        if old.keys() != new.keys():
            return True
        return any(self.value.secret_changed(old[key], new[key]) for key in new)

    def owners(self, value: Any, seat: Seat | None) -> Iterable[Seat]:
        if self.by_seat:
            return cast("Iterable[Seat]", value.keys())
        return {owner for item in value.values() for owner in self.value.owners(item, seat)}

    def settle(self, value: Any, before: Any, seat: Seat | None) -> Settled:
        if type(value) is not KeyedDraft or value.draft_base is not before:
            return super().settle(value, before, seat)
        old, made, plan = before._map, value._map, self.value
        if made is old:
            return before, SAME, None, False
        patch: Tree = {}
        owns: dict[Seat, Tree] = {}
        secret, is_same = False, True
        made = made.copy()
        for key in value.touched:
            was, item = old.get(key), made.get(key)
            if item is was:
                continue
            name = str(key)
            if plan.opens:
                after, shown, own, differs = plan.settle(item, was, key if self.by_seat else seat)
                if after is was:
                    made[key] = was
                    continue
                if own:
                    for owner, part in own.items():
                        owns.setdefault(owner, {})[name] = part
                secret = secret or differs
            else:
                if item == was:
                    made[key] = was
                    continue
                after, shown = item, None if item is None else plan.public(item)
            is_same = False
            if shown is not SAME:
                patch[name] = shown
            if item is not None:
                made[key] = after
        if is_same:
            return before, SAME, None, False
        return wrapped(made), patch or SAME, owns, secret


class Field:
    """One field of a node: its name, its plan, its marker, and whether it may be absent."""

    __slots__ = ("name", "optional", "plan", "sight")

    def __init__(self, name: str, plan: Plan, sight: Sight, *, optional: bool) -> None:
        self.name = name
        self.plan = plan
        self.sight = sight
        self.optional = optional


class NodePlan(Plan):
    opens = True

    def __init__(self, cls: type, listed: Sequence[Field]) -> None:
        self.cls = cls
        self.draft = drafted(cls, [f.name for f in listed if f.plan.opens])
        self.listed = listed
        self.places = {field.name: place for place, field in enumerate(listed)}
        shown = [f for f in listed if f.sight is Sight.PUBLIC]
        owned = [f for f in listed if f.sight is Sight.OWNER]
        self.has_own = bool(owned) or any(f.plan.has_own for f in shown)
        self.has_secret = len(shown) < len(listed) or any(f.plan.has_secret for f in shown)
        self._dumped = self._placed(listed)
        self._places = [(self.places[f.name], f.name, _how(f), f.plan) for f in listed]
        self._shown = self._placed(shown)
        self._owned = self._placed(owned)
        self._below = self._placed([f for f in shown if f.plan.has_own])
        self._secret = [self.places[f.name] for f in listed if f.sight is not Sight.PUBLIC]
        self._secret_below = self._placed([f for f in shown if f.plan.has_secret])

    def _placed(self, fields: Sequence[Field]) -> list[tuple[int, str, Plan]]:
        return [(self.places[field.name], field.name, field.plan) for field in fields]

    def dump(self, value: Any) -> Any:
        values = astuple(value)
        made: Tree = {}
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
        made: Tree = {}
        for place, name, plan in self._shown:
            item = values[place]
            if item is not None:
                made[name] = item if plan.is_plain else plan.public(item)
        return made

    def own(self, value: Any, seat: Seat | None) -> Any:
        values = astuple(value)
        made: Tree = {}
        for place, name, plan in self._owned:
            item = values[place]
            if item is not None:
                made[name] = plan.public(item)
        for place, name, plan in self._below:
            item = values[place]
            shown = ABSENT if item is None else plan.own(item, seat)
            if shown is not ABSENT:
                made[name] = shown
        return made or ABSENT

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        if not self.has_secret:
            return value
        values: list[Any] = []
        for field, item in zip(self.listed, astuple(value), strict=True):
            if item is None or field.sight is Sight.HIDDEN:
                values.append(None)
            elif field.sight is Sight.OWNER:
                # What an owner sees is public inside it, and a tree hides nothing deeper down.
                values.append(field.plan.seen(item, eyes, seat) if seat in eyes else None)
            else:
                values.append(field.plan.seen(item, eyes, seat))
        return self.cls(*values)

    def diff_public(self, old: Any, new: Any) -> Any:
        if old is new:
            return SAME
        patch: Tree = {}
        _diff_fields(patch, self._shown, astuple(old), astuple(new))
        return patch or SAME

    def diff_own(self, old: Any, new: Any, seat: Seat | None) -> Any:
        if old is new:
            return SAME
        patch: Tree = {}
        olds, news = astuple(old), astuple(new)
        _diff_fields(patch, self._owned, olds, news)
        for place, name, plan in self._below:
            before, after = olds[place], news[place]
            if before is after or after is None:
                continue
            if before is None:
                change = plan.own(after, seat)
            else:
                change = plan.diff_own(before, after, seat)
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

    def settle(self, value: Any, before: Any, seat: Seat | None) -> Settled:
        if type(value) is not self.draft or value.draft_base is not before:
            return super().settle(value, before, seat)
        patch: Tree = {}
        owns: dict[Seat, Tree] = {}
        secret, is_same = False, True
        made = list(astuple(value))
        for (place, name, how, plan), was, item in zip(self._places, astuple(before), made):
            if item is was:
                continue
            after, shown = item, SAME
            if how is _PLAIN:
                if item != was:
                    shown = patch[name] = item
            elif how is _OPENS:
                after, shown, own, differs = plan.settle(item, was, seat)
                if shown is not SAME:
                    patch[name] = shown
                if own:
                    for owner, part in own.items():
                        owns.setdefault(owner, {})[name] = part
                secret = secret or differs
            elif how is _SHOWN:
                if item != was:
                    shown = patch[name] = None if item is None else plan.public(item)
            else:
                if plan.opens:
                    after = now(item)
                if after != was:
                    secret = True
                    if how is _OWNED and seat is not None:
                        shown = _patch_of(plan, was, after)
                        if shown is not SAME:
                            owns.setdefault(seat, {})[name] = shown
            if after is was or (shown is SAME and after == was):
                made[place] = was
            else:
                made[place] = after
                is_same = False
        if is_same:
            return before, SAME, None, False
        made.pop()
        return self.cls(*made), patch or SAME, owns, secret


_PLAIN, _SHOWN, _OPENS, _OWNED, _UNSEEN = range(5)
"""How a field is shown: as it is, by its plan, piece by piece, to its owner, to nobody."""


def _how(field: Field) -> int:
    if field.sight is not Sight.PUBLIC:
        return _OWNED if field.sight is Sight.OWNER else _UNSEEN
    if field.plan.opens:
        return _OPENS
    return _PLAIN if field.plan.is_plain else _SHOWN


def _patch_of(plan: Plan, before: Any, after: Any) -> Any:
    """What to show of a value that is public here and stands where another one, or none, stood."""
    if after is None:
        return None
    return plan.public(after) if before is None else plan.diff_public(before, after)


class OneOf(Plan):
    opens = True

    """A node of one of several classes; the key `is` says which."""

    def __init__(self, plans: Sequence[NodePlan]) -> None:
        self.plans = {plan.cls: plan for plan in plans}
        self.names = {plan.cls.__name__: plan for plan in plans}
        self.has_own = any(plan.has_own for plan in plans)
        self.has_secret = any(plan.has_secret for plan in plans)

    def dump(self, value: Any) -> Any:
        return {"is": type(value).__name__, **self.plans[type(value)].dump(value)}

    def load(self, dumped: Any) -> Any:
        fields = dict(dumped)
        return self.names[fields.pop("is")].load(fields)

    def public(self, value: Any) -> Any:
        return {"is": type(value).__name__, **self.plans[type(value)].public(value)}

    def own(self, value: Any, seat: Seat | None) -> Any:
        return self.plans[type(value)].own(value, seat)

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        return self.plans[type(value)].seen(value, eyes, seat)

    def diff_public(self, old: Any, new: Any) -> Any:
        if type(old) is type(new):
            return self.plans[type(new)].diff_public(old, new)
        return merge_diff(self.public(old), self.public(new)) or SAME

    def diff_own(self, old: Any, new: Any, seat: Seat | None) -> Any:
        if type(old) is type(new):
            return self.plans[type(new)].diff_own(old, new, seat)
        # The public patch has made the old public part into the new one; what the old class owned
        # lies on it still.
        had, public = self.public(old), self.public(new)
        graft(had, self._owned(old, seat))
        left = patched(had, merge_diff(self.public(old), public))
        graft(public, self._owned(new, seat))
        return merge_diff(left, public) or SAME

    def _owned(self, value: Any, seat: Seat | None) -> Tree:
        shown = self.own(value, seat)
        return {} if shown is ABSENT else cast(Tree, shown)

    def secret_changed(self, old: Any, new: Any) -> bool:
        if type(old) is type(new):
            return self.plans[type(new)].secret_changed(old, new)
        return self.has_secret

    def owners(self, value: Any, seat: Seat | None) -> Iterable[Seat]:
        return self.plans[type(value)].owners(value, seat)

    def settle(self, value: Any, before: Any, seat: Seat | None) -> Settled:
        plan = self.plans.get(type(before))
        if plan is not None and type(value) is plan.draft:
            return plan.settle(value, before, seat)
        return super().settle(value, before, seat)


def _diff_fields(
    patch: Tree,
    fields: Sequence[tuple[int, str, Plan]],
    olds: Sequence[Any],
    news: Sequence[Any],
) -> None:
    """Put what has changed of some fields of a node into a patch."""
    for place, name, plan in fields:
        before, after = olds[place], news[place]
        if before is after:
            continue
        change = _patch_of(plan, before, after)
        if change is not SAME:
            patch[name] = change
