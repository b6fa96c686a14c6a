"""Bots of the levels that search: workers search for them, and plans are sent line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from bluebear.clients.bots.search.decide import Planned
from bluebear.clients.bots.search.jobs import Job
from bluebear.clients.bots.search.levels import LEVELS, Level, decide, level_of
from bluebear.clients.bots.search.worker_pool import BusyError, Workers
from bluebear.clients.bots.strategies import (
    CheckedBot,
    Games,
    RandomBot,
    UnknownStrategyError,
    game_of,
    strategy,
)
from bluebear.clients.sdk import MoveClock, View
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.search_model import CASUAL
from bluebear.rules.core.visibility import Seat

MARGIN_SECONDS: Final = 0.1
"""Reserved from a decision's time for the round trip to the worker."""


class AtLevel:
    """A bot of a level; `workers` search for the levels that do."""

    def __init__(self, name: str, games: Games, chance: Chance, workers: Workers) -> None:
        self._name = name
        self._games = games
        self._chance = chance
        self._workers = workers
        self._plan: tuple[Planned[str], ...] = ()

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """One of the lines. Raises UnknownStrategyError if the game's rules are not installed."""
        plan, self._plan = self._plan, ()
        if plan and plan[0].moves == frozenset(lines):
            self._plan = plan[1:]
            return plan[0].move
        if (game := game_of(self._games, view.game, view.rules)) is None:
            raise UnknownStrategyError(f"{view.game} is not here")
        level = level_of(self._name, game)
        if not level.seconds or len(lines) == 1:
            return self._at_once(level, game, view, lines)
        job = Job(
            view.game,
            view.rules,
            cast(Shaped, view.state),
            view.seat,
            tuple(lines),
            self._name,
            max(0.0, min(level.seconds, clock.move - MARGIN_SECONDS)),
            self._chance.pick(2**32),
        )
        try:
            answer = await self._workers.think(view.room_id, job)
        except BusyError:
            return self._at_once(LEVELS[CASUAL], game, view, lines)
        self._plan = answer.after
        return answer.best

    def _at_once(self, level: Level, game: Game[Any], view: View, lines: Sequence[str]) -> str:
        """The choice of a level that does not search."""
        moves = [game.grammar.parse(line) for line in lines]
        seen = game.tree.load(cast(Shaped, view.state))
        thought = decide(level, game, seen, Seat(view.seat), moves, chance=self._chance)
        return game.grammar.format(thought.best)


def player(name: str, games: Games, chance: Chance, workers: Workers) -> CheckedBot:
    """A player by its name: a level or a strategy. If its search fails it plays on without one,
    else at random.
    """
    if name not in LEVELS:
        return strategy(name, games, chance)
    casual = CheckedBot(AtLevel(CASUAL, games, chance, workers), CASUAL, RandomBot(chance))
    return CheckedBot(AtLevel(name, games, chance, workers), name, casual)
