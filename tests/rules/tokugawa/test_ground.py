"""Who stands where and what is built: worked out once for the same pieces and buildings."""

from __future__ import annotations

from bluebear.rules.core.draft import draft_of
from bluebear.rules.tokugawa.data.terms import Town
from bluebear.rules.tokugawa.rules.pieces import BIT, chip, estate_of, ground_of
from bluebear.rules.tokugawa.rules.state import Kind
from tests.rules.tokugawa.worked import A, B, after, done, position


def test_a_draft_is_queried_again_once_it_was_written_to() -> None:
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
    removed = after(taxed, "/move nara osaka land")
    assert ground_of(removed, A) is not ground_of(table, A)
    assert estate_of(removed, A) is estate_of(table, A)
