"""The arena: contestants play many games against each other, and the wins are counted.

Each seed is played once for each rotation of the seats, so no contestant has better cards or seats.
Budgets are processor time, which other programs do not affect, or playouts, which make a match
reproducible. Prints one JSON line a game; an interrupted match can be continued.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.json import decode, encode

from bluebear.clients.bots.offline import ending_of
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


def effort_of(decisions: Sequence[Decided]) -> Mapping[str, int | float]:
    """What one contestant spent in one game; `considered` and `changed` count decisions."""
    seconds = [each.seconds for each in decisions]
    return {
        "decisions": len(decisions),
        "considered": sum(each.considered for each in decisions),
        "changed": sum(each.changed for each in decisions),
        "playouts": sum(each.playouts for each in decisions),
        "seconds": sum(seconds),
        "longest": max(seconds, default=0.0),
    }


class Played(Struct, frozen=True, rename={"ranks": "places"}):
    """The end of a game, by contestant: rank, score, effort."""

    seed: int
    turn: int
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    efforts: tuple[Mapping[str, int | float], ...] = ()

    def share(self, contestant: int) -> float:
        """A contestant's share of the win: 1, 0, or a fraction of a tie for first."""
        return (self.ranks[contestant] == 1) / self.ranks.count(1)

    def margin(self, contestant: int) -> float:
        """A contestant's lead in points over the best opponent."""
        rivals = [score for at, score in enumerate(self.scores) if at != contestant]
        return self.scores[contestant] - max(rivals, default=0)

    def line(self) -> str:
        """The game as one JSON line."""
        return encode(self).decode()


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
    players: Sequence[Contestant | Seated],
    pairing: Pairing,
    options: Options,
    watch: Watch[S] | None,
) -> Played:
    seats = {Seat(at): who for at, who in enumerate(pairing.seats, start=1)}
    decisions: list[list[Decided]] = [[] for _ in players]
    dice = FastChance(mixed(pairing.seed, _GAME))
    chances = {seat: FastChance(mixed(pairing.seed, _PLAYER, seat)) for seat in seats}
    planned: dict[Seat, tuple[Planned[Move], ...]] = {}
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
            decided = players[who].decide(
                game, view, seat, moves, chances[seat], clock=time.process_time
            )
            decisions[who].append(decided)
            move, after = decided.move, decided.after
        planned[seat] = after
        if watch is not None:
            watch(state, seat, moves, move)
        outcome = game.play(state, seat, move, dice)
    result = game.result(outcome.state)
    assert result is not None  # no seat is to move
    ends, ending = {seats[each.seat]: each for each in result.standings}, ending_of(result)
    for seat, who in seats.items():
        player = players[who]
        if isinstance(player, Seated):
            player.over(game, game.seen(outcome.state, frozenset({seat})), seat, ending)
    return Played(
        pairing.seed,
        pairing.turn,
        tuple(ends[who].place for who in sorted(ends)),
        tuple(ends[who].score for who in sorted(ends)),
        tuple(map(effort_of, decisions)),
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
            played = decode(line, type=Played)
            cached[played.seed, played.turn] = played
    for pairing in pairings(len(contestants), games, first_seed):
        earlier = cached.get((pairing.seed, pairing.turn))
        if earlier is None:
            earlier = play(game, contestants, pairing, options)
            if stored is not None:
                with stored.open("a", encoding="utf-8") as file:
                    file.write(earlier.line() + "\n")
        yield earlier
