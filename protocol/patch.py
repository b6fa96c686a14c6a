"""Trees, the merge patches between them (RFC 7396), and the check sum of a view.

A tree is what JSON can say, without fractions. The functions are pure: they return new
trees that share every unchanged part with the old ones, and they change nothing.
"""

import zlib
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

Tree: TypeAlias = bool | int | str | Sequence["Tree"] | Mapping[str, "Tree"] | None
"""In memory: None, bool, int, str, list or tuple, dict."""

Branch: TypeAlias = Mapping[str, Tree]
"""A tree whose root is an object: views, patches, events."""

_canonical: Final = msgspec.json.Encoder(order="sorted").encode


def apply(patch: Tree, target: Tree) -> Tree:
    """The target as the patch changes it.

    >>> apply({"a": None, "b": {"c": 2}}, {"a": 1, "b": {"c": 1, "d": 3}})
    {'b': {'c': 2, 'd': 3}}
    """
    if not isinstance(patch, dict):
        return patch
    if not isinstance(target, dict):
        return _merged(patch, {})
    return _merged(patch, target) if patch else target


def _merged(patch: dict[str, Tree], target: dict[str, Tree]) -> dict[str, Tree]:
    merged = dict(target)
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict):
            merged[key] = apply(value, merged.get(key))
        else:
            merged[key] = value
    return merged


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
        if key in old and _same(before, value):
            continue
        if isinstance(value, dict):
            patch[key] = diff(before if isinstance(before, dict) else {}, value)
        elif value is None:
            raise ValueError(f"a merge patch cannot set {key!r} to null")
        else:
            patch[key] = value
    return patch


def _same(one: Tree, other: Tree) -> bool:
    """Equal as JSON: unlike in Python, true is not 1."""
    if one is other:
        return True
    if isinstance(one, dict):
        return (
            isinstance(other, dict)
            and one.keys() == other.keys()
            and all(_same(value, other[key]) for key, value in one.items())
        )
    if isinstance(one, (list, tuple)):
        return (
            isinstance(other, (list, tuple))
            and len(one) == len(other)
            and all(map(_same, one, other))
        )
    return type(one) is type(other) and one == other


def canonical(view: Tree) -> bytes:
    """The one JSON text of a tree: keys sorted by code point, no spaces, UTF-8.

    >>> canonical({"b": [1, True], "a": "東京"}).decode()
    '{"a":"東京","b":[1,true]}'
    """
    return _canonical(view)


def crc(view: Tree) -> int:
    """The check sum that `room` and `update` carry: CRC-32 of the canonical text.

    >>> crc({})
    2745614147
    """
    return zlib.crc32(canonical(view))


def crc_of_members(texts: Mapping[str, bytes]) -> int:
    """The check sum of an object whose members' canonical texts are at hand.

    >>> crc_of_members({"b": b"1", "a": canonical([])}) == crc({"a": [], "b": 1})
    True
    """
    members = (canonical(key) + b":" + texts[key] for key in sorted(texts))
    return zlib.crc32(b"{" + b",".join(members) + b"}")
