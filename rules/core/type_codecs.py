"""Plans: the codecs that dump, load and show the values of one type of a state.

`bluebear.rules.core.tree` compiles the type hints of a class into a plan once. In the JSON Schema
of views a row is an array whose `"x-fields"` name its items; an Owner field is an optional property
with `"x-owner": true`, and a Hidden field is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple, cast

from msgspec import Struct
from msgspec.structs import astuple

from bluebear.rules.core.draft import NO_MAKES, drafted, keyed_make
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.visibility import Event, Eyes, Move, Node, Seat, Visibility


class _Nothing(Enum):
    SAME = "same"
    ABSENT = "absent"


SAME: Final = _Nothing.SAME
ABSENT: Final = _Nothing.ABSENT


class Changes(Struct, frozen=True, gc=False):
    """The changes of a move: the public patch, each seat's private patch, whether a secret differs.

    The patches are JSON merge patches; None and a missing seat mean that nothing changed. A private
    patch is applied after the public one.
    """

    public: Shaped | None
    private: Mapping[Seat, Shaped]
    secret: bool


class Plan:
    """The codec of one type. By default for leaves: public as a whole, without a private part."""

    has_private = False
    has_secret = False
    is_plain = False
    """Whether a value is a plain tree already."""
    makes = NO_MAKES
    """The factories of drafts for the classes of its values; one without is replaced whole."""

    def dump(self, value: Any, *, secret: bool = True) -> Any:
        """The value as a plain tree; without `secret`, what every viewer sees of it."""
        return value

    def load(self, dumped: Any) -> Any:
        return dumped

    def private(self, value: Any, seat: Seat | None) -> Any:
        return ABSENT

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        return value

    def owners(self, value: Any) -> Iterable[Seat]:
        """The seats in a value, outside of any seat, that may have a private part in it."""
        return ()

    def schema(self) -> Shaped:
        """The JSON Schema of the views of a value. TypeError for a class without one."""
        raise TypeError(f"no schema for {self!r}")


_TYPES: Final = {int: "integer", str: "string", bool: "boolean"}


class Leaf(Plan):
    is_plain = True

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def schema(self) -> Shaped:
        return {"type": _TYPES[self.kind]}

    def load(self, dumped: Any) -> Any:
        if type(dumped) is not self.kind:
            raise ValueError(f"expected {self.kind.__name__}, not {dumped!r}")
        return dumped


class EnumLeaf(Plan):
    def __init__(self, kind: type[Enum]) -> None:
        self.kind = kind

    def dump(self, value: Any, *, secret: bool = True) -> Any:
        return value._value_

    def load(self, dumped: Any) -> Any:
        return self.kind(dumped)

    def schema(self) -> Shaped:
        return {"enum": [member.value for member in self.kind]}


class TuplePlan(Plan):
    """A tuple is replaced whole in a patch, so nothing inside may be hidden from any viewer."""

    def __init__(self, items: Sequence[Plan], *, repeats: bool) -> None:
        self.items = items
        self.repeats = repeats
        self.plain = all(plan.is_plain for plan in items)

    def dump(self, value: Any, *, secret: bool = True) -> Any:
        if self.plain:
            return list(value)
        if self.repeats:
            return list(map(self.items[0].dump, value))
        return [plan.dump(item) for plan, item in zip(self.items, value, strict=True)]

    def load(self, dumped: Any) -> Any:
        if type(dumped) is not list:
            raise ValueError(f"expected a list, not {dumped!r}")
        if self.repeats:
            return tuple(map(self.items[0].load, dumped))
        return tuple([plan.load(item) for plan, item in zip(self.items, dumped, strict=True)])

    def schema(self) -> Shaped:
        if self.repeats:
            return {"type": "array", "items": self.items[0].schema()}
        count, items = len(self.items), [item.schema() for item in self.items]
        return {"type": "array", "prefixItems": items, "minItems": count, "maxItems": count}


class RowPlan(Plan):
    """The plan of a `Row`: a node shown as an array of its fields."""

    def __init__(self, cls: type, names: Sequence[str], items: Sequence[Plan]) -> None:
        self.cls = cls
        self.names = names
        self.row = TuplePlan(items, repeats=False)

    def dump(self, value: Any, *, secret: bool = True) -> Any:
        return self.row.dump(astuple(value))

    def load(self, dumped: Any) -> Any:
        return self.cls(*self.row.load(dumped))

    def schema(self) -> Shaped:
        return {**self.row.schema(), "x-fields": list(self.names)}


class KeyedPlan(Plan):
    def __init__(self, key: Callable[[str], Any], value: Plan, *, by_seat: bool) -> None:
        self.by_seat = by_seat
        self.key = key
        self.value = value
        self.makes = {Keyed: keyed_make(value.makes)}
        self.has_private = value.has_private
        self.has_secret = value.has_secret

    def dump(self, value: Any, *, secret: bool = True) -> Any:
        dump = self.value.dump
        return {str(key): dump(item, secret=secret) for key, item in value.items()}

    def load(self, dumped: Any) -> Any:
        return Keyed({self.key(key): self.value.load(item) for key, item in dumped.items()})

    def private(self, value: Any, seat: Seat | None) -> Any:
        if self.by_seat:
            value = {seat: value[seat]} if seat in value else {}
        made = {}
        for key, item in value.items():
            shown = self.value.private(item, seat)
            if shown is not ABSENT:
                made[str(key)] = shown
        return made or ABSENT

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        if not self.has_secret:
            return value
        show = self.value.seen
        return Keyed(
            {key: show(item, eyes, key if self.by_seat else seat) for key, item in value.items()}
        )

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
        shown = [f for f in listed if f.sight is Visibility.PUBLIC]
        owned = [f for f in listed if f.sight is Visibility.OWNER]
        self.has_private = bool(owned) or any(f.plan.has_private for f in shown)
        self.has_secret = len(shown) < len(listed) or any(f.plan.has_secret for f in shown)
        self._dumped = self._placed(listed)
        self._shown = self._placed(shown)
        self._owned = self._placed(owned)
        self._below = self._placed([f for f in shown if f.plan.has_private])

    def _placed(self, fields: Sequence[Field]) -> list[tuple[int, str, Plan]]:
        return [(self.listed.index(field), field.name, field.plan) for field in fields]

    def dump(self, value: Any, *, secret: bool = True) -> Any:
        values = astuple(value)
        made: Shaped = {}
        for place, name, plan in self._dumped if secret else self._shown:
            item = values[place]
            if item is not None:
                made[name] = item if plan.is_plain else plan.dump(item, secret=secret)
        return made

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

    def private(self, value: Any, seat: Seat | None) -> Any:
        values = astuple(value)
        made: Shaped = {}
        for place, name, plan in self._owned:
            item = values[place]
            if item is not None:
                made[name] = plan.dump(item, secret=False)
        for place, name, plan in self._below:
            item = values[place]
            shown = ABSENT if item is None else plan.private(item, seat)
            if shown is not ABSENT:
                made[name] = shown
        return made or ABSENT

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        if not self.has_secret:
            return value
        sights = (Visibility.PUBLIC, *([Visibility.OWNER] if seat in eyes else []))
        values: list[Any] = []
        for field, item in zip(self.listed, astuple(value), strict=True):
            is_seen = item is not None and field.sight in sights
            values.append(field.plan.seen(item, eyes, seat) if is_seen else None)
        return self.cls(*values)

    def owners(self, value: Any) -> Iterable[Seat]:
        values = astuple(value)
        below = [(plan, values[place]) for place, _, plan in self._below]
        return {owner for plan, item in below if item is not None for owner in plan.owners(item)}

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


class OneOf(Plan):
    """A node of one of several classes; the key `is` says which."""

    def __init__(self, plans: Sequence[NodePlan]) -> None:
        self.plans = {plan.cls: plan for plan in plans}
        self.names = {plan.cls.__name__: plan for plan in plans}
        self.makes = {cls: make for plan in plans for cls, make in plan.makes.items()}
        self.has_private = any(plan.has_private for plan in plans)
        self.has_secret = any(plan.has_secret for plan in plans)

    def dump(self, value: Any, *, secret: bool = True) -> Any:
        plan = self.plans[type(value)]
        return {"is": type(value).__name__, **plan.dump(value, secret=secret)}

    def load(self, dumped: Any) -> Any:
        fields = dict(dumped)
        return self.names[fields.pop("is")].load(fields)

    def private(self, value: Any, seat: Seat | None) -> Any:
        return self.plans[type(value)].private(value, seat)

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        return self.plans[type(value)].seen(value, eyes, seat)

    def owners(self, value: Any) -> Iterable[Seat]:
        return self.plans[type(value)].owners(value)

    def schema(self) -> Shaped:
        return {"oneOf": [plan.schema(name) for name, plan in sorted(self.names.items())]}
