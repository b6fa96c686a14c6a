"""Drafts: what a move writes to, and how the changes come out of it.

The draft of a state reads like the state and can be written to:

    draft.seats[seat].hand = hand
    draft.cities[city][site] = Building(floors, seat)
    del draft.offers[number]

An attribute that is a node or a Keyed, and what `[key]` gives, is a draft itself. What one loops
over (`items`, `values`) or gets (`get`) is to be read; to write to it, look it up by its key.

`settled` (called by the core, never by a game) gives the next state, which shares with the last
one whatever was not written to, and the changes: the public patch, the own patch of every seat,
and whether anything secret differs. Who sees a change is decided by the markers of the field that
was written to, as in every view: a draft cannot show what the type hides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import msgspec

from rules.core.keyed import Keyed, in_order
from rules.core.vision import DRAFT, Node

if TYPE_CHECKING:
    from collections.abc import Iterable

N = TypeVar("N")

_DRAFTS: dict[type, Callable[[Any], Any]] = {}
"""What makes the draft of a value of a class; nothing for classes that are replaced whole."""


class KeyedDraft(Keyed[Any, Any]):
    """The draft of a Keyed: it copies the mapping when it is first written to."""

    __slots__ = ("draft_base", "touched")

    draft_base: Keyed[Any, Any]
    touched: dict[Any, None]
    """The keys whose values were replaced, put in, opened or taken out."""

    def __init__(self, base: Keyed[Any, Any]) -> None:
        self._map = base._map
        self.draft_base = base
        self.touched = {}

    def _write(self, key: Any, value: Any) -> None:
        if not self.touched:
            self._map = self._map.copy()
        self.touched[key] = None
        new = key not in self._map
        self._map[key] = value
        if new:
            self._map = in_order(self._map)

    def __getitem__(self, key: Any) -> Any:
        value = self._map[key]
        make = _DRAFTS.get(type(value))
        if make is not None:
            value = make(value)
            self._write(key, value)
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        self._write(key, value)

    def __delitem__(self, key: Any) -> None:
        if not self.touched:
            self._map = self._map.copy()
        self.touched[key] = None
        del self._map[key]

    def put(self, key: Any, value: Any) -> Keyed[Any, Any]:
        raise TypeError("a draft is written to: draft[key] = value")

    def drop(self, key: Any) -> Keyed[Any, Any]:
        raise TypeError("a draft is written to: del draft[key]")

    def __hash__(self) -> int:
        raise TypeError("a draft changes; `now` gives its value as it is now")


_DRAFTS[Keyed] = KeyedDraft

BASE: Final = "draft_base"
"""The last field of a draft: the node that it was made of."""


def is_draft(value: object) -> bool:
    """Whether a value is a draft of a node or of a Keyed."""
    return type(value) is KeyedDraft or hasattr(type(value), DRAFT)


def drafted(cls: type[Node], opening: Iterable[str]) -> type[Node]:
    """The class of the drafts of a node class; `opening` names the fields that hold drafts.

    It is a subclass with the same fields, not frozen, so whatever a node can do its draft can.
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
    astuple = msgspec.structs.astuple
    _DRAFTS[cls] = lambda node: made(*astuple(node), node)
    return cast("type[Node]", made)


def _unhashable(self: object) -> int:
    raise TypeError("a draft changes; `now` gives its value as it is now")


def _opening(slot: Any) -> property:  # Any: the descriptor of a Struct's field
    """A field that gives the draft of its value, made when it is first asked for."""
    get, put = slot.__get__, slot.__set__

    def opened(draft: object) -> Any:
        value = get(draft)
        make = _DRAFTS.get(type(value))
        if make is not None:
            value = make(value)
            put(draft, value)
        return value

    return property(opened, put)


def draft_of(node: N) -> N:
    """A draft of a node whose class some tree has compiled."""
    return cast(N, _DRAFTS[type(node)](node))


def now(value: N) -> N:
    """A part of a draft as it is now, frozen; of anything else the value itself.

    For reading much, for values that are kept, and for whatever is looked up by its value.
    """
    if isinstance(value, KeyedDraft):
        return cast(N, _keyed_now(value))
    if not hasattr(type(value), DRAFT):
        return value
    *values, base = msgspec.structs.astuple(cast(Any, value))
    frozen = [now(each) for each in values]
    old = msgspec.structs.astuple(base)
    if all(one is other for one, other in zip(frozen, old, strict=True)):
        return cast(N, base)
    return cast(N, type(base)(*frozen))


def _keyed_now(draft: KeyedDraft) -> Keyed[Any, Any]:
    if not draft.touched:
        return draft.draft_base
    frozen = {key: now(value) for key, value in draft._map.items()}
    old = draft.draft_base._map
    if len(old) == len(frozen) and all(old.get(key) is value for key, value in frozen.items()):
        return draft.draft_base
    return Keyed(frozen)
