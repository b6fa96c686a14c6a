"""Settling: from a draft and the state before, the next state and its patches in one walk.

Each node class, Keyed and union of a state gets one function, written as text from the plan of its
type and compiled once (`StateTree.settle_text` has them). It returns the frozen value (the old one
if nothing differs), the public patch or SAME, patches by seat or None, whether a secret differs.
The draft of a Keyed becomes the frozen value itself, so nothing can be written to it afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, cast

from msgspec.structs import astuple

from bluebear.rules.core.draft import KeyedDraft, freeze, run_text
from bluebear.rules.core.keyed import Keyed, put_at
from bluebear.rules.core.merge_patch import apply, diff, merged
from bluebear.rules.core.type_codecs import (
    ABSENT,
    SAME,
    EnumLeaf,
    Field,
    KeyedPlan,
    NodePlan,
    OneOf,
    Plan,
    RowPlan,
    TuplePlan,
)
from bluebear.rules.core.visibility import Seat, Visibility

Private = dict[Seat, Any] | None
Settled = tuple[Any, Any, Private, bool]
Settle = Callable[[Any, Any, "Seat | None"], Settled]
"""(draft or value, value before, the seat whose Owner fields these are) -> what it has become."""

_SAME: Final = ["if not patch and not secret:", "    return old, SAME, None, False"]


def compiled(plan: NodePlan) -> tuple[Settle, str]:
    """The function that settles a class, and the text of all that it calls; none of moves."""
    if plan.draft is None:
        return partial(replaced, plan), ""
    writer = _Writer()
    name = writer.function(plan, plan.cls.__name__)
    text = run_text(name, writer.lines, writer.names)
    return cast("Settle", writer.names[name]), text


def replaced(plan: Plan, new: Any, old: Any, seat: Seat | None) -> Settled:
    """The outcome where a value of another class replaces one, or either of the two is None."""
    new = freeze(new)
    if new == old:
        return old, SAME, None, False
    if new is None:
        return None, None, None, plan.has_secret
    public = patch = plan.public(new)
    if old is not None:
        patch = diff(plan.public(old), public)
    private: dict[Seat, Any] = {}
    before = () if old is None else plan.owners(old, seat)
    for owner in sorted({*plan.owners(new, seat), *before}):
        part = plan.private(new, owner)
        if old is not None:
            # The private part of the old value is still in the owner's view.
            had = plan.private(old, owner)
            left = apply(patch, merged(plan.public(old), {} if had is ABSENT else had))
            part = diff(left, merged(public, {} if part is ABSENT else part)) or ABSENT
        if part is not ABSENT:
            private[owner] = part
    return new, patch, private or None, plan.has_secret


def nested(private: Private, name: str, parts: Mapping[Seat, Any]) -> Private:
    """The owners' patches of a value with those of one of its parts added."""
    if private is None:
        return {seat: {name: part} for seat, part in parts.items()}
    for seat, part in parts.items():
        private.setdefault(seat, {})[name] = part
    return private


class _Writer:
    """Writes the functions of one tree. Owner: one call of `compiled`."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        called = (astuple, KeyedDraft, Keyed, nested, replaced)
        self.names: dict[str, Any] = {each.__name__: each for each in called}
        self.names |= {"put_at": put_at, "SAME": SAME}

    def function(self, plan: Plan, called: str) -> str:
        """The name of the function of a plan whose values have drafts, written here."""
        writers = {NodePlan: self._node, KeyedPlan: self._keyed, OneOf: self._one_of}
        body = writers[type(plan)](plan, called)
        name = self._named(f"settle_{called}", plan)
        self.lines += [f"def {name}(new, old, seat):", *(f"    {line}" for line in body), ""]
        return name

    def _named(self, name: str, value: Any) -> str:
        """A name of its private for a value that the text uses."""
        if self.names.get(name, self) is not value:
            while name in self.names:
                name += "_"
        self.names[name] = value
        return name

    def _node(self, plan: Any, called: str) -> list[str]:
        cls, draft = (self._named(each.__name__, each) for each in (plan.cls, plan.draft) if each)
        news, olds = (
            ", ".join(f"{age}_{field.name}" for field in plan.listed) for age in ("new", "old")
        )
        return [
            "kind = type(new)",
            f"if kind is {draft} and type(old) is {cls}:",
            f"    [{news}, _] = astuple(new)" if news else "    pass",
            f"elif kind is {cls} and type(old) is {cls}:",
            f"    [{news}] = astuple(new)",
            "else:",
            f"    return replaced({self._named('plan_' + called, plan)}, new, old, seat)",
            f"[{olds}] = astuple(old)",
            "patch, private, secret = {}, None, False",
            *(line for field in plan.listed for line in self._field(field)),
            *_SAME,
            f"if kind is {draft}:",
            f"    new = {cls}({news})",
            "return new, patch or SAME, private, secret",
        ]

    def _field(self, field: Field) -> list[str]:
        new, old, name = f"new_{field.name}", f"old_{field.name}", repr(field.name)
        is_public = field.sight is Visibility.PUBLIC
        if field.plan.makes:
            function = self.function(field.plan, field.name)
            lines = [f"if {new} is not {old}:"]
            if is_public:
                return [*lines, *_opened(field.plan, f"{function}({new}, {old}, seat)", new, name)]
            lines += [f"    {new}, part, _, _ = {function}({new}, {old}, None)"]
            lines += [f"    secret = secret or {new} is not {old}"]
            part, condition = "part", "seat is not None and part is not SAME"
        else:
            lines = [f"if {new} is not {old} and {new} != {old}:"]
            part = self._shown(field.plan, new, optional=field.optional or not is_public)
            if is_public:
                return [*lines, f"    patch[{name}] = {part}"]
            lines += ["    secret = True"]
            condition = "seat is not None"
        if field.sight is Visibility.OWNER:
            lines += [
                f"    if {condition}:",
                "        if private is None:",
                f"            private = {{seat: {{{name}: {part}}}}}",
                "        else:",
                f"            private.setdefault(seat, {{}})[{name}] = {part}",
            ]
        return lines

    def _keyed(self, plan: Any, called: str) -> list[str]:
        below = plan.value
        if below.makes:
            owner = "key" if plan.by_seat else "seat"
            function = self.function(below, f"{called}_value")
            change = [
                *_opened(below, f"{function}(value, was, {owner})", "value", "str(key)"),
                "    if is_draft:",
                "        put_at(new, key, value)",
            ]
        else:
            shown = self._shown(below, "value", optional=False)
            change = ["    if value != was:", f"        patch[str(key)] = {shown}"]
        return [
            "is_draft = isinstance(new, KeyedDraft)",
            "if is_draft and new.draft_base is old:",
            "    keys = new.touched",
            "    if not keys:",
            "        return old, SAME, None, False",
            "    if len(keys) > 1:",
            "        keys = sorted({*keys})",
            "elif new is None or old is None:",
            f"    return replaced({self._named('plan_' + called, plan)}, new, old, seat)",
            "else:",
            "    keys = sorted({*old, *new})",
            "patch, private, secret, gone = {}, None, False, []",
            "for key in keys:",
            "    value, was = new.get(key), old.get(key)",
            "    if value is was:",
            "        continue",
            "    if value is None:",
            "        gone.append(key)",
            "        continue",
            *change,
            "for key in gone:",
            "    patch[str(key)] = None",
            *(["    secret = True"] if plan.has_secret else []),
            *_SAME,
            "if is_draft:",
            "    del new.draft_base, new.touched",
            "    new.__class__ = Keyed",
            "return new, patch or SAME, private, secret",
        ]

    def _one_of(self, plan: Any, called: str) -> list[str]:
        lines = []
        for cls, below in plan.plans.items():
            name = self._named(cls.__name__, cls)
            lines += [f"if type(old) is {name} and isinstance(new, {name}):"]
            lines += [f"    return {self.function(below, name)}(new, old, seat)"]
        return [*lines, f"return replaced({self._named('plan_' + called, plan)}, new, old, seat)"]

    def _shown(self, plan: Plan, name: str, *, optional: bool) -> str:
        """The expression of a value that is shown whole."""
        if plan.is_plain:
            return name
        if isinstance(plan, EnumLeaf):
            shown = f"{name}._value_"
        elif isinstance(plan, TuplePlan) and plan.plain:
            shown = f"[*{name}]"
        elif isinstance(plan, TuplePlan) and plan.repeats:
            shown = f"[{self._shown(plan.items[0], 'each', optional=False)} for each in {name}]"
        elif isinstance(plan, RowPlan):
            items = zip(plan.row.items, plan.names, strict=True)
            parts = (self._shown(item, f"{name}.{part}", optional=False) for item, part in items)
            shown = f"[{', '.join(parts)}]"
        else:
            shown = f"{self._named('show', plan.public)}({name})"
        return f"None if {name} is None else {shown}" if optional else shown


def _opened(plan: Plan, call: str, new: str, name: str) -> list[str]:
    """The lines that settle a public part that may be a draft, in the block of its change."""
    lines = [
        f"    {new}, part, below, hidden = {call}",
        "    if part is not SAME:",
        f"        patch[{name}] = part",
    ]
    if plan.has_secret:
        lines += ["    secret = secret or hidden"]
    if plan.has_private:
        lines += ["    if below is not None:", f"        private = nested(private, {name}, below)"]
    return lines
