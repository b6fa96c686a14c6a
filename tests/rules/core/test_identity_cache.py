"""Answers that are kept by the very part of a state that they are about."""

from __future__ import annotations

import pytest

from bluebear.rules.core.draft import draft_of
from bluebear.rules.core.identity_cache import IdentityCache
from bluebear.rules.core.keyed import Keyed


def test_an_answer_is_found_by_the_very_object() -> None:
    kept: IdentityCache[Keyed[int, int], str] = IdentityCache(2)
    one, equal = Keyed({1: 2}), Keyed({1: 2})
    assert kept.get(one) is None
    assert kept.put(one, "one") == "one"
    assert kept.get(one) == "one"
    assert kept.get(equal) is None
    assert kept.put(one, "other") == kept.get(one) == "other"


def test_only_the_latest_answers_are_kept() -> None:
    kept: IdentityCache[Keyed[int, int], int] = IdentityCache(2)
    parts = [Keyed({1: number}) for number in range(4)]
    for number, part in enumerate(parts):
        kept.put(part, number)
    assert [kept.get(part) for part in parts] == [None, None, 2, 3]


def test_nothing_is_kept_for_a_draft() -> None:
    kept: IdentityCache[Keyed[int, int], int] = IdentityCache(2)
    with pytest.raises(TypeError):
        kept.put(draft_of(Keyed({1: 2})), 3)
