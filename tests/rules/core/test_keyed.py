"""Is a Keyed a frozen mapping that is always in order?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.keyed import Keyed

dicts = st.dictionaries(st.integers(-5, 5), st.integers(0, 9))


def test_keys_come_in_order_however_they_were_given() -> None:
    assert list(Keyed({3: "c", 1: "a", 2: "b"})) == [1, 2, 3]


def test_pairs_make_one_too() -> None:
    assert Keyed([(2, "b"), (1, "a")]) == Keyed({1: "a", 2: "b"})


def test_putting_leaves_the_old_one_alone() -> None:
    old = Keyed({1: "a"})
    new = old.put(0, "z").put(1, "b")
    assert (old, new) == (Keyed({1: "a"}), Keyed({0: "z", 1: "b"}))


def test_what_is_not_there_is_none_or_an_error() -> None:
    keyed = Keyed({1: "a"})
    assert keyed.get(2) is None
    assert 2 not in keyed
    with pytest.raises(KeyError):
        keyed[2]


def test_nothing_can_be_set_on_it() -> None:
    with pytest.raises(AttributeError):
        Keyed({1: "a"}).name = "b"  # type: ignore[attr-defined]  # that it is refused is the point
    with pytest.raises(TypeError, match="frozen"):
        Keyed({1: "a"})[1] = "b"
    with pytest.raises(TypeError, match="frozen"):
        del Keyed({1: "a"})[1]


def test_values_are_shared_between_copies() -> None:
    value = ("a",)
    assert Keyed({1: value, 2: ("b",)}).put(2, ("c",))[1] is value


def test_it_equals_a_mapping_of_the_same_values() -> None:
    assert Keyed({2: "b", 1: "a"}) == {1: "a", 2: "b"}


@given(dicts, dicts)
def test_equal_ones_have_equal_hashes_and_texts(one: dict[int, int], two: dict[int, int]) -> None:
    first = Keyed({**one, **two})
    second = Keyed(one)
    for key, value in two.items():
        second = second.put(key, value)
    assert first == second
    assert (hash(first), repr(first)) == (hash(second), repr(second))


@given(dicts, st.integers(-5, 5), st.integers(0, 9))
def test_putting_is_what_a_dict_does_in_order(given: dict[int, int], key: int, value: int) -> None:
    made = Keyed(given).put(key, value)
    assert list(made.items()) == sorted({**given, key: value}.items())
    assert list(made.keys()) == sorted({*given, key})
    assert len(list(made.values())) == len(made)
