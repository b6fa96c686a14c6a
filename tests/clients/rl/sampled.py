"""Are masks and numbers those of the server's legal lines, in positions drawn at random?

`python -m tests.clients.rl.sampled --states 100000` looks at so many, of all games, with the fewest
and the most seats, in both ways to number lines.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

from bluebear.clients.bots.rl.aec import BlueBearEnv
from bluebear.clients.bots.rl.state import RANK, action_space
from bluebear.rules import games
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.slots import by_number
from bluebear.rules.core.visibility import Seat

Indexing = Literal["place", "vocabulary"]
INDEXINGS: Final[tuple[Indexing, ...]] = ("place", "vocabulary")


def tables() -> Iterator[tuple[Game[Any], int]]:  # Any: each game has a state class of its own
    """All games with the fewest and the most seats."""
    for game in games(("bluebear.rules",)).values():
        for seats in sorted({game.info.seats.min, game.info.seats.max}):
            yield game, seats


def check(game: Game[Any], seats: int, indexing: Indexing, states: int, seed: int) -> None:
    """Look at so many positions of random games. AssertionError where a number is wrong."""
    env = BlueBearEnv(game, seats=seats, indexing=indexing)
    chance = FastChance(seed)
    env.reset(seed=seed)
    for number in range(states):
        if not env.state_now.lines():
            env.reset(seed=seed + number)
        agent = env.agent_selection
        seat = Seat(env.possible_agents.index(agent) + 1)
        # What the server sends to that seat (`Broadcaster`).
        lines = [game.grammar.format(move) for move in game.plain(env.state_now.state, seat)]
        mask = env.observe(agent)["action_mask"]
        actions = [int(action) for action in mask.nonzero()[0]]
        assert [env.line_of(action) for action in actions] == _in_order(game, lines, indexing)
        assert len(env.infos[agent]["lines"]) == len(lines)
        for other in env.possible_agents:
            assert other == agent or not env.observe(other)["action_mask"].any()
        if indexing == "vocabulary":
            for action in actions:
                term, line = action_space(game).lines[action], env.line_of(action)
                assert term == line or term.startswith(f"{line.partition(' ')[0]} {RANK}")
        env.step(actions[chance.pick(len(actions))])


def _in_order(game: Game[Any], lines: Sequence[str], indexing: Indexing) -> list[str]:
    """The lines as the numbers count them."""
    if indexing == "place":
        return list(lines)
    ranked = {term.partition(" ")[0] for term in action_space(game).lines if RANK in term}
    offset = {term: index for index, term in enumerate(action_space(game).lines)}
    numbered = {line: offset[line] for line in lines if line.partition(" ")[0] not in ranked}
    for verb in ranked:
        of_verb = sorted((x for x in lines if x.partition(" ")[0] == verb), key=by_number)
        numbered |= {line: offset[f"{verb} {RANK}{rank}"] for rank, line in enumerate(of_verb)}
    return sorted(lines, key=numbered.__getitem__)


def main(argv: Sequence[str]) -> int:
    """Look at as many positions as are asked for, an equal share of each table."""
    parser = argparse.ArgumentParser(prog="tests.clients.rl.sampled", description=__doc__)
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    listed = [(*table, indexing) for table in tables() for indexing in INDEXINGS]
    share = -(-given.states // len(listed))
    for game, seats, indexing in listed:
        check(game, seats, indexing, share, given.seed)
        sys.stdout.write(f"{game.info.key} {seats} {indexing}: {share} positions, all right\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
