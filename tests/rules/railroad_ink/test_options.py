"""The option `auto_done`: paragraph 12.3 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.events import DrawingOn, Finished, FinishedByItself
from tests.rules.railroad_ink.scene import A, lines, outcome, play, table

DICE = "rail_curve rail_curve rail_straight overpass"
THREE = ("/draw rail_curve A2 2", "/draw rail_curve A6 3", "/draw rail_straight D1 0")


@pytest.mark.rule("railroad_ink 12.3")
def test_it_is_off_unless_chosen() -> None:
    assert GAME.info.complete({})["auto_done"] is False
    after = play(table(dice=DICE, seats=2), "/special 4 G2 0", *THREE, "/draw overpass B1 0")
    assert not after.seats[A].done


@pytest.mark.rule("railroad_ink 12.3")
def test_whoever_has_drawn_all_faces_and_a_special_route_is_done() -> None:
    before = play(table(dice=DICE, seats=2, auto_done=True), "/special 4 G2 0", *THREE)
    made = outcome(before, A, "/draw overpass B1 0")
    assert made.state.seats[A].done
    assert [type(event) for event in made.events] == [DrawingOn, FinishedByItself]


@pytest.mark.rule("railroad_ink 12.3")
def test_the_special_route_may_be_the_last() -> None:
    before = play(table(dice=DICE, seats=2, auto_done=True), *THREE, "/draw overpass B1 0")
    assert not before.seats[A].done, "a special route is left"
    assert outcome(before, A, "/special 4 G2 0").state.seats[A].done


@pytest.mark.rule("railroad_ink 12.3")
def test_whoever_has_used_three_is_done_with_the_last_face() -> None:
    used = table("G2 special_4 0, B7 special_3 0, F7 special_1 1", dice=DICE, auto_done=True)
    after = play(used, *THREE)
    assert not after.seats[A].done
    assert play(after, "/draw overpass B1 0").round == used.round + 1


@pytest.mark.rule("railroad_ink 12.3")
def test_faces_that_are_left_without_room_still_want_done() -> None:
    """Room for them might be made by drawing anew."""
    before = table(
        "B1 station_straight 0, F1 station_straight 0, G4 station_straight 1,"
        "B7 station_straight 2, F7 station_straight 2, A4 station_straight 3, A2 rail_curve 3",
        dice="road_t road_curve road_straight station_curve",
        auto_done=True,
    )
    after = play(before, "/special 4 D1 0", "/draw station_curve A1 3m")
    assert not after.seats[A].done
    assert lines(after)[0] == "/done"
    assert [type(event) for event in outcome(after, A, "/done").events][:1] == [Finished]
