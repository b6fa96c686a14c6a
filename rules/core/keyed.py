"""`Keyed`: a frozen, sorted mapping, for the parts of a state that change entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

K = TypeVar("K", bound="int | str")
V = TypeVar("V")

fresh = dict.__new__
fill = dict.update
look_up = dict.__getitem__
put_at = dict.__setitem__
take_out = dict.pop
"""Writing methods of `dict`, which the class blocks: for this module and `draft` only."""


class Keyed(dict[K, V]):
    """A frozen mapping whose keys are whole numbers or strings, always in sorted order.

    >>> scores = Keyed({2: 0, 1: 5})
    >>> scores.put(2, 7)
    Keyed({1: 5, 2: 7})

    In a draft it can be written to: `draft.scores[2] = 7`, `del draft.scores[1]`.
    """

    __slots__ = ("draft_base", "touched")
    """Set in drafts only, which become Keyeds by a change of their class."""

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        given = cast("dict[Any, V]", dict(items))  # Any: keys of one kind compare
        fill(self, {key: given[key] for key in sorted(given)})

    peek = dict.__getitem__
    """The value of a key, for reading only: it makes no draft of the value. KeyError if none."""

    def put(self, key: K, value: V) -> Keyed[K, V]:
        """A copy in which `key` has `value`; every other value is shared."""
        made = self.copy()
        is_new = key not in self
        put_at(made, key, value)
        return Keyed(made) if is_new else made

    def copy(self) -> Keyed[K, V]:
        """Another Keyed with the same values."""
        made: Keyed[K, V] = fresh(Keyed)
        fill(made, self)
        return made

    if not TYPE_CHECKING:  # type checkers see the methods of its drafts

        def _refused(self, *given, **named):
            raise TypeError("a Keyed is frozen; only in a draft it is written to")

        __setitem__ = __delitem__ = __ior__ = _refused
        clear = pop = popitem = setdefault = update = _refused

    def __hash__(self) -> int:  # type: ignore[override]  # frozen, so it has one
        return hash(tuple(self.items()))

    def __repr__(self) -> str:
        return f"Keyed({dict(self)!r})"
