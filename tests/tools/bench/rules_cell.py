"""What the rules of a game cost, for `python -m tests.tools.bench.compare FOLDER --rules`.

Its argument is the folder of the checkout. For each key of a game in a line of its input it
prints, as JSON, processor time: microseconds of `play` with patches along games that were drawn
before (`play_us`), random games a second with all legal moves listed (`games`), playouts a second
of a search by the rules (`playouts`) and, where a game has them, of its own fast ones
(`fast_playouts`). Each is the same work several times, of which the quickest counts.
Other checkouts run this file too, so it names their modules and classes as well, back to commit
1cefd994.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

SEATS = 4
GAMES = 2
SECONDS = 0.3
DEALS = 20


def first_of(*names: str) -> Any:
    """The first of these modules or `module:attribute` that exists. Any: it is anything."""
    for name in names:
        module, _, attribute = name.partition(":")
        try:
            imported = import_module(module)
            return getattr(imported, attribute) if attribute else imported
        except (ImportError, AttributeError):
            continue
    raise ImportError(f"none of {names}")


# An installed checkout would lend its `bluebear.rules` to an older one, which has none.
ROOT = "bluebear." if (Path(sys.argv[1]) / "bluebear/rules").exists() else ""
FAST = first_of(f"{ROOT}rules.core.chance:FastChance", f"{ROOT}rules.core.chance:Fast")
HMAC = first_of(f"{ROOT}rules.core.chance:HmacChance", f"{ROOT}rules.core.chance:Hmac")
PLAYOUTS = first_of(
    f"{ROOT}clients.bots.search.playouts:RulePlayouts", f"{ROOT}clients.bots.search.playouts:Walk"
)


def steps(game: Any, number: int) -> Iterator[tuple[Any, Any, Any]]:
    """A random game: each state with the seat to move and its move."""
    choice = FAST(number)
    state = _start(game, number)
    chance = HMAC(number.to_bytes(32, "big"))
    while movers := game.to_move(state):
        seat = min(movers)
        plain = game.plain(state, seat)
        move = plain[choice.pick(len(plain))]
        yield state, seat, move
        state = game.play(state, seat, move, chance).state


def _start(game: Any, number: int) -> Any:
    info = game.info
    seats = min(SEATS, info.seats.max if hasattr(info, "seats") else info.max_seats)
    return game.setup(game.info.complete({}), seats, FAST(number)).state


@cache
def drawn(key: str) -> tuple[Any, list[list[tuple[Any, Any]]]]:
    """A game and the seats and moves of some random games of it."""
    game = first_of(f"{ROOT}rules").games()[key]
    return game, [[step[1:] for step in steps(game, number)] for number in range(GAMES)]


def rate(run: Callable[[int], int]) -> float:
    """What is done in a second; each of `GAMES` runs is repeated, and says how much it does."""
    done, best = [0] * GAMES, [float("inf")] * GAMES
    began = time.process_time()
    while time.process_time() - began < SECONDS or not all(done):
        for number in range(GAMES):
            start = time.process_time()
            done[number] = run(number)
            best[number] = min(best[number], time.process_time() - start)
    return sum(done) / sum(best)


def figures(key: str) -> dict[str, float]:
    """The figures of a game."""
    game, recorded = drawn(key)
    with_patches = {} if hasattr(game, "after") else {"patches": True}

    def play(number: int) -> int:
        state = _start(game, number)
        chance = HMAC(number.to_bytes(32, "big"))
        for seat, move in recorded[number]:
            outcome = game.play(state, seat, move, chance, **with_patches)
            assert outcome.changes is not None
            state = outcome.state
        return len(recorded[number])

    def random_game(number: int) -> int:
        for _ in steps(game, number):
            pass
        return 1

    made = {"play_us": 1e6 / rate(play), "games": rate(random_game)}
    return made | {name: rate(run) for name, run in _searches(game).items()}


def _searches(game: Any) -> dict[str, Callable[[int], int]]:
    """Playouts from a position in mid-game, for the candidates in turn."""
    game_steps = [*steps(game, 0)]
    state, seat, _ = game_steps[len(game_steps) // 2]
    view = game.seen(state, frozenset({seat}))
    moves = game.plain(state, seat)
    fast = game.thinker.core(view, seat)
    searches = {"playouts": PLAYOUTS(game, game.thinker, view, seat)}
    searches |= {} if fast is None else {"fast_playouts": fast}

    def playouts(search: Any) -> Callable[[int], int]:
        def run(number: int) -> int:
            for at in range(number, DEALS, GAMES):
                search.deal(at)
                search.play_out(moves[at % len(moves)])
            return DEALS // GAMES

        return run

    return {name: playouts(search) for name, search in searches.items()}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(figures(line.strip())), flush=True)
