"""Do dumps, views and patches of any state say exactly what they should?"""

from __future__ import annotations

import itertools
import json
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.merge_patch import Tree, apply, canonical, diff, merged
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.visibility import (
    Eyes,
    Node,
    Owner,
    Public,
    Row,
    Seat,
    VisibilityError,
    but,
    require,
)
from tests.rules.core.sample import (
    CANARY,
    SAMPLE,
    Asking,
    Coin,
    Colour,
    Dealing,
    Hand,
    Height,
    Offer,
    Sample,
    Scoring,
    samples,
    successions,
)

HAND = Hand(
    size=2,
    cards=(3, 1),
    purse=Keyed({Height.LOW: Coin(worth=1, colour=Colour.RED)}),
    note=None,
    fate=CANARY,
)
TABLE = Sample(
    name="one",
    open=True,
    hands=Keyed({Seat(1): HAND, Seat(2): but(HAND, cards=(0,), size=1)}),
    coins=Keyed({Colour.BLUE: Coin(worth=2, colour=Colour.BLUE)}),
    row=(),
    pair=(1, Colour.RED),
    best=None,
    phase=Dealing(left=3, by=Seat(2)),
    pile=Keyed({7: CANARY + 1}),
)
ALL_EYES: list[Eyes] = [
    frozenset(map(Seat, seats))
    for count in range(4)
    for seats in itertools.combinations((1, 2, 3), count)
]


class Loose(Enum):
    ONE = "one"


class Shelf(Node):
    items: Public[Keyed[Loose, int]]  # type: ignore[type-var]  # refused at run time as well


def test_a_spectator_sees_the_public_fields_only() -> None:
    assert SAMPLE.view(TABLE, frozenset()) == {
        "name": "one",
        "open": True,
        "hands": {"1": {"size": 2}, "2": {"size": 1}},
        "coins": {"blue": {"worth": 2, "colour": "blue"}},
        "row": [],
        "pair": [1, "red"],
        "phase": {"is": "Dealing", "left": 3, "by": 2},
    }


def test_a_seat_sees_its_section_beside_it() -> None:
    view = SAMPLE.view(TABLE, frozenset({Seat(1)}))
    assert view["hands"] == {
        "1": {"size": 2, "cards": [3, 1], "purse": {"1": {"worth": 1, "colour": "red"}}},
        "2": {"size": 1},
    }


def test_a_seat_without_secrets_sees_what_all_see() -> None:
    assert SAMPLE.view(TABLE, frozenset({Seat(3)})) == SAMPLE.view(TABLE)


def test_a_patch_names_what_changed_and_nothing_else() -> None:
    paid = but(TABLE, coins=TABLE.coins.put(Colour.BLUE, Coin(worth=3, colour=Colour.BLUE)))
    assert SAMPLE.changes(TABLE, paid).public == {"coins": {"blue": {"worth": 3}}}


def test_a_patch_deletes_a_key_with_a_null() -> None:
    bare = but(TABLE, coins=Keyed())
    assert SAMPLE.changes(TABLE, bare).public == {"coins": {"blue": None}}


def test_a_patch_says_nothing_of_what_is_hidden() -> None:
    turned = but(TABLE, pile=require(TABLE.pile).put(7, CANARY + 2))
    assert SAMPLE.changes(TABLE, turned).public is None
    assert SAMPLE.changes(TABLE, turned).private.get(Seat(1)) is None
    assert SAMPLE.changes(TABLE, turned).secret


def test_a_drawn_card_is_in_the_patch_of_its_owner_only() -> None:
    drawn = but(TABLE, hands=TABLE.hands.put(Seat(1), but(HAND, cards=(3, 1, 2))))
    assert SAMPLE.changes(TABLE, drawn).public is None
    assert SAMPLE.changes(TABLE, drawn).private.get(Seat(1)) == {
        "hands": {"1": {"cards": [3, 1, 2]}}
    }
    assert SAMPLE.changes(TABLE, drawn).private.get(Seat(2)) is None


def test_a_phase_of_another_class_leaves_nothing_of_the_old_one() -> None:
    scoring = but(TABLE, phase=Scoring(left=(1,), secret=CANARY))
    assert SAMPLE.changes(TABLE, scoring).public == {
        "phase": {"is": "Scoring", "left": [1], "by": None}
    }


def test_what_an_owner_had_in_a_phase_follows_it() -> None:
    asking = but(TABLE, phase=Asking(by=Keyed({Seat(1): Offer(made=True, wanted=2)})))
    assert SAMPLE.view(asking, frozenset({Seat(1)}))["phase"]["by"]["1"]["wanted"] == 2
    _follows(asking, TABLE, frozenset({Seat(1)}))


def test_nothing_secret_has_changed_when_only_public_parts_have() -> None:
    assert not SAMPLE.changes(TABLE, but(TABLE, open=False)).secret


def test_an_unknown_field_is_not_loaded() -> None:
    with pytest.raises(ValueError, match="Sample has no field 'price'"):
        SAMPLE.load({**SAMPLE.dump(TABLE), "price": 3})


@pytest.mark.parametrize(
    ("name", "value"),
    [("open", 1), ("name", 3), ("row", {}), ("coins", {"green": {}}), ("hands", {"1": []})],
)
def test_a_value_of_another_type_is_not_loaded(name: str, value: object) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        SAMPLE.load({**SAMPLE.dump(TABLE), name: value})


def test_the_canonical_text_is_sorted_and_without_spaces() -> None:
    assert canonical({"b": [1, True], "a": "席"}) == '{"a":"席","b":[1,true]}'.encode()


def test_a_key_that_has_no_one_text_cannot_be_a_key() -> None:
    class Either(Node):
        cards: Public[Keyed[int | str, int]]

    for cls in (Shelf, Either):
        with pytest.raises(VisibilityError, match="a key is"):
            tree_of(cls)


def test_a_tree_is_compiled_once() -> None:
    assert tree_of(Sample) is SAMPLE


def test_a_move_may_have_an_owner_at_its_top() -> None:
    class Secretive(Node):
        card: Owner[int]

    tree = tree_of(Secretive, inside_seat=True)
    assert tree.view(Secretive(card=3)) == {}
    assert tree.view(Secretive(card=3), frozenset({Seat(1)}), Seat(1)) == {"card": 3}


def test_merging_keeps_what_is_there() -> None:
    made = merged({"a": {"b": 1}}, {"a": {"c": 2}, "d": 3})
    assert made == {"a": {"b": 1, "c": 2}, "d": 3}


@given(samples)
def test_loading_a_dump_gives_the_same_state(node: Sample) -> None:
    dumped = json.loads(canonical(SAMPLE.dump(node)))
    assert SAMPLE.load(dumped) == node


@given(samples, samples)
def test_digests_are_equal_exactly_for_equal_states(one: Sample, two: Sample) -> None:
    assert (SAMPLE.digest(one) == SAMPLE.digest(two)) == (one == two)


@given(samples)
def test_no_view_has_a_null_or_a_hidden_number(node: Sample) -> None:
    for eyes in ALL_EYES:
        text = canonical(SAMPLE.view(node, eyes)).decode()
        assert "null" not in text
        assert str(CANARY)[:6] not in text


@given(samples)
def test_the_parts_together_are_the_view(node: Sample) -> None:
    for eyes in ALL_EYES:
        public = made = SAMPLE.view(node)
        for seat in sorted(eyes):
            made = merged(made, diff(public, SAMPLE.view(node, frozenset({seat}))))
        assert made == SAMPLE.view(node, eyes)


@given(samples)
def test_the_view_of_a_board_is_what_a_client_loads(node: Sample) -> None:
    for eyes in ALL_EYES:
        assert SAMPLE.seen(node, eyes) == SAMPLE.load(SAMPLE.view(node, eyes))


@given(successions())
def test_patches_make_the_old_view_the_new_one(pair: tuple[Sample, Sample]) -> None:
    for eyes in ALL_EYES:
        _follows(*pair, eyes)


@given(successions())
def test_without_a_secret_change_the_public_views_tell_states_apart(
    pair: tuple[Sample, Sample],
) -> None:
    old, new = pair
    if not SAMPLE.changes(old, new).secret and SAMPLE.changes(old, new).public is None:
        assert old == new


json_trees = st.recursive(
    st.booleans() | st.integers(0, 2) | st.text(max_size=1),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner) | st.lists(inner, max_size=2),
)


@given(json_trees, st.recursive(json_trees | st.none(), lambda i: st.dictionaries(st.just("a"), i)))
def test_both_routes_of_patching_agree(target: Tree, patch: Tree) -> None:
    assert apply(patch, target) == apply_patch(target, patch)


def apply_patch(target: Any, patch: Any) -> Any:  # Any: plain trees
    """RFC 7396, implemented a second time."""
    if not isinstance(patch, dict):
        return patch
    made = dict(target) if isinstance(target, dict) else {}
    for key, item in patch.items():
        if item is None:
            made.pop(key, None)
        else:
            made[key] = apply_patch(made.get(key, {}), item)
    return made


def _follows(old: Sample, new: Sample, eyes: Eyes) -> None:
    """The patches of these eyes make what they saw what they see."""
    shown = SAMPLE.view(old, eyes)
    public = SAMPLE.changes(old, new).public
    shown = shown if public is None else apply_patch(shown, public)
    for seat in sorted(eyes):
        private = SAMPLE.changes(old, new).private.get(seat)
        shown = shown if private is None else apply_patch(shown, private)
    assert canonical(shown) == canonical(SAMPLE.view(new, eyes))


class Spot(Row):
    floors: Public[tuple[int, ...]]
    colour: Public[Colour]


class Map(Node):
    spots: Public[Keyed[int, Spot]]


SPOTS = Map(Keyed({1: Spot((1, 2), Colour.RED), 4: Spot((0,), Colour.BLUE)}))


def test_a_row_is_shown_as_an_array_of_its_fields() -> None:
    shown = {"spots": {"1": [[1, 2], "red"], "4": [[0], "blue"]}}
    assert tree_of(Map).view(SPOTS, frozenset()) == shown
    assert tree_of(Map).load(tree_of(Map).dump(SPOTS)) == SPOTS


def test_a_row_is_replaced_completely() -> None:
    later = but(SPOTS, spots=SPOTS.spots.put(1, Spot((1, 3), Colour.RED)))
    assert tree_of(Map).changes(SPOTS, later).public == {"spots": {"1": [[1, 3], "red"]}}


def test_a_row_has_a_schema_that_names_its_positions() -> None:
    spot = tree_of(Map).view_schema()["properties"]["spots"]["additionalProperties"]
    assert spot["x-fields"] == ["floors", "colour"]
    assert (spot["minItems"], spot["maxItems"]) == (2, 2)


class Lacking(Row):
    left: Public[int | None]


class Rows(Node):
    rows: Public[Keyed[int, Lacking]]


def test_a_row_can_hide_nothing_and_lack_nothing() -> None:
    with pytest.raises(VisibilityError, match="shown whole"):
        tree_of(Rows)


class Corner(Node):
    spot: Public[Spot]
    at: Public[int]


class Field(Node):
    corner: Public[Corner]


class Plain(Node):
    fields: Public[tuple[Field, ...]]


def test_a_node_in_a_tuple_may_contain_nodes() -> None:
    plain = Plain((Field(Corner(Spot((1,), Colour.RED), 2)),))
    dumped = {"fields": [{"corner": {"spot": [[1], "red"], "at": 2}}]}
    assert tree_of(Plain).view(plain, frozenset()) == dumped
    assert tree_of(Plain).load(dumped) == plain
    corner = tree_of(Plain).view_schema()["properties"]["fields"]["items"]["properties"]["corner"]
    assert corner == tree_of(Corner).view_schema()


class Piled(Node):
    piles: Public[Keyed[int, int]]


class Piles(Node):
    piles: Public[tuple[Piled, ...]]


def test_what_changes_in_parts_is_in_no_tuple() -> None:
    with pytest.raises(VisibilityError, match=r"Piled\.piles: .* not Keyed"):
        tree_of(Piles)
