"""How games of the bots go: their lengths, how they end, and who wins them.

    python -m tests.rules.tokugawa.figures --games 200 --players greedy,greedy

The map is its own mirror, so Kyoto and Yedo should win equally often; what is left between the
seat that begins and the other is the order of play. Judges nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.core.game_info import OptionValue
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.data.map_tables import CAPITALS
from bluebear.rules.tokugawa.rules.state import SEATS, Ending, State

RANDOM: Final = "random"


@dataclass(frozen=True, slots=True)
class Played:
    """One game: how it ended, and who played which seat."""

    table: State
    moves: int
    line: Mapping[Seat, str]


def played(
    line: Mapping[Seat, str], chance: Chance, chosen: Mapping[str, OptionValue] | None = None
) -> Played:
    """One game of two bots."""
    table = GAME.setup(GAME.info.complete(chosen or {}), len(SEATS), chance).state
    moves = 0
    while (seat := table.decides) is not None:
        plain = GAME.plain(table, seat)
        name = line[seat]
        if name == RANDOM:
            move = plain[chance.pick(len(plain))]
        else:
            view = GAME.seen(table, frozenset((seat,)))
            move = GAME.bots[name](view, seat, plain, chance)
        table = GAME.play(table, seat, move, chance).state
        moves += 1
    return Played(table, moves, line)


def series(players: Sequence[str], games: int, seed: int = 0) -> list[Played]:
    """So many games, in which the two bots sit on either seat in turn."""
    made = []
    for number in range(games):
        first, second = players if number % 2 == 0 else reversed(players)
        line = {SEATS[0]: first, SEATS[1]: second}
        made.append(played(line, FastChance(seed + number)))
    return made


def report_lines(games: Sequence[Played]) -> Iterator[str]:
    """The tables."""
    count = len(games)
    yield f"{count} games"
    for what, numbers in {
        "moves": [game.moves for game in games],
        "rounds": [game.table.round for game in games],
    }.items():
        least, middle, most = min(numbers), sorted(numbers)[count // 2], max(numbers)
        yield f"{what:8} least {least}, median {middle}, most {most}"
    endings = Counter(game.table.ending for game in games)
    yield "ended by " + ", ".join(f"{ending} {endings[ending]}" for ending in Ending)
    won = [game for game in games if game.table.winner is not None]
    capitals = Counter(_winner(game.table) for game in won)
    yield "won by   " + ", ".join(f"{capital} {capitals[capital]}" for capital in CAPITALS)
    began = sum(game.table.winner == game.table.start for game in won)
    yield f"won by   who began {began}, the other {len(won) - began}; drawn {count - len(won)}"
    bots = Counter(game.line[game.table.winner] for game in won if game.table.winner)
    yield "won by   " + ", ".join(f"{name} {bots[name]}" for name in sorted(bots))


def _winner(table: State) -> str:
    assert table.winner is not None
    return table.seats[table.winner].capital


def main(argv: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="tests.rules.tokugawa.figures", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", default="greedy,greedy")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(argv)
    for line in report_lines(series(given.players.split(","), given.games, given.seed)):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
