"""Answers that are kept by the very part of a state that they are about."""

from __future__ import annotations

import pytest

from bluebear.rules.core.identity_cache import IdentityCache
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.visibility import Node, Public


class Pot(Node):
    coins: Public[Keyed[int, int]]


def test_an_answer_is_matched_by_the_very_object() -> None:
    stored: IdentityCache[Keyed[int, int], str] = IdentityCache(2)
    one, equal = Keyed({1: 2}), Keyed({1: 2})
    assert stored.get(one) is None
    assert stored.put(one, "one") == "one"
    assert stored.get(one) == "one"
    assert stored.get(equal) is None
    assert stored.put(one, "other") == stored.get(one) == "other"


def test_only_the_latest_answers_are_stored() -> None:
    stored: IdentityCache[Keyed[int, int], int] = IdentityCache(2)
    parts = [Keyed({1: number}) for number in range(4)]
    for number, section in enumerate(parts):
        stored.put(section, number)
    assert [stored.get(section) for section in parts] == [None, None, 2, 3]


def test_nothing_is_stored_for_a_draft() -> None:
    stored: IdentityCache[object, int] = IdentityCache(2)
    draft = tree_of(Pot).draft(Pot(coins=Keyed({1: 2})))
    for section in (draft, draft.coins):
        with pytest.raises(TypeError):
            stored.put(section, 3)
