"""Drafts: writable copies of states, and how they are frozen to the next state.

The draft of a state reads like the state and can be written to:

    draft.seats[seat].hand = hand
    draft.cities[city][site] = Building(floors, seat)
    del draft.offers[number]

An attribute that is a node or a Keyed is a draft itself, and so is the value that `[key]` returns.
Values from `items`, `values`, `get` and `peek` are for reading and cost no draft; to write to one,
look it up by its key.

`freeze` gives the next state, which shares all unwritten parts with the state before, and leaves
the draft as it is. Settling (`bluebear.rules.core.settle`) ends a draft: the state gets its Keyeds.
The patches for each viewer are computed from the two states by the codecs of their fields
(`bluebear.rules.core.type_codecs`), so a draft cannot show what the type hides.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar, cast

import msgspec

from bluebear.rules.core.keyed import Keyed, fill, look_up, put_at, take_out
from bluebear.rules.core.visibility import DRAFT, Node, field_names

N = TypeVar("N")

BASE: Final = "draft_base"
"""The last field of a draft: the node that it is a copy of."""

Make = Callable[[Any], Any]
"""The factory of the drafts of a class."""
Makes = Mapping[type, Make]
"""The factories for each class that a value may have; values of other classes are replaced."""
NO_MAKES: Final[Makes] = {}

_DRAFTS: dict[type, tuple[type[Node], Make]] = {}
"""The class of drafts of each node class and its factory."""

_FREEZERS: dict[type, Callable[[Any], Any]] = {}
"""The function that freezes a draft, for each class of drafts."""


def run_text(title: str, lines: Iterable[str], names: dict[str, Any]) -> str:
    """Run the text of generated functions in a namespace, which gets them; returns the text."""
    text = "\n".join(lines)
    exec(compile(text, f"<{title}>", "exec"), names)  # noqa: S102 - the core has written it
    return text


def _unhashable(self: object) -> int:
    raise TypeError("a draft changes; `freeze` gives its value as it is now")


class KeyedDraft(Keyed[Any, Any]):
    """The draft of a Keyed: a copy with a reference to its base and a list of the written keys.

    `touched` lists the keys whose values were set, deleted or made drafts, some of them twice.
    """

    __slots__ = ()

    draft_base: Keyed[Any, Any]
    touched: list[Any]

    __init__ = dict.__init__

    def __setitem__(self, key: Any, value: Any) -> None:
        self.touched.append(key)
        if key in self:
            put_at(self, key, value)
            return
        keys = [*self]
        put_at(self, key, value)
        for other in keys[bisect(keys, key) :]:
            put_at(self, other, take_out(self, other))

    def __delitem__(self, key: Any) -> None:
        dict.__delitem__(self, key)
        self.touched.append(key)

    def put(self, key: Any, value: Any) -> Keyed[Any, Any]:
        raise TypeError("a draft is written to: draft[key] = value")

    __hash__ = _unhashable


def keyed_make(makes: Makes) -> Make:
    """The factory of the drafts of a Keyed; its `[key]` makes drafts of values by `makes`."""

    def opened(self: KeyedDraft, key: Any) -> Any:
        value = look_up(self, key)
        if type(value) in makes:
            value = makes[type(value)](value)
            put_at(self, key, value)
            self.touched.append(key)
        return value

    opening = {"__getitem__": opened} if makes else {}
    made = type("KeyedDraft", (KeyedDraft,), {"__slots__": (), **opening})
    _FREEZERS[made] = _freeze_keyed

    def make(base: Keyed[Any, Any]) -> KeyedDraft:
        draft: KeyedDraft = made(base)
        draft.draft_base = base
        draft.touched = []
        return draft

    return make


def drafted(cls: type[Node], opening: Mapping[str, Makes]) -> tuple[type[Node], Make]:
    """The class of the drafts of a node class and its factory, made once.

    It is a subclass with the same fields, not frozen, so a draft has all methods of the node.
    `opening` has the fields that hold drafts. Such a field is a property; `raw_FIELD` is its value.
    """
    if cls in _DRAFTS:
        return _DRAFTS[cls]
    fields = field_names(cls)
    names: dict[str, Any] = {"Node": cls, "freezer_of": _FREEZERS.get}
    names |= {f"makes_{name}": makes for name, makes in opening.items()}
    run_text(f"draft {cls.__name__}", _text(fields, opening), names)
    raw = {f"raw_{name}": getattr(cls, name) for name in opening}
    opens = {name: property(names[f"open_{name}"], raw[f"raw_{name}"].__set__) for name in opening}
    made = msgspec.defstruct(
        f"{cls.__name__}Draft",
        [(BASE, Any, None)],
        bases=(cls,),
        namespace={DRAFT: cls, "__hash__": _unhashable, **opens, **raw},
        frozen=False,
        module=cls.__module__,
    )
    names["Draft"] = made
    _FREEZERS[made] = names["freeze"]
    _DRAFTS[cls] = cast("type[Node]", made), names["make"]
    return _DRAFTS[cls]


def _text(fields: Sequence[str], opening: Mapping[str, Makes]) -> list[str]:
    """The functions of a node class: open a field, make a draft, freeze it."""
    given = "".join(f"node.{name}, " for name in fields)
    lines = ["def make(node):", f"    return Draft({given}node)"]
    lines += ["def freeze(draft):", "    base = draft.draft_base"]
    for name in opening:
        lines += [
            f"    new_{name} = draft.raw_{name}",
            f"    if new_{name} is not base.{name}:",
            f"        freezer = freezer_of(type(new_{name}))",
            "        if freezer is not None:",
            f"            new_{name} = freezer(new_{name})",
        ]
    values = [f"new_{name}" if name in opening else f"draft.{name}" for name in fields]
    same = [f"{value} is base.{name}" for name, value in zip(fields, values, strict=True)]
    lines += [f"    if {' and '.join(same) or True}:", "        return base"]
    lines += [f"    return Node({', '.join(values)})"]
    for name in opening:
        lines += [
            f"def open_{name}(draft):",
            f"    value = draft.raw_{name}",
            f"    if type(value) in makes_{name}:",
            f"        draft.raw_{name} = value = makes_{name}[type(value)](value)",
            "    return value",
        ]
    return lines


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
    made = draft.copy()
    fill(made, written)
    return made


def draft_of(node: N) -> N:
    """A draft of a node. `tree_of` must have compiled the node's class."""
    return cast("N", _DRAFTS[type(node)][1](node))


def freeze(value: N) -> N:
    """Freeze a part of a draft, for many reads, storing or lookups; return other values as is.

    Raises TypeError for a draft of an unknown class.
    """
    freezer = _FREEZERS.get(type(value))
    if freezer is not None:
        return cast("N", freezer(value))
    if hasattr(value, BASE):
        raise TypeError(f"{type(value).__name__} is no class of drafts that is known")
    return value
