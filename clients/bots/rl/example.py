"""An example of learning: `python -m bluebear.clients.bots.rl.example manhattan`; needs numpy only.

Games are played at random, and each seat's observations are fitted to the results: a linear value
by ridge regression. Then the learner chooses the move whose next view has the highest value. It
plays the next round of games, with occasional random moves, and is fitted again to all games.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from bluebear.clients.bots.rl.state import State
from bluebear.rules import games
from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.core.conformance.case import Case, read_case

Array: TypeAlias = Any  # Any: numpy is an extra, so types are checked without it

RIDGE: Final = 30.0
"""The penalty of the weights: with few games for many features, enough to keep them small."""
EXPLORED: Final = 4
"""One move in this many is random while games are collected."""

Choose = Callable[[State, Chance], int]


class Value:
    """The value of a view: weights of the features that occurred in any game."""

    def __init__(self, weights: Array, scale: Array) -> None:
        self._weights = weights
        self._scale = scale

    @classmethod
    def fitted(cls, seen: Sequence[Sequence[int]], ends: Sequence[float]) -> Value:
        """Least squares with a penalty, from observations to results."""
        features = np.asarray(seen, np.float64)
        scale = np.maximum(np.abs(features).max(axis=0), 1.0)
        features = _with_one(features / scale)
        # As many equations as games or as features: the smaller number.
        gram = features @ features.T
        gram[np.diag_indices_from(gram)] += RIDGE
        return cls(features.T @ np.linalg.solve(gram, np.asarray(ends)), scale)

    def of(self, seen: Sequence[Sequence[int]]) -> Array:
        """The value of each row."""
        return _with_one(np.asarray(seen, np.float64) / self._scale) @ self._weights


def _with_one(features: Array) -> Array:
    return np.hstack([features, np.ones((len(features), 1))])


def at_random(state: State, chance: Chance) -> int:
    """Any legal action."""
    actions = state.legal_actions()
    return actions[chance.pick(len(actions))]


def by_value(value: Value, explored: int = 0) -> Choose:
    """The action with the best next view for the player; one in `explored` at random."""

    def choose(state: State, chance: Chance) -> int:
        if explored and chance.pick(explored) == 0:
            return at_random(state, chance)
        player, seed = state.current_player(), chance.pick(2**32)
        # Hidden data and dice are sampled, the same for all actions: the real dice must not be
        # seen.
        imagined = state.resample_from_infostate(player, seed)
        actions, seen = state.legal_actions(), []
        for action in actions:
            after = imagined.clone()
            after.say(state.action_to_string(action))
            seen.append(after.observation_tensor(player))
        return actions[int(np.argmax(value.of(seen)))]

    return choose


def play(case: Case, seed: int, players: Sequence[Choose]) -> tuple[State, list[tuple[int, Any]]]:
    """A game, and each player's observation after each of their actions."""
    state, chance = State(case, seed), FastChance(seed + 1)
    seen: list[tuple[int, Any]] = []  # Any: rows of numbers
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(players[player](state, chance))
        seen.append((player, state.observation_tensor(player)))
    return state, seen


def learn(case: Case, *, rounds: int, per_round: int, rows: int, seed: int) -> Value:
    """Learn a value from rounds of games; `rows` random observations of each game are used."""
    games: list[Any] = []
    ends: list[float] = []
    chance = FastChance(seed)
    value = Value(np.zeros(1), np.ones(1))
    for turn in range(rounds):
        for number in range(per_round):
            game = seed + turn * per_round + number
            choose = by_value(value, EXPLORED) if turn else at_random
            state, seen = play(case, game, [choose] * case.seats)
            returns = state.returns()
            for player, row in chance.shuffle(seen)[:rows]:
                games.append(row)
                ends.append(returns[player])
        value = Value.fitted(games, ends)
    return value


def match(case: Case, value: Value, *, count: int, seed: int) -> float:
    """The learner's mean return against random players, in each seat in turn."""
    total = 0.0
    for number in range(count):
        players: list[Choose] = [at_random] * case.seats
        seat = number % case.seats
        players[seat] = by_value(value)
        state, _ = play(case, seed + number, players)
        total += state.returns()[seat]
    return total / count


def main(argv: Sequence[str]) -> int:
    """Learn a game and print the learner's result."""
    parser = argparse.ArgumentParser(prog="bluebear.clients.bots.rl.example", description=__doc__)
    parser.add_argument("game", choices=sorted(games()))
    parser.add_argument("case", nargs="*", help="seats=N and options")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--per-round", type=int, default=2, help="games")
    parser.add_argument("--rows", type=int, default=12, help="kept of each game")
    parser.add_argument("--matches", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    case = read_case(games()[given.game], given.case)
    value = learn(
        case, rounds=given.rounds, per_round=given.per_round, rows=given.rows, seed=given.seed
    )
    # Evaluated on seeds that were not used for learning.
    mean = match(case, value, count=given.matches, seed=given.seed + 1_000_000)
    text = f"{case}: mean return {mean:+.2f} against random play in {given.matches} games"
    sys.stdout.write(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
