"""Plans: the codecs that dump, load, show and diff the values of one type of a state.

`bluebear.rules.core.tree` compiles the type hints of a class into a plan once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple, cast

from msgspec.structs import astuple

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.visibility import Eyes, Seat


class _Nothing(Enum):
    SAME = "same"
    ABSENT = "absent"


SAME: Final = _Nothing.SAME
ABSENT: Final = _Nothing.ABSENT


class Changes(NamedTuple):
    """The changes of a move: the public patch, each seat's private patch, whether a secret differs.

    The patches are JSON merge patches; None and a missing seat mean that nothing changed. A private
    patch is applied after the public one.
    """

    public: Shaped | None
    private: Mapping[Seat, Shaped]
    secret: bool


Shown = tuple[Any, "dict[Seat, Any] | None", bool]
"""The change of a value: its public patch or SAME, the private patches by seat, `secret`."""


def together(parts: Iterable[tuple[str, Shown]]) -> Shown:
    """The change of a value from the changes of its parts, each with its name."""
    patch: Shaped = {}
    privates: dict[Seat, Any] = {}
    secret = False
    for name, (shown, private, differs) in parts:
        secret = secret or differs
        if shown is not SAME:
            patch[name] = shown
        if private is not None:
            for seat, part in private.items():
                privates.setdefault(seat, {})[name] = part
    return patch or SAME, privates or None, secret


class Plan:
    """The codec of one type. By default for leaves: public as a whole, without a private part."""

    has_private = False
    has_secret = False
    is_plain = False
    """Whether a value is a plain tree already."""
    opens = False
    """Whether the value has a draft; else it is replaced whole."""

    def dump(self, value: Any) -> Any:
        return value

    def load(self, dumped: Any) -> Any:
        return dumped

    def public(self, value: Any) -> Any:
        return value

    def private(self, value: Any, seat: Seat | None) -> Any:
        return ABSENT

    def seen(self, value: Any, eyes: Eyes, seat: Seat | None) -> Any:
        return value

    def diff_public(self, old: Any, new: Any) -> Any:
        """The public patch from one value, or from None, to another; SAME if they are equal."""
        if new is None:
            return None
        return SAME if old == new else self.public(new)

    def diff_private(self, old: Any, new: Any, seat: Seat | None) -> Any:
        return SAME

    def secret_changed(self, old: Any, new: Any) -> bool:
        return False

    def owners(self, value: Any, seat: Seat | None) -> Iterable[Seat]:
        """The seats that may have a private part in a value."""
        return ()

    def changes(self, old: Any, new: Any, seat: Seat | None) -> Shown:
        """The change from one value to another. One of the two may be None."""
        if not self.has_secret:
            return self.diff_public(old, new), None, False
        if old is not None and new is not None:
            return together(self.differing(old, new, seat))
        if new is None:
            return None, None, True
        parts = ((owner, self.private(new, owner)) for owner in self.owners(new, seat))
        return self.public(new), {at: each for at, each in parts if each is not ABSENT}, True

    def differing(self, old: Any, new: Any, seat: Seat | None) -> Iterable[tuple[str, Shown]]:
        """The changes of the parts, by name, between two values of a type that has secrets."""
        raise NotImplementedError


class Leaf(Plan):
    is_plain = True

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def diff_public(self, old: Any, new: Any) -> Any:
        return SAME if old == new else new

    def load(self, dumped: Any) -> Any:
        if type(dumped) is not self.kind:
            raise ValueError(f"expected {self.kind.__name__}, not {dumped!r}")
        return dumped


class EnumLeaf(Plan):
    def __init__(self, kind: type[Enum]) -> None:
        self.kind = kind

    def dump(self, value: Any) -> Any:
        return value._value_

    def load(self, dumped: Any) -> Any:
        return self.kind(dumped)

    def public(self, value: Any) -> Any:
        return value._value_


class TuplePlan(Plan):
    """A tuple is replaced whole in a patch, so nothing inside may be hidden from any viewer."""

    def __init__(self, items: Sequence[Plan], *, repeats: bool) -> None:
        self.items = items
        self.repeats = repeats
        self.plain = all(plan.is_plain for plan in items)

    def _paired(self, value: Sequence[Any]) -> Iterable[tuple[Plan, Any]]:
        if self.repeats:
            plan = self.items[0]
            return ((plan, item) for item in value)
        return zip(self.items, value, strict=True)

    def dump(self, value: Any) -> Any:
        if self.plain:
            return list(value)
        return [plan.dump(item) for plan, item in self._paired(value)]

    def load(self, dumped: Any) -> Any:
        if type(dumped) is not list:
            raise ValueError(f"expected a list, not {dumped!r}")
        return tuple(plan.load(item) for plan, item in self._paired(dumped))

    def public(self, value: Any) -> Any:
        if self.plain:
            return list(value)
        return [plan.public(item) for plan, item in self._paired(value)]


class RowPlan(Plan):
    """The plan of a `Row`: a node shown as an array of its fields."""

    def __init__(self, cls: type, names: Sequence[str], items: Sequence[Plan]) -> None:
        self.cls = cls
        self.names = names
        self.row = TuplePlan(items, repeats=False)
        self._shows = [
            (place, list if isinstance(plan, TuplePlan) and plan.plain else plan.public)
            for place, plan in enumerate(items)
            if not plan.is_plain
        ]

    def dump(self, value: Any) -> Any:
        return self.public(value)

    def load(self, dumped: Any) -> Any:
        return self.cls(*self.row.load(dumped))

    def public(self, value: Any) -> Any:
        made = [*astuple(value)]
        for place, show in self._shows:
            made[place] = show(made[place])
        return made


class KeyedPlan(Plan):
    opens = True

    def __init__(self, key: Callable[[str], Any], value: Plan, *, by_seat: bool) -> None:
        self.by_seat = by_seat
        self.key = key
        self.value = value
        self.has_private = value.has_private
        self.has_secret = value.has_secret

    def dump(self, value: Any) -> Any:
        return {str(key): self.value.dump(item) for key, item in value.items()}

    def load(self, dumped: Any) -> Any:
        return Keyed({self.key(key): self.value.load(item) for key, item in dumped.items()})

    def public(self, value: Any) -> Any:
        show = self.value.public
        return {str(key): show(item) for key, item in value.items()}

    def private(self, value: Any, seat: Seat | None) -> Any:
        made = {}
        for key, item in self._entries(value, seat):
            shown = self.value.private(item, key if self.by_seat else seat)
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

    def _entries(self, value: Any, seat: Seat | None) -> Iterable[tuple[Any, Any]]:
        if not self.by_seat:
            return cast("Iterable[tuple[Any, Any]]", value.items())
        return ((seat, value[seat]),) if seat in value else ()

    def diff_public(self, old: Any, new: Any) -> Any:
        if old is None or new is None:
            return None if new is None else self.public(new)
        patch: Shaped = {}
        diff = self.value.diff_public
        added = 0
        for key, before, item in new.changed(old):
            added += before is None
            change = diff(before, item)
            if change is not SAME:
                patch[str(key)] = change
        if len(old) + added > len(new):
            patch.update((str(key), None) for key in old if key not in new)
        return patch or SAME

    def diff_private(self, old: Any, new: Any, seat: Seat | None) -> Any:
        if old is new:
            return SAME
        if self.by_seat and old.get(seat) is new.get(seat):
            return SAME
        patch: Shaped = {}
        for key, item in self._entries(new, seat):
            before = old.get(key)
            if before is item:
                continue
            owner = key if self.by_seat else seat
            if before is None:
                change = self.value.private(item, owner)
            else:
                change = self.value.diff_private(before, item, owner)
            if change is not SAME and change is not ABSENT:
                patch[str(key)] = change
        return patch or SAME

    def secret_changed(self, old: Any, new: Any) -> bool:
        if old is new or not self.has_secret:
            return False
        if old.keys() != new.keys():
            return True
        return any(self.value.secret_changed(old[key], new[key]) for key in new)

    def owners(self, value: Any, seat: Seat | None) -> Iterable[Seat]:
        if self.by_seat:
            return cast("Iterable[Seat]", value.keys())
        return {owner for item in value.values() for owner in self.value.owners(item, seat)}

    def differing(self, old: Any, new: Any, seat: Seat | None) -> Iterable[tuple[str, Shown]]:
        for key, before, item in new.changed(old):
            yield str(key), self.value.changes(before, item, key if self.by_seat else seat)
        for key in old:
            if key not in new:
                yield str(key), (None, None, True)
