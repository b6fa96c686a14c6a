"""How strong shall a bot be? Five levels: limits of sight and patience, never blunders by dice."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from bluebear.clients.bots.search.budget import Budget, Seconds
from bluebear.clients.bots.search.decide import SearchResult, think
from bluebear.clients.bots.search.playouts import thinker_of
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game
from bluebear.rules.core.search_model import (
    CASUAL,
    CLUB,
    MASTER,
    PUPIL,
    STRONG,
    SearchModel,
    best_of,
)
from bluebear.rules.core.visibility import Move, Seat

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Level:
    """What a player of this level can do. `seconds` 0: he does not look ahead."""

    seconds: float
    most: int | None = None
    """How many moves he compares; None: as many as the game finds worth it."""
    looks_at_others: bool = True
    patience: int = 100
    """How much something counts for him that has to be waited for, from 0 to 100."""
    drafts: int | None = None
    """Where a game plans moves ahead: so many ways to go on he keeps in mind; None: no limit."""

    @property
    def thinks(self) -> bool:
        """Whether he looks ahead, which takes a while."""
        return self.seconds > 0


LEVELS: Final[Mapping[str, Level]] = {
    # What most games have; `SearchModel.sights` says where one differs.
    PUPIL: Level(0, looks_at_others=False),
    CASUAL: Level(0),
    CLUB: Level(0.05, most=2, patience=0, drafts=2),
    STRONG: Level(1.0, patience=40, drafts=3),
    MASTER: Level(5.0),
}


def level_of(name: str, thinker: SearchModel[S] | None) -> Level:
    """The level of a name, as it is in a game."""
    sight = None if thinker is None else thinker.sights.get(name)
    if sight is None:
        return LEVELS[name]
    return Level(
        sight.milliseconds / 1000,
        most=sight.most,
        patience=sight.patience,
        drafts=sight.drafts,
    )


def decide(
    level: Level,
    game: Game[S],
    view: S,
    seat: Seat,
    moves: Sequence[Move],
    *,
    chance: Chance,
    budget: Budget | None = None,
    clock: Callable[[], float] = time.monotonic,
    stopped: Callable[[], bool] = lambda: False,
) -> SearchResult:
    """What a player of a level does with one of his plain legal moves; with less time, less."""
    if level.thinks:
        return think(
            game,
            view,
            seat,
            moves,
            budget=budget or Seconds(level.seconds),
            chance=chance,
            most=level.most,
            patience=level.patience,
            drafts=level.drafts,
            clock=clock,
            stopped=stopped,
        )
    thinker = thinker_of(game)
    if level.looks_at_others:
        best = best_of(moves, thinker.worths(view, seat, moves), chance)
    else:
        near = _near(moves, thinker.own_worths(view, seat, moves), thinker.near)
        best = near[chance.pick(len(near))]
    return SearchResult(best, best, 0, 0.0)


def _near(moves: Sequence[Move], worths: Sequence[int], near: int) -> list[Move]:
    """The moves that look about as good as the best."""
    least = max(worths) - near
    return [move for move, worth in zip(moves, worths, strict=True) if worth >= least]
