"""Statistics of bot games: how long the games are, which bots win, and which events occur.

    python -m tests.tools.bench.bots tokugawa --games 200 --players greedy,random
    python -m tests.tools.bench.bots tokai --games 200 --seats 2-6 --players greedy --count rolled
    python -m tests.tools.bench.bots itc --option green_die=8

    python -m tests.tools.bench.bots all --games 1000 --players greedy
        plays so many games of every game and number of seats, and fails at the first bot that
        fails or sends an illegal line

`--players` are dealt to the seats one seat further on with each game, so that each bot plays every
seat; the last one named fills the seats that are left. `--count` names events: how often they occur
in a game, and in how many games. Judges nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bluebear.rules import games
from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.game import Game, Outcome, Result
from bluebear.rules.core.visibility import Event, Seat

RANDOM = "random"
Line = Mapping[Seat, str]
"""Who plays which seat, by the bot's name."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game, as far as the tables want to know it."""

    line: Line
    began: Seat
    moves: int
    counts: Counter[str]
    result: Result

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who came first, alone or not."""
        return tuple(one.seat for one in self.result.standings if one.place == 1)


def dealt(players: Sequence[str], seats: int, number: int) -> Line:
    """The bots of one game: the last one named fills up, each game moves all by one seat."""
    line = [*players, *[players[-1]] * seats][:seats]
    return {Seat(1 + (at + number) % seats): name for at, name in enumerate(line)}


def outcomes(
    game: Game[Any], line: Line, chance: Chance, chosen: Mapping[str, Any]
) -> Iterator[Outcome[Any]]:
    """The outcomes of a game that bots play: of the set-up, then of each move."""
    made = game.setup(game.info.complete(chosen), len(line), chance)
    yield made
    while movers := game.to_move(made.state):
        seat = min(movers)
        legal = game.plain(made.state, seat)
        if line[seat] == RANDOM:
            move = legal[chance.pick(len(legal))]
        else:
            view = game.seen(made.state, frozenset((seat,)))
            move = game.bots[line[seat]](view, seat, legal, chance)
            if move not in legal:
                raise AssertionError(f"{line[seat]} says {move}, which is none of its moves")
        made = game.play(made.state, seat, move, chance)
        yield made


def play(game: Game[Any], line: Line, seed: int, chosen: Mapping[str, Any]) -> Played:
    """One game from its seed to its end. Raises what a bot raises, with what was played."""
    try:
        return _played(game, line, seed, chosen)
    except Exception as problem:
        problem.add_note(f"{game.info.key}, {len(line)} seats, seed {seed}, {dict(chosen)}")
        raise


def _played(game: Game[Any], line: Line, seed: int, chosen: Mapping[str, Any]) -> Played:
    every = outcomes(game, line, FastChance(seed), chosen)
    last = next(every)
    began = min(game.to_move(last.state))
    counts = Counter(map(_name, last.events))
    moves = 0
    for last in every:
        moves += 1
        counts.update(map(_name, last.events))
    result = game.result(last.state)
    if result is None:
        raise AssertionError(f"seed {seed}: nobody is to move, and the game is not over")
    return Played(line, began, moves, counts, result)


def _name(event: Event) -> str:
    return event_form(type(event)).name


def tell(games_played: Sequence[Played], counted: Sequence[str]) -> None:
    """Print what a number of games of one line-up came to."""
    number = len(games_played)
    print(f"{'':26}{'least':>9}{'10 %':>9}{'median':>9}{'90 %':>9}{'most':>9}{'in games':>10}")
    _spread("moves", [played.moves for played in games_played])
    for name in counted:
        _spread(name, [played.counts[name] for played in games_played])
    names = sorted({name for played in games_played for name in played.line.values()})
    for name in names:
        _spread(f"score of {name}", _scores(games_played, name))
    for name in names:
        alone = sum(_wins(played, name, shared=False) for played in games_played)
        shared = sum(_wins(played, name, shared=True) for played in games_played) - alone
        print(f"{name} wins {alone} of {number}, and shares {shared}")
    for seat in games_played[0].line:
        print(f"seat {seat} is among the first in {_firsts(games_played, seat)}", end="; ")
    began = sum(played.began in played.winners for played in games_played)
    print(f"who decides first, in {began}")


def _spread(name: str, values: Sequence[int]) -> None:
    ordered = sorted(values)
    at = [ordered[(len(ordered) - 1) * percent // 100] for percent in (0, 10, 50, 90, 100)]
    happened = sum(value != 0 for value in values)
    print(f"{name:26}" + "".join(f"{value:9,}" for value in at) + f"{happened:10,}")


def _scores(games_played: Sequence[Played], name: str) -> list[int]:
    return [
        rank.score
        for played in games_played
        for rank in played.result.standings
        if played.line[rank.seat] == name
    ]


def _wins(played: Played, name: str, *, shared: bool) -> bool:
    lines = {played.line[seat] for seat in played.winners}
    return name in lines if shared else lines == {name}


def _firsts(games_played: Sequence[Played], seat: Seat) -> int:
    return sum(seat in played.winners for played in games_played)


def _numbers(text: str) -> range:
    low, _, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


def _options(game: Game[Any], lines: Sequence[str]) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for line in lines:
        name, _, text = line.partition("=")
        value = game.info.options[name].read(text or "on")
        if value is None:
            raise SystemExit(f"{text} is no value of {name}")
        chosen[name] = value
    return chosen


def main(argv: Sequence[str]) -> None:
    """Play and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.bots", description=__doc__)
    parser.add_argument("game", choices=["all", *games()])
    parser.add_argument("--games", type=int, default=100, help="for each number of seats")
    parser.add_argument("--seats", type=_numbers, help="as 2 or 2-6; all, if not said")
    parser.add_argument("--players", type=lambda text: text.split(","), default=["greedy", RANDOM])
    parser.add_argument(
        "--count", type=lambda text: text.split(","), action="extend", default=[], help="events"
    )
    parser.add_argument("--option", action="append", default=[], help="as sixrounds, or goal=1000")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    given = parser.parse_args(argv)
    for game in games().values() if given.game == "all" else [games()[given.game]]:
        _tell_game(game, given)


def _tell_game(game: Game[Any], given: argparse.Namespace) -> None:
    chosen = _options(game, given.option)
    registered = {event_form(kind).name for kind in game.events}
    if unknown := set(given.count) - registered:
        raise SystemExit(
            f"no events: {', '.join(sorted(unknown))}; {', '.join(sorted(registered))}"
        )
    for seats in given.seats or range(game.info.seats.min, game.info.seats.max + 1):
        began = time.process_time()
        played = [
            play(game, dealt(given.players, seats, number), given.seed + number, chosen)
            for number in range(given.games)
        ]
        rate = given.games / (time.process_time() - began)
        print(f"{game.info.key}, {seats} seats, {given.games} games, {rate:.1f} games/s, one core")
        tell(played, given.count)
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
