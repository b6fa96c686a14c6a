"""Is forgetting to say who sees a field an error, never a leak?"""

from __future__ import annotations

from copy import copy
from types import new_class
from typing import Any, ClassVar

import pytest

from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.visibility import (
    SPECTATOR,
    Event,
    Hidden,
    Move,
    Node,
    Owner,
    Public,
    Row,
    Seat,
    Visibility,
    VisibilityError,
    but,
    field_names,
    require,
)
from tests.rules.core.sample import Coin, Colour, Hand


def test_a_class_with_an_unmarked_field_is_not_made() -> None:
    with pytest.raises(VisibilityError, match=r"Forgetful\.forgotten: no visibility marker"):

        class Forgetful(Node):
            shown: Public[int]
            forgotten: int


@pytest.mark.parametrize("kind", [Row, Move, Event])
def test_every_kind_of_node_is_requested_its_markers(kind: type[Node]) -> None:
    with pytest.raises(VisibilityError, match=r"Forgetful\.forgotten: no visibility marker"):
        new_class("Forgetful", (kind,), exec_body=_forgetful)


def test_a_field_added_by_a_class_below_another_is_requested_its_marker() -> None:
    with pytest.raises(VisibilityError, match=r"Bag\.inner: no visibility marker"):

        class Bag(Hiding):
            inner: int


def test_what_belongs_to_the_class_has_no_marker() -> None:
    assert Playing.sight is Visibility.PUBLIC
    assert field_names(Playing) == ("card",)


def test_a_node_that_computes_when_made_is_not_made() -> None:
    with pytest.raises(VisibilityError, match="Busy: a node is plain data, without __post_init__"):

        class Busy(Node):
            shown: Public[int]

            def __post_init__(self) -> None:
                """A copy would compute again."""


def test_a_field_whose_name_begins_with_an_underscore_is_refused() -> None:
    with pytest.raises(
        VisibilityError, match=r"Private\._made: a field's name begins with a letter"
    ):

        class Private(Node):
            _made: Public[int]


def test_a_copy_changes_what_is_named_and_shares_the_rest() -> None:
    hand = Hand(size=1, cards=(3,), purse=Keyed(), note=None, fate=0)
    larger = but(hand, size=2)
    assert (hand.size, larger.size) == (1, 2)
    assert larger == Hand(size=2, cards=(3,), purse=Keyed(), note=None, fate=0)
    assert larger.cards is hand.cards
    assert larger.purse is hand.purse


def test_equal_nodes_are_one_key() -> None:
    assert len({Coin(worth=1, colour=Colour.RED), Coin(worth=1, colour=Colour.RED)}) == 1


def test_nothing_can_be_assigned_to_a_node() -> None:
    coin = Coin(worth=1, colour=Colour.RED)
    for each in (coin, but(coin, worth=5), copy(coin)):
        with pytest.raises(AttributeError, match="immutable"):
            each.worth = 6


def test_a_node_has_no_room_for_anything_but_its_fields() -> None:
    with pytest.raises(AttributeError):
        Coin(worth=1, colour=Colour.RED).weight = 2  # type: ignore[attr-defined]  # see the name


def test_what_is_readable_is_itself_even_where_it_is_empty() -> None:
    assert require(()) == ()
    assert require(0) == 0


def test_what_a_view_does_not_show_is_not_readable() -> None:
    with pytest.raises(TypeError, match="a view does not show this"):
        require(tree_of(Hiding).seen(Hiding(card=3), SPECTATOR).card)


def test_a_copy_can_change_a_section_to_none() -> None:
    assert but(Played(card=3, seat=Seat(1)), card=None).card is None


def test_moves_and_events_are_copied_like_any_node() -> None:
    assert but(Playing(card=3), card=4) == Playing(card=4)


def test_a_copy_with_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError):
        but(Coin(worth=1, colour=Colour.RED), weight=2)  # type: ignore[call-arg]  # see the name


def test_owner_outside_of_any_seat_has_no_tree() -> None:
    with pytest.raises(VisibilityError, match="Owner outside of any seat"):
        tree_of(Ownerless)


def test_owner_inside_of_what_an_owner_sees_has_no_tree() -> None:
    class Purse(Node):
        inner: Owner[Ownerless]

    with pytest.raises(VisibilityError, match="what an owner sees is public inside it"):
        tree_of(Purse, inside_seat=True)


def test_a_tuple_that_holds_secrets_has_no_tree() -> None:
    class Shelf(Node):
        positions: Public[tuple[Hiding, ...]]

    with pytest.raises(VisibilityError, match="shown whole"):
        tree_of(Shelf)


def test_a_float_cannot_belong_to_a_state() -> None:
    class Fuzzy(Node):
        share: Public[float]

    with pytest.raises(VisibilityError, match="cannot hold"):
        tree_of(Fuzzy)


def test_an_event_with_a_secret_and_no_seat_cannot_be_reported() -> None:
    class Lost(Event):
        card: Owner[int]

    with pytest.raises(
        VisibilityError, match="Lost has something for its owner and no public field `seat`"
    ):
        event_form(Lost)


def test_an_event_for_one_seat_must_say_which() -> None:
    class Whispered(Event):
        sight: ClassVar[Visibility] = Visibility.OWNER
        card: Public[int]

    with pytest.raises(VisibilityError, match="Whispered"):
        event_form(Whispered)


class Ownerless(Node):
    card: Owner[int]


class Hiding(Node):
    card: Hidden[int]


class Playing(Move):
    card: Public[int]


class Played(Event):
    card: Public[int | None]
    seat: Public[Seat]


def _forgetful(namespace: dict[str, Any]) -> None:  # Any: the namespace of a class
    namespace["__annotations__"] = {"forgotten": int}
