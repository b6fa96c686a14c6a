"""Dealing what some eyes do not see: it looks the same to them and is possible."""

from __future__ import annotations

from collections import Counter

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Eyes, Seat, but, require
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.tables import ACTIONS, CARDS
from bluebear.rules.itc.data.terms import ACard, Route, TCard
from bluebear.rules.itc.rules.state import Space, State, Under
from tests.rules.itc.example import A, B, C, table


def dealt(state: State, seed: int, *seats: Seat) -> State:
    eyes: Eyes = frozenset(seats)
    return GAME.determinize(GAME.seen(state, eyes), eyes, FastChance(seed))


def crowded_board() -> State:
    """Three seats with cards in hand and under loads; one express card is known to all."""
    made = table(
        3,
        loads={
            Route.GREY: {21: "B105?", 22: "B120x"},
            Route.RED: {21: "C115?", 22: "n1"},
            Route.BLUE: {31: "C101x", 32: "A104?"},
        },
        hands={A: [170, 205], B: [100, 102, 103], C: [300]},
        kept={A: ["1", "4"], B: ["2", "12-asia", "11-asia"], C: ["10", "7"]},
    )
    blue = made.routes[Route.BLUE]
    registered = blue.put(Space(31), but(blue[Space(31)], under=Under.EXPRESS))
    return but(made, routes=made.routes.put(Route.BLUE, registered))


@pytest.mark.rule("itc 16.1", "itc 16.2", "itc 16.3")
@pytest.mark.parametrize("seats", [(), (A,), (B,), (C,), (A, C), (A, B, C)], ids=str)
def test_the_eyes_cannot_tell_the_dealt_table_from_the_real_one(seats: tuple[Seat, ...]) -> None:
    state, eyes = crowded_board(), frozenset(seats)
    for seed in range(30):
        other = dealt(state, seed, *seats)
        assert list(GAME.invariants(other)) == []
        assert GAME.tree.view(other, eyes) == GAME.tree.view(state, eyes)


def test_who_sees_everything_gets_the_real_table() -> None:
    assert dealt(crowded_board(), 1, A, B, C) == crowded_board()


@pytest.mark.rule("itc 5.3", "itc 11.1")
def test_hands_have_no_neutral_cards_and_none_that_are_done_at_once() -> None:
    for seed in range(30):
        for trader in dealt(crowded_board(), seed).seats.values():
            assert not any(CARDS[card].neutral for card in require(trader.hand))
            assert not any(ACTIONS[code].kind in (5, 9, 20) for code in require(trader.kept))


@pytest.mark.rule("itc 16.3")
def test_what_lies_under_a_load_may_be_either_card() -> None:
    results = Counter(
        require(dealt(crowded_board(), seed, A).seats[B].under)[TCard(105)] for seed in range(60)
    )
    assert results.keys() == {Under.SMUGGLING, Under.EXPRESS}
    registered = {
        require(dealt(crowded_board(), seed, A).seats[C].under)[TCard(101)] for seed in range(10)
    }
    assert registered == {Under.EXPRESS}


@pytest.mark.rule("itc 11.1")
def test_two_loads_covered_in_one_turn_have_one_card_of_each_kind() -> None:
    state = table(loads={Route.GREY: {11: "A105?", 12: "A120x"}}, kept={B: ["1", "1", "1", "1"]})
    spaces = state.routes[Route.GREY]
    for at in (Space(11), Space(12)):
        spaces = spaces.put(at, but(spaces[at], fresh=True))
    state = but(state, routes=state.routes.put(Route.GREY, spaces))
    for seed in range(20):
        under = require(dealt(state, seed, B).seats[A].under)
        assert {under[TCard(105)], under[TCard(120)]} == {Under.SMUGGLING, Under.EXPRESS}


def test_a_view_is_a_table_in_which_the_unseen_is_missing() -> None:
    state, eyes = crowded_board(), frozenset((A,))
    shown = GAME.seen(state, eyes)
    assert shown.seats[A] == state.seats[A]
    assert (shown.seats[B].hand, shown.seats[B].kept, shown.seats[B].under) == (None, None, None)
    assert shown.seats[B].transports == 3
    assert shown.routes == state.routes
    assert shown.places == state.places
    assert (shown.transport_pile, shown.action_pile) == (None, None)
    assert GAME.tree.load(GAME.tree.view(state, eyes)) == shown


def test_the_data_that_never_change_name_every_card() -> None:
    data = GAME.static
    assert data["transports"]["170"] == {
        "routes": ["blue", "green"],
        "goods": ["red", "green", "green", "green", "green"],
        "at_risk": "green",
        "full": {"blue": 20_500, "green": 17_000},
        "robbed": {"blue": 17_000, "green": 13_500},
    }
    assert data["transports"]["15"]["to"] == "europe"
    assert len(data["transports"]) == 93
    assert data["actions"]["9-grey"]["route"] == "grey"
    assert len(data["actions"]) == len(ACTIONS)
    assert [each["rows"] for each in data["routes"]] == [7, 6, 5, 4]
    assert Keyed({ACard(code): each["copies"] for code, each in data["actions"].items()}) == Keyed(
        {code: card.copies for code, card in ACTIONS.items()}
    )
