"""Where a piece may be drawn, and taking back: section 5 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import NoChance
from bluebear.rules.core.event_text import event_text, event_view
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import require
from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.pieces import Piece, Square, Turn
from bluebear.rules.railroad_ink.rules.state import Draw, Erase
from tests.rules.railroad_ink.scene import (
    A,
    eyes,
    lines,
    outcome,
    play,
    refusal,
    refusal_text,
    table,
)

ROADS = "road_straight road_t road_curve station_curve"
RAILS = "rail_straight rail_t rail_curve overpass"


@pytest.mark.rule("railroad_ink 5.1")
def test_a_square_holds_one_piece() -> None:
    before = table("A4 road_straight 1", dice=ROADS)
    why = refusal(before, "/draw road_t A4 2")
    assert (why.code, why.rule) == ("occupied", "5.1")
    after = play(before, "/draw road_t B4 2")
    assert refusal(after, "/draw road_curve B4 2").rule == "5.1"


@pytest.mark.rule("railroad_ink 5.1", "railroad_ink 2.2")
def test_a_drawing_has_one_line_only() -> None:
    """The grammar turns what is typed into it; a move from elsewhere is told which one it is."""
    before = table(dice=ROADS)
    move = Draw(Piece.ROAD_STRAIGHT, Square("A4"), Turn("3"))
    with pytest.raises(NotAllowed) as caught:
        GAME.play(before, A, move, NoChance())
    assert (caught.value.code, caught.value.rule) == ("turned_alike", "2.2")
    assert refusal_text(caught.value) == (
        "A straight road turned 3 is written as 1: they look the same."
    )


@pytest.mark.rule("railroad_ink 5.2")
def test_a_drawing_has_to_join_something() -> None:
    why = refusal(table(dice=ROADS), "/draw road_straight D4 1")
    assert (why.code, why.rule) == ("nothing_leads_there", "5.2")
    assert why.candidates[:2] == ("/draw road_straight A4 ew", "/draw road_straight B1 ns")


@pytest.mark.rule("railroad_ink 5.2")
def test_being_next_to_a_blank_side_is_not_enough() -> None:
    before = table("A4 road_straight 1", dice=ROADS)
    assert refusal(before, "/draw road_straight A5 0").code == "nothing_leads_there"
    why = refusal(before, "/draw road_straight B4 0")
    assert (why.code, why.rule) == ("not_joined", "5.2")
    assert refusal_text(why) == (
        "B4: drawn like this it joins nothing. What leads there: road from west."
    )
    assert why.candidates == ("/draw road_straight B4 ew",)


@pytest.mark.rule("railroad_ink 5.2")
def test_one_arm_that_joins_is_enough() -> None:
    assert "/draw road_t A4 0" in lines(table(dice=ROADS))


@pytest.mark.rule("railroad_ink 5.3")
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "/draw rail_straight A4 1",
            "West side: a railway arm would meet the road exit at A4.",
        ),
        (
            "/draw rail_t C5 0",
            "North side: a railway arm would meet a road of C4.",
        ),
        (
            "/draw rail_curve E4 2",
            "West side: a railway arm would meet a road of D4.",
        ),
    ],
)
def test_no_arm_meets_the_other_kind(line: str, sentence: str) -> None:
    before = table("B1 road_straight 0, C4 road_t 2, D4 road_straight 1", dice=RAILS)
    why = refusal(before, line)
    assert (why.code[:6], why.rule) == ("clash_", "5.3")
    assert refusal_text(why) == sentence


@pytest.mark.rule("railroad_ink 5.3")
def test_joining_at_one_side_does_not_excuse_a_clash_at_another() -> None:
    before = table("A4 road_straight 1, D1 rail_straight 0, D2 rail_curve 3", dice=ROADS)
    assert refusal(before, "/draw road_t D1 0").code == "occupied"
    before = table("B4 road_straight 1, C3 rail_straight 0", dice=ROADS)
    why = refusal(before, "/draw road_t C4 0")
    assert refusal_text(why) == "North side: a road arm would meet a railway of C3."
    assert "/draw road_t C4 esw" in why.candidates


@pytest.mark.rule("railroad_ink 5.4")
def test_an_arm_may_meet_a_blank_side_and_a_blank_side_an_arm() -> None:
    before = table("A4 road_straight 1, C4 rail_straight 0", dice=ROADS)
    after = play(before, "/draw road_straight B4 1")
    assert require(after.seats[A].draft).points.open_ends == 3, "C4 north and south, B4 east"
    assert "/draw road_curve B4 3" in lines(before)
    blank = table("D1 rail_straight 0, B2 road_straight 1", dice=ROADS)
    assert "/draw road_curve C2 2" in lines(blank), "blank towards D2, its arm into C3"


@pytest.mark.rule("railroad_ink 5.5")
def test_an_arm_may_run_into_the_plain_border() -> None:
    before = table("B1 road_curve 3", dice=ROADS)
    after = play(before, "/draw road_t A1 0")
    assert require(after.seats[A].draft).points.open_ends == 0


@pytest.mark.rule("railroad_ink 5.6")
def test_routes_need_not_hang_together() -> None:
    after = play(
        table(dice="road_straight rail_straight rail_curve overpass"),
        "/draw road_straight B1 0",
        "/draw rail_straight G2 1",
        "/draw rail_curve A6 2",
        "/draw overpass F7 0",
    )
    assert len(require(after.seats[A].draft).strokes) == 4


@pytest.mark.rule("railroad_ink 5.7")
def test_the_order_within_a_round_matters() -> None:
    before = table(dice="road_straight road_curve rail_t overpass")
    assert refusal(before, "/draw road_curve B4 2").rule == "5.2"
    after = play(before, "/draw road_straight A4 1", "/draw road_curve B4 2")
    assert require(after.seats[A].draft).points.road == 2


RING = "road_curve road_curve road_curve station_curve"


@pytest.mark.rule("railroad_ink 5.7")
def test_what_only_joins_itself_is_taken_back_as_a_completely() -> None:
    """A ring that hung on A4 does not hold itself up."""
    before = table("A4 road_straight 1", dice=RING)
    after = play(
        before,
        "/special 1 B4 2",
        "/draw road_curve B5 0",
        "/draw road_curve C5 3",
        "/draw road_curve C4 2",
    )
    assert require(after.seats[A].draft).points.road == 6
    removed = play(after, "/erase B4")
    assert require(removed.seats[A].draft).strokes == ()


@pytest.mark.rule("railroad_ink 5.7", "railroad_ink 5.8")
def test_what_is_joined_by_another_method_stays() -> None:
    """B5 was joined through B4 when it was drawn, and is joined through A5 now."""
    before = table("A4 road_t 1", dice="road_t road_curve road_curve overpass")
    after = play(before, "/draw road_curve B4 2", "/draw road_t B5 3", "/draw road_curve A5 0")
    stored = play(after, "/erase B4")
    assert [stroke.square for stroke in require(stored.seats[A].draft).strokes] == ["B5", "A5"]


@pytest.mark.rule("railroad_ink 5.8")
def test_taking_back_takes_what_hung_on_it_and_names_it() -> None:
    before = table(dice="road_straight road_curve rail_straight overpass")
    after = play(
        before,
        "/draw rail_straight D1 0",
        "/draw road_straight A4 1",
        "/draw overpass B4 1",
        "/draw road_curve C4 3",
    )
    made = outcome(after, A, "/erase A4")
    assert [stroke.square for stroke in made.state.seats[A].draft.strokes] == ["D1"]
    (event,) = made.events
    assert event_text(GAME.phrases, event, eyes(A), lang="en") == (
        "Seat 1 takes back A4, B4, C4: straight road, overpass, road curve. Score now 0."
    )
    assert event_view(event, eyes()) is None, "others have been told that the seat draws"
    assert "/draw overpass B1 0" in lines(made.state)


@pytest.mark.rule("railroad_ink 5.8")
def test_nothing_is_taken_back_where_nothing_was_drawn() -> None:
    before = table(dice=ROADS)
    why = refusal(before, "/erase C4")
    assert (why.code, why.rule) == ("not_drawn", "5.8")
    assert refusal_text(why).endswith("Drawn this round: nothing.")
    after = play(before, "/draw road_t A4 2", "/draw road_straight B1 0")
    assert refusal_text(refusal(after, "/erase C4")).endswith("Drawn this round: A4, B1.")


@pytest.mark.rule("railroad_ink 5.8")
def test_taking_back_is_only_a_take_back() -> None:
    after = play(table(dice=ROADS), "/draw road_t A4 2", "/special 4 D1 0")
    erasures = [move for move in GAME.legal(after, A) if isinstance(move, Erase)]
    assert [move.square for move in erasures] == ["A4", "D1"]
    assert all(move.takes_back for move in erasures)
    assert not any(isinstance(move, Erase) for move in GAME.plain(after, A))
