"""What is asked of a worker, and what it answers: plain data that goes from process to process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from clients.bots.search.budget import Seconds
from clients.bots.search.levels import LEVELS, decide
from rules.core.chance import Fast
from rules.core.game import Game
from rules.core.merging import Shaped
from rules.core.vision import Seat


@dataclass(frozen=True, slots=True)
class Job:
    """A decision: what came over the wire for a seat, its lines, and how well to think.

    `rules` is the version of the rules; None: the newest.
    """

    game: str
    rules: int | None
    view: Shaped
    seat: int
    lines: tuple[str, ...]
    level: str
    seconds: float
    seed: int


@dataclass(frozen=True, slots=True)
class Following:
    """A line that belongs to a plan: it holds as long as the legal lines are those foreseen."""

    line: str
    lines: frozenset[str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a job."""

    line: str
    after: tuple[Following, ...]
    playouts: int
    seconds: float


class NoRulesError(Exception):
    """The game of a job, or its version of the rules, is not here."""


def answer(
    job: Job,
    games: Mapping[str, Game[Any]],  # Any: each game has a state class of its own
    stopped: Callable[[], bool],
) -> Answer:
    """Think about a job by its view alone. Raises NoRulesError."""
    newest = games.get(job.game)
    game = newest if newest is None or job.rules is None else newest.of_rules(job.rules)
    if game is None:
        raise NoRulesError(f"{job.game}, rules {job.rules}")
    moves = [game.grammar.parse(line) for line in job.lines]
    view = game.read_view(job.view)
    thought = decide(
        LEVELS[job.level],
        game,
        view,
        Seat(job.seat),
        moves,
        budget=Seconds(job.seconds),
        chance=Fast(job.seed),
        stopped=stopped,
    )
    form = game.grammar.format
    after = tuple(
        Following(form(each.move), frozenset(map(form, each.moves))) for each in thought.after
    )
    return Answer(form(thought.best), after, thought.playouts, thought.seconds)
