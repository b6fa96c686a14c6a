"""Plans: the codecs that dump, load and show the values of one type of a state.

`bluebear.rules.core.tree` compiles the type hints of a class into a plan once. In the JSON Schema
of views a row is an array whose `"x-fields"` name its items; an Owner field is an optional property
with `"x-owner": true`, and a Hidden field is left out.

A view is a dump of what its eyes see: `seen` leaves out the rest, `dump` knows no viewers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, cast

from msgspec import Struct, convert

from bluebear.rules.core.draft import NO_MAKES, drafted, keyed_make, run_text
from bluebear.rules.core.keyed import Keyed, fresh, put_at
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.visibility import Event, Eyes, Move, Node, Seat, Visibility

SAME: Final = object()
"""The patch where nothing differs."""


class Changes(Struct, frozen=True, gc=False):
    """The changes of a move: the public patch, each seat's private patch, whether a secret differs.

    The patches are JSON merge patches; None and a missing seat mean that nothing changed. A private
    patch is applied after the public one.
    """

    public: Shaped | None
    private: Mapping[Seat, Shaped]
    secret: bool


class Plan:
    """The codec of one type."""

    has_private = False
    has_secret = False
    is_plain = False
    """Whether a value is a plain tree already."""
    makes = NO_MAKES
    """The factories of drafts for the classes of its values; one without is replaced whole."""

    dump: Callable[[Any], Any]
    """The value as a plain tree."""
    seen: Callable[[Any, Eyes, Seat | None], Any] = staticmethod(lambda value, eyes, seat: value)
    """The value as these eyes see it; its Owner fields are those of a seat."""
    load: Callable[[Any], Any]
    """The value of a dump. Raises ValueError, KeyError or TypeError for other trees."""
    schema: Callable[[], Shaped]
    """The JSON Schema of the views of a value."""

    def owners(self, value: Any) -> Iterable[Seat]:
        """The seats in a value, outside of any seat, that may have a private part in it."""
        return ()


class Leaf(Plan):
    """The codec of what is shown, and replaced, whole; it loads by the type hint.

    `shown` is the expression of a dump, with `{0}` for the value: settling has it inline.
    """

    def __init__(self, hint: Any, schema: Shaped, shown: str) -> None:
        self.shown = shown.format
        self.is_plain = shown == "{0}"
        self.load, self.schema = partial(convert, type=hint), lambda: schema
        names: dict[str, Any] = {}
        run_text("dump", [f"def dump(value): return {self.shown('value')}"], names)
        self.dump = names["dump"]


def _dumped(plan: Plan, value: str, called: str) -> str:
    """The expression of a dump of a value, in a text where `called` is the `dump` of its plan."""
    return plan.shown(value) if isinstance(plan, Leaf) else f"{called}({value})"


class KeyedPlan(Plan):
    def __init__(self, key: type, value: Plan, *, by_seat: bool) -> None:
        self.by_seat = by_seat
        self.key = key
        self.value = value
        self.makes = {Keyed: keyed_make(value.makes)}
        self.has_private = value.has_private
        self.has_secret = value.has_secret
        names: dict[str, Any] = {"below": value.dump}
        made = f"{{str(key): {_dumped(value, 'item', 'below')} for key, item in value.items()}}"
        run_text("dump", ["def dump(value):", f"    return {made}"], names)
        self.dump = names["dump"]

    def load(self, dumped: Any) -> Any:
        items = dumped.items()
        return Keyed(
            {convert(key, self.key, strict=False): self.value.load(item) for key, item in items}
        )

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        made: Keyed[Any, Any] = fresh(Keyed)
        for key, item in value.items():
            put_at(made, key, self.value.seen(item, eyes, key if self.by_seat else seat))
        return made

    def owners(self, value: Any) -> Iterable[Seat]:
        if self.by_seat:
            return cast("Iterable[Seat]", value.keys())
        return {owner for item in value.values() for owner in self.value.owners(item)}

    def schema(self) -> Shaped:
        return {"type": "object", "additionalProperties": self.value.schema()}


class Field(NamedTuple):
    """One field of a node: its name, its plan, its marker, and whether it may be absent."""

    name: str
    plan: Plan
    sight: Visibility
    optional: bool


class NodePlan(Plan):
    def __init__(self, cls: type[Node], listed: Sequence[Field]) -> None:
        self.cls = cls
        # Moves and events never change: they have no drafts.
        changes = not issubclass(cls, Move | Event)
        self.draft: type[Node] | None = None
        if changes:
            opening = {field.name: field.plan.makes for field in listed if field.plan.makes}
            self.draft, make = drafted(cls, opening)
            self.makes = {cls: make}
        self.listed = listed
        shown = [field for field in listed if field.sight is Visibility.PUBLIC]
        owned = [field for field in listed if field.sight is Visibility.OWNER]
        self.has_private = bool(owned) or any(field.plan.has_private for field in shown)
        self.has_secret = len(shown) < len(listed) or any(field.plan.has_secret for field in shown)
        names: dict[str, Any] = {"Node": cls}
        names |= {f"dump_{field.name}": field.plan.dump for field in listed}
        names |= {f"seen_{field.name}": field.plan.seen for field in listed}
        run_text(f"views of {cls.__name__}", _views(listed), names)
        self.dump, self.seen = names["dump"], names["seen"]

    def load(self, dumped: Any) -> Any:
        if type(dumped) is not dict:
            raise ValueError(f"expected the fields of {self.cls.__name__}, not {dumped!r}")
        if unknown := dumped.keys() - {field.name for field in self.listed}:
            raise ValueError(f"{self.cls.__name__} has no field {min(unknown)!r}")
        return self.cls(
            **{
                field.name: field.plan.load(dumped[field.name]) if field.name in dumped else None
                for field in self.listed
            }
        )

    def owners(self, value: Any) -> Iterable[Seat]:
        parts = ((field.plan, getattr(value, field.name)) for field in self.listed)
        return {owner for plan, item in parts if item is not None for owner in plan.owners(item)}

    def schema(self, name: str = "") -> Shaped:
        """`name` is the value of the key `is` if it is one of several classes."""
        properties: Shaped = {}
        required = []
        for field, plan, sight, optional in self.listed:
            if sight is Visibility.OWNER:
                properties[field] = {**plan.schema(), "x-owner": True}
            elif sight is Visibility.PUBLIC:
                properties[field] = plan.schema()
                required += [] if optional else [field]
        if name:
            properties["is"] = {"const": name}
            required.append("is")
        return {
            "type": "object",
            "properties": properties,
            "required": sorted(required),
            "additionalProperties": False,
        }


def _views(listed: Sequence[Field]) -> list[str]:
    """The functions `dump` and `seen` of a node class."""
    dump, seen = ["def dump(value):", "    made = {}"], []
    # What all see comes first.
    for name, plan, _, _ in sorted(listed, key=lambda each: each.sight is not Visibility.PUBLIC):
        dump += [f"    item = value.{name}", "    if item is not None:"]
        dump += [f"        made[{name!r}] = {_dumped(plan, 'item', f'dump_{name}')}"]
    for name, plan, sight, _ in listed:
        shown = f"value.{name}"
        if plan.has_secret:
            shown = f"(None if {shown} is None else seen_{name}({shown}, eyes, seat))"
        owned = f"{shown} if owned else None"
        by_sight = {Visibility.PUBLIC: shown, Visibility.OWNER: owned, Visibility.HIDDEN: "None"}
        seen.append(by_sight[sight])
    lines = ["def seen(value, eyes, seat):", "    owned = seat in eyes"]
    return [*dump, "    return made", *lines, f"    return Node({', '.join(seen)})"]


class OneOf(Plan):
    """A node of one of several classes; the key `is` says which."""

    def __init__(self, plans: Sequence[NodePlan]) -> None:
        self.plans = {plan.cls: plan for plan in plans}
        self.names = {plan.cls.__name__: plan for plan in plans}
        self.makes = {cls: make for plan in plans for cls, make in plan.makes.items()}
        self.has_private = any(plan.has_private for plan in plans)
        self.has_secret = any(plan.has_secret for plan in plans)

    def dump(self, value: Any) -> Any:
        return {"is": type(value).__name__, **self.plans[type(value)].dump(value)}

    def load(self, dumped: Any) -> Any:
        fields = dict(dumped)
        return self.names[fields.pop("is")].load(fields)

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        return self.plans[type(value)].seen(value, eyes, seat)

    def owners(self, value: Any) -> Iterable[Seat]:
        return self.plans[type(value)].owners(value)

    def schema(self) -> Shaped:
        return {"oneOf": [plan.schema(name) for name, plan in sorted(self.names.items())]}
