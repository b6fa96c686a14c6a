"""Drafts: what a move writes to, and how the next state comes out of it.

The draft of a state reads like the state and can be written to:

    draft.seats[seat].hand = hand
    draft.cities[city][site] = Building(floors, seat)
    del draft.offers[number]

An attribute that is a node or a Keyed, and what `[key]` gives, is a draft itself. What one loops
over (`items`, `values`) or gets (`get`) is to be read; to write to it, look it up by its key.

`now` gives the state that a draft has become; it shares with the one before whatever was not
written to. What differs for whom is worked out by the plans of the fields that were written to
(`rules.core.plans`), so a draft cannot show what the type hides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import is_
from typing import Any, Final, TypeVar, cast

import msgspec
from msgspec.structs import astuple

from rules.core.keyed import Keyed, fill, fresh, in_order, put_at
from rules.core.vision import DRAFT, Node

N = TypeVar("N")

BASE: Final = "draft_base"
"""The last field of a draft: the node that it was made of."""

_DRAFTS: dict[type, Callable[[Any], Any]] = {}
"""What makes the draft of a value of a class; nothing for classes that are replaced whole."""

_NOW: dict[type, Callable[[Any], Any]] = {}
"""What freezes a draft, by the class of drafts."""


class KeyedDraft(Keyed[Any, Any]):
    """The draft of a Keyed, made of a copy.

    `opened` lists the keys whose values are drafts, `written` says whether a value was put or
    deleted.
    """

    __slots__ = ("draft_base", "opened", "written")

    draft_base: Keyed[Any, Any]
    opened: list[Any]
    written: bool

    def __init__(self, base: Keyed[Any, Any]) -> None:
        fill(self, base)
        self.draft_base = base
        self.opened = []
        self.written = False

    def __getitem__(self, key: Any) -> Any:
        value = dict.__getitem__(self, key)
        make = _DRAFTS.get(type(value))
        if make is not None:
            value = make(value)
            put_at(self, key, value)
            self.opened.append(key)
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        self.written = True
        if key in self:
            put_at(self, key, value)
            return
        held = {**self, key: value}
        dict.clear(self)
        fill(self, in_order(held))

    def __delitem__(self, key: Any) -> None:
        dict.__delitem__(self, key)
        self.written = True

    def put(self, key: Any, value: Any) -> Keyed[Any, Any]:
        raise TypeError("a draft is written to: draft[key] = value")

    def drop(self, key: Any) -> Keyed[Any, Any]:
        raise TypeError("a draft is written to: del draft[key]")

    def __hash__(self) -> int:  # type: ignore[override]  # a draft changes
        raise TypeError("a draft changes; `now` gives its value as it is now")


_DRAFTS[Keyed] = KeyedDraft


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
    _DRAFTS[cls] = lambda node: made(*astuple(node), node)
    _NOW[made] = _freezer(cls, [field in opens for field in cls.__struct_fields__])
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


def _freezer(cls: type[Node], opening: list[bool]) -> Callable[[Any], Any]:
    """What freezes the drafts of a node class."""
    places = [place for place, opens in enumerate(opening) if opens]

    def frozen(draft: Any) -> Any:
        *values, base = astuple(draft)
        for place in places:
            freeze = _NOW.get(type(values[place]))
            if freeze is not None:
                values[place] = freeze(values[place])
        return base if all(map(is_, values, astuple(base))) else cls(*values)

    return frozen


def _keyed_now(draft: KeyedDraft) -> Keyed[Any, Any]:
    base = draft.draft_base
    if not (draft.opened or draft.written):
        return base
    made: Keyed[Any, Any] = fresh(Keyed)
    fill(made, draft)
    for key in draft.opened:
        freeze = _NOW.get(type(made.get(key)))
        if freeze is not None:
            put_at(made, key, freeze(made[key]))
    is_same = len(made) == len(base) and all(map(is_, made.values(), base.values()))
    return base if is_same and (not draft.written or list(made) == list(base)) else made


_NOW[KeyedDraft] = _keyed_now


def draft_of(node: N) -> N:
    """A draft of a node whose class some tree has compiled."""
    return cast(N, _DRAFTS[type(node)](node))


def now(value: N) -> N:
    """A part of a draft as it is now, frozen; of anything else the value itself.

    For reading much, for values that are kept, and for whatever is looked up by its value.
    """
    freeze = _NOW.get(type(value))
    return value if freeze is None else cast(N, freeze(value))
