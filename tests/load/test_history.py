"""Does the checker see what cannot be explained?"""

from __future__ import annotations

from math import inf

import pytest

from tests.tools.load.history_check import Act, Fate, Stored, faults_of

FIRST = Act("ayu", "a1", 0.0, 1.0, Fate.DONE, 5)
SECOND = Act("ben", "b1", 2.0, 3.0, Fate.DONE, 6)
LOST = Act("ben", "b2", 4.0, inf, Fate.UNKNOWN)
NO = Act("ayu", "a2", 4.0, 5.0, Fate.REFUSED)
COMPLETE: Stored = (("ayu", "a1", 5), ("ben", "b1", 6))


@pytest.mark.parametrize("stored", [COMPLETE, (*COMPLETE, ("ben", "b2", 7))], ids=["lost", "kept"])
def test_what_was_done_is_there_and_what_was_not_answered_may_be(stored: Stored) -> None:
    assert list(faults_of([FIRST, SECOND, LOST, NO], stored)) == []


@pytest.mark.parametrize(
    ("stored", "fault"),
    [
        (COMPLETE[:1], "b1 was done, and is not stored"),
        ((*COMPLETE, ("ayu", "a1", 7)), "a1 is stored 2 times"),
        ((*COMPLETE, ("ayu", "a2", 7)), "a2 was refused, and is stored"),
        ((("ayu", "a1", 5), ("ben", "b1", 8)), "b1 was done at 6, and is stored at 8"),
    ],
)
def test_what_cannot_be_explained_is_seen(stored: Stored, fault: str) -> None:
    assert fault in " ".join(faults_of([FIRST, SECOND, LOST, NO], stored))


def test_an_order_that_time_forbids_is_seen() -> None:
    late = Act("ayu", "a1", 0.0, 1.0, Fate.DONE)
    early = Act("ben", "b1", 2.0, 3.0, Fate.DONE)
    (fault,) = faults_of([late, early], (("ben", "b1", 5), ("ayu", "a1", 6)))
    assert "was answered before b1 was said" in fault
    beside = Act("ben", "b1", 0.5, 3.0, Fate.DONE)
    assert list(faults_of([late, beside], (("ben", "b1", 5), ("ayu", "a1", 6)))) == []
