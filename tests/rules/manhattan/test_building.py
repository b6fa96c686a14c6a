"""Building: section 4 of the rules."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.visibility import Seat, but, require
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.rules.events import (
    Built,
    Captured,
    Dealt,
    Drew,
    Exchanged,
    Lost,
    Shuffled,
)
from bluebear.rules.manhattan.rules.state import Building, Card, City, Phase, Site, State
from tests.rules.manhattan.scene import (
    A,
    B,
    building,
    building_turn,
    cards,
    kinds,
    lines,
    outcome,
    play,
    refusal,
    with_piles,
)
from tests.rules.scripted_chance import ScriptedChance

ONE_CORNER_LEFT: Final = ". B9 B9  B9 B9 B9  B9 B9 B9"
"""A city in which B can be stopped on site 1 only."""
ALL_CORNERS_LEFT: Final = dict.fromkeys(City, ONE_CORNER_LEFT)


@pytest.mark.rule("manhattan 4.1")
def test_a_turn_plays_a_card_and_a_block() -> None:
    table = building_turn(hand=(3, 5, 5, 9), chosen=(3, 1))
    after = play(table, A, "/build 3 frankfurt 5", ScriptedChance(0))
    assert after.cities[City.FRANKFURT][Site(5)] == building("A3")
    assert (after.seats[A].chosen, after.seats[A].hand) == ((1,), (1, 3, 5, 9))
    assert after.turn == B


@pytest.mark.rule("manhattan 4.1")
def test_all_players_are_shown_what_was_built() -> None:
    made = outcome(building_turn(chosen=(3,)), A, "/build 3 frankfurt 2")
    assert made.events[0] == Built(A, 3, City.FRANKFURT, Site(2))


@pytest.mark.rule("manhattan 4.1")
def test_a_block_that_was_not_chosen_is_refused() -> None:
    no = refusal(building_turn(chosen=(3, 2, 2, 1)), A, "/build 4 cairo 1")
    assert (no.code, no.rule) == ("no_block", "4.1")
    assert no.params == {"block": 4, "left": (1, 2, 3)}


@pytest.mark.rule("manhattan 4.1")
def test_a_site_without_a_card_is_refused() -> None:
    no = refusal(building_turn(hand=(6, 8, 9, 9)), A, "/build 1 cairo 1")
    assert (no.code, no.rule) == ("no_card", "4.1")
    assert no.params == {"site": 1, "sites": (6, 8, 9)}


@pytest.mark.rule("manhattan 4.1")
def test_no_player_builds_out_of_turn() -> None:
    no = refusal(building_turn(), B, "/build 1 cairo 1")
    assert (no.code, no.rule, no.params) == ("not_your_turn", "4.1", {"other": A})


@pytest.mark.rule("manhattan 4.1")
def test_no_player_chooses_once_building_has_begun() -> None:
    no = refusal(building_turn(), A, "/take 4 3 2 2 1 1")
    assert (no.code, no.rule) == ("build_now", "4.1")


@pytest.mark.rule("manhattan 4.2")
@pytest.mark.parametrize("placed", [".", "A1", "B4A9", "B4A4"])
def test_empty_sites_and_the_players_buildings_are_open_to_any_block(placed: str) -> None:
    table = building_turn(
        {City.CAIRO: f". . .  . {placed} .  . . ."}, hand=(5, 5, 5, 5), chosen=(4, 3, 2, 1)
    )
    open_here = [line for line in lines(table, A) if "cairo" in line]
    assert open_here == [f"/build {block} cairo 5" for block in (1, 2, 3, 4)]


@pytest.mark.rule("manhattan 4.3")
@pytest.mark.parametrize(
    ("placed", "least"),
    [("B1", 1), ("B3", 3), ("B4", 4), ("B5", 5), ("A1B3", 2), ("A3B3", 1), ("A2B6", 4)],
)
def test_as_many_floors_as_the_owner_are_enough(placed: str, least: int) -> None:
    table = building_turn(
        {City.CAIRO: f". . .  . {placed} .  . . ."}, hand=(5, 5, 5, 5), chosen=(4, 3, 2, 1)
    )
    open_here = [line for line in lines(table, A) if "cairo" in line]
    assert open_here == [f"/build {block} cairo 5" for block in range(least, 5)]


@pytest.mark.rule("manhattan 4.3")
def test_a_refusal_says_how_many_floors_are_missing() -> None:
    table = building_turn({City.CAIRO: "A1B4 . .  . . .  . . ."}, chosen=(1,))
    no = refusal(table, A, "/build 1 cairo 1")
    assert (no.code, no.rule) == ("too_low", "4.3")
    assert no.params == {
        "city": City.CAIRO,
        "site": 1,
        "other": B,
        "block": 1,
        "needs": 3,
        "missing": 2,
    }


@pytest.mark.rule("manhattan 4.3")
@given(
    floors=st.lists(st.integers(0, 12), min_size=4, max_size=4),
    owner=st.integers(1, 4),
    block=st.integers(1, 4),
)
def test_only_the_players_floors_and_the_owners_count(
    floors: list[int], owner: int, block: int
) -> None:
    floors[owner - 1] += 1
    table = building_turn(hand=(5, 5, 5, 5), chosen=(block,), seats=4)
    placed = table.cities[City.CAIRO].put(Site(5), Building(tuple(floors), Seat(owner)))
    table = but(table, cities=table.cities.put(City.CAIRO, placed))
    may = f"/build {block} cairo 5" in lines(table, A)
    assert may == (owner == A or floors[0] + block >= floors[owner - 1])


@pytest.mark.rule("manhattan 4.4")
def test_whoever_is_on_top_owns_the_building() -> None:
    table = building_turn({City.CAIRO: "B3 . .  . . .  . . ."}, chosen=(3,))
    made = outcome(table, A, "/build 3 cairo 1")
    assert made.state.cities[City.CAIRO][Site(1)] == building("B3A3")
    assert made.events[0] == Captured(A, 3, City.CAIRO, Site(1), other=B)


@pytest.mark.rule("manhattan 4.5")
def test_the_played_card_is_discarded_and_another_one_drawn() -> None:
    table = building_turn(hand=(2, 2, 2, 2))
    made = outcome(table, A, "/build 1 cairo 2", ScriptedChance(sum(require(table.deck)) - 1))
    assert made.state.seats[A].hand == (2, 2, 2, 9)
    assert (made.state.used[Card(2)], require(made.state.deck)[8]) == (
        1,
        require(table.deck)[8] - 1,
    )
    assert Drew(A, made.state.seats[A].hand[3]) in made.events


@pytest.mark.rule("manhattan 4.6")
def test_an_empty_deck_is_made_of_the_discards() -> None:
    table = with_piles(
        building_turn(hand=(2, 2, 2, 2)),
        deck=(0, 0, 0, 0, 0, 0, 0, 0, 0),
        discards=(5, 0, 0, 0, 0, 0, 0, 0, 0),
    )
    made = outcome(table, A, "/build 1 cairo 2", ScriptedChance(5))
    assert made.events[1:] == (Shuffled(6), Drew(A, made.state.seats[A].hand[3]))
    assert made.state.seats[A].hand == (2, 2, 2, 2)
    assert sum(made.state.used.values()) == 0


@pytest.mark.rule("manhattan 4.6")
def test_the_last_card_of_the_deck_is_drawn_without_shuffling() -> None:
    table = with_piles(
        building_turn(),
        deck=(1, 0, 0, 0, 0, 0, 0, 0, 0),
        discards=(0, 5, 0, 0, 0, 0, 0, 0, 0),
    )
    made = outcome(table, A, "/build 1 cairo 2")
    assert kinds(made) == ["Built"]
    assert sum(made.state.deck) == 0


def beleaguered(
    *, chosen: tuple[int, ...] = (1, 1), turn_blocks: tuple[int, ...] = (1, 1)
) -> State:
    """B is to build; after that A holds four cards of a position where it can build nowhere."""
    return building_turn(
        ALL_CORNERS_LEFT,
        turn=B,
        start=B,
        hand=(1, 1, 5, 5),
        chosen=turn_blocks,
        other_hands=(6, 6, 6, 6),
        rest_chosen=chosen,
    )


@pytest.mark.rule("manhattan 4.7")
def test_a_hand_that_cannot_build_is_shown_and_exchanged() -> None:
    table = with_piles(
        beleaguered(),
        deck=(3, 0, 0, 0, 0, 0, 0, 0, 2),
        discards=(0, 0, 0, 0, 0, 0, 0, 0, 0),
    )
    made = outcome(table, B, "/build 1 cairo 5", ScriptedChance(4, 0, 0, 0, 0))
    assert made.events[2:] == (
        Exchanged(A, require(table.seats[A].hand)),
        Dealt(A, cards(1, 1, 1, 9)),
    )
    assert (made.state.turn, made.state.used[Card(6)]) == (A, 4)
    assert lines(made.state, A) == [f"/build 1 {city} 1" for city in sorted(City)]


@pytest.mark.rule("manhattan 4.7")
def test_exchanging_repeats_until_the_hand_can_build() -> None:
    table = with_piles(
        beleaguered(),
        deck=(0, 0, 0, 0, 0, 0, 5, 0, 0),
        discards=(4, 0, 0, 0, 0, 0, 0, 0, 0),
    )
    made = outcome(table, B, "/build 1 cairo 5", ScriptedChance(0, 0, 0, 0, 0, 0, 0, 0, 0))
    assert kinds(made) == ["Built", "Exchanged", "Dealt", "Exchanged", "Shuffled", "Dealt"]
    assert made.state.seats[A].hand == (1, 1, 1, 1)


@pytest.mark.rule("manhattan 4.7")
def test_if_no_card_could_help_the_smallest_block_is_lost() -> None:
    """The cards of the open site are all in B's hand."""
    table = with_piles(
        beleaguered(chosen=(3, 2)),
        deck=(0, 5, 0, 0, 0, 0, 0, 0, 0),
        discards=(0, 0, 5, 0, 0, 0, 0, 0, 0),
    )
    made = outcome(table, B, "/build 1 cairo 5")
    assert made.events[2:] == (Lost(A, 2),)
    poorer = made.state.seats[A]
    assert (poorer.chosen, poorer.lost, poorer.hand) == ((3,), 2, (6, 6, 6, 6))
    assert made.state.turn == B


@pytest.mark.rule("manhattan 4.7")
def test_a_card_among_the_discards_is_worth_an_exchange() -> None:
    table = with_piles(
        beleaguered(),
        deck=(0, 5, 0, 0, 0, 0, 0, 0, 0),
        discards=(1, 0, 0, 0, 0, 0, 0, 0, 0),
    )
    made = outcome(table, B, "/build 1 cairo 5")
    assert kinds(made)[1] == "Exchanged"
    assert 1 in made.state.seats[A].hand


@pytest.mark.rule("manhattan 4.7")
def test_losing_the_last_block_ends_the_round() -> None:
    table = with_piles(
        beleaguered(chosen=(1,), turn_blocks=(1,)),
        deck=(0, 5, 0, 0, 0, 0, 0, 0, 0),
        discards=(0, 0, 0, 0, 0, 0, 0, 0, 0),
    )
    made = outcome(table, B, "/build 1 cairo 5")
    assert kinds(made) == ["Built", "Lost", "Scored", "Scored", "RoundBegan"]


@pytest.mark.rule("manhattan 4.7")
def test_a_players_building_is_never_hopeless() -> None:
    pictures = {**ALL_CORNERS_LEFT, City.SYDNEY: ". B9 B9  B9 B9 A1  B9 B9 B9"}
    table = building_turn(
        pictures,
        turn=B,
        hand=(5, 5, 5, 5),
        other_hands=(6, 6, 6, 6),
    )
    made = outcome(table, B, "/build 1 cairo 5")
    assert kinds(made) == ["Built"]
    assert lines(made.state, A) == ["/build 1 sydney 6"]


@pytest.mark.rule("manhattan 4.8")
def test_the_round_ends_when_all_chosen_blocks_are_placed() -> None:
    table = building_turn(turn=B, start=A, chosen=(1,), rest_chosen=())
    made = outcome(table, B, "/build 1 cairo 2")
    assert kinds(made) == ["Built", "Scored", "Scored", "RoundBegan"]
    assert (made.state.phase, made.state.round) == (Phase.CHOOSING, 2)


def test_who_is_not_to_move_has_no_legal_move() -> None:
    assert list(GAME.legal(building_turn(), B)) == []
