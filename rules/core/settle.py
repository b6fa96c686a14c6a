"""Settling: from a draft and the state before, the next state and its patches in one walk.

Each node class, Keyed and union of a state gets one function, written as text from the plan of its
type and compiled once (`StateTree.settle_text` has them). It returns the frozen value (the old one
if nothing differs), the public patch or SAME, the private patches, whether a secret differs.
The draft of a Keyed becomes the frozen value itself, so nothing can be written to it afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast

from msgspec.structs import astuple

from bluebear.rules.core.draft import KeyedDraft, freeze, run_text
from bluebear.rules.core.keyed import Keyed, put_at
from bluebear.rules.core.merge_patch import apply, diff
from bluebear.rules.core.type_codecs import SAME, Field, KeyedPlan, Leaf, NodePlan, OneOf, Plan
from bluebear.rules.core.visibility import SPECTATOR, Eyes, Seat, Visibility

Private = dict[Any, Any]
"""Private patches, empty if there are none: outside of any seat the patch of each seat; inside of a
seat only its own, the part of each field or key by its name."""
NO_PRIVATE: Final[Private] = {}
Settled = tuple[Any, Any, Private, bool]
Settle = Callable[[Any, Any, "Seat | None"], Settled]
"""(draft or value, value before, the seat whose Owner fields these are) -> what it has become."""

_SAME: Final = "return old, SAME, NO_PRIVATE, False"
_BEGUN: Final = "patch, private, secret = {}, {}, False"
_ENDED: Final = ("if not patch and not secret:", f"    {_SAME}")
_RETURNED: Final = "return new, patch or SAME, private, secret"


def compiled(plan: NodePlan) -> tuple[Settle, str]:
    """The function that settles a class, and the text of all that it calls; none of moves."""
    if plan.draft is None:
        return partial(replaced, plan), ""
    writer = _Writer()
    name = writer.function(plan, plan.cls.__name__, inside=False)
    text = run_text(name, writer.lines, writer.names)
    return cast("Settle", writer.names[name]), text


def replaced(plan: Plan, new: Any, old: Any, seat: Seat | None) -> Settled:
    """The outcome where a value of another class replaces one, or either of the two is None."""
    new = freeze(new)
    if new == old:
        return old, SAME, NO_PRIVATE, False
    if new is None:
        return None, None, NO_PRIVATE, plan.has_secret

    def view(value: Any, eyes: Eyes) -> Any:
        return {} if value is None else plan.dump(plan.seen(value, eyes, seat))

    public = plan.dump(plan.seen(new, SPECTATOR, seat))
    patch = public if old is None else diff(view(old, SPECTATOR), public)
    private: Private = {}
    before = () if old is None else plan.owners(old)
    owners = sorted({*plan.owners(new), *before}) if seat is None else (seat,)
    for owner in owners if plan.has_private else ():
        eyes = frozenset({owner})
        # The private part of the old value is still in the owner's view.
        if part := diff(apply(patch, view(old, eyes)), view(new, eyes)):
            private[owner] = part
    shares = private if seat is None else private.get(seat, NO_PRIVATE)
    return new, patch, shares, plan.has_secret


class _Writer:
    """Writes the functions of one tree. Owner: one call of `compiled`.

    `inside` is true for what stands inside of a seat.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        called = (astuple, KeyedDraft, Keyed, replaced)
        self.names: dict[str, Any] = {each.__name__: each for each in called}
        self.names |= {"put_at": put_at, "SAME": SAME, "NO_PRIVATE": NO_PRIVATE}

    def function(self, plan: Plan, called: str, *, inside: bool) -> str:
        """The name of the function of a plan whose values have drafts, written here."""
        writers = {NodePlan: self._node, KeyedPlan: self._keyed, OneOf: self._one_of}
        body = writers[type(plan)](plan, called, inside=inside)
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

    def _replaced(self, plan: Plan, called: str) -> str:
        """The line for a value that is replaced."""
        return f"return replaced({self._named('plan_' + called, plan)}, new, old, seat)"

    def _node(self, plan: Any, called: str, *, inside: bool) -> list[str]:
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
            f"    {self._replaced(plan, called)}",
            f"[{olds}] = astuple(old)",
            _BEGUN,
            *(line for field in plan.listed for line in self._field(field, inside=inside)),
            *_ENDED,
            f"if kind is {draft}:",
            f"    new = {cls}({news})",
            _RETURNED,
        ]

    def _field(self, field: Field, *, inside: bool) -> list[str]:
        new, old, name = f"new_{field.name}", f"old_{field.name}", repr(field.name)
        is_public = field.sight is Visibility.PUBLIC
        if not isinstance(field.plan, Leaf):
            function = self.function(field.plan, field.name, inside=inside)
            lines = [f"if {new} is not {old}:"]
            if is_public:
                call = f"{function}({new}, {old}, seat)"
                return [*lines, *_opened(field.plan, call, new, name, inside=inside)]
            lines += [f"    {new}, part, _, _ = {function}({new}, {old}, None)"]
            lines += [f"    secret = secret or {new} is not {old}"]
            owned = ["    if part is not SAME:", f"        private[{name}] = part"]
            return [*lines, *owned * (field.sight is Visibility.OWNER)]
        lines = [f"if {new} is not {old} and {new} != {old}:"]
        part = _shown(field.plan, new, optional=field.optional or not is_public)
        if is_public:
            return [*lines, f"    patch[{name}] = {part}"]
        owned = [f"    private[{name}] = {part}"]
        return [*lines, "    secret = True", *owned * (field.sight is Visibility.OWNER)]

    def _keyed(self, plan: Any, called: str, *, inside: bool) -> list[str]:
        below = plan.value
        if not isinstance(below, Leaf):
            function = self.function(below, f"{called}_value", inside=inside or plan.by_seat)
            call = f"{function}(value, was, {'key' if plan.by_seat else 'seat'})"
            change = [
                *_opened(below, call, "value", "str(key)", inside=inside, by_seat=plan.by_seat),
                "    if is_draft:",
                "        put_at(new, key, value)",
            ]
        else:
            shown = _shown(below, "value", optional=False)
            change = ["    if value != was:", f"        patch[str(key)] = {shown}"]
        return [
            "is_draft = isinstance(new, KeyedDraft)",
            "if is_draft and new.draft_base is old:",
            "    keys = new.touched",
            "    if not keys:",
            f"        {_SAME}",
            "    if len(keys) > 1:",
            "        keys = sorted({*keys})",
            "elif new is None or old is None:",
            f"    {self._replaced(plan, called)}",
            "else:",
            "    keys = sorted({*old, *new})",
            _BEGUN,
            "gone = ()",
            "for key in keys:",
            "    value, was = new.get(key), old.get(key)",
            "    if value is was:",
            "        continue",
            "    if value is None:",
            "        gone = *gone, key",
            "        continue",
            *change,
            "for key in gone:",
            "    patch[str(key)] = None",
            *(["    secret = True"] if plan.has_secret else []),
            *_ENDED,
            "if is_draft:",
            "    del new.draft_base, new.touched",
            "    new.__class__ = Keyed",
            _RETURNED,
        ]

    def _one_of(self, plan: Any, called: str, *, inside: bool) -> list[str]:
        lines = []
        for cls, below in plan.plans.items():
            name = self._named(cls.__name__, cls)
            lines += [f"if type(old) is {name} and isinstance(new, {name}):"]
            lines += [f"    return {self.function(below, name, inside=inside)}(new, old, seat)"]
        return [*lines, self._replaced(plan, called)]


def _shown(plan: Leaf, name: str, *, optional: bool) -> str:
    """The expression of a value that is shown whole."""
    shown = plan.shown(name)
    return f"None if {name} is None else {shown}" if optional and not plan.is_plain else shown


def _opened(
    plan: Plan, call: str, new: str, name: str, *, inside: bool, by_seat: bool = False
) -> list[str]:
    """The lines that settle a public part that may be a draft, in the block of its change."""
    lines = [
        f"    {new}, part, below, hidden = {call}",
        "    if part is not SAME:",
        f"        patch[{name}] = part",
        "    secret = secret or hidden",
    ]
    if plan.has_private and inside:
        lines += ["    if below:", f"        private[{name}] = below"]
    elif plan.has_private and by_seat:
        lines += ["    if below:", f"        private[key] = {{{name}: below}}"]
    elif plan.has_private:
        lines += ["    for owner in below:"]
        lines += [f"        private.setdefault(owner, {{}})[{name}] = below[owner]"]
    return lines
