"""`python -m bluebear.clients.bots.search.calibration GAME`: measures how good a game's win
probabilities are.

Plays games and picks one random decision of each stage. There it estimates each seat's chance to be
first as hints and analyses do: by a few playouts of the move played, on deals of the seat's view.
With the results this gives the Brier score of each stage, to compare with that of the base rate,
each seat's share of all these games. Each game gives one sample of a stage, so samples are
independent. The output is the game's `chances.toml` (`win_probability`).
"""

from __future__ import annotations

import argparse
import math
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from msgspec import to_builtins

from bluebear.clients.bots.search.analysis import judging_eyes
from bluebear.clients.bots.search.arena import Pairing, play
from bluebear.clients.bots.search.common_dice import mixed
from bluebear.clients.bots.search.contestants import (
    Contestant,
    NoContestantError,
    contestant,
    game_for,
)
from bluebear.clients.bots.search.halving import mean_and_error
from bluebear.clients.bots.search.playouts import RulePlayouts, thinker_of
from bluebear.clients.bots.search.win_probability import (
    GAMES_LEAST,
    PERCENT,
    SCALE,
    Chances,
    MeasuredStage,
    chances_of,
    mean_of,
)
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.search_model import Stage
from bluebear.rules.core.visibility import Move, Seat

S = TypeVar("S")

PLAYOUTS: Final = 6
"""The minimum of an analysis; more playouts make chances better, not worse."""
GAMES: Final = GAMES_LEAST + GAMES_LEAST // 20
"""A few more than required: not every game has a decision in every stage."""
_PICK: Final = 1
_DEALS: Final = 2
_PLAYERS: Final = 3
"""Separates the seeds of the draws of one game."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One position of a game: the estimated chances, and each seat's share of the win."""

    stage: int
    """The stage's index, from 0."""
    chances: Chances
    won: Chances


@dataclass(frozen=True, slots=True)
class Run:
    """A measurement: number of games and seats; each seat's player is drawn from `players`."""

    seats: int
    games: int
    stages: int
    players: tuple[Contestant, ...]
    playouts: int
    seed: int


@dataclass(slots=True)
class _Picked(Generic[S]):
    """A decision of one stage, picked from `of` decisions."""

    state: S
    seat: Seat
    move: Move
    of: int = 1


def measure(game: Game[S], run: Run) -> Iterator[Sample]:
    """Play the games of a run; judge one decision of each stage of each game."""
    for number in range(run.games):
        yield from _samples(game, run, mixed(run.seed, number))


def _samples(game: Game[S], run: Run, seed: int) -> Iterator[Sample]:
    thinker = thinker_of(game)
    picked: dict[int, _Picked[S]] = {}
    chance = FastChance(mixed(seed, _PICK))

    def watch(state: S, seat: Seat, moves: Sequence[Move], move: Move) -> None:
        stage = thinker.stage(state)
        if stage is None or len(moves) < 2:
            return
        at = number_of(stage, run.stages)
        had = picked.get(at)
        of = 1 if had is None else had.of + 1
        # Reservoir sampling: every decision of the stage is equally likely, however many follow.
        if had is None or chance.pick(of) == 0:
            picked[at] = _Picked(state, seat, move, of)
        else:
            had.of = of

    drawn = FastChance(mixed(seed, _PLAYERS))
    players = [run.players[drawn.pick(len(run.players))] for _ in range(run.seats)]
    pairing = Pairing(seed, 0, tuple(range(run.seats)))
    played = play(game, players, pairing, game.info.complete({}), watch=watch)
    won = tuple(played.share(who) for who in range(run.seats))
    for at, each in sorted(picked.items()):
        yield Sample(at, judge(game, each.state, each.seat, each.move, run.playouts, seed), won)


def judge(game: Game[S], state: S, seat: Seat, move: Move, playouts: int, seed: int) -> Chances:
    """Each seat's chance after a move, estimated as for a hint or an analysis."""
    thinker = thinker_of(game)
    eyes = judging_eyes(thinker, state, seat)
    view = game.seen(state, eyes)
    core = thinker.core(view, seat) or RulePlayouts(game, thinker, view, seat, eyes=eyes)
    made: list[Chances] = []
    for batch in range(playouts):
        core.deal(mixed(seed, _DEALS, batch))
        made.append(chances_of(core.play_out(move)))
    return mean_of(made)


def number_of(stage: Stage, stages: int) -> int:
    """The index, from 0, of a stage among `stages` equal stages."""
    return stages * stage.percent // PERCENT


def scored(samples: Iterable[Sample], stages: int) -> list[MeasuredStage]:
    """The scores of the stages that have samples, in the order of the game."""
    by_stage: dict[int, list[Sample]] = {}
    for each in samples:
        by_stage.setdefault(each.stage, []).append(each)
    return [_scored(at, some, stages) for at, some in sorted(by_stage.items())]


def _scored(at: int, samples: Sequence[Sample], stages: int) -> MeasuredStage:
    shares = mean_of([each.won for each in samples])
    ours = [_distance(each.chances, each.won) for each in samples]
    base = [_distance(shares, each.won) for each in samples]
    _, error = mean_and_error([one - other for one, other in zip(base, ours, strict=True)])
    # Rounded so that no stage is shown that is not beyond the bound.
    brier = math.ceil(SCALE * math.fsum(ours) / len(ours))
    return MeasuredStage(
        low=-(-PERCENT * at // stages),
        to=-(-PERCENT * (at + 1) // stages),
        games=len(samples),
        brier=brier,
        base=math.floor(SCALE * math.fsum(base) / len(base)),
        error=math.ceil(SCALE * error),
    )


def _distance(chances: Chances, won: Chances) -> float:
    """The mean squared distance over the seats."""
    return math.fsum((one - other) ** 2 for one, other in zip(chances, won, strict=True)) / len(won)


def as_toml(seats: int, command: str, stages: Sequence[MeasuredStage]) -> str:
    """One `[[measured]]` table of a `chances.toml`."""
    lines = ["[[measured]]", f"seats = {seats}", f'command = "{command}"']
    for each in stages:
        shown = "a number" if each.is_reliable else "words"
        lines += ["", f"[[measured.stage]] # {shown}"]
        lines += [f"{name} = {number}" for name, number in to_builtins(each).items()]
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str]) -> int:
    """Measure a game for one number of seats; print its section of `chances.toml`."""
    given = _arguments().parse_args(argv)
    try:
        game = game_for(given.game, given.seats)
        players = tuple(contestant(text, game) for text in given.players.split(","))
    except NoContestantError as error:
        print(error, file=sys.stderr)
        return 2
    run = Run(given.seats, given.games, given.stages, players, given.playouts, given.seed)
    command = shlex.join(["python", "-m", "bluebear.clients.bots.search.calibration", *argv])
    samples = []
    for each in measure(game, run):
        sys.stderr.write(f"{each.stage} {each.chances} {each.won}\n")
        samples.append(each)
    stages = scored(samples, run.stages)
    sys.stdout.write(as_toml(run.seats, command, stages))
    return 0


def _arguments() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m bluebear.clients.bots.search.calibration", description=__doc__
    )
    made.add_argument("game")
    made.add_argument("--seats", type=int, default=2)
    made.add_argument("--games", type=int, default=GAMES)
    made.add_argument("--stages", type=int, default=10, help="equal parts of the game")
    made.add_argument(
        "--players", default="greedy", help="each seat of each game draws one, as greedy,club@24p"
    )
    made.add_argument("--playouts", type=int, default=PLAYOUTS, help="of each position")
    made.add_argument("--seed", type=int, default=1)
    return made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
