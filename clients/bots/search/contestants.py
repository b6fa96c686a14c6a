"""Contestants of the arena: a name with a budget, such as `greedy`, `search@0.2`, `search@200p`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from bluebear.clients.bots.search.budget import Budget, Playouts, Seconds
from bluebear.clients.bots.search.decide import Planned
from bluebear.clients.bots.search.levels import LEVELS, decide, level_of
from bluebear.rules import games, packages_of
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game
from bluebear.rules.core.search_model import MASTER
from bluebear.rules.core.visibility import Move, Seat

S = TypeVar("S")

_FORM: Final = re.compile(r"([a-z]+)(?:@(?:(\d{1,6})p|(\d{1,4}(?:\.\d{1,3})?)))?")
SEARCH: Final = "search"
"""The search without a level's limits, with the given budget."""
SEARCH_SECONDS: Final = Seconds(0.2)


class NoContestantError(ValueError):
    """The text does not name a contestant, or a game for so many."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision and its cost. `considered`: there was a search; `changed`: it has changed the
    greedy choice. `after` are the moves of a plan that follow without a search.
    """

    move: Move
    seconds: float = 0.0
    playouts: int = 0
    considered: bool = False
    changed: bool = False
    after: tuple[Planned[Move], ...] = ()


@dataclass(frozen=True, slots=True)
class Contestant:
    """A contestant: `search` with a budget, a level, or a strategy of the game."""

    text: str
    name: str
    budget: Budget | None
    """None means the level's budget."""

    def decide(
        self,
        game: Game[S],
        view: S,
        seat: Seat,
        moves: Sequence[Move],
        chance: Chance,
        *,
        clock: Callable[[], float],
    ) -> Decided:
        """Choose one of the moves."""
        began = clock()
        level = level_of(self.name, game) if self.name in LEVELS else None
        if self.name == SEARCH or level is not None:
            thought = decide(
                level or LEVELS[MASTER],
                game,
                view,
                seat,
                moves,
                budget=self.budget,
                chance=chance,
                clock=clock,
            )
            changed = thought.best != thought.greedy
            took = clock() - began
            considered = len(moves) > 1 and (level is None or level.seconds > 0)
            return Decided(thought.best, took, thought.playouts, considered, changed, thought.after)
        if self.name == "random":
            return Decided(moves[chance.pick(len(moves))])
        move = game.bots[self.name](view, seat, moves, chance)
        return Decided(move, clock() - began)


def contestant(text: str, game: Game[S]) -> Contestant:
    """Parse the text of a contestant; raises NoContestantError."""
    match = _FORM.fullmatch(text)
    names = (SEARCH, *LEVELS, "random", *game.bots)
    if match is None or match[1] not in names:
        raise NoContestantError(
            f"{text!r} is no player: {', '.join(names)}, a budget as in search@0.2"
        )
    if match[2] is not None:
        return Contestant(text, match[1], Playouts(int(match[2])))
    if match[3] is not None:
        return Contestant(text, match[1], Seconds(float(match[3])))
    return Contestant(text, match[1], SEARCH_SECONDS if match[1] == SEARCH else None)


def game_for(key: str, players: int) -> Game[Any]:  # Any: each game has a state class of its own
    """An installed game that so many can play; raises NoContestantError."""
    installed = games(packages_of(os.environ))
    if (game := installed.get(key)) is None:
        raise NoContestantError(f"there is no game {key!r}: {', '.join(sorted(installed))}")
    low, high = game.info.seats.min, game.info.seats.max
    if not low <= players <= high:
        raise NoContestantError(f"{key} is for {low} to {high} players, not {players}")
    return game
