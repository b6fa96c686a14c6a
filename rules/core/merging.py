"""JSON merge patches (RFC 7396) on plain trees."""

from __future__ import annotations

from typing import Any

Tree = dict[str, Any]  # Any: a plain JSON tree, whose shape is the game's own


def merge_diff(old: Tree, new: Tree) -> Tree:
    """The merge patch from one plain tree to another."""
    patch: Tree = {key: None for key in old if key not in new}
    for key, item in new.items():
        before = old.get(key)
        if isinstance(before, dict) and isinstance(item, dict):
            inner = merge_diff(before, item)
            if inner:
                patch[key] = inner
        elif before != item or repr(before) != repr(item):  # True is not 1 to a client
            patch[key] = item
    return patch


def graft(target: Tree, part: Tree) -> None:
    """Put an own part into a public view, in place."""
    for key, item in part.items():
        below = target.get(key)
        if isinstance(below, dict) and isinstance(item, dict):
            graft(below, item)
        else:
            target[key] = item


def merged(one: Tree, other: Tree) -> Tree:
    """Two patches that say nothing against each other, as one; both stay what they are."""
    made = dict(one)
    for key, item in other.items():
        below = made.get(key)
        if isinstance(below, dict) and isinstance(item, dict):
            made[key] = merged(below, item)
        else:
            made[key] = item
    return made


def patched(target: Any, patch: Any) -> Any:
    """A plain tree after a merge patch (RFC 7396); unchanged parts are shared."""
    if not isinstance(patch, dict):
        return patch
    made = dict(target) if isinstance(target, dict) else {}
    for key, item in patch.items():
        if item is None:
            made.pop(key, None)
        else:
            made[key] = patched(made.get(key), item)
    return made
