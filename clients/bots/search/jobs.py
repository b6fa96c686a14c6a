"""Requests to workers and their results: plain data, pickled between processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from bluebear.clients.bots.search.budget import Seconds
from bluebear.clients.bots.search.decide import EvaluatedMove, Planned, SearchResult
from bluebear.clients.bots.search.levels import decide, level_of
from bluebear.clients.bots.search.win_probability import in_numbers
from bluebear.clients.bots.strategies import Games, game_of
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.visibility import Move, Seat

S = TypeVar("S")
R_co = TypeVar("R_co", covariant=True)


class Work(Protocol[R_co]):
    """A job with a time limit; its result is an R_co."""

    @property
    def seconds(self) -> float:
        """The time limit in seconds."""

    def within(self, seconds: float) -> Work[R_co]:
        """The job with another time limit."""

    def done(self, games: Games, stopped: Callable[[], bool]) -> R_co:
        """Run the job; returns early if `stopped` is true. Raises NoRulesError."""


@dataclass(frozen=True, slots=True)
class Job:
    """A decision: the view and lines that the server sent to a seat, and the search's limits.

    `rules` is the version of the rules; None means the newest.
    """

    game: str
    rules: int | None
    view: Shaped
    seat: int
    lines: tuple[str, ...]
    level: str
    seconds: float
    seed: int

    def within(self, seconds: float) -> Job:
        """The job with another time limit."""
        return replace(self, seconds=seconds)

    def done(self, games: Games, stopped: Callable[[], bool]) -> SearchResult[str]:
        """Run the search on the view alone; the result as lines. Raises NoRulesError."""
        game = rules_of(games, self.game, self.rules)
        moves = [game.grammar.parse(line) for line in self.lines]
        view = game.tree.load(self.view)
        thought = decide(
            level_of(self.level, game),
            game,
            view,
            Seat(self.seat),
            moves,
            budget=Seconds(self.seconds),
            chance=FastChance(self.seed),
            stopped=stopped,
        )
        return answer_of(game, view, thought)


class NoRulesError(Exception):
    """The game of a job, or its version of the rules, is not installed."""


def rules_of(games: Games, key: str, rules: int | None) -> Game[Any]:
    """A game with a version of its rules; None means the newest. Raises NoRulesError."""
    if (game := game_of(games, key, rules)) is None:
        raise NoRulesError(f"{key}, rules {rules}")
    return game


def answer_of(game: Game[S], view: S, thought: SearchResult[Move]) -> SearchResult[str]:
    """A search result as lines."""
    form = game.grammar.format
    after = (Planned(form(each.move), frozenset(map(form, each.moves))) for each in thought.after)
    judged = (
        EvaluatedMove(
            form(each.move),
            each.chance,
            each.error,
            each.playouts,
            each.terms,
            None if each.reply is None else form(each.reply),
        )
        for each in thought.judged
    )
    return SearchResult(
        form(thought.best),
        form(thought.greedy),
        thought.playouts,
        thought.seconds,
        tuple(judged),
        tuple(after),
        thought.planned,
        in_numbers(game, view),
    )
