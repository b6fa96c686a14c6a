"""What a game costs without a server: random games, and the parts of a move.

    python -m tests.tools.bench.rules --game manhattan --seconds 5 --seats 4

Games per second on one core, first with the plain legal moves of every turn listed and one of
them played, as a bot does; then the median and p99 of each part. `play` gives the patches too, as
for a room; `search` is a move without them. Judges nothing.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bluebear.rules import games
from bluebear.rules.core.chance import Chance, FastChance, HmacChance
from bluebear.rules.core.game import Game, Outcome
from bluebear.rules.core.record import DIGEST_EVERY
from bluebear.rules.core.visibility import Seat

WARM_UP_GAMES = 10


@dataclass
class Parts:
    """Nanoseconds of every single call, by part; owned by one run."""

    taken: dict[str, list[int]] = field(default_factory=dict)

    def timed(self, component: str, call: Callable[..., Any], *given: Any) -> Any:
        """What the call gives (Any: parts differ in what they take and give)."""
        before = time.perf_counter_ns()
        made = call(*given)
        self.taken.setdefault(component, []).append(time.perf_counter_ns() - before)
        return made


def random_game(
    game: Game[Any], seats: int, chance: Chance, choice: FastChance
) -> Iterator[Outcome[Any]]:
    """The outcomes of a random game, one for each move, after that of the set-up."""
    made = game.setup(game.info.complete({}), seats, chance)
    yield made
    while movers := game.to_move(made.state):
        seat = min(movers)
        plain = game.plain(made.state, seat)
        made = game.play(made.state, seat, plain[choice.pick(len(plain))], chance)
        yield made


def games_per_second(
    game: Game[Any], seats: int, seconds: float, draws: str
) -> tuple[float, float]:
    """Games per second and microseconds per move, of processor time: neighbours do not count."""
    choice = FastChance(1)
    played = moves = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        chance = FastChance(played) if draws == "fast" else HmacChance(played.to_bytes(32, "big"))
        moves += sum(1 for _ in random_game(game, seats, chance, choice)) - 1
        played += 1
    return played / spent, spent / moves * 1e6


def parts_of_moves(game: Game[Any], seats: int, seconds: float) -> Parts:
    """Every part of every move of random games, timed by itself."""
    choice = FastChance(2)
    parts = Parts()
    number = 0
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        number += 1
        _timed_game(game, seats, HmacChance(number.to_bytes(32, "big")), choice, parts)
    return parts


def _timed_game(
    game: Game[Any], seats: int, chance: Chance, choice: FastChance, parts: Parts
) -> None:
    tree = game.tree
    options = game.info.complete({})
    number = 0
    state = parts.timed("setup", game.setup, options, seats, chance).state
    while movers := game.to_move(state):
        seat = min(movers)
        parts.timed("legal", _listed, game, state, seat)
        plain = game.plain(state, seat)
        move = plain[choice.pick(len(plain))]
        parts.timed("search", game.play, state, seat, move, copy(chance))
        play = partial(game.play, patches=True)
        after = parts.timed("play", play, state, seat, move, chance).state
        number += 1
        if number % DIGEST_EVERY == 0:
            parts.timed("digest", tree.digest, after)
        state = after


def _listed(game: Game[Any], state: Any, seat: Seat) -> list[Any]:
    return list(game.legal(state, seat))


def main(argv: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="tests.tools.bench.rules", description=__doc__)
    parser.add_argument("--game", choices=list(games()), help="all, if not said")
    parser.add_argument("--seats", type=int, default=4, help="fewer where a game has fewer")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each of the measurements")
    given = parser.parse_args(argv)
    for key, game in games().items():
        if given.game in (None, key):
            seats = min(given.seats, game.info.seats.max)
            print(f"{key}, {seats} seats, one core")
            tell(game, seats, given.seconds)


def tell(game: Game[Any], seats: int, seconds: float) -> None:
    """Measure one game and print what it takes."""
    for number in range(WARM_UP_GAMES):
        for _ in random_game(game, seats, FastChance(number), FastChance(number)):
            pass
    print(f"{'draws':10}{'games/s':>10}{'us/move':>10}   (legal + play)")
    for draws in ("fast", "hmac"):
        rate, cost = games_per_second(game, seats, seconds, draws)
        print(f"{draws:10}{rate:10.1f}{cost:10.1f}")
    print(f"\n{'part':10}{'median us':>10}{'p99 us':>10}{'mean us':>10}{'calls':>10}")
    for section, taken in parts_of_moves(game, seats, seconds).taken.items():
        taken.sort()
        median, late = taken[len(taken) // 2], taken[len(taken) * 99 // 100]
        mean = sum(taken) / len(taken)
        print(
            f"{section:10}{median / 1e3:10.1f}{late / 1e3:10.1f}{mean / 1e3:10.1f}{len(taken):10}"
        )
    print()


if __name__ == "__main__":
    main(sys.argv[1:])
