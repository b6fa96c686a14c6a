"""Five levels of strength: limits of sight and patience, never random blunders."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeVar

from bluebear.clients.bots.search.budget import Budget, Seconds
from bluebear.clients.bots.search.decide import SearchResult, think
from bluebear.clients.bots.search.playouts import thinker_of
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game
from bluebear.rules.core.search_model import CASUAL, CLUB, MASTER, PUPIL, STRONG, best_of
from bluebear.rules.core.tables import Entry, game_file
from bluebear.rules.core.visibility import Move, Seat

S = TypeVar("S")


class Level(Entry):
    """The abilities of a player of this level; without `milliseconds` there is no search."""

    milliseconds: int = 0
    most: int | None = None
    """Maximum number of moves compared; None: as many as the game's model suggests."""
    considers_opponents: bool = True
    patience: int = 100
    """The weight, in percent, of gains that arrive later."""
    drafts: int | None = None
    """In games with plans: maximum number of drafts considered; None: no limit."""

    @property
    def seconds(self) -> float:
        """The time for a decision; 0 without a search."""
        return self.milliseconds / 1000


LEVELS: Final[Mapping[str, Level]] = {
    # The levels of most games; a game's `levels.toml` overrides them.
    PUPIL: Level(considers_opponents=False),
    CASUAL: Level(),
    CLUB: Level(50, most=2, patience=0, drafts=2),
    STRONG: Level(1000, patience=40, drafts=3),
    MASTER: Level(5000),
}


@cache  # bounded: the levels of all games
def level_of(name: str, game: Game[Any]) -> Level:  # Any: any state
    """The level of a name, as a game's `levels.toml`, if any, tunes it. Raises DataError."""
    file = game_file(dict[str, Level], game.package, "levels.toml", otherwise="")
    return file.value.get(name, LEVELS[name])


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
) -> SearchResult[Move]:
    """Choose a plain legal move as a player of a level does; worse with less time."""
    if level.seconds:
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
