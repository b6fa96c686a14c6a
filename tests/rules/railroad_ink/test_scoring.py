"""Scoring: section 9 of the rules, against tables and a slow scorer that is obviously right."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Standing
from bluebear.rules.core.visibility import Seat, but, require
from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.connectivity import NO_LINES, Lines, added, lines_of
from bluebear.rules.railroad_ink.rules.longest_route import most_squares
from bluebear.rules.railroad_ink.rules.pieces import (
    NUMBER,
    ORIENTATIONS,
    STATIONS,
    Line,
    Piece,
    Square,
)
from bluebear.rules.railroad_ink.rules.scoring import EXIT_POINTS, points_of
from bluebear.rules.railroad_ink.rules.state import Drawn, Points, State
from tests.rules.railroad_ink.scene import A, B, C, drawn, points, table, written
from tests.rules.railroad_ink.slow import TABLE, exits, score
from tests.rules.railroad_ink.test_examples import TWO_NETWORKS


def parts(made: Points) -> tuple[int, ...]:
    return (made.exits, made.road, made.railway, made.centre, made.open_ends, made.total)


@pytest.mark.rule("railroad_ink 9.6")
def test_exits_by_their_number() -> None:
    assert EXIT_POINTS == (0, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 45)
    assert {count: EXIT_POINTS[count] for count in range(2, 13)} == TABLE


@pytest.mark.rule("railroad_ink 9.6")
@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("A4 road_straight 1", 0),
        ("B1 road_curve 2, A1 road_curve 1", 0),
        ("A2 rail_curve 3, A1 rail_curve 1, B1 overpass 0", 0),
        ("A2 rail_curve 3, A1 rail_curve 1, B1 station_curve 0m", 4),
        ("F1 road_straight 0, F2 road_curve 0, G2 station_straight 3", 4),
        ("A4 road_curve 2, A5 station_straight 0, A6 rail_t 3", 4),
        ("A4 road_curve 2, A5 station_straight 0, A6 rail_t 3, A7 rail_curve 0,"
         "B7 station_curve 2", 8),
        ("A4 road_curve 2, A5 station_straight 0, A6 rail_t 3, F1 road_curve 0,"
         "G1 road_curve 2, G2 station_curve 0", 8),
    ],
)  # fmt: skip
def test_networks_count_by_their_exits_and_add_up(text: str, worth: int) -> None:
    assert points(text).exits == exits(drawn(text)) == worth


COMPLETE = (
    # A ring of stations and Ts along the border, with an arm to every exit.
    "A1 station_curve 1, B1 road_t 0, C1 station_straight 3, D1 rail_t 0, E1 station_straight 1,"
    "F1 road_t 0, G1 station_curve 3m, G2 rail_t 1, G3 station_straight 2, G4 road_t 1,"
    "G5 station_straight 0, G6 rail_t 1, G7 station_curve 3, F7 road_t 2, E7 station_straight 1,"
    "D7 rail_t 2, C7 station_straight 3, B7 road_t 2, A7 station_curve 1m, A6 rail_t 3,"
    "A5 station_straight 0, A4 road_t 3, A3 station_straight 2, A2 rail_t 3"
)


@pytest.mark.rule("railroad_ink 9.6", "railroad_ink 9.0")
def test_all_twelve_exits_are_worth_45_and_one_less_40() -> None:
    assert points(COMPLETE).exits == exits(drawn(COMPLETE)) == 45
    one_less = COMPLETE.replace("B1 road_t 0", "B1 road_straight 1")
    assert points(one_less).exits == exits(drawn(one_less)) == 40


@pytest.mark.rule("railroad_ink 9.0")
@pytest.mark.parametrize("piece", sorted(STATIONS))
def test_every_station_joins_road_and_railway(piece: Piece) -> None:
    """A road and a railway, drawn as far as the border, come from an exit each to D4."""
    for turn, arms in ORIENTATIONS[piece].items():
        board = {Square("D4"): Drawn(piece, turn, 1)}
        routes = {
            ("N", Line.RAILWAY): "D1 rail_straight 0, D2 rail_straight 0, D3 rail_straight 0",
            ("S", Line.RAILWAY): "D5 rail_straight 0, D6 rail_straight 0, D7 rail_straight 0",
            ("E", Line.ROAD): "E4 road_straight 1, F4 road_straight 1, G4 road_straight 1",
            ("W", Line.ROAD): "A4 road_straight 1, B4 road_straight 1, C4 road_straight 1",
        }
        joined = 0
        for side, line in zip("NESW", arms, strict=True):
            if line is not None and (side, line) in routes:
                board.update(drawn(routes[side, line]))
                joined += 1
        assert exits(board) == TABLE.get(joined, 0)
        text = ",".join(f"{square} {each.piece} {each.turn}" for square, each in board.items())
        assert points(text).exits == TABLE.get(joined, 0)


@pytest.mark.rule("railroad_ink 9.1")
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("A4 road_straight 1", 1),
        ("A4 road_straight 1, B4 road_straight 1", 1),
        ("A4 road_straight 1, B4 rail_straight 0", 3),
        ("B1 road_curve 3, A1 road_t 0", 0),
        ("A4 road_t 3", 2),
        ("D4 special_3 0", 4),
        ("G7 rail_curve 1", 0),
        ("A1 special_5 0", 2),
    ],
)
def test_open_ends_are_arms_that_meet_nothing_of_their_kind(text: str, count: int) -> None:
    assert points(text).open_ends == count
    assert points(text).total == sum(parts(points(text))[:4]) - count


@pytest.mark.rule("railroad_ink 9.2")
@pytest.mark.parametrize(
    ("text", "road", "railway"),
    [
        ("A4 road_straight 1", 1, 0),
        ("A4 road_straight 1, B4 station_straight 3, C4 rail_straight 1", 2, 2),
        ("A4 road_straight 1, B4 special_6 1, C4 road_straight 1", 3, 1),
        ("A4 road_straight 1, B4 overpass 1, C4 road_straight 1, B3 rail_straight 0", 3, 2),
        ("A4 special_1 2, B4 road_straight 1, A3 road_straight 0", 2, 1),
        ("A4 road_straight 1, B4 road_t 2, C4 road_straight 1, B5 road_straight 0", 3, 0),
        # A crossing between two rings: both are drawn in one stroke.
        (
            "D4 special_3 0, D3 road_curve 1, E3 road_curve 2, E4 road_curve 3,"
            "C4 road_curve 1, C5 road_curve 0, D5 road_curve 3",
            8,
            0,
        ),
    ],
)
def test_the_longest_stroke(text: str, road: int, railway: int) -> None:
    made = points(text)
    assert (made.road, made.railway) == (road, railway)
    assert score(drawn(text))[1:3] == (road, railway)


@pytest.mark.rule("railroad_ink 9.3")
@pytest.mark.parametrize(
    ("text", "railway"),
    [
        ("B2 rail_curve 1, C2 rail_curve 2, C3 rail_curve 3, B3 rail_curve 0", 4),
        ("B2 rail_t 2, C2 rail_curve 2, C3 rail_curve 3, B3 rail_curve 0", 5),
        ("B2 rail_t 2, C2 rail_curve 2, C3 rail_curve 3, B3 rail_curve 0, A2 rail_curve 1", 6),
        ("B2 rail_t 2, C2 rail_t 2, C3 rail_curve 3, B3 rail_curve 0", 5),
        ("B2 special_4 0, C2 rail_curve 2, C3 rail_curve 3, B3 rail_curve 0, A2 rail_straight 1,"
         "B1 rail_straight 0", 7),
    ],
)  # fmt: skip
def test_circuits_with_and_without_tails(text: str, railway: int) -> None:
    assert points(text).railway == score(drawn(text))[2] == railway


@pytest.mark.rule("railroad_ink 9.7")
def test_drawn_squares_of_the_centre_count() -> None:
    assert points("C3 rail_t 0, D4 overpass 0, E5 road_t 0, F5 road_t 0, B3 rail_t 0").centre == 3
    assert points("C2 rail_t 0, B4 overpass 0, F3 road_t 0").centre == 0


@pytest.mark.rule("railroad_ink 9.4")
def test_a_total_may_be_negative() -> None:
    assert points("A4 road_t 0, B1 road_t 3, D1 rail_t 3, F1 road_t 3").total == -6


def ended(*made: tuple[int, int]) -> State:
    """A game that is over, with a total and a number of open ends for each seat."""
    before = but(table(seats=len(made)), over=True)
    parts_ = before.seats
    for seat, (total, ends) in enumerate(made, start=1):
        worth = Points(total + ends, 0, 0, 0, ends, total)
        parts_ = parts_.put(Seat(seat), but(before.seats[Seat(seat)], points=worth))
    return but(before, seats=parts_)


@pytest.mark.rule("railroad_ink 9.5")
@pytest.mark.parametrize(
    ("made", "ranks"),
    [
        ([(30, 5), (31, 9)], [2, 1]),
        ([(30, 5), (30, 4)], [2, 1]),
        ([(30, 5), (30, 5), (29, 0)], [1, 1, 3]),
        ([(-3, 5), (-4, 0), (-3, 4)], [2, 3, 1]),
    ],
)
def test_points_then_fewest_open_ends_then_shared(
    made: list[tuple[int, int]], ranks: list[int]
) -> None:
    result = GAME.result(ended(*made))
    assert result is not None
    assert result.standings == tuple(
        Standing(Seat(seat), index, total)
        for seat, (index, (total, _)) in enumerate(zip(ranks, made, strict=True), start=1)
    )
    for seat in (A, B, C)[: len(made)]:
        assert (
            sum(line.points for line in result.breakdown if line.seat == seat) == made[seat - 1][0]
        )
    assert all(line.rule in GAME.rules for line in result.breakdown)


def joins_of_pairs(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    """Lines that join squares with their neighbours."""
    down = sum(1 << one for one, other in pairs if other == one + 1)
    return down, sum(1 << one for one, other in pairs if other != one + 1)


def parts_of_pairs(pairs: list[tuple[int, int]]) -> list[int]:
    """The sets of squares that hang together."""
    parts: list[int] = []
    for one, other in pairs:
        met = [section for section in parts if section >> one & 1 or section >> other & 1]
        parts = [section for section in parts if section not in met]
        parts.append(sum(met) | 1 << one | 1 << other)
    return parts


def longest_by_search(pairs: list[tuple[int, int]]) -> int:
    down, across = joins_of_pairs(pairs)
    result = (
        most_squares(section, down & section, across & section, 0)
        for section in parts_of_pairs(pairs)
    )
    return max(result, default=0)


def longest_of_pairs(pairs: list[tuple[int, int]]) -> int:
    """The longest stroke over edges without spare arms, by trying every one."""
    best = 1 if pairs else 0

    def go(begin: int, here: int, removed: frozenset[tuple[int, int]], passed: int) -> None:
        nonlocal best
        best = max(best, passed - (begin == here and passed > 1))
        for edge in pairs:
            if edge not in removed and here in edge:
                go(begin, edge[0] + edge[1] - here, removed | {edge}, passed + 1)

    for point in sorted({point for edge in pairs for point in edge}):
        go(point, point, frozenset(), 1)
    return best


GRID = [
    (column * 7 + row, column * 7 + row + step)
    for column in range(3)
    for row in range(4)
    for step in (1, 7)
    if (row < 3 if step == 1 else column < 2)
]
"""The edges of three columns by four rows."""


@pytest.mark.rule("railroad_ink 9.2")
@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(GRID), unique=True, max_size=len(GRID)))
def test_the_longest_stroke_over_any_lines_is_detected(pairs: list[tuple[int, int]]) -> None:
    assert longest_by_search(pairs) == longest_of_pairs(pairs)


def test_the_longest_stroke_over_a_full_grid() -> None:
    """Six odd points: two are the ends of the stroke, each other pair costs an edge."""
    assert longest_by_search(GRID) == longest_of_pairs(GRID) == len(GRID) - 2 + 1


@pytest.mark.rule("railroad_ink 9.2")
@pytest.mark.parametrize("count", [1, 2])
def test_a_full_grid_with_edges_left_out(count: int) -> None:
    for removed in list(combinations(GRID, count))[::7]:
        pairs = [edge for edge in GRID if edge not in removed]
        assert longest_by_search(pairs) == longest_of_pairs(pairs)


@pytest.mark.rule("railroad_ink 9.8")
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_scores_are_those_of_the_slow_scorer_all_along_a_game(seed: int) -> None:
    chance = FastChance(seed)
    state: State = GAME.setup(GAME.info.complete({}), 1, chance).state
    while movers := GAME.to_move(state):
        moves = GAME.plain(state, min(movers))
        state = GAME.play(state, A, moves[chance.pick(len(moves))], chance).state
        board = dict(state.seats[A].board.items())
        for stroke in require(state.seats[A].draft).strokes:
            board[stroke.square] = Drawn(stroke.piece, stroke.turn, state.round)
        assert parts(require(state.seats[A].draft).points) == score(board)


def test_the_points_of_an_empty_board() -> None:
    assert parts(points("")) == (0, 0, 0, 0, 0, 0)
    assert points_of(written("A4 road_straight 1")).road == 1
    assert NUMBER[Square("A4")] == 3


def unordered(lines: Lines) -> tuple[object, ...]:
    """Lines without the order in which their sets were found."""
    routes = set(lines.roads), set(lines.railways)
    return lines.ink, dict(lines.spots), routes, set(lines.networks), lines.open_ends


@pytest.mark.rule("railroad_ink 9.0")
@given(st.data())
@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize("text", [COMPLETE, TWO_NETWORKS, f"{TWO_NETWORKS}, B6 special_2 2"])
def test_how_lines_hang_together_does_not_depend_on_their_order(
    text: str, data: st.DataObject
) -> None:
    board = [(NUMBER[at], each.piece, each.turn) for at, each in drawn(text).items()]
    in_some_order = NO_LINES
    for number, piece, turn in data.draw(st.permutations(board)):
        in_some_order = added(in_some_order, piece, turn, number)
    assert unordered(in_some_order) == unordered(lines_of(board))
    assert points_of(in_some_order) == points(text)
