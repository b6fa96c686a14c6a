"""What is kept by the identity of a part: the same answers as without, asked less often."""

from __future__ import annotations

from rules.core.draft import draft_of
from rules.core.keyed import Keyed
from rules.tokugawa.chips import chip
from rules.tokugawa.ground import BIT, estate_of, ground_of
from rules.tokugawa.kept import Kept
from rules.tokugawa.state import Kind
from rules.tokugawa.terms import Town
from tests.rules.tokugawa.worked import A, B, after, done, position


def asked_of(most: int) -> tuple[Kept[Keyed[int, int], int], list[int]]:
    """A sum that is kept, and the sums that had to be worked out."""
    worked_out: list[int] = []

    def add(part: Keyed[int, int]) -> int:
        worked_out.append(sum(part.values()))
        return worked_out[-1]

    return Kept(add, most=most), worked_out


def test_the_same_part_is_worked_out_once() -> None:
    added, worked_out = asked_of(most=2)
    part, equal = Keyed({1: 2}), Keyed({1: 2})
    assert [added(each) for each in (part, part, equal, part)] == [2] * 4
    assert worked_out == [2, 2]


def test_no_more_is_kept_than_was_said() -> None:
    added, worked_out = asked_of(most=2)
    parts = [Keyed({1: number}) for number in range(3)]
    assert [added(each) for each in (*parts, *parts)] == [0, 1, 2] * 2
    assert len(worked_out) > 3


def test_a_draft_is_asked_anew_once_it_was_written_to() -> None:
    table = position("A nara archer", "B uraga archer", built=["A nara garden"])
    draft = draft_of(table)
    before = ground_of(table, A)
    assert ground_of(draft, A) is before
    assert estate_of(draft, A) is estate_of(table, A)
    draft.pieces[Town("osaka")] = chip(A, Kind.SWORD)
    assert ground_of(draft, A).samurai == before.samurai | BIT[Town("osaka")]
    del draft.pieces[Town("nara")]
    assert ground_of(draft, A).samurai == BIT[Town("osaka")]
    assert ground_of(table, A) is before


def test_what_a_move_leaves_alone_is_not_worked_out_again() -> None:
    table = position("A nara archer", "B uraga archer", built=["A nara garden"])
    taxed = done(table, A, "/tax kinki").state
    assert ground_of(taxed, A) is ground_of(table, A)
    assert ground_of(taxed, B) is ground_of(table, B)
    gone = after(taxed, "/move nara osaka land")
    assert ground_of(gone, A) is not ground_of(table, A)
    assert estate_of(gone, A) is estate_of(table, A)
