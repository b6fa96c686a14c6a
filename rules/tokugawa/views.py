"""Reading a view back: everything is open, so a view is the whole table (Rule: tokugawa 12.1)."""

from __future__ import annotations

from typing import Final

from rules.core.tree import StateTree, Tree, tree_of
from rules.tokugawa.state import Table

_TREE: Final[StateTree[Table]] = tree_of(Table)


def table_of(view: Tree) -> Table:
    """The table that a view shows; it is the same for all eyes."""
    return _TREE.load(view)


__all__ = ["table_of"]
