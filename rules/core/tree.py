"""What can be done with any state: dump, load, digest, project for eyes, and diff.

`tree_of(cls)` compiles the hints of a node class once into a plan of small objects, one for each
type; all functions walk the plan, so no game writes serialisation or hiding code of its own.

Views and dumps are plain trees of dicts, lists, strings, integers and booleans. A view has no
nulls: what is None is an absent key. Patches are JSON merge patches (RFC 7396), where null deletes.
"""

from __future__ import annotations

import functools
import hashlib
import json
import operator
import types
from collections.abc import Iterable, Sequence
from dataclasses import is_dataclass
from enum import Enum
from typing import Any, Final, Generic, TypeVar, Union, cast, get_args, get_origin

from rules.core.keyed import Keyed
from rules.core.vision import Eyes, Seat, Sight, VisionError, marked_hints, sight_of

Tree = dict[str, Any]  # Any: a plain JSON tree, whose shape is the game's own
N = TypeVar("N")

INTEGER_BOUND: Final = 2**53
"""Beyond this a whole number is not exact in every client."""


class _Nothing(Enum):
    SAME = "same"
    ABSENT = "absent"


SAME: Final = _Nothing.SAME
ABSENT: Final = _Nothing.ABSENT


class _Plan:
    """How to treat the values of one type. A leaf is public whole and has no own part."""

    has_own = False
    has_secret = False

    def dump(self, value: Any) -> Any:
        return value

    def load(self, dumped: Any) -> Any:
        return dumped

    def public(self, value: Any) -> Any:
        return value

    def own(self, value: Any, seat: Seat | None) -> Any:
        return ABSENT

    def diff_public(self, old: Any, new: Any) -> Any:
        return SAME if old is new or old == new else self.public(new)

    def diff_own(self, old: Any, new: Any, seat: Seat | None) -> Any:
        return SAME

    def secret_changed(self, old: Any, new: Any) -> bool:
        return False


class _Leaf(_Plan):
    def __init__(self, kind: type) -> None:
        self.kind = kind

    def load(self, dumped: Any) -> Any:
        if type(dumped) is not self.kind:
            raise ValueError(f"expected {self.kind.__name__}, not {dumped!r}")
        return dumped


class _EnumLeaf(_Plan):
    def __init__(self, kind: type[Enum]) -> None:
        self.kind = kind

    def dump(self, value: Any) -> Any:
        return value.value

    def load(self, dumped: Any) -> Any:
        return self.kind(dumped)

    def public(self, value: Any) -> Any:
        return value.value


class _Tuple(_Plan):
    """A tuple is replaced whole in a patch, so nothing inside may be hidden from anybody."""

    def __init__(self, items: Sequence[_Plan], *, repeats: bool) -> None:
        self.items = items
        self.repeats = repeats
        self.plain = all(type(plan) is _Leaf for plan in items)

    def _paired(self, value: Sequence[Any]) -> Iterable[tuple[_Plan, Any]]:
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


class _KeyedPlan(_Plan):
    def __init__(self, key: object, value: _Plan) -> None:
        self.by_seat = key is Seat
        self.key = _key_reader(key)
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

    def _entries(self, value: Any, seat: Seat | None) -> Iterable[tuple[Any, Any]]:
        if not self.by_seat:
            return cast("Iterable[tuple[Any, Any]]", value.items())
        return ((seat, value[seat]),) if seat in value else ()

    def diff_public(self, old: Any, new: Any) -> Any:
        if old is new:
            return SAME
        patch: Tree = {}
        for key, item in new.items():
            before = old.get(key)
            if before is item:
                continue
            change = (
                self.value.public(item) if before is None else self.value.diff_public(before, item)
            )
            if change is not SAME:
                patch[str(key)] = change
        if len(old) != len(new) or patch:
            patch.update((str(key), None) for key in old if key not in new)
        return patch or SAME

    def diff_own(self, old: Any, new: Any, seat: Seat | None) -> Any:
        if old is new:
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


class _Field:
    """One field of a node: its name, its plan, its marker."""

    __slots__ = ("name", "plan", "sight")

    def __init__(self, name: str, plan: _Plan, sight: Sight) -> None:
        self.name = name
        self.plan = plan
        self.sight = sight


class _Node(_Plan):
    def __init__(self, cls: type, listed: Sequence[_Field]) -> None:
        self.cls = cls
        self.listed = listed
        self.shown = [(f.name, f.plan) for f in listed if f.sight is Sight.PUBLIC]
        self.owned = [(f.name, f.plan) for f in listed if f.sight is Sight.OWNER]
        self.below = [(name, plan) for name, plan in self.shown if plan.has_own]
        self.secret_fields = [f.name for f in listed if f.sight is not Sight.PUBLIC]
        self.secret_below = [(name, plan) for name, plan in self.shown if plan.has_secret]
        self.has_own = bool(self.owned or self.below)
        self.has_secret = bool(self.secret_fields or self.secret_below)

    def dump(self, value: Any) -> Any:
        made: Tree = {}
        for field in self.listed:
            item = getattr(value, field.name)
            if item is not None:
                made[field.name] = field.plan.dump(item)
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
        made: Tree = {}
        for name, plan in self.shown:
            item = getattr(value, name)
            if item is not None:
                made[name] = plan.public(item)
        return made

    def own(self, value: Any, seat: Seat | None) -> Any:
        made: Tree = {}
        for name, plan in self.owned:
            item = getattr(value, name)
            if item is not None:
                made[name] = plan.public(item)
        for name, plan in self.below:
            item = getattr(value, name)
            shown = ABSENT if item is None else plan.own(item, seat)
            if shown is not ABSENT:
                made[name] = shown
        return made or ABSENT

    def diff_public(self, old: Any, new: Any) -> Any:
        if old is new:
            return SAME
        return _diff_fields(self.shown, old, new) or SAME

    def diff_own(self, old: Any, new: Any, seat: Seat | None) -> Any:
        if old is new:
            return SAME
        patch = _diff_fields(self.owned, old, new)
        for name, plan in self.below:
            before, after = getattr(old, name), getattr(new, name)
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
        if any(getattr(old, name) != getattr(new, name) for name in self.secret_fields):
            return True
        for name, plan in self.secret_below:
            before, after = getattr(old, name), getattr(new, name)
            if before is after:
                continue
            if before is None or after is None or plan.secret_changed(before, after):
                return True
        return False


class _OneOf(_Plan):
    """A node of one of several classes; the key `is` says which."""

    def __init__(self, plans: Sequence[_Node]) -> None:
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

    def diff_public(self, old: Any, new: Any) -> Any:
        if type(old) is type(new):
            return self.plans[type(new)].diff_public(old, new)
        return _merge_diff(self.public(old), self.public(new)) or SAME

    def diff_own(self, old: Any, new: Any, seat: Seat | None) -> Any:
        if type(old) is type(new):
            return self.plans[type(new)].diff_own(old, new, seat)
        # What the old class owned and the new one does not show stays unless it is deleted here.
        before, after = self.own(old, seat), self.own(new, seat)
        public = self.public(new)
        gone = {} if before is ABSENT else before
        kept = {} if after is ABSENT else after
        patch = _merge_diff({k: v for k, v in gone.items() if k not in public}, kept)
        return patch or SAME

    def secret_changed(self, old: Any, new: Any) -> bool:
        if type(old) is type(new):
            return self.plans[type(new)].secret_changed(old, new)
        return self.has_secret


def _diff_fields(listed: Sequence[tuple[str, _Plan]], old: Any, new: Any) -> Tree:
    patch: Tree = {}
    for name, plan in listed:
        before, after = getattr(old, name), getattr(new, name)
        if before is after:
            continue
        if after is None:
            patch[name] = None
        elif before is None:
            patch[name] = plan.public(after)
        else:
            change = plan.diff_public(before, after)
            if change is not SAME:
                patch[name] = change
    return patch


def _merge_diff(old: Tree, new: Tree) -> Tree:
    """The merge patch from one plain tree to another."""
    patch: Tree = {key: None for key in old if key not in new}
    for key, item in new.items():
        before = old.get(key)
        if isinstance(before, dict) and isinstance(item, dict):
            inner = _merge_diff(before, item)
            if inner:
                patch[key] = inner
        elif before != item:
            patch[key] = item
    return patch


def _key_reader(key: object) -> Any:
    base = getattr(key, "__supertype__", key)
    if isinstance(base, type) and issubclass(base, Enum | int | str):
        return base
    raise VisionError(f"a key is a whole number, a string or an enum of those, not {key!r}")


def _plan_of(hint: Any, *, inside_seat: bool, inside_owner: bool) -> _Plan:
    """The plan of one type; raises VisionError where the type cannot be part of a state."""
    origin = get_origin(hint)
    if hint in (int, str, bool):
        return _Leaf(hint)
    if hasattr(hint, "__supertype__"):
        return _plan_of(hint.__supertype__, inside_seat=inside_seat, inside_owner=inside_owner)
    if origin in (Union, types.UnionType):
        return _union_plan(hint, inside_seat=inside_seat, inside_owner=inside_owner)
    if origin is tuple:
        return _tuple_plan(hint)
    if origin is Keyed:
        key, value = get_args(hint)
        below = _plan_of(value, inside_seat=inside_seat or key is Seat, inside_owner=inside_owner)
        return _KeyedPlan(key, below)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _EnumLeaf(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return _node_plan(hint, inside_seat=inside_seat, inside_owner=inside_owner)
    raise VisionError(f"a state cannot hold {hint!r}")


def _union_plan(hint: Any, *, inside_seat: bool, inside_owner: bool) -> _Plan:
    plans = [
        _plan_of(kind, inside_seat=inside_seat, inside_owner=inside_owner)
        for kind in get_args(hint)
    ]
    if not all(isinstance(plan, _Node) for plan in plans):
        raise VisionError(f"alternatives must be node classes: {hint!r}")
    return _OneOf(cast("list[_Node]", plans))


def _tuple_plan(hint: Any) -> _Plan:
    arguments = get_args(hint)
    repeats = len(arguments) == 2 and arguments[1] is Ellipsis
    kinds = arguments[:1] if repeats else arguments
    plans = [_plan_of(kind, inside_seat=False, inside_owner=True) for kind in kinds]
    if any(plan.has_own or plan.has_secret for plan in plans):
        raise VisionError(f"a tuple is replaced whole, so it cannot hold secrets: {hint!r}")
    return _Tuple(plans, repeats=repeats)


def _node_plan(cls: type, *, inside_seat: bool, inside_owner: bool) -> _Node:
    if not hasattr(cls, "__but__"):
        raise VisionError(f"{cls.__name__} is not declared with @state")
    listed = []
    for name, hint in marked_hints(cls).items():
        sight = sight_of(hint)
        if sight is None:
            raise VisionError(f"{cls.__name__}.{name}: no visibility marker")
        if sight is Sight.OWNER and inside_owner:
            raise VisionError(f"{cls.__name__}.{name}: what an owner sees is public inside it")
        if sight is Sight.OWNER and not inside_seat:
            raise VisionError(f"{cls.__name__}.{name}: Owner outside of any seat")
        plan = _plan_of(
            _without_none(hint),
            inside_seat=inside_seat,
            inside_owner=inside_owner or sight is Sight.OWNER,
        )
        listed.append(_Field(name, plan, sight))
    return _Node(cls, listed)


def _without_none(hint: Any) -> Any:
    """The type of an optional field, whose None is an absent key."""
    kind = hint.__origin__
    if get_origin(kind) not in (Union, types.UnionType):
        return kind
    kinds = tuple(each for each in get_args(kind) if each is not type(None))
    return functools.reduce(operator.or_, kinds)


class StateTree(Generic[N]):
    """Everything generic about the nodes of one class; made by `tree_of`."""

    def __init__(self, cls: type[N], *, inside_seat: bool = False) -> None:
        self._plan = _node_plan(cls, inside_seat=inside_seat, inside_owner=False)

    def dump(self, node: N) -> Tree:
        """Everything, hidden fields included, as a plain tree."""
        return cast(Tree, self._plan.dump(node))

    def load(self, dumped: Tree) -> N:
        """The node that was dumped; ValueError, KeyError or TypeError if it is none."""
        return cast(N, self._plan.load(dumped))

    def digest(self, node: N) -> str:
        """32 hexadecimal digits that differ when anything in the node differs."""
        return hashlib.sha256(canonical(self.dump(node))).hexdigest()[:32]

    def public(self, node: N) -> Tree:
        """What everybody sees."""
        return cast(Tree, self._plan.public(node))

    def own(self, node: N, seat: Seat) -> Tree:
        """What only this seat sees, as a merge patch on the public view."""
        shown = self._plan.own(node, seat)
        return {} if shown is ABSENT else cast(Tree, shown)

    def view(self, node: N, eyes: Eyes) -> Tree:
        """What these eyes see: the public view with the own part of each seat."""
        made = self.public(node)
        for seat in sorted(eyes):
            graft(made, self.own(node, seat))
        return made

    def diff_public(self, old: N, new: N) -> Tree | None:
        """The merge patch of the public view; None when nothing public changed."""
        patch = self._plan.diff_public(old, new)
        return None if patch is SAME else cast(Tree, patch)

    def diff_own(self, old: N, new: N, seat: Seat) -> Tree | None:
        """The merge patch of one seat's own part, to apply after the public one; or None."""
        patch = self._plan.diff_own(old, new, seat)
        return None if patch is SAME else cast(Tree, patch)

    def secret_changed(self, old: N, new: N) -> bool:
        """Whether anything that is not public differs between two nodes."""
        return self._plan.secret_changed(old, new)


_TREES: dict[tuple[type, bool], StateTree[Any]] = {}


def tree_of(cls: type[N], *, inside_seat: bool = False) -> StateTree[N]:
    """The plan of a node class, compiled once.

    `inside_seat` allows Owner fields at the top, for moves (owner: the mover) and events (owner:
    their `seat`). Raises VisionError if a type cannot be part of a state.
    """
    made = _TREES.get((cls, inside_seat))
    if made is None:
        made = _TREES[cls, inside_seat] = StateTree(cls, inside_seat=inside_seat)
    return made


def graft(target: Tree, part: Tree) -> None:
    """Put an own part into a public view, in place."""
    for key, item in part.items():
        below = target.get(key)
        if isinstance(below, dict) and isinstance(item, dict):
            graft(below, item)
        else:
            target[key] = item


def canonical(tree: object) -> bytes:
    """The one text form of a plain tree: JSON, sorted keys, no spaces, UTF-8."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


__all__ = ["ABSENT", "INTEGER_BOUND", "SAME", "StateTree", "Tree", "canonical", "graft", "tree_of"]
