"""Riding: sections 7.2 and 16.1, 16.2."""

from __future__ import annotations

import time

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.events import Arrived, Rode, Stranded, WentBack
from bluebear.rules.tokai.rules.movement import Stand, legs, rides, stand
from bluebear.rules.tokai.rules.moves import Back
from bluebear.rules.tokai.rules.network import BIT, POINT_AT, POINTS, SKIPPED
from bluebear.rules.tokai.rules.state import State
from tests.rules.tokai.scene import (
    JA,
    A,
    B,
    dice,
    events_of,
    lines,
    names,
    outcome,
    owed,
    play,
    reason,
    refusal,
    sound,
    table,
    traveller,
    turn_of_a,
)

OTAI = traveller("otai", to="nagoya")


def is_rash(made: State, line: str) -> bool:
    """Whether a line of A's is a probable mistake."""
    return GAME.is_rash(made, A, GAME.grammar.parse(line))


@pytest.mark.rule("tokai 7.2.1")
def test_lines_are_changed_only_where_both_stop() -> None:
    made = table(OTAI, roll=8)
    refused = refusal(made, A, "/go jr_tokaido nagoya")
    assert refused.code == "not_on_line"
    assert reason(refused) == (
        "The JR Tokaido Main Line does not stop at Otai. From Otai you can take: "
        "Johoku Line, Meitetsu Inuyama & Kakamigahara Line, Subway Tsurumai Line."
    )
    assert "乗れるのは" in reason(refused, JA)
    assert refusal(made, A, "/go johoku nagoya").code == "not_served"


@pytest.mark.rule("tokai 7.2.2")
def test_the_line_named_decides_the_fare_of_a_shared_stretch() -> None:
    made = table(traveller("nagoya", to="gifu"), roll=2, owners={"meitetsu_main": B})
    by_main = outcome(made, A, "/go meitetsu_main biwajima", dice(1, 2)).state
    by_inuyama = outcome(made, A, "/go meitetsu_inuyama biwajima", dice(1, 2)).state
    assert by_main.seats[A].cash == 20 - 5
    assert by_inuyama.seats[A].cash == 20 - 1


@pytest.mark.rule("tokai 7.2.3")
def test_no_point_is_visited_twice_on_a_trip() -> None:
    made = table(traveller("otai", "owari_hoshinomiya", "biwajima", to="tsu"), roll=4)
    refused = refusal(made, A, "/go johoku otai")
    assert (refused.code, refused.params["point"]) == ("visited", "owari_hoshinomiya")
    made, _ = play(made, A, "/go meitetsu_inuyama sako")
    assert refusal(made, A, "/go meitetsu_main biwajima").code == "visited"


@pytest.mark.rule("tokai 7.2.3")
def test_the_memory_is_that_of_the_trip_over_several_turns() -> None:
    """X-11: round by Ichinomiya and Sukaguchi, back onto Biwajima."""
    made = table(OTAI, roll=12)
    for leg in ("johoku biwajima", "jr_tokaido ichinomiya", "meitetsu_main sukaguchi"):
        made, _ = play(made, A, f"/go {leg}")
    assert stand(made).left == 2
    refused = refusal(made, A, "/go meitetsu_main biwajima")
    assert (refused.code, refused.params["point"]) == ("visited", "biwajima")


@pytest.mark.rule("tokai 7.2.3", "tokai 9.6")
def test_arriving_forgets_all_but_the_point_of_arrival() -> None:
    made = table(OTAI, roll=3)
    made, events = play(made, A, "/go johoku biwajima jr_tokaido nagoya")
    assert isinstance(events[-1], Arrived)
    assert made.seats[A].trail == ("nagoya",)


@pytest.mark.rule("tokai 7.2.4", "tokai 16.1")
def test_the_leg_that_uses_up_the_roll_ends_the_ride() -> None:
    made = table(traveller("nagoya", to="tsu"), roll=3)
    made, events = play(made, A, "/go jr_kansai hatta")
    assert names(events) == ["Rode"]
    assert made.seats[A].at == "nagoya"
    assert refusal(made, A, "/buy none").code == "now_move"
    refused = refusal(made, A, "/go jr_kansai eiwa")
    assert reason(refused) == "Eiwa is 3 steps away on that line; you have 2."
    made, events = play(made, A, "/go jr_kansai kanie", dice(1, 2))
    assert names(events)[:2] == ["Rode", "PaidBank"]
    assert made.seats[A].trail == ("nagoya", "hatta", "haruta", "kanie")


@pytest.mark.rule("tokai 7.2.4")
def test_arriving_loses_the_rest_of_the_roll() -> None:
    """X-09."""
    made = table(OTAI, roll=8)
    made, events = play(made, A, "/go johoku biwajima jr_tokaido nagoya")
    assert events_of(events, Rode)[-1] == Rode(A, LineId("jr_tokaido"), PointId("nagoya"), 1, 0)
    assert made.seats[A].at == "nagoya"


@pytest.mark.rule("tokai 7.2.4")
def test_the_destination_cannot_be_passed_through() -> None:
    """X-14."""
    made = table(OTAI, roll=8)
    made, _ = play(made, A, "/go meitetsu_inuyama biwajima")
    refused = refusal(made, A, "/go jr_tokaido kanayama")
    assert refused.code == "beyond"
    assert reason(refused) == "Your trip ends at Nagoya; you cannot pass through it."


@pytest.mark.rule("tokai 7.2.5")
def test_any_detour_is_allowed() -> None:
    made = table(traveller("nagoya", to="kanayama"), roll=6)
    assert "/go jr_kansai eiwa" in lines(made, A)
    made, _ = play(made, A, "/go jr_tokaido biwajima meitetsu_main konomiya", dice(1, 2))
    assert made.seats[A].at == "konomiya"


@pytest.mark.rule("tokai 7.2.6", "tokai 13.1")
def test_a_seat_that_cannot_ride_is_out() -> None:
    """X-38: from Inazawa into the dead end of Tamanoi."""
    rider = traveller("inazawa", "ichinomiya", "oku_cho", "tamanoi", to="sukaguchi", cash=30)
    made, events = turn_of_a(rider, 1, 2, owners={"johoku": A}, other=traveller("tsu", cash=9))
    assert events_of(events, Stranded) == [Stranded(A, 3)]
    assert made.fallen == (A,)
    assert made.owners.get(LineId("johoku")) is None


@pytest.mark.rule("tokai 7.2.6")
def test_a_stranded_seat_rides_on_while_a_roll_can_be_used_up() -> None:
    made = table(traveller("inazawa", "ichinomiya", "oku_cho", to="sukaguchi"), roll=1)
    assert legs(made)
    assert all(not ride.safe for ride in legs(made).values())
    assert not any(is_rash(made, line) for line in lines(made, A))


@pytest.mark.rule("tokai 7.2.7")
def test_a_leg_that_strands_is_rash_and_the_rest_are_plain() -> None:
    """X-38."""
    made = table(traveller("inazawa", to="sukaguchi"), roll=3)
    assert not is_rash(made, "/go jr_tokaido ichinomiya")
    made, _ = play(made, A, "/go jr_tokaido ichinomiya")
    assert is_rash(made, "/go meitetsu_tsushima tamanoi")
    assert not is_rash(made, "/go meitetsu_tsushima hagiwara")
    made, _ = play(made, A, "/go meitetsu_tsushima tamanoi", dice(1, 2))
    assert made.seats[A].at == "tamanoi"


@pytest.mark.rule("tokai 7.2.7")
def test_while_a_route_is_left_every_roll_can_be_ridden() -> None:
    """Random safe rides: never stranded, whatever is rolled next."""
    chance = FastChance(5)
    goal = POINT_AT[PointId("toyohashi")]
    for _ in range(60):
        at = chance.pick(len(POINTS))
        seen = BIT[at]
        while at != goal:
            placed = Stand(at, seen, chance.die() + chance.die())
            safe = [ride for ride in rides(placed, goal, express=False).values() if ride.safe]
            assert safe
            ride = safe[chance.pick(len(safe))]
            seen |= ride.way.entered
            at = ride.way.points[-1]


@pytest.mark.rule("tokai 7.2.2.1")
def test_a_ticket_holder_passes_skipped_stops_and_the_rest_count_them() -> None:
    """X-15."""
    with_ticket = table(traveller("nagoya", to="toyohashi", express=True), roll=8)
    made, events = play(with_ticket, A, "/go meitetsu_main naka_okazaki", dice(1, 2))
    assert events_of(events, Rode) == [
        Rode(A, LineId("meitetsu_main"), PointId("naka_okazaki"), 8, 0)
    ]
    refused = refusal(with_ticket, A, "/go meitetsu_main arimatsu")
    assert refused.code == "passed_by"
    without = table(traveller("nagoya", to="toyohashi"), roll=8)
    made, events = play(without, A, "/go meitetsu_main chukyo_keibajo_mae", dice(1, 2))
    assert made.seats[A].at == "chukyo_keibajo_mae"


@pytest.mark.rule("tokai 7.2.2.2")
def test_a_stop_passed_is_a_stop_visited() -> None:
    made = table(traveller("nagoya", to="toyohashi", express=True), roll=2)
    made, _ = play(made, A, "/go meitetsu_main jingu_mae", dice(1, 2))
    assert made.seats[A].trail == ("nagoya", "sanno", "kanayama", "jingu_mae")
    assert BIT[POINT_AT[PointId("sanno")]] & SKIPPED


@pytest.mark.rule("tokai 16.1")
def test_a_leg_counts_only_if_the_rest_can_be_ridden_behind_it() -> None:
    made = table(traveller("ichinomiya", to="sukaguchi"), roll=3)
    assert "/go meitetsu_tsushima tamanoi" not in lines(made, A)
    refused = refusal(made, A, "/go meitetsu_tsushima tamanoi")
    assert reason(refused) == (
        "From Tamanoi you could not use up the other 1 step without visiting a point twice."
    )
    assert refusal(made, A, "/go meitetsu_tsushima ichinomiya").code == "stands_there"


@pytest.mark.rule("tokai 16.1")
def test_legs_are_taken_back_one_by_one() -> None:
    made = table(traveller("nagoya", to="tsu"), roll=6)
    assert GAME.take_back(made, A, "") is None
    assert refusal(made, A, "/back").code == "no_leg"
    made, _ = play(made, A, "/go jr_tokaido kanayama")
    made, _ = play(made, A, "/go subway_meijo higashi_betsuin")
    assert GAME.take_back(made, A, "") == Back()
    assert GAME.take_back(made, B, "") is None
    assert GAME.grammar.parse("/back").takes_back
    made, events = play(made, A, "/戻る")
    assert events == [WentBack(A, PointId("kanayama"), 4)]
    made, events = play(made, A, "/back")
    assert events == [WentBack(A, PointId("nagoya"), 6)]
    assert sound(made) == table(traveller("nagoya", to="tsu"), roll=6)


@pytest.mark.rule("tokai 16.1")
def test_nothing_is_due_before_the_ride_ends() -> None:
    made = table(traveller("nagoya", to="tsu"), roll=6, owners={"jr_tokaido": B})
    made, _ = play(made, A, "/go jr_tokaido kanayama")
    assert owed(made) == {}


@pytest.mark.rule("tokai 16.2")
def test_on_the_loop_the_route_round_belongs_to_the_leg() -> None:
    made = table(traveller("sakae", to="toyohashi"), roll=5)
    results = [line for line in lines(made, A) if "subway_meijo" in line]
    assert all(line.endswith((" cw", " ccw")) for line in results)
    assert len(results) == 10
    assert refusal(made, A, "/go subway_meijo kurokawa").code == "which_way"
    assert refusal(made, A, "/go subway_meijo kurokawa cw ccw").code == "which_way"
    assert refusal(made, A, "/go subway_higashiyama imaike cw").code == "no_loop"
    assert refusal(made, A, "/go subway_meijo heian_dori cw").code == "too_far"


@pytest.mark.rule("tokai 16.2")
def test_clockwise_is_north_to_east() -> None:
    made = table(traveller("sakae", to="toyohashi"), roll=5)
    assert "/go subway_meijo hisaya_odori cw" in lines(made, A)
    assert "/go subway_meijo yaba_cho ccw" in lines(made, A)
    made, _ = play(made, A, "/go 名城線 市役所 右回り")
    assert made.legs[-1].turn == "cw"


def test_listing_legs_is_quick_at_the_busiest_point() -> None:
    rides.cache_clear()
    made = table(traveller("nagoya", to="shinshiro"), roll=12)
    began = time.perf_counter()
    assert len(lines(made, A)) > 100
    assert time.perf_counter() - began < 0.2
