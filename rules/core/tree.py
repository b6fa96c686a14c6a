"""Generic operations on states: dump, load, digest, views for given eyes, and patches.

`tree_of(cls)` compiles the type hints of a node class once into codecs
(`bluebear.rules.core.type_codecs`), which do all the work. So no game writes code for serialisation
or for hiding.

Views and dumps are plain trees of dicts, lists, strings, integers and booleans. They have no nulls:
None is an absent key. Patches are JSON merge patches (RFC 7396), where null deletes.
"""

from __future__ import annotations

import functools
import hashlib
import operator
import types
from collections.abc import Callable, Sequence
from enum import Enum, IntEnum, StrEnum
from typing import Any, Final, Generic, NamedTuple, TypeVar, Union, cast, get_args, get_origin

from bluebear.rules.core.draft import draft_of
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.merge_patch import Shaped, canonical
from bluebear.rules.core.settle import compiled
from bluebear.rules.core.type_codecs import (
    SAME,
    Changes,
    Field,
    KeyedPlan,
    Leaf,
    NodePlan,
    OneOf,
    Plan,
)
from bluebear.rules.core.visibility import (
    SPECTATOR,
    Event,
    Eyes,
    Move,
    Node,
    Row,
    Seat,
    Visibility,
    VisibilityError,
    marked_hints,
    require,
    visibility_of,
)

N = TypeVar("N")

_UNIONS: Final = (Union, types.UnionType)
_TYPES: Final = {int: "integer", str: "string", bool: "boolean"}

INTEGER_BOUND: Final = 2**53
"""The largest whole number that is exact in every client."""


class _Inside(NamedTuple):
    """Whether a type stands inside of a seat, below a seat's key, inside of a field with a secret.

    `seat` is also true at the top of moves and events. Inside of an Owner field `sight` is OWNER.
    """

    seat: bool = False
    keyed: bool = False
    sight: Visibility = Visibility.PUBLIC


def _plan_of(hint: Any, inside: _Inside) -> Plan:
    """The plan of one type. Raises VisibilityError if the type cannot be part of a state."""
    origin = get_origin(hint)
    if origin in _UNIONS:
        plans = [_plan_of(kind, inside) for kind in get_args(hint)]
        if not all(isinstance(plan, NodePlan) for plan in plans):
            raise VisibilityError(f"alternatives must be node classes: {hint!r}")
        return OneOf(cast("list[NodePlan]", plans))
    if origin is Keyed:
        key, value = get_args(hint)
        kind = getattr(key, "__supertype__", key)
        if kind not in (int, str) and not {IntEnum, StrEnum} & {*getattr(kind, "__mro__", ())}:
            raise VisibilityError(f"a key is int, str, an IntEnum or a StrEnum, not {key!r}")
        below = _plan_of(value, inside._replace(seat=True, keyed=True) if key is Seat else inside)
        is_nested = key is Seat and inside.keyed and inside.sight is not Visibility.HIDDEN
        if is_nested and below.has_private:
            raise VisibilityError("seats inside of a seat, with secrets of their own")
        return KeyedPlan(kind, below, by_seat=key is Seat)
    if (
        isinstance(hint, type)
        and issubclass(hint, Node)
        and not issubclass(hint, Row | Move | Event)
    ):
        return NodePlan(hint, _fields(hint, inside))
    return _leaf(hint)


def _leaf(hint: Any) -> Leaf:
    """The plan of what is shown whole: a number, text, flag or enum, a row or tuple of them."""
    kind = getattr(hint, "__supertype__", hint)
    if kind in _TYPES:
        return Leaf(kind, {"type": _TYPES[kind]}, "{0}")
    if get_origin(kind) is tuple:
        items = [_leaf(each) for each in get_args(kind) if each is not Ellipsis]
        if get_args(kind)[1:] != (Ellipsis,):
            return _array(kind, items, [f"{{0}}[{at}]" for at in range(len(items))])
        shown = f"{items[0].shown('each')} for each in {{0}}"
        schema = {"type": "array", "items": items[0].schema()}
        return Leaf(kind, schema, "[*{0}]" if items[0].is_plain else f"[{shown}]")
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Leaf(kind, {"enum": [each.value for each in kind]}, "{0}._value_")
    if isinstance(kind, type) and issubclass(kind, Node):
        return _node_leaf(kind)
    raise VisibilityError(f"a state cannot hold {hint!r}")


def _node_leaf(cls: type[Node]) -> Leaf:
    """The plan of a row, or of a node in a tuple."""
    fields = _fields(cls, _Inside())
    plans: dict[str, Leaf] = {}
    for field in fields:
        plan = _node_leaf(field.plan.cls) if isinstance(field.plan, NodePlan) else field.plan
        if field.sight is not Visibility.PUBLIC or field.optional or not isinstance(plan, Leaf):
            what = "a row or a tuple is shown whole: public, present, of one class, not Keyed"
            raise VisibilityError(f"{cls.__name__}.{field.name}: {what}", within=cls)
        plans[field.name] = plan
    if issubclass(cls, Row):
        parts = [f"{{0}}.{name}" for name in plans]
        return _array(cls, [*plans.values()], parts, **{"x-fields": [*plans]})
    parts = [f"{name}={plan.shown(f'{{0}}.{name}')}" for name, plan in plans.items()]
    return Leaf(cls, NodePlan(cls, fields).schema(), f"dict({', '.join(parts)})")


def _array(hint: Any, items: Sequence[Leaf], parts: Sequence[str], **more: Any) -> Leaf:
    """The plan of a tuple or a row: its items, and the expressions of their values."""
    count, schemas = len(items), [item.schema() for item in items]
    schema = {"type": "array", "prefixItems": schemas, "minItems": count, "maxItems": count}
    shown = ", ".join(item.shown(part) for item, part in zip(items, parts, strict=True))
    return Leaf(hint, {**schema, **more}, f"[{shown}]")


def _fields(cls: type, inside: _Inside) -> list[Field]:
    """The fields of a node class with their plans. VisibilityError for a wrong declaration."""
    listed = []
    for name, hint in marked_hints(cls).items():
        try:
            listed.append(_field(name, hint, inside))
        except VisibilityError as problem:
            if problem.within is not None:
                raise
            what = f"{cls.__name__}.{name}: {problem}"
            raise VisibilityError(what, within=cls) from problem
    return listed


def _field(name: str, hint: Any, inside: _Inside) -> Field:
    sight = require(visibility_of(hint))
    if sight is Visibility.OWNER is inside.sight:
        raise VisibilityError("what an owner sees is public inside it")
    if sight is Visibility.OWNER and not inside.seat:
        raise VisibilityError("Owner outside of any seat")
    kind = hint.__origin__
    if get_origin(kind) in _UNIONS:  # None is an absent key
        kinds = (each for each in get_args(kind) if each is not type(None))
        kind = functools.reduce(operator.or_, kinds)
    is_deeper = sight is not Visibility.PUBLIC and inside.sight is not Visibility.OWNER
    plan = _plan_of(kind, inside._replace(sight=sight) if is_deeper else inside)
    return Field(name, plan, sight, optional=kind is not hint.__origin__)


class StateTree(Generic[N]):
    """The operations on nodes of one class; made by `tree_of`."""

    def __init__(self, cls: type[N], *, inside_seat: bool = False) -> None:
        self.plan = NodePlan(cast("type[Node]", cls), _fields(cls, _Inside(seat=inside_seat)))
        self._settle, self.settle_text = compiled(self.plan)
        self.draft: Callable[[N], N] = self.plan.makes.get(cls, draft_of)
        """A draft of a node: a writable copy."""
        self.dump: Callable[[N], Shaped] = self.plan.dump
        """The node as a plain tree, hidden fields included."""
        self.load: Callable[[Shaped], N] = self.plan.load
        """The node of a dump or view. Raises ValueError, KeyError or TypeError for other trees."""
        self.view_schema: Callable[[], Shaped] = self.plan.schema
        """The JSON Schema (2020-12) of all views of such a node."""

    def digest(self, node: N) -> str:
        """32 hexadecimal digits that differ when anything in the node differs."""
        return hashlib.sha256(canonical(self.dump(node))).hexdigest()[:32]

    def seen(self, node: N, eyes: Eyes, owner: Seat | None = None) -> N:
        """The view of these eyes as a node, None in each field that is hidden from them.

        `owner` is the seat of a node that is inside of it: a move's mover, an event's seat.
        """
        return cast(N, self.plan.seen(node, eyes, owner)) if self.plan.has_secret else node

    def view(self, node: N, eyes: Eyes = SPECTATOR, owner: Seat | None = None) -> Shaped:
        """The view of these eyes as a plain tree; by default what every viewer sees."""
        return cast(Shaped, self.plan.dump(self.seen(node, eyes, owner)))

    def settle(self, after: N, before: N) -> tuple[N, Changes]:
        """The next state, from a draft of the state before, and the patches to it."""
        made, public, private, secret = self._settle(after, before, None)
        return made, Changes(None if public is SAME else public, private, secret)

    def changes(self, before: N, after: N) -> Changes:
        """The patches from one state to another."""
        return self.settle(after, before)[1]


@functools.cache  # bounded: the node classes
def tree_of(cls: type[N], *, inside_seat: bool = False) -> StateTree[N]:
    """The tree of a node class, compiled once.

    `inside_seat` allows Owner fields at the top, for moves (owner: the mover) and events (owner:
    their `seat`). Raises VisibilityError if a type cannot be part of a state.
    """
    return StateTree(cls, inside_seat=inside_seat)
