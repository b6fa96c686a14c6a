"""Does a game's state mean what OpenSpiel's means: actions, information, chance, returns?"""

from __future__ import annotations

import itertools

import pytest

from bluebear.clients.bots.rl.state import POINTS, TERMINAL, VALUE_MAX, State
from bluebear.rules import games
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import Case, read_case
from tests.clients.rl import ismcts

GAMES = games(("bluebear.rules",))


def case(key: str, *arguments: str) -> Case:
    return read_case(GAMES[key], arguments)


def after(state: State, moves: int, seed: int = 1) -> State:
    """The state some random moves on, at most to its end."""
    chance = FastChance(seed)
    for _ in range(moves):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        state.apply_action(actions[chance.pick(len(actions))])
    return state


@pytest.mark.parametrize("key", GAMES)
def test_what_a_player_does_not_see_may_be_dealt_again(key: str) -> None:
    state = State(case(key), 5)
    different = 0
    for step in range(8):
        after(state, 4, seed=step)
        if state.is_terminal():
            break
        for player in range(state.num_players()):
            registered = state.information_state_string(player)
            other = state.resample_from_infostate(player, step)
            assert other.information_state_string(player) == registered
            assert other.observation_tensor(player) == state.observation_tensor(player)
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            different += other.state != state.state
    # Where there are hands, they are dealt otherwise.
    assert different or key not in ("itc", "manhattan")


@pytest.mark.parametrize("key", GAMES)
def test_a_clone_is_independent_with_the_same_dice(key: str) -> None:
    state = after(State(case(key), 3), 5)
    before = state.information_state_string(0)
    one, other = after(state.clone(), 6), after(state.clone(), 6)
    assert one.state == other.state
    assert state.information_state_string(0) == before
    assert len(state.observation_tensor(0)) == len(State(case(key), 4).observation_tensor(0))
    assert all(abs(number) <= VALUE_MAX for number in state.observation_tensor(0))


def test_returns_are_by_position_and_add_up_to_nothing() -> None:
    for seats, seed in itertools.product((2, 4), range(3)):
        state = State(case("manhattan", f"seats={seats}"), seed)
        assert state.returns() == [0.0] * seats
        after(state, 1000)
        assert (state.is_terminal(), state.current_player()) == (True, TERMINAL)
        assert state.legal_actions() == []
        assert abs(sum(state.returns())) < 1e-9
        assert max(state.returns()) <= 1
        assert min(state.returns()) >= -1
    alone = after(State(case("railroad_ink", "seats=1"), 1), 1000)
    result = GAMES["railroad_ink"].result(alone.state)
    assert result is not None
    assert alone.returns() == [result.standings[0].score / POINTS]


def test_an_action_that_is_not_legal_is_a_key_error() -> None:
    state = State(case("manhattan"), 1)
    with pytest.raises(KeyError):
        state.apply_action(-1)


def test_a_search_that_knows_nothing_but_the_state_finds_the_best_last_move() -> None:
    """The reference: one decision before the end, where every action's worth can be counted."""
    result = 0
    for seed in range(40):
        state = last = State(case("manhattan"), seed)
        while not state.is_terminal():
            last = state.clone()
            after(state, 1, seed)
        player = last.current_player()
        worth = {}
        for action in last.legal_actions():
            ended = last.clone()
            ended.apply_action(action)
            worth[action] = ended.returns()[player]
        if len(set(worth.values())) < 2:
            continue  # whatever is done, it ends the same
        chosen = ismcts.choose(last, FastChance(seed), simulations=3 * len(worth))
        assert worth[chosen] == max(worth.values())
        result += 1
        if result == 3:
            return
    pytest.fail("no end at which the last move matters")
