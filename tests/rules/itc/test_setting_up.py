"""Setting up: first cards, the five rounds of placing, the first stone in the grey market."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Outcome
from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.tables import CARDS, PLAYER_CARDS
from bluebear.rules.itc.data.terms import CONTINENTS, Place
from bluebear.rules.itc.rules.events import Dealt, DrewAction, MafiaBegan, TurnBegan
from bluebear.rules.itc.rules.state import Phase, State
from tests.rules.itc.example import A, B, C, refused, say


def begun(seats: int, seed: int = 1) -> Outcome[State]:
    return GAME.setup(GAME.info.complete({}), seats, FastChance(seed))


def placed_by_all(seats: int, seed: int = 1) -> tuple[list[Seat], Outcome[State]]:
    """Each player puts their n-th stone on the n-th continent.

    Returns the seats and last outcome.
    """
    made = begun(seats, seed)
    chance = FastChance(seed)
    order: list[Seat] = []
    while made.state.phase is Phase.PLACING:
        seat = made.state.turn.seat
        position = CONTINENTS[order.count(seat)]
        order.append(seat)
        made = GAME.play(made.state, seat, GAME.grammar.parse(f"/stone {position}"), chance)
    return order, made


@pytest.mark.rule("itc 1.1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_two_to_six_play(seats: int) -> None:
    assert (GAME.info.seats.min, GAME.info.seats.max) == (2, 6)
    assert len(begun(seats).state.seats) == seats


@pytest.mark.rule("itc 6.1", "itc 5.3")
def test_all_people_gets_two_player_cards_and_no_action_card() -> None:
    for seed in range(40):
        made = begun(6, seed)
        hands = [require(trader.hand) for trader in made.state.seats.values()]
        assert [len(hand) for hand in hands] == [2] * 6
        assert all(card in PLAYER_CARDS for hand in hands for card in hand)
        assert [trader.kept for trader in made.state.seats.values()] == [()] * 6
        dealt = [event.cards for event in made.events if isinstance(event, Dealt)]
        assert dealt == hands


@pytest.mark.rule("itc 6.1", "itc 1.3")
def test_all_other_transport_cards_lie_in_the_pile() -> None:
    table: State = begun(3).state
    hands = {card for trader in table.seats.values() for card in require(trader.hand)}
    assert len(hands) == 6
    assert set(require(table.transport_pile)) == set(CARDS) - hands
    assert sum(CARDS[card].neutral for card in require(table.transport_pile)) == 24


@pytest.mark.rule("itc 6.2")
def test_no_person_has_money_and_all_people_sees_it() -> None:
    table: State = begun(4).state
    assert [trader.money for trader in table.seats.values()] == [0] * 4
    view = GAME.tree.view(table, frozenset())
    assert [seat_state["money"] for seat_state in view["seats"].values()] == [0] * 4


@pytest.mark.rule("itc 6.3")
def test_chance_says_who_begins() -> None:
    assert {begun(3, seed).state.turn.seat for seed in range(30)} == {A, B, C}


@pytest.mark.rule("itc 6.4")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_five_rounds_go_clockwise_and_each_is_begun_by_the_next_seat(seats: int) -> None:
    order, _ = placed_by_all(seats)
    assert len(order) == 5 * seats
    rounds = [order[at : at + seats] for at in range(0, len(order), seats)]
    for one, after in pairwise(rounds):
        assert after[0] == one[0] % seats + 1
    for each in rounds:
        assert [seat % seats + 1 for seat in each[:-1]] == each[1:]


@pytest.mark.rule("itc 6.6", "itc 2.8")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_who_would_begin_the_sixth_round_has_the_grey_market_and_the_next_the_turn(
    seats: int,
) -> None:
    order, made = placed_by_all(seats)
    table: State = made.state
    mafia = Seat((order[0] - 1 + 5) % seats + 1)
    assert table.controller == mafia
    assert table.places[Place.MARKET].stones[mafia - 1] == 1
    assert table.seats[mafia].stock == 40 - 6
    assert table.turn.seat == mafia % seats + 1 == table.first
    assert (table.phase, table.round) == (Phase.DICE, 1)
    assert MafiaBegan(mafia) in made.events
    assert TurnBegan(table.turn.seat, 1) in made.events


@pytest.mark.rule("itc 6.5")
def test_alone_on_a_continent_three_stones_are_the_most() -> None:
    made = begun(2)
    table = made.state
    while table.seats[A].stock + table.seats[B].stock > 80 - 6:
        seat = table.turn.seat
        table = say(table, f"/stone {'asia' if seat == A else 'africa'}", seat=seat)
    while table.turn.seat != A:
        table = say(table, "/stone europe", seat=B)
    assert refused(table, "/stone asia", "6.5") == "too_far_ahead"
    assert say(table, "/stone africa").places[Place.AFRICA].stones == (1, 3)


@pytest.mark.rule("itc 6.4")
def test_nothing_but_stones_is_played_before_the_first_turn() -> None:
    table = begun(2).state
    assert refused(table, "/dice blue red", "6.4", seat=table.turn.seat) == "place_first"


@pytest.mark.rule("itc 7.4")
def test_the_first_turn_begins_with_an_action_card() -> None:
    seen = set()
    for seed in range(30):
        _, made = placed_by_all(2, seed)
        table: State = made.state
        retained = require(table.seats[table.turn.seat].kept)
        drew = [event.action for event in made.events if isinstance(event, DrewAction)]
        assert list(retained) == drew
        seen.add(len(retained))
    assert seen == {0, 1}, "some of the cards are done at once"
