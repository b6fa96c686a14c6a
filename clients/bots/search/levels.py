"""Five levels of strength: limits of sight and patience, never random blunders."""

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
    """The abilities of a player of this level. `seconds` 0 means no search."""

    seconds: float
    most: int | None = None
    """Maximum number of moves compared; None: as many as the game's model suggests."""
    considers_opponents: bool = True
    patience: int = 100
    """The weight, in percent, of gains that arrive later."""
    drafts: int | None = None
    """In games with plans: maximum number of drafts considered; None: no limit."""

    @property
    def thinks(self) -> bool:
        """Whether the level searches, which takes time."""
        return self.seconds > 0


LEVELS: Final[Mapping[str, Level]] = {
    # The levels of most games; `SearchModel.levels` overrides them.
    PUPIL: Level(0, considers_opponents=False),
    CASUAL: Level(0),
    CLUB: Level(0.05, most=2, patience=0, drafts=2),
    STRONG: Level(1.0, patience=40, drafts=3),
    MASTER: Level(5.0),
}


def level_of(name: str, thinker: SearchModel[S] | None) -> Level:
    """The level of a name, as the game's model adjusts it."""
    tuned = None if thinker is None else thinker.levels.get(name)
    if tuned is None or tuned.milliseconds is None:
        return LEVELS[name]
    seconds = tuned.milliseconds / 1000
    return Level(seconds, most=tuned.most, patience=tuned.patience, drafts=tuned.drafts)


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
    """Choose a plain legal move as a player of a level does; worse with less time."""
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
    if level.considers_opponents:
        best = best_of(moves, thinker.worths(view, seat, moves), chance)
    else:
        worths = thinker.beginner_worths(view, seat, moves)
        least = max(worths) - thinker.near
        near = [move for move, worth in zip(moves, worths, strict=True) if worth >= least]
        best = near[chance.pick(len(near))]
    return SearchResult(best, best, 0, 0.0)
