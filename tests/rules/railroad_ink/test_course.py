"""Dice, rounds, what must be drawn, special routes: sections 3, 4, 6 and 7 of the rules."""

from __future__ import annotations

from collections import Counter

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.event_text import event_text
from bluebear.rules.core.visibility import but, require
from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.events import (
    GameOver,
    NothingRevealed,
    Revealed,
    RoundBegan,
    Scored,
)
from bluebear.rules.railroad_ink.rules.rounds import roll
from bluebear.rules.railroad_ink.rules.state import DONE, ROUNDS, Erase, State
from tests.rules.railroad_ink.scene import (
    A,
    B,
    eyes,
    lines,
    outcome,
    play,
    refusal,
    refusal_text,
    table,
)
from tests.rules.railroad_ink.test_scoring import COMPLETE
from tests.rules.scripted_chance import ScriptedChance, every_outcome

ONES = (0, 0, 0, 0)
"""Draws that give three railway curves and an overpass."""


def start(seats: int, *draws: int) -> State:
    state: State = GAME.setup(GAME.info.complete({}), seats, ScriptedChance(*draws)).state
    return state


@pytest.mark.rule("railroad_ink 3.1")
def test_three_dice_show_six_faces_and_the_fourth_three_faces_twice() -> None:
    assert start(1, 0, 1, 2, 0).dice == ("rail_curve", "rail_t", "rail_straight", "overpass")
    assert start(1, 3, 4, 5, 1).dice == ("road_curve", "road_t", "road_straight", "overpass")
    fourth = [start(1, 0, 0, 0, side).dice[3] for side in range(6)]
    assert Counter(fourth) == {"overpass": 2, "station_straight": 2, "station_curve": 2}


@pytest.mark.rule("railroad_ink 3.1")
def test_each_roll_is_one_of_648_and_the_fourth_die_is_fair() -> None:
    rolls = list(every_outcome(roll))
    assert len(rolls) == 6**4
    assert len({dice for _, dice in rolls}) == 6**3 * 3


@pytest.mark.rule("railroad_ink 3.2")
def test_all_have_the_same_faces() -> None:
    before = start(12, 3, 3, 0, 2)
    offered = {seat: lines(before, seat) for seat in before.seats}
    assert len(set(map(tuple, offered.values()))) == 1
    assert "/draw road_curve B1 0" in offered[A]


@pytest.mark.rule("railroad_ink 3.2")
def test_a_face_that_was_not_rolled_cannot_be_drawn() -> None:
    why = refusal(start(1, *ONES), "/draw road_t B1 1")
    assert (why.code, why.rule) == ("not_rolled", "3.2")
    assert refusal_text(why).startswith(
        "There is no road T among the dice of this round: railway curve"
    )


@pytest.mark.rule("railroad_ink 4.1")
def test_all_players_draw_at_the_same_time() -> None:
    before = start(12, *ONES)
    assert len(before.seats) == GAME.info.seats.max == 12
    assert GAME.info.seats.min == 1
    assert GAME.to_move(before) == before.seats.keys()
    after = play(before, "5 /draw rail_curve A2 2", "3 /draw rail_curve A2 2")
    assert GAME.to_move(after) == before.seats.keys()


@pytest.mark.rule("railroad_ink 4.2")
def test_each_face_is_drawn_once_and_one_on_two_dice_twice() -> None:
    before = start(1, 0, 0, 5, 0)
    after = play(before, "/draw rail_curve A2 2")
    assert any(line.startswith("/draw rail_curve") for line in lines(after))
    after = play(after, "/draw rail_curve D1 3")
    why = refusal(after, "/draw rail_curve G2 0")
    assert (why.code, why.rule) == ("face_drawn", "4.2")
    assert refusal_text(why).endswith("Still to draw: overpass, straight road.")


@pytest.mark.rule("railroad_ink 4.2", "railroad_ink 4.4")
def test_there_are_seven_rounds() -> None:
    chance = FastChance(4)
    state = start(2, *ONES)
    begun = [1]
    while movers := GAME.to_move(state):
        seat = min(movers)
        made = GAME.play(state, seat, GAME.fallback(state, seat), chance)
        state = made.state
        begun += [event.round for event in made.events if isinstance(event, RoundBegan)]
    assert begun == [1, 2, 3, 4, 5, 6, 7]
    assert state.round == ROUNDS
    assert state.over


def almost_done(seats: int = 1) -> State:
    """All players have drawn all faces of this roll."""
    before = table(dice="rail_curve rail_curve rail_straight overpass", seats=seats)
    for seat in before.seats:
        before = play(
            before,
            "/draw rail_curve A2 2",
            "/draw rail_curve A6 3",
            "/draw rail_straight D1 0",
            "/draw overpass B1 0",
            seat=seat,
        )
    return before


@pytest.mark.rule("railroad_ink 4.3")
def test_what_is_drawn_this_round_may_be_drawn_anew_until_one_is_done() -> None:
    before = almost_done(2)
    after = play(before, "/erase B1", "/draw overpass B7 0", "/erase B7", "/draw overpass B1 0")
    draft, anew = require(before.seats[A].draft), require(after.seats[A].draft)
    assert set(anew.strokes) == set(draft.strokes)
    assert anew.points == draft.points
    assert Erase(draft.strokes[0].square).takes_back


@pytest.mark.rule("railroad_ink 4.3")
@pytest.mark.parametrize("line", ["/erase B1", "/draw road_t B7 1", "/special 3 B7 0", "/done"])
def test_whoever_is_done_can_change_nothing(line: str) -> None:
    after = play(almost_done(3), "/done", "3 /done")
    assert GAME.to_move(after) == {B}
    assert lines(after, A) == []
    why = refusal(after, line)
    assert (why.code, why.rule) == ("already_done", "4.3")
    assert refusal_text(why).endswith("when these are too: Seat 2.")
    assert GAME.take_back(after, A, "") is None


@pytest.mark.rule("railroad_ink 4.3")
def test_earlier_rounds_stay() -> None:
    before = table("A4 road_t 2", dice="road_t road_t road_t overpass")
    why = refusal(before, "/erase A4")
    assert (why.code, why.rule) == ("drawn_earlier", "4.3")
    assert refusal_text(why) == "A4 was drawn in round 1 and stays as it is."
    assert GAME.take_back(before, A, "A4") is None


@pytest.mark.rule("railroad_ink 4.4")
def test_the_next_dice_are_rolled_when_the_last_one_is_done() -> None:
    first = play(almost_done(2), "2 /done")
    assert first.round == 2
    made = outcome(first, A, "/done", ScriptedChance(3, 4, 5, 4))
    after = made.state
    assert after.round == 3
    assert after.dice == ("road_curve", "road_t", "road_straight", "station_curve")
    assert GAME.to_move(after) == {A, B}
    assert RoundBegan(3, after.dice) == made.events[-1]


@pytest.mark.rule("railroad_ink 4.4")
def test_after_the_seventh_round_the_game_is_over() -> None:
    before = play(but(almost_done(2), round=7), "/done")
    made = outcome(before, B, "/done", ScriptedChance())
    assert made.state.over
    assert GAME.to_move(made.state) == frozenset()
    assert [type(event) for event in made.events[-3:]] == [Scored, Scored, GameOver]
    assert GAME.result(before) is None
    assert GAME.result(made.state) is not None
    why = refusal(made.state, "/done")
    assert (why.code, why.rule) == ("game_over", "4.4")


@pytest.mark.rule("railroad_ink 4.5")
def test_every_drawing_carries_the_number_of_its_round() -> None:
    before = table("G4 road_straight 1", dice="rail_curve rail_curve rail_curve overpass")
    after = play(
        before,
        "/draw rail_curve A2 2",
        "/draw rail_curve A6 3",
        "/draw rail_curve D1 0",
        "/draw overpass B1 0",
        "/done",
    )
    assert {square: each.round for square, each in after.seats[A].board.items()} == {
        "G4": 1,
        **dict.fromkeys(["A2", "A6", "B1", "D1"], 2),
    }


@pytest.mark.rule("railroad_ink 6.1")
def test_a_face_that_can_be_drawn_must_be() -> None:
    before = table(dice="road_t rail_curve rail_curve overpass")
    assert "/done" not in lines(before)
    why = refusal(before, "/done")
    assert (why.code, why.rule) == ("must_draw", "6.1")
    assert refusal_text(why) == (
        "There is still room for these faces, so they must be drawn:"
        " overpass, railway curve, road T (for example in A2, A2, A4)."
    )
    assert why.candidates == (
        "/draw overpass A2 ns-ew",
        "/draw rail_curve A2 sw",
        "/draw road_t A4 new",
    )
    after = play(before, "/draw overpass B1 0", "/draw rail_curve A2 2", "/draw rail_curve D1 0")
    assert refusal(after, "/done").params["faces"] == ("road_t",)
    after = play(after, "/draw road_t A4 2")
    assert "/done" in lines(after)


def without_room_for_roads() -> State:
    """At every road exit a station leads on by railway; another railway leads into A1."""
    return table(
        "B1 station_straight 0, F1 station_straight 0, G4 station_straight 1,"
        "B7 station_straight 2, F7 station_straight 2, A4 station_straight 3, A2 rail_curve 3",
        dice="road_t road_curve road_straight station_curve",
    )


@pytest.mark.rule("railroad_ink 6.1")
def test_a_face_without_any_room_need_not_be_drawn() -> None:
    before = without_room_for_roads()
    assert not any(line.startswith("/draw road") for line in lines(before))
    assert refusal(before, "/done").params["faces"] == ("station_curve",)
    closed = play(before, "/draw station_curve A1 3m")
    assert lines(closed)[0] == "/done"
    assert play(closed, "/done").round == before.round + 1


@pytest.mark.rule("railroad_ink 6.1")
def test_a_drawing_may_make_room_for_a_face_that_had_none() -> None:
    opened = play(without_room_for_roads(), "/draw station_curve B2 1m")
    assert "/draw road_t C2 0" in lines(opened)
    assert refusal(opened, "/done").params["faces"] == ("road_curve", "road_straight", "road_t")


@pytest.mark.rule("railroad_ink 6.2")
def test_no_player_has_to_leave_room_or_to_make_it_with_a_special_route() -> None:
    closed = play(without_room_for_roads(), "/draw station_curve A1 3m")
    assert "/special 1 B2 2" in lines(closed), "it would make room for roads"
    assert "/done" in lines(closed)


@pytest.mark.rule("railroad_ink 7.1")
def test_special_routes_may_be_drawn_before_between_and_after_the_dice() -> None:
    before = table(dice="rail_curve rail_curve rail_straight overpass")
    assert "/special 4 D1 0" in lines(before)
    between = play(before, "/draw rail_curve A2 2")
    assert "/special 4 D1 0" in lines(between)
    assert "/special 4 G2 0" in lines(almost_done())


@pytest.mark.rule("railroad_ink 7.1")
def test_one_special_route_a_round() -> None:
    after = play(table(dice="rail_t rail_t road_t overpass"), "/special 4 D1 0")
    assert not any(line.startswith("/special") for line in lines(after))
    why = refusal(after, "/special 3 B1 0")
    assert (why.code, why.rule) == ("special_this_round", "7.1")
    assert "/erase D1" in refusal_text(why)
    assert "/special 4 D7 0" in lines(play(after, "/erase D1"))


@pytest.mark.rule("railroad_ink 7.1")
def test_none_is_used_twice() -> None:
    before = table("D1 special_4 0")
    assert not any(line.startswith("/special 4") for line in lines(before))
    why = refusal(before, "/special 4 D7 0")
    assert (why.code, why.rule) == ("special_used", "7.1")
    assert refusal_text(why) == "You have used special route 4 already. Left: 1, 2, 3, 5, 6."


@pytest.mark.rule("railroad_ink 7.1")
def test_three_in_a_game() -> None:
    two = table("D1 special_4 0, B1 special_3 0")
    assert any(line.startswith("/special 1") for line in lines(two))
    three = table("D1 special_4 0, B1 special_3 0, F1 special_1 0")
    assert not any(line.startswith("/special") for line in lines(three))
    why = refusal(three, "/special 2 D7 0")
    assert (why.code, why.rule) == ("specials_spent", "7.1")


@pytest.mark.rule("railroad_ink 7.1")
def test_using_none_is_fine() -> None:
    assert play(almost_done(), "/done").round == 3


@pytest.mark.rule("railroad_ink 7.2")
@pytest.mark.parametrize(
    ("line", "code", "rule"),
    [
        ("/special 3 D4 0", "nothing_leads_there", "5.2"),
        ("/special 3 D1 0", "clash_exit", "5.3"),
        ("/special 3 A4 0", "occupied", "5.1"),
    ],
)
def test_special_routes_are_drawn_by_the_same_rules(line: str, code: str, rule: str) -> None:
    why = refusal(table("A4 road_t 2"), line)
    assert (why.code, why.rule) == (code, rule)


@pytest.mark.rule("railroad_ink 9.8")
def test_the_players_score_is_reported_after_every_drawing() -> None:
    before = table("A4 road_straight 1", dice="road_straight road_t road_t overpass")
    announced_event = outcome(before, A, "/draw road_straight B4 1").events
    after = play(before, "/draw road_straight B4 1")
    assert require(after.seats[A].draft).points.total == 2 - 1
    assert GAME.tree.view(after, frozenset({A}))["seats"]["1"]["draft"][1] == [0, 2, 0, 0, 1, 1]
    assert [event_text(GAME.phrases, each, eyes(A), lang="en") for each in announced_event] == [
        "Seat 1 draws B4: straight road, east, west. Score now 1."
    ]


def test_what_a_round_has_left_is_reported_seat_by_seat() -> None:
    made = outcome(play(almost_done(2), "/done"), B, "/done", FastChance(1))
    revealed = [event for event in made.events if isinstance(event, Revealed)]
    assert [(event.seat, event.squares) for event in revealed] == [
        (seat, ("A2", "A6", "D1", "B1")) for seat in (A, B)
    ]
    assert [event.score for event in revealed] == [
        seat_state.points.total for seat_state in made.state.seats.values()
    ]


@pytest.mark.rule("railroad_ink 6.1", "railroad_ink 8.1")
def test_who_had_no_room_for_anything_is_informed() -> None:
    """A ring along the border that reaches every exit has no end to go on from."""
    before = table(COMPLETE, dice="rail_t road_t road_t overpass")
    assert lines(before) == ["/done"]
    assert GAME.fallback(before, A) is DONE
    made = outcome(before, A, "/done", ScriptedChance(*[0] * 4))
    assert made.state.seats[A].points == before.seats[A].points
    assert [
        event_text(GAME.phrases, event, eyes(), lang="en")
        for event in made.events
        if isinstance(event, Revealed | NothingRevealed)
    ] == [f"Seat 1 had no room to draw anything. Score: {before.seats[A].points.total}."]


@pytest.mark.rule("railroad_ink 12.5")
def test_the_clock_makes_the_first_drawing_of_every_face_that_is_left_and_is_done() -> None:
    before = play(table(dice="rail_t road_t road_t overpass", seats=2), "/draw rail_t A2 3")
    made, first = [], []
    while A in GAME.to_move(before):
        move = GAME.fallback(before, A)
        made.append(GAME.grammar.format(move))
        first += [line for line in lines(before) if line.startswith(("/draw", "/done"))][:1]
        before = GAME.play(before, A, move, FastChance(1)).state
    assert made == first
    assert [line.split()[:2] for line in made] == [
        ["/draw", "overpass"],
        ["/draw", "road_t"],
        ["/draw", "road_t"],
        ["/done"],
    ]
    assert GAME.fallback(almost_done(), A) is DONE
