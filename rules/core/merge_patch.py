"""Plain trees, their canonical text, and merge patches between them (RFC 7396).

A tree is any JSON value without fractions. All functions are pure; a new tree shares every
unchanged part with the old one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

Tree: TypeAlias = bool | int | str | Sequence["Tree"] | Mapping[str, "Tree"] | None
"""In memory: None, bool, int, str, list or tuple, dict."""

Branch: TypeAlias = Mapping[str, Tree]
"""A tree whose root is an object: views, patches, events."""

Shaped: TypeAlias = dict[str, Any]  # Any: its shape is defined by the code that makes it
"""A tree whose root is an object, for code that knows its shape."""

canonical: Final = msgspec.json.Encoder(order="sorted").encode
"""The canonical JSON text of a tree: keys sorted by code point, no spaces, UTF-8."""


def apply(patch: Tree, target: Tree) -> Any:  # Any: a tree, an object if the patch is one
    """The target with the patch applied.

    >>> apply({"a": None, "b": {"c": 2}}, {"a": 1, "b": {"c": 1, "d": 3}})
    {'b': {'c': 2, 'd': 3}}
    """
    if not isinstance(patch, dict):
        return patch
    if not patch and isinstance(target, dict):
        return target
    made = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            made.pop(key, None)
        else:
            made[key] = apply(value, made.get(key))
    return made


def diff(old: Branch, new: Branch) -> dict[str, Tree]:
    """The smallest patch with `apply(patch, old) == new`; empty when nothing changed.

    Raises ValueError where `new` has a null as the value of a changed key: in a merge
    patch null means "remove". (Inside arrays, which are replaced whole, null may stand.)

    >>> diff({"a": 1, "b": {"c": 1, "d": 3}}, {"b": {"c": 2, "d": 3}})
    {'a': None, 'b': {'c': 2}}
    """
    patch: dict[str, Tree] = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        # As JSON: unlike in Python, true is not 1.
        if key in old and (before is value or canonical(before) == canonical(value)):
            continue
        if isinstance(value, dict):
            patch[key] = diff(before if isinstance(before, dict) else {}, value)
        elif value is None:
            raise ValueError(f"a merge patch cannot set {key!r} to null")
        else:
            patch[key] = value
    return patch


def merged(one: Branch, other: Branch) -> dict[str, Tree]:
    """One patch for two patches that do not contradict each other; neither is changed."""
    made = dict(one)
    for key, item in other.items():
        if isinstance(below := made.get(key), dict) and isinstance(item, dict):
            made[key] = merged(below, item)
        else:
            made[key] = item
    return made
