"""The worked examples: section 10 of the rules, with their numbers."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import require
from bluebear.rules.railroad_ink.rules.pieces import EXITS
from bluebear.rules.railroad_ink.rules.scoring import exits_joined
from tests.rules.railroad_ink.scene import (
    A,
    drawn,
    lines,
    play,
    points,
    refusal,
    table,
    written,
)
from tests.rules.railroad_ink.slow import score

TWO_NETWORKS = (
    "A4 road_straight 1, B4 road_t 2, C4 road_straight 1, D4 overpass 1, E4 road_straight 1,"
    "F4 road_straight 1, G4 road_straight 1, D1 rail_straight 0, D2 rail_straight 0,"
    "D3 rail_straight 0, D5 rail_straight 0, D6 rail_t 3, D7 rail_straight 0,"
    "B5 road_straight 0, C6 rail_straight 1, A6 rail_straight 1, B7 station_straight 2"
)
THREE_OPEN_ENDS = (
    "B1 road_straight 0, A4 road_straight 1, G6 rail_curve 1, G7 rail_curve 0, D7 rail_t 2,"
    "E7 rail_curve 2"
)
SAME_SQUARE_TWICE = (
    "D1 rail_straight 0, D2 rail_straight 0, D3 rail_t 1, E3 rail_curve 2, E4 rail_curve 3,"
    "D4 rail_curve 0"
)
BARE_CIRCUIT = (
    "C1 road_curve 1, E1 road_curve 2, E2 road_curve 3, C2 road_curve 0, D1 overpass 1,"
    "D2 overpass 1"
)
CIRCUIT_WITH_AN_ARM = "A4 road_t 2, B4 road_curve 2, B5 road_curve 3, A5 road_curve 0"


def exits(text: str) -> list[list[str]]:
    """The networks of at least two exits, by the squares of these."""
    joined = (
        [str(EXITS[number].square) for number in each] for each in exits_joined(written(text))
    )
    return [names for names in joined if len(names) > 1]


def parts(text: str) -> tuple[int, ...]:
    """Exits, road, railway, centre, open ends, total; also of the slow scorer."""
    made = points(text)
    result = (made.exits, made.road, made.railway, made.centre, made.open_ends, made.total)
    assert result == score(drawn(text))
    return result


@pytest.mark.rule("railroad_ink 10.1", "railroad_ink 9.0")
def test_two_networks_pass_each_other_at_an_overpass() -> None:
    assert exits(TWO_NETWORKS) == [["D1", "D7"], ["G4", "A4"]]
    assert parts(TWO_NETWORKS) == (8, 7, 7, 5, 4, 23)


@pytest.mark.rule("railroad_ink 10.2", "railroad_ink 9.0")
def test_a_special_route_joins_them_to_one_of_six_exits() -> None:
    joined = TWO_NETWORKS + ", B6 special_2 2"
    assert [sorted(each) for each in exits(joined)] == [["A4", "A6", "B7", "D1", "D7", "G4"]]
    assert parts(joined) == (20, 8, 9, 5, 0, 42)


@pytest.mark.rule("railroad_ink 10.2")
def test_it_is_drawn_by_its_line() -> None:
    after = play(table(TWO_NETWORKS), "/special 2 B6 2")
    assert after.seats[A].points.total == 23
    assert require(after.seats[A].draft).points.total == 42


@pytest.mark.rule("railroad_ink 10.3", "railroad_ink 9.1")
def test_three_open_ends_and_two_arms_into_the_border() -> None:
    assert parts(THREE_OPEN_ENDS) == (0, 1, 2, 0, 3, 0)


@pytest.mark.rule("railroad_ink 10.4", "railroad_ink 9.2")
def test_a_square_passed_twice_counts_twice() -> None:
    assert parts(SAME_SQUARE_TWICE)[2] == 7


@pytest.mark.rule("railroad_ink 10.5", "railroad_ink 9.3")
def test_a_bare_circuit_counts_one_lap() -> None:
    assert parts(BARE_CIRCUIT)[1:3] == (6, 2)


@pytest.mark.rule("railroad_ink 10.6", "railroad_ink 9.3")
def test_a_circuit_with_an_arm_counts_one_more() -> None:
    assert parts(CIRCUIT_WITH_AN_ARM)[1] == 5


REFUSED = [
    ("a road in D4 on an empty board", "", "/draw road_straight D4 0", "5.2"),
    ("a railway west to east in A4", "", "/draw rail_straight A4 1", "5.3"),
    ("end to end", "A4 road_straight 1", "/draw rail_straight B4 1", "5.3"),
    ("a second piece in a square", "A4 road_straight 1", "/draw road_t A4 2", "5.1"),
    ("a special route used before", "D1 special_4 0", "/special 4 D7 0", "7.1"),
    ("a face that was not rolled", "", "/draw rail_t D1 0", "3.2"),
    (
        "a fourth special route",
        "D1 special_4 0, B1 special_3 0, F1 special_1 0",
        "/special 2 D7 0",
        "7.1",
    ),
]


@pytest.mark.rule("railroad_ink 10.7")
@pytest.mark.parametrize(
    ("board", "line", "rule"), [each[1:] for each in REFUSED], ids=[each[0] for each in REFUSED]
)
def test_what_is_refused(board: str, line: str, rule: str) -> None:
    before = table(board, dice="road_straight road_t rail_straight overpass")
    assert line not in lines(before)
    assert refusal(before, line).rule == rule


@pytest.mark.rule("railroad_ink 10.7")
def test_a_second_special_route_in_a_round_is_refused() -> None:
    after = play(table(), "/special 4 D1 0")
    assert refusal(after, "/special 3 B1 0").rule == "7.1"


@pytest.mark.rule("railroad_ink 10.7")
def test_a_face_drawn_already_is_refused() -> None:
    after = play(table(dice="road_straight road_t rail_t overpass"), "/draw road_t A4 2")
    assert refusal(after, "/draw road_t B1 0").rule == "4.2"


ALLOWED = [
    ("blank towards a railway exit", "C1 road_straight 1", "/draw road_curve D1 2"),
    ("an arm in A1 into the border", "B1 road_curve 3", "/draw road_straight A1 1"),
    ("a second route at another exit", "A4 road_straight 1", "/draw road_straight F7 0"),
]


@pytest.mark.rule("railroad_ink 10.8")
@pytest.mark.parametrize(
    ("board", "line"), [each[1:] for each in ALLOWED], ids=[each[0] for each in ALLOWED]
)
def test_what_is_allowed(board: str, line: str) -> None:
    before = table(board, dice="road_curve road_straight rail_t overpass")
    assert line in lines(before)
    play(before, line)
