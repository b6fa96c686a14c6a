"""Merge patches, differences and check sums."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from bluebear.protocol.checksum import crc
from bluebear.rules.core.merge_patch import Branch, Tree, apply, canonical, diff
from tests.protocol.strategies import branches, trees

VECTORS = [
    pytest.param(
        *(column.strip() for column in line.split(" | ")[:3]), id=line.split("|")[3].strip()
    )
    for line in Path(__file__).with_name("merge_patch.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def without_nulls(tree: Tree) -> Tree:
    """Views have no null members; inside arrays anything goes."""
    if not isinstance(tree, dict):
        return tree
    return {key: without_nulls(value) for key, value in tree.items() if value is not None}


@pytest.mark.parametrize(("target", "patch", "result"), VECTORS)
def test_a_vector(target: str, patch: str, result: str) -> None:
    assert canonical(apply(json.loads(patch), json.loads(target))) == canonical(json.loads(result))


@given(branches, branches)
def test_the_difference_leads_from_one_view_to_the_other(old: Branch, new: Branch) -> None:
    one, other = without_nulls(old), without_nulls(new)
    assert isinstance(one, dict)
    assert isinstance(other, dict)
    assert canonical(apply(diff(one, other), one)) == canonical(other)


@given(branches)
def test_equal_views_have_no_difference(view: Branch) -> None:
    assert diff(view, json.loads(canonical(view))) == {}


@given(trees, trees)
def test_a_patch_leaves_its_arguments_alone(patch: Tree, target: Tree) -> None:
    before = canonical(patch), canonical(target)
    apply(patch, target)
    assert (canonical(patch), canonical(target)) == before


def test_what_a_patch_does_not_touch_is_shared() -> None:
    seats: Branch = {"1": "Ayu"}
    patched = apply({"hand": [3], "bids": {"1": 5}}, {"hand": [2], "bids": {}, "seats": seats})
    assert isinstance(patched, dict)
    assert patched["seats"] is seats


def test_an_empty_patch_gives_the_same_tree() -> None:
    view: Branch = {"hand": [2]}
    assert apply({}, view) is view


def test_a_difference_tells_true_from_one() -> None:
    assert diff({"a": 1, "b": [0]}, {"a": True, "b": [False]}) == {"a": True, "b": [False]}


def test_a_tuple_equals_the_list_it_will_be() -> None:
    assert diff({"a": (1, 2)}, {"a": [1, 2]}) == {}


@pytest.mark.parametrize("new", [{"a": None}, {"a": {"b": None}}])
def test_a_null_member_has_no_patch(new: Branch) -> None:
    with pytest.raises(ValueError, match="null"):
        diff({}, new)


def test_a_null_that_was_there_before_is_no_change() -> None:
    assert diff({"a": None, "b": 1}, {"a": None, "b": 2}) == {"b": 2}


def test_keys_are_sorted_by_code_point_not_by_utf16_unit() -> None:
    assert canonical({"\U0001f600": 1, "\uff5e": 2}).decode() == '{"\uff5e":2,"\U0001f600":1}'


def test_only_what_json_demands_is_escaped() -> None:
    assert canonical('\x00\x1f\b\f\n\r\t"\\/\x7f東').decode() == (
        '"\\u0000\\u001f\\b\\f\\n\\r\\t\\"\\\\/\x7f東"'
    )


def test_the_sum_is_the_common_crc_32() -> None:
    # The check value in every catalogue of CRCs is that of the text 123456789.
    assert crc(123456789) == 0xCBF43926


@given(trees)
def test_the_canonical_text_is_what_anybody_would_write(tree: Tree) -> None:
    written = json.dumps(
        tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    assert canonical(tree).decode() == written


def test_every_character_is_written_as_json_demands() -> None:
    text = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x11000))))
    texts: Tree = {character: character for character in text}
    assert canonical(texts).decode() == json.dumps(
        texts, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )


def test_half_a_surrogate_pair_has_no_canonical_text() -> None:
    with pytest.raises(UnicodeEncodeError):
        canonical("\ud800")
