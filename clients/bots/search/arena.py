"""The arena: contestants play many games against each other, and the wins are counted.

Each seed is played once for each rotation of the seats, so no contestant has better cards or seats.
Budgets are processor time, which other programs do not affect, or playouts, which make a match
reproducible. Prints one JSON line a game; an interrupted match can be continued.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from bluebear.clients.bots.search.common_dice import mixed
from bluebear.clients.bots.search.contestants import Contestant, Decided
from bluebear.clients.bots.search.decide import Planned
from bluebear.clients.bots.search.external_bots import ExternalBot, Seated
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.visibility import Move, Seat

S = TypeVar("S")

_GAME: Final = 1
_PLAYER: Final = 2
"""Separates the seeds of the players from those of the game's draws."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a match: its seed, and the contestant of each seat, seat 1 first."""

    seed: int
    turn: int
    seats: tuple[int, ...]


@dataclass(slots=True)
class Effort:
    """What one contestant spent in one game. Owned by the running game."""

    decisions: int = 0
    considered: int = 0
    """Decisions with a search."""
    changed: int = 0
    """Decisions in which the search changed the greedy choice."""
    playouts: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, decided: Decided) -> None:
        """Add a decision."""
        self.decisions += 1
        self.considered += decided.considered
        self.changed += decided.changed
        self.playouts += decided.playouts
        self.seconds += decided.seconds
        self.longest = max(self.longest, decided.seconds)


@dataclass(frozen=True, slots=True)
class Played:
    """The end of a game, by contestant: rank, score, effort."""

    seed: int
    turn: int
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    efforts: tuple[Mapping[str, float], ...] = field(default=())

    def share(self, contestant: int) -> float:
        """A contestant's share of the win: 1, 0, or a fraction of a tie for first."""
        return (self.ranks[contestant] == 1) / self.ranks.count(1)

    def margin(self, contestant: int) -> float:
        """A contestant's lead in points over the best opponent."""
        rivals = [score for at, score in enumerate(self.scores) if at != contestant]
        return self.scores[contestant] - max(rivals, default=0)

    def line(self) -> str:
        """The game as one JSON line."""
        return json.dumps(
            {
                "seed": self.seed,
                "turn": self.turn,
                "places": self.ranks,
                "scores": self.scores,
                "efforts": self.efforts,
            }
        )

    @staticmethod
    def read(line: str) -> Played:
        """Parse a JSON line; ValueError, LookupError or TypeError if it is not a game."""
        made: dict[str, Any] = json.loads(line)
        return Played(
            made["seed"],
            made["turn"],
            tuple(made["places"]),
            tuple(made["scores"]),
            tuple(made["efforts"]),
        )


def pairings(contestants: int, games: int, first_seed: int) -> Iterator[Pairing]:
    """The games of a match: each seed with the contestants rotated by one seat at a time."""
    for number in range(games):
        turn = number % contestants
        order = [(at + turn) % contestants for at in range(contestants)]
        yield Pairing(first_seed + number // contestants, turn, tuple(order))


Watch = Callable[[S, Seat, Sequence[Move], Move], None]
"""Called before each decision is played: state, seat, its moves, and the chosen move."""


def play(
    game: Game[S],
    contestants: Sequence[Contestant | ExternalBot],
    pairing: Pairing,
    options: Options,
    *,
    watch: Watch[S] | None = None,
) -> Played:
    """Play one game from setup to end. Each contestant decides by its own seat's view.

    Raises ProgramError if an external program cannot be started.
    """
    with ExitStack() as stack:
        players = [
            stack.enter_context(each.seated(game, mixed(pairing.seed, _PLAYER, who)))
            if isinstance(each, ExternalBot)
            else each
            for who, each in enumerate(contestants)
        ]
        return _play(game, players, pairing, options, watch)


def _play(
    game: Game[S],
    contestants: Sequence[Contestant | Seated],
    pairing: Pairing,
    options: Options,
    watch: Watch[S] | None,
) -> Played:
    seats = {Seat(at): who for at, who in enumerate(pairing.seats, start=1)}
    efforts = [Effort() for _ in contestants]
    dice = FastChance(mixed(pairing.seed, _GAME))
    chances = {seat: FastChance(mixed(pairing.seed, _PLAYER, seat)) for seat in seats}
    planned: dict[Seat, tuple[Planned, ...]] = {}
    outcome = game.setup(options, len(seats), dice)
    while outcome.to_move:
        state, seat = outcome.state, min(outcome.to_move)
        who = seats[seat]
        moves = game.plain(state, seat)
        plan = planned.pop(seat, ())
        if plan and plan[0].moves == frozenset(moves):
            move, after = plan[0].move, plan[1:]
        else:
            view = game.seen(state, frozenset({seat}))
            decided = contestants[who].decide(
                game, view, seat, moves, chances[seat], clock=time.process_time
            )
            efforts[who].add(decided)
            move, after = decided.move, decided.after
        planned[seat] = after
        if watch is not None:
            watch(state, seat, moves, move)
        outcome = game.play(state, seat, move, dice)
    result = game.result(outcome.state)
    standings = sorted(() if result is None else result.standings, key=lambda one: one.seat)
    ends = {seats[each.seat]: each for each in standings}
    ranks = {str(each.seat): {"place": each.place, "score": each.score} for each in standings}
    for seat, who in seats.items():
        player = contestants[who]
        if isinstance(player, Seated):
            player.over(game, game.seen(outcome.state, frozenset({seat})), seat, ranks)
    all_contestants = range(len(contestants))
    return Played(
        pairing.seed,
        pairing.turn,
        tuple(ends[who].place for who in all_contestants),
        tuple(ends[who].score for who in all_contestants),
        tuple({name: getattr(each, name) for name in Effort.__slots__} for each in efforts),
    )


def match(
    game: Game[S],
    contestants: Sequence[Contestant | ExternalBot],
    games: int,
    *,
    options: Options,
    first_seed: int = 1,
    stored: Path | None = None,
) -> Iterator[Played]:
    """The games of a match; first those that an earlier run has stored in the file `stored`.

    Appends new games to the file as they are played.
    """
    cached: dict[tuple[int, int], Played] = {}
    if stored is not None and stored.exists():
        for line in stored.read_text(encoding="utf-8").splitlines():
            played = Played.read(line)
            cached[played.seed, played.turn] = played
    for pairing in pairings(len(contestants), games, first_seed):
        earlier = cached.get((pairing.seed, pairing.turn))
        if earlier is None:
            earlier = play(game, contestants, pairing, options)
            if stored is not None:
                with stored.open("a", encoding="utf-8") as file:
                    file.write(earlier.line() + "\n")
        yield earlier
