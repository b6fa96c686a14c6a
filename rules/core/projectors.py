"""Generated code for the nodes of a state: their projection and their diff, field by field.

Every move of every game goes through these, and walking a table of fields costs twice as much
(docs/performance.md). The source is made of field names and of the few expressions that plans
offer (`Plan.inline`); everything else is a call of the field's plan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

Tree = dict[str, Any]  # Any: a plain JSON tree, whose shape is the game's own
Show = Callable[[Any], Any]  # Any: a value of whatever type, and its plain tree


class Showing(Protocol):
    """What a field's plan must offer."""

    inline: str | None
    """How to show `item`, where that takes no call of the plan."""

    def public(self, value: Any) -> Any: ...

    def dump(self, value: Any) -> Any: ...


def projector(shown: Sequence[tuple[str, Showing, Show]]) -> Callable[[Any], Tree]:
    """A function that makes the plain tree of a node; what is None is an absent key."""
    lines = ["def project(node):", "    made = {}"]
    scope: dict[str, Any] = {}
    for number, (name, plan, show) in enumerate(shown):
        scope[f"show{number}"] = show
        lines += [
            f"    item = node.{name}",
            "    if item is not None:",
            f"        made[{name!r}] = {plan.inline or f'show{number}(item)'}",
        ]
    return _made("project", [*lines, "    return made"], scope)


def lister(shown: Sequence[tuple[str, Showing, Show]]) -> Callable[[Any], list[Any]]:
    """A function that makes the list of a row: all of its fields, none of which is None."""
    scope: dict[str, Any] = {f"show{number}": show for number, (_, _, show) in enumerate(shown)}
    items = [
        f"show{number}(node.{name})" if plan.inline is None else _of_field(plan.inline, name)
        for number, (name, plan, _) in enumerate(shown)
    ]
    return _made("listed", ["def listed(node):", f"    return [{', '.join(items)}]"], scope)


def _of_field(inline: str, name: str) -> str:
    """What shows `item`, for a field of the node."""
    return re.sub(r"\bitem\b", f"node.{name}", inline)


def differ(
    shown: Sequence[tuple[str, Showing]], step: Callable[[Tree, str, Any, Any, Any], None]
) -> Callable[[Any, Any], Tree]:
    """A function that makes the merge patch between two nodes.

    `step(patch, name, plan, before, after)` puts what is more than a value into it.
    """
    lines = ["def diff(old, new):", "    patch = {}"]
    scope: dict[str, Any] = {"step": step}
    for number, (name, plan) in enumerate(shown):
        lines += [f"    before, item = old.{name}, new.{name}", "    if before is not item:"]
        if plan.inline is None:
            scope[f"plan{number}"] = plan
            lines.append(f"        step(patch, {name!r}, plan{number}, before, item)")
        else:
            shown_item = f"None if item is None else {plan.inline}"
            lines += [
                "        if before != item:",
                f"            patch[{name!r}] = {shown_item}",
            ]
    return _made("diff", [*lines, "    return patch"], scope)


def _made(name: str, lines: Sequence[str], scope: dict[str, Any]) -> Callable[..., Any]:
    exec("\n".join(lines), scope)  # noqa: S102 - the source is made of field names and plans
    made: Callable[..., Any] = scope[name]
    return made


__all__ = ["Showing", "differ", "lister", "projector"]
