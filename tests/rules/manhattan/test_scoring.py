"""Scoring, the next round, the end: sections 5 and 6 of the rules."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.game import Standing
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.rules.events import GameOver, RoundBegan, Scored
from bluebear.rules.manhattan.rules.scoring import points_of
from bluebear.rules.manhattan.rules.state import Building, Cities, City, Phase, Points, Site, State
from tests.rules.manhattan.scene import (
    A,
    B,
    C,
    building_turn,
    cities,
    outcome,
    refusal,
)


def points(pictures: Mapping[City, str], seats: int = 2) -> list[tuple[int, int, int]]:
    """What drawn cities are worth to seat 1, 2, ...: buildings, cities, the tallest."""
    made = points_of(cities(pictures, seats), seats)
    return [(each.buildings, each.cities, each.tallest) for each in made.values()]


@pytest.mark.rule("manhattan 5.1")
def test_each_building_is_worth_a_point() -> None:
    worth = points({City.CAIRO: "A1 A2 B3  . B3 A1B1  . . ."})
    assert [buildings for buildings, _, _ in worth] == [2, 3]


@pytest.mark.rule("manhattan 5.2")
def test_most_buildings_in_a_city_are_worth_two_points() -> None:
    worth = points({City.CAIRO: "A1 A1 B3  . . .  . . .", City.SYDNEY: "B1 . .  . . .  . . ."})
    assert [most for _, most, _ in worth] == [2, 2]


@pytest.mark.rule("manhattan 5.2")
def test_equal_numbers_in_a_city_are_worth_nothing_to_anybody() -> None:
    worth = points({City.CAIRO: "A1 A1 B3  B1 C1 .  . . ."}, seats=3)
    assert [most for _, most, _ in worth] == [0, 0, 0]


@pytest.mark.rule("manhattan 5.3")
def test_the_tallest_building_is_worth_three_points_to_its_owner() -> None:
    worth = points({City.CAIRO: "A6 . .  . . .  . . .", City.SYDNEY: "A4B4 . .  . . .  . . ."})
    assert [tallest for _, _, tallest in worth] == [0, 3]


@pytest.mark.rule("manhattan 5.3")
def test_two_tallest_buildings_are_worth_nothing_to_anybody() -> None:
    worth = points({City.CAIRO: "A8 . .  . . .  . . .", City.SYDNEY: "A4B4 A7 .  . . .  . . ."})
    assert [tallest for _, _, tallest in worth] == [0, 0]


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(City), st.integers(1, 9)),
        st.tuples(st.lists(st.integers(0, 4), min_size=3, max_size=3), st.integers(1, 3)),
    )
)
def test_points_are_those_of_a_plain_reading_of_the_rules(
    drawn: dict[tuple[City, int], tuple[list[int], int]],
) -> None:
    owners = {position: owner for position, (_, owner) in drawn.items()}
    heights = {position: sum(floors) + 1 for position, (floors, _) in drawn.items()}
    table: Cities = Keyed({city: Keyed[Site, Building]() for city in City})
    for (city, site), (floors, owner) in drawn.items():
        of_seat = [count + (seat == owner) for seat, count in enumerate(floors, start=1)]
        placed = table[city].put(Site(site), Building(tuple(of_seat), Seat(owner)))
        table = table.put(city, placed)
    expected = {
        seat: Points(
            _buildings(owners, seat), _cities(owners, seat), _tallest(owners, heights, seat)
        )
        for seat in (A, B, C)
    }
    assert dict(points_of(table, 3)) == expected


def _buildings(owners: Mapping[tuple[City, int], int], seat: Seat) -> int:
    return sum(owner == seat for owner in owners.values())


def _cities(owners: Mapping[tuple[City, int], int], seat: Seat) -> int:
    won = 0
    for city in City:
        here = [owner for (where, _), owner in owners.items() if where is city]
        rivals = (here.count(other) for other in (1, 2, 3) if other != seat)
        won += here.count(seat) > max(rivals)
    return 2 * won


def _tallest(
    owners: Mapping[tuple[City, int], int], heights: Mapping[tuple[City, int], int], seat: Seat
) -> int:
    top = [position for position, height in heights.items() if height == max(heights.values())]
    return 3 if len(top) == 1 and owners[top[0]] == seat else 0


def last_turn(pictures: Mapping[City, str], *, game_round: int = 1, seats: int = 2) -> State:
    """The last block of a round is to be built by the last seat."""
    table = building_turn(
        pictures, turn=Seat(seats), start=A, chosen=(1,), rest_chosen=(), seats=seats
    )
    return but(table, round=game_round)


def with_score(table: State, seat: Seat, score: int) -> State:
    builder = but(table.seats[seat], score=score, points=Points(score, 0, 0))
    return but(table, seats=table.seats.put(seat, builder))


@pytest.mark.rule("manhattan 5.4")
def test_buildings_stay_and_score_again() -> None:
    table = with_score(last_turn({City.CAIRO: "A9 . .  . . .  . . ."}), A, 6)
    made = outcome(table, B, "/build 1 sydney 2")
    assert made.state.cities[City.CAIRO] == table.cities[City.CAIRO]
    assert (made.state.seats[A].score, made.state.seats[B].score) == (6 + 6, 3)


@pytest.mark.rule("manhattan 9.4")
def test_the_sections_of_a_score_are_shown_one_by_one() -> None:
    table = with_score(last_turn({City.CAIRO: "A9 . .  . . .  . . ."}), A, 6)
    made = outcome(table, B, "/build 1 sydney 2")
    reported = [event for event in made.events if isinstance(event, Scored)]
    assert reported == [
        Scored(A, round=1, buildings=1, cities=2, tallest=3, points=6, score=12),
        Scored(B, round=1, buildings=1, cities=2, tallest=0, points=3, score=3),
    ]


@pytest.mark.rule("manhattan 9.4")
def test_a_score_line_names_the_paragraphs_that_it_rests_on() -> None:
    for lang in ("en", "ja"):
        phrase = GAME.phrases.find("event.scored")
        assert phrase is not None
        assert all(f"({rule})" in phrase.text(lang) for rule in ("5.1", "5.2", "5.3"))


@pytest.mark.rule("manhattan 6.1")
def test_the_next_player_clockwise_becomes_start_player() -> None:
    made = outcome(last_turn({}), B, "/build 1 cairo 2")
    assert made.events[-1] == RoundBegan(2, B)
    assert (made.state.start, made.state.turn, made.state.phase) == (B, B, Phase.CHOOSING)


@pytest.mark.rule("manhattan 6.2")
def test_the_game_ends_after_four_rounds_and_the_most_points_win() -> None:
    table = with_score(last_turn({}, game_round=4), A, 20)
    made = outcome(table, B, "/build 1 cairo 2")
    assert made.events[-1] == GameOver((A,), 20)
    assert GAME.to_move(made.state) == frozenset()
    result = GAME.result(made.state)
    assert result is not None
    assert result.standings == (Standing(A, 1, 20), Standing(B, 2, 6))


@pytest.mark.rule("manhattan 6.2")
def test_a_game_of_six_rounds_continues_after_the_fourth() -> None:
    table = but(last_turn({}, game_round=4), sixrounds=True)
    assert outcome(table, B, "/build 1 cairo 2").state.round == 5


@pytest.mark.rule("manhattan 6.2")
def test_nothing_is_allowed_after_the_end() -> None:
    over = outcome(last_turn({}, game_round=4), B, "/build 1 cairo 2").state
    for seat in (A, B):
        no = refusal(over, seat, "/build 1 cairo 1")
        assert (no.code, no.rule) == ("game_over", "6.2")


@pytest.mark.rule("manhattan 6.2")
def test_a_running_game_has_no_result() -> None:
    assert GAME.result(building_turn()) is None


@pytest.mark.rule("manhattan 6.3")
def test_equal_points_share_the_position_and_the_win() -> None:
    table = with_score(with_score(last_turn({}, game_round=4, seats=3), A, 6), B, 2)
    made = outcome(table, C, "/build 1 cairo 2")
    assert made.events[-1] == GameOver((A, C), 6)
    result = GAME.result(made.state)
    assert result is not None
    assert [rank.place for rank in result.standings] == [1, 3, 1]


@pytest.mark.rule("manhattan 5.1", "manhattan 5.2", "manhattan 5.3")
def test_the_result_says_where_all_points_were_from() -> None:
    table = last_turn({City.CAIRO: "A9 A1 .  . . .  . . ."}, game_round=4)
    result = GAME.result(outcome(table, B, "/build 1 sydney 2").state)
    assert result is not None
    reported = [(line.seat, line.key, line.points, line.rule) for line in result.breakdown]
    assert reported == [
        (A, "buildings", 2, "5.1"),
        (A, "cities", 2, "5.2"),
        (A, "tallest", 3, "5.3"),
        (B, "buildings", 1, "5.1"),
        (B, "cities", 2, "5.2"),
        (B, "tallest", 0, "5.3"),
    ]
