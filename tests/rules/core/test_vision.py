"""Is forgetting to say who sees a field an error, never a leak?"""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from typing import ClassVar

import pytest

from rules.core.telling import event_form
from rules.core.tree import tree_of
from rules.core.vision import (
    Event,
    Hidden,
    Move,
    Node,
    Owner,
    Public,
    Seat,
    Sight,
    VisionError,
    but,
)
from tests.rules.core.sample import Coin, Colour


def test_a_field_without_a_marker_does_not_load() -> None:
    @dataclass(frozen=True, slots=True)
    class Forgetful:
        shown: Public[int]
        forgotten: int

    with pytest.raises(VisionError, match=r"Forgetful\.forgotten: no visibility marker"):
        state(Forgetful)


def test_a_node_that_can_change_does_not_load() -> None:
    @dataclass(slots=True)
    class Soft:
        shown: Public[int]

    with pytest.raises(VisionError, match="Soft: a node is a frozen dataclass with slots"):
        state(Soft)


def test_a_node_without_slots_does_not_load() -> None:
    @dataclass(frozen=True)
    class Wide:
        shown: Public[int]

    with pytest.raises(VisionError, match="Wide"):
        state(Wide)


def test_a_node_that_computes_when_made_does_not_load() -> None:
    @dataclass(frozen=True, slots=True)
    class Busy:
        shown: Public[int]

        def __post_init__(self) -> None:
            """Would be left out by the fast copy."""

    with pytest.raises(VisionError, match="__post_init__"):
        state(Busy)


def test_a_copy_changes_what_is_named_and_shares_the_rest() -> None:
    coin = Coin(worth=1, colour=Colour.RED)
    richer = but(coin, worth=5)
    assert richer == Coin(worth=5, colour=Colour.RED)
    assert coin.worth == 1


def test_fields_may_be_called_like_anything_in_generated_code() -> None:
    class Odd(Node):
        new: Public[bool]
        make: Public[int]

    assert but(Odd(new=True, make=1), new=False) == Odd(new=False, make=1)


def test_a_field_whose_name_begins_with_an_underscore_does_not_load() -> None:
    @dataclass(frozen=True, slots=True)
    class Private:
        _made: Public[int]

    with pytest.raises(VisionError, match=r"Private\._made: a field's name begins with a letter"):
        state(Private)


def test_a_copy_is_as_frozen_as_its_original() -> None:
    richer = but(Coin(worth=1, colour=Colour.RED), worth=5)
    with pytest.raises(FrozenInstanceError):
        richer.worth = 6  # type: ignore[misc]  # that it is refused is the point


def test_a_copy_can_change_a_part_to_none() -> None:
    assert but(Played(card=3, seat=Seat(1)), card=None).card is None


def test_moves_and_events_are_copied_like_any_node() -> None:
    assert but(Playing(card=3), card=4) == Playing(card=4)


def test_a_copy_with_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError):
        but(Coin(worth=1, colour=Colour.RED), weight=2)  # type: ignore[call-arg]  # see the name


def test_owner_outside_of_any_seat_has_no_tree() -> None:
    with pytest.raises(VisionError, match="Owner outside of any seat"):
        tree_of(Ownerless)


def test_owner_inside_of_what_an_owner_sees_has_no_tree() -> None:
    class Purse(Node):
        inner: Owner[Ownerless]

    with pytest.raises(VisionError, match="what an owner sees is public inside it"):
        tree_of(Purse, inside_seat=True)


def test_a_tuple_that_holds_secrets_has_no_tree() -> None:
    class Row(Node):
        places: Public[tuple[Hiding, ...]]

    with pytest.raises(VisionError, match="a tuple is replaced whole"):
        tree_of(Row)


def test_a_float_cannot_be_part_of_a_state() -> None:
    class Fuzzy(Node):
        share: Public[float]

    with pytest.raises(VisionError, match="cannot hold"):
        tree_of(Fuzzy)


def test_an_event_with_a_secret_and_no_seat_cannot_be_told() -> None:
    class Lost(Event):
        card: Owner[int]

    with pytest.raises(VisionError, match="Lost hides something and has no public field `seat`"):
        event_form(Lost)


def test_an_event_for_one_seat_must_say_which() -> None:
    class Whispered(Event):
        sight: ClassVar[Sight] = Sight.OWNER
        card: Public[int]

    with pytest.raises(VisionError, match="Whispered"):
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
