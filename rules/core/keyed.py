"""`Keyed`: a frozen, sorted mapping; the part of a state that changes piece by piece."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from typing import Any, Final, Generic, TypeVar, cast

K = TypeVar("K", bound="int | str")
V = TypeVar("V")


class Keyed(Generic[K, V]):
    """A frozen mapping whose keys are whole numbers or strings, always in sorted order.

    >>> scores = Keyed({2: 0, 1: 5})
    >>> scores.put(2, 7)
    Keyed({1: 5, 2: 7})

    In the draft of a move it can be written to: `draft.scores[2] = 7`, `del draft.scores[1]`.
    """

    __slots__ = ("_map",)

    _map: dict[K, V]

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        self._map = in_order(dict(items))

    def __setitem__(self, key: K, value: V) -> None:
        raise TypeError("a Keyed is frozen; only in a draft it is written to")

    def __delitem__(self, key: K) -> None:
        raise TypeError("a Keyed is frozen; only in a draft it is written to")

    def put(self, key: K, value: V) -> Keyed[K, V]:
        """A copy in which `key` has `value`; every other value is shared."""
        made = self._map.copy()
        made[key] = value
        return wrapped(made if len(made) == len(self._map) else in_order(made))

    def drop(self, key: K) -> Keyed[K, V]:
        """A copy without `key`; KeyError if there is none."""
        made = self._map.copy()
        del made[key]
        return wrapped(made)

    def get(self, key: K) -> V | None:
        """The value of `key`, None if there is none; to be read, also in a draft."""
        return self._map.get(key)

    def changed(self, before: Keyed[K, V]) -> list[tuple[K, V | None, V]]:
        """What is not the same object as before: key, the value before if any, the value.

        One pass without a call for each key, since patches ask for it in every part of a state.
        """
        old = before._map
        return [
            (key, old.get(key), value)
            for key, value in self._map.items()
            if old.get(key) is not value
        ]

    def __getitem__(self, key: K) -> V:
        return self._map[key]

    def __contains__(self, key: object) -> bool:
        return key in self._map

    def __len__(self) -> int:
        return len(self._map)

    def __iter__(self) -> Iterator[K]:
        return iter(self._map)

    def keys(self) -> KeysView[K]:
        """The keys, sorted."""
        return self._map.keys()

    def values(self) -> ValuesView[V]:
        """The values in the order of their keys; to be read, also in a draft."""
        return self._map.values()

    def items(self) -> ItemsView[K, V]:
        """Pairs in the order of the keys; to be read, also in a draft."""
        return self._map.items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keyed) and self._map == other._map

    def __hash__(self) -> int:
        return hash(tuple(self._map.items()))

    def __repr__(self) -> str:
        return f"Keyed({self._map!r})"


def in_order(given: dict[K, V]) -> dict[K, V]:
    """A dict with sorted keys."""
    # Any: the keys of one mapping are of one kind, so they compare.
    keys = sorted(cast("dict[Any, V]", given))
    return {key: given[key] for key in keys}


_new: Final = object.__new__


def wrapped(sorted_map: dict[K, V]) -> Keyed[K, V]:
    """A Keyed of a dict that is in order and that nobody else writes to."""
    made: Keyed[K, V] = _new(Keyed)
    made._map = sorted_map
    return made
