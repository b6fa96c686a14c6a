"""The options: paragraphs 12.3 and 12.6 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import require
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


RING = "D4 special_3 0, D3 road_curve 1, E3 road_curve 2"


@pytest.mark.rule("railroad_ink 12.6", "railroad_ink 9.3")
@pytest.mark.parametrize(("lap_once", "squares"), [(False, 5), (True, 4)])
def test_a_lap_with_a_spare_arm(*, lap_once: bool, squares: int) -> None:
    before = table(RING, dice="road_curve rail_t rail_t rail_curve", lap_once=lap_once)
    after = play(before, "/draw road_curve E4 3")
    draft = require(after.seats[A].draft)
    assert draft.points.road == squares
    while after.round == before.round:
        after = play(after, lines(after)[0])
    assert after.seats[A].points.road == squares


@pytest.mark.rule("railroad_ink 12.6")
@pytest.mark.parametrize("lap_once", [False, True])
def test_a_tail_into_a_lap_counts_in_either_reading(*, lap_once: bool) -> None:
    before = table(RING, dice="road_curve road_straight rail_t rail_t", lap_once=lap_once)
    after = play(before, "/draw road_curve E4 3", "/draw road_straight C4 1")
    assert require(after.seats[A].draft).points.road == 6


@pytest.mark.rule("railroad_ink 12.6", "railroad_ink 9.2")
def test_a_line_of_one_square_counts_in_either_reading() -> None:
    before = table("", dice="rail_curve rail_t rail_t rail_curve", lap_once=True)
    after = play(before, "/draw rail_curve A2 2")
    assert require(after.seats[A].draft).points.railway == 1


@pytest.mark.rule("railroad_ink 12.6")
def test_laps_that_count_once_are_off_unless_chosen() -> None:
    begun = GAME.setup(GAME.info.complete({}), 1, FastChance(1)).state
    assert "lap_once" not in GAME.tree.dump(begun), "as games from before the option have it"
    chosen = GAME.setup(GAME.info.complete({"lap_once": True}), 1, FastChance(1)).state
    assert chosen.lap_once
