"""Choosing the blocks of a round: section 3 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.rules.events import Got, Took
from bluebear.rules.manhattan.rules.state import Phase, State
from tests.rules.manhattan.scene import (
    A,
    B,
    C,
    building_turn,
    choosing,
    eyes,
    kinds,
    lines,
    outcome,
    play,
    play_all,
    refusal,
)


@pytest.mark.rule("manhattan 3.1")
def test_all_players_take_blocks_in_turn_from_the_start_player_on() -> None:
    table = but(choosing(3), start=B)
    turns: list[Seat | None] = [table.turn]
    for line in ("/take 4 3 2 2 1 1", "/take 1 1 1 1 1 1", "/take 4 4 4 3 3 3"):
        table, _ = play_all(table, line)
        turns.append(table.turn)
    assert turns == [B, C, A, B]
    assert table.phase is Phase.BUILDING
    assert table.seats[C].chosen == (1, 1, 1, 1, 1, 1)


@pytest.mark.rule("manhattan 3.1")
def test_a_choice_is_open_to_all_as_it_is_made() -> None:
    made = outcome(choosing(), A, "/take 4 3 2 2 1 1")
    assert made.events == (Took(A, (4, 3, 2, 2, 1, 1)),)
    seen = GAME.tree.view(made.state, eyes())["seats"]["1"]
    assert (seen["chosen"], seen["stock"]) == ([4, 3, 2, 2, 1, 1], [9, 4, 3, 2])


@pytest.mark.rule("manhattan 3.1")
def test_no_player_builds_before_all_have_chosen() -> None:
    no = refusal(choosing(), A, "/build 1 cairo 1")
    assert (no.code, no.rule, no.params) == ("choose_first", "3.1", {"count": 6})


@pytest.mark.rule("manhattan 3.1")
def test_no_player_chooses_out_of_turn() -> None:
    no = refusal(choosing(), B, "/take 4 3 2 2 1 1")
    assert (no.code, no.rule, no.params) == ("not_your_turn", "3.1", {"other": A})


@pytest.mark.rule("manhattan 3.2")
@pytest.mark.parametrize(("line", "given"), [("/take 4 3 2 2 1", 5), ("/take 4 3 2 2", 4)])
def test_a_choice_of_another_number_is_refused(line: str, given: int) -> None:
    no = refusal(choosing(), A, line)
    assert (no.code, no.rule, no.params) == ("wrong_number", "3.2", {"count": 6, "given": given})


@pytest.mark.rule("manhattan 3.2")
def test_six_rounds_have_choices_of_four() -> None:
    no = refusal(choosing(sixrounds=True), A, "/take 4 3 2 2 1 1")
    assert (no.code, no.params["count"]) == ("wrong_number", 4)
    assert play(choosing(sixrounds=True), A, "/take 4 3 2 2").seats[A].chosen == (4, 3, 2, 2)


@pytest.mark.rule("manhattan 3.2")
def test_a_choice_of_more_than_the_stock_holds_is_refused() -> None:
    no = refusal(choosing(), A, "/take 4 4 4 4 1 1")
    assert (no.code, no.rule, no.params) == ("not_in_stock", "3.2", {"block": 4, "left": 3})


@pytest.mark.rule("manhattan 3.2")
def test_all_choices_that_a_stock_allows_are_offered_and_no_the_rest() -> None:
    # Of the 84 lists of six blocks ten have more than three fours, and four more than four threes.
    assert len(lines(choosing(), A)) == 84 - 10 - 4
    assert lines(choosing(stock=(5, 1, 0, 1)), A) == [
        "/take 2 1 1 1 1 1",
        "/take 4 1 1 1 1 1",
        "/take 4 2 1 1 1 1",
    ]


@pytest.mark.rule("manhattan 3.3")
def test_who_has_only_one_choice_gets_it_at_once() -> None:
    table = choosing(3, stock=(3, 1, 1, 1))
    freer = but(table.seats[A], stock=(4, 1, 1, 1))
    made = outcome(but(table, seats=table.seats.put(A, freer)), A, "/take 4 3 1 1 1 1")
    forced = (4, 3, 2, 1, 1, 1)
    assert made.events == (Took(A, (4, 3, 1, 1, 1, 1)), Got(B, forced), Got(C, forced))
    assert (made.state.phase, made.state.turn) == (Phase.BUILDING, A)


@pytest.mark.rule("manhattan 3.3")
def test_blocks_of_one_size_are_one_choice() -> None:
    table = choosing(stock=(9, 0, 0, 0))
    freer = but(table.seats[A], stock=(6, 1, 0, 0))
    made = outcome(but(table, seats=table.seats.put(A, freer)), A, "/take 1 1 1 1 1 1")
    assert kinds(made) == ["Took", "Got"]


@pytest.mark.rule("manhattan 3.3")
def test_the_last_choice_of_a_game_is_never_requested() -> None:
    table = choosing(stock=(6, 0, 0, 0))
    assert len(lines(table, A)) == 1


@pytest.mark.parametrize(
    ("table", "line"),
    [
        (choosing(), "/take 4 3 2 1 1 1"),
        (choosing(sixrounds=True), "/take 3 2 1 1"),
        (building_turn(hand=(3, 5, 6, 9), chosen=(4, 2)), "/build 2 cairo 3"),
    ],
)
def test_when_time_is_up_an_even_choice_or_the_first_build_is_played(
    table: State, line: str
) -> None:
    assert GAME.grammar.format(GAME.fallback(table, A)) == line
