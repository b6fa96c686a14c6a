"""`python -m tests.oracle KEY --games 10000`: random games of the program beside the oracle's."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bluebear.rules import find_games
from tests.oracle.differential import Differs, Tally, cases_in_turn, matched
from tests.oracle.oracles import ORACLES


def main(argv: Sequence[str]) -> int:
    """The exit code: 0 if all games are the same, 1 if one differs."""
    parser = argparse.ArgumentParser(prog="tests.oracle", description=__doc__)
    parser.add_argument("key", choices=sorted(ORACLES))
    parser.add_argument("--games", type=int, default=100, help="how many games are played")
    parser.add_argument("--first-seed", type=int, default=1)
    given = parser.parse_args(argv)
    game = find_games().games[given.key]
    seeds = range(given.first_seed, given.first_seed + given.games)
    tally = Tally()
    for case, seed in cases_in_turn(game, seeds):
        try:
            tally += matched(ORACLES[given.key], case, seed)
        except Differs as problem:
            print(problem)
            return 1
    print(f"{given.key}: {tally.games} games, {tally.positions} positions, {tally.lines} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
