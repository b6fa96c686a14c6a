"""Drafts: writable copies of states, and how they are frozen to the next state.

The draft of a state reads like the state and can be written to:

    draft.seats[seat].hand = hand
    draft.cities[city][site] = Building(floors, seat)
    del draft.offers[number]

An attribute that is a node or a Keyed is a draft itself, and so is the value that `[key]` returns.
Values from `items`, `values`, `get` and `peek` are for reading and cost no draft; to write to one,
look it up by its key.

`freeze` freezes a draft to the next state, which shares all unwritten parts with the state before.
The patches for each viewer are computed from the two states by the codecs of their fields
(`bluebear.rules.core.type_codecs`), so a draft cannot show what the type hides.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import is_
from typing import Any, Final, TypeVar, cast

import msgspec
from msgspec.structs import astuple

from bluebear.rules.core.keyed import Keyed, fill, fresh, look_up, put_at, take_out
from bluebear.rules.core.visibility import DRAFT, Node

N = TypeVar("N")

BASE: Final = "draft_base"
"""The last field of a draft: the node that it is a copy of."""

_DRAFTS: dict[type, Callable[[Any], Any]] = {}
"""The factory of drafts for each class; classes without one are replaced whole."""

_FREEZERS: dict[type, Callable[[Any], Any]] = {}
"""The function that freezes a draft, for each class of drafts."""


class KeyedDraft(Keyed[Any, Any]):
    """The draft of a Keyed: a copy with a reference to its base and a list of the written keys.

    `touched` lists the keys whose values were set, deleted or made drafts, some of them twice.
    """

    __slots__ = ("draft_base", "touched")

    draft_base: Keyed[Any, Any]
    touched: list[Any]

    def __getitem__(self, key: Any) -> Any:
        value = look_up(self, key)
        make = _DRAFTS.get(type(value))
        if make is not None:
            value = make(value)
            put_at(self, key, value)
            self.touched.append(key)
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        self.touched.append(key)
        later = () if key in self else [other for other in self if other > key]
        put_at(self, key, value)
        for other in later:
            put_at(self, other, take_out(self, other))

    def __delitem__(self, key: Any) -> None:
        dict.__delitem__(self, key)
        self.touched.append(key)

    def put(self, key: Any, value: Any) -> Keyed[Any, Any]:
        raise TypeError("a draft is written to: draft[key] = value")

    def drop(self, key: Any) -> Keyed[Any, Any]:
        raise TypeError("a draft is written to: del draft[key]")

    def __hash__(self) -> int:  # type: ignore[override]  # a draft changes
        raise TypeError("a draft changes; `freeze` gives its value as it is now")


def _keyed_draft(base: Keyed[Any, Any]) -> KeyedDraft:
    made = fresh(KeyedDraft)
    fill(made, base)
    made.draft_base = base
    made.touched = []
    return made


_DRAFTS[Keyed] = _keyed_draft


@cache
def drafted(cls: type[Node], opening: tuple[str, ...]) -> type[Node]:
    """Make the class of the drafts of a node class; `opening` names the fields that hold drafts.

    It is a subclass with the same fields, not frozen, so a draft has all methods of the node.
    """
    opens = {name: _opening(getattr(cls, name)) for name in opening}
    made = msgspec.defstruct(
        f"{cls.__name__}Draft",
        [(BASE, Any, None)],
        bases=(cls,),
        namespace={DRAFT: cls, "__hash__": _unhashable, **opens},
        frozen=False,
        module=cls.__module__,
    )
    _DRAFTS[cls] = lambda node: made(*astuple(node), node)
    _FREEZERS[made] = _freezer(cls, [field in opens for field in cls.__struct_fields__])
    return cast("type[Node]", made)


def _unhashable(self: object) -> int:
    raise TypeError("a draft changes; `freeze` gives its value as it is now")


def _opening(slot: Any) -> property:  # Any: the descriptor of a Struct's field
    """A field that returns the draft of its value, made at the first access."""
    get, put = slot.__get__, slot.__set__

    def opened(draft: object) -> Any:
        value = get(draft)
        make = _DRAFTS.get(type(value))
        if make is not None:
            value = make(value)
            put(draft, value)
        return value

    return property(opened, put)


def _freezer(cls: type[Node], opening: list[bool]) -> Callable[[Any], Any]:
    """The function that freezes the drafts of a node class."""
    places = [place for place, opens in enumerate(opening) if opens]

    def frozen(draft: Any) -> Any:
        *values, base = astuple(draft)
        for place in places:
            freezer = _FREEZERS.get(type(values[place]))
            if freezer is not None:
                values[place] = freezer(values[place])
        return base if all(map(is_, values, astuple(base))) else cls(*values)

    return frozen


def _freeze_keyed(draft: KeyedDraft) -> Keyed[Any, Any]:
    base = draft.draft_base
    written = {}
    is_same = True
    for key in draft.touched:
        value = draft.get(key)
        freezer = _FREEZERS.get(type(value))
        if freezer is not None:
            value = written[key] = freezer(value)
        is_same = is_same and value is base.get(key)
    if is_same:
        return base
    made: Keyed[Any, Any] = fresh(Keyed)
    fill(made, draft)
    fill(made, written)
    return made


_FREEZERS[KeyedDraft] = _freeze_keyed


def draft_of(node: N) -> N:
    """A draft of a node. `tree_of` must have compiled the node's class."""
    return cast(N, _DRAFTS[type(node)](node))


def freeze(value: N) -> N:
    """Freeze a part of a draft, for many reads, storing or lookups; return other values as is.

    Raises TypeError for a draft of an unknown class.
    """
    freezer = _FREEZERS.get(type(value))
    if freezer is not None:
        return cast(N, freezer(value))
    if hasattr(value, BASE):
        raise TypeError(f"{type(value).__name__} is no class of drafts that is known")
    return value
