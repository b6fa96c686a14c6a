"""Do stored numbers only fall, and does a number that has fallen have to be stored?"""

from __future__ import annotations

import tomllib

from tests.project.ratchet import lowered, risen, stale

STORED = {"a": {"names": 100, "comments": 2}, "b": {"names": 1}}
TEXT = """[words]
"a" = { names = 1 }

[baseline]
"a" = { names = 100, comments = 2 } # the oldest package
"b" = { names = 1 }

[other]
"a" = { names = 1 }
"""


def test_more_than_is_stored_is_detected_also_where_nothing_is_stored() -> None:
    now = {"a": {"names": 101, "comments": 2}, "c": {"names": 1}}
    assert risen(now, STORED) == {("a", "names"), ("c", "names")}


def test_a_few_less_may_stay_and_many_less_must_be_stored() -> None:
    assert stale({"a": {"names": 95, "comments": 2}, "b": {"names": 1}}, STORED) == set()
    assert stale({"a": {"names": 94, "comments": 2}}, STORED) == {("a", "names"), ("b", "names")}


def test_lowering_never_raises_adds_or_touches_another_table() -> None:
    text = lowered(TEXT, "baseline", {"a": {"names": 300, "comments": 1}, "c": {"names": 3}})
    assert tomllib.loads(text) == {
        "words": {"a": {"names": 1}},
        "baseline": {"a": {"names": 100, "comments": 1}},
        "other": {"a": {"names": 1}},
    }
    assert "# the oldest package" in text
