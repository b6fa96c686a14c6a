"""What is asked of a worker, and what it answers: plain data that goes from process to process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from bluebear.clients.bots.search.budget import Seconds
from bluebear.clients.bots.search.decide import SearchResult
from bluebear.clients.bots.search.levels import decide, level_of
from bluebear.clients.bots.search.win_probability import in_numbers
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.visibility import Seat

S = TypeVar("S")
R_co = TypeVar("R_co", covariant=True)

Games = Mapping[str, Game[Any]]  # Any: each game has a state class of its own


class Work(Protocol[R_co]):
    """Something to think about, for at most so long; what comes of it is an R_co."""

    @property
    def seconds(self) -> float:
        """How long it may take."""

    def within(self, seconds: float) -> Work[R_co]:
        """The same in another time."""

    def done(self, games: Games, stopped: Callable[[], bool]) -> R_co:
        """Think, until `stopped` says so. Raises NoRulesError."""


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

    def within(self, seconds: float) -> Job:
        """The same decision in another time."""
        return replace(self, seconds=seconds)

    def done(self, games: Games, stopped: Callable[[], bool]) -> JobResult:
        """What comes of it; see `answer`."""
        return answer(self, games, stopped)


@dataclass(frozen=True, slots=True)
class Following:
    """A line that belongs to a plan: it holds as long as the legal lines are those foreseen."""

    line: str
    lines: frozenset[str]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What came of one candidate, as `Judged`, in lines; `reply` "" where there was none."""

    line: str
    chance: float
    error: float
    playouts: int
    terms: tuple[tuple[str, float], ...]
    reply: str


@dataclass(frozen=True, slots=True)
class JobResult:
    """What came of a job. `greedy` is what the greedy judgement alone would have said, `judged`
    what was compared, best first; `planned` says that the line begins or ends a plan. `in_numbers`:
    in this stage of the game chances may be shown as numbers (`chances.in_numbers`).
    """

    line: str
    after: tuple[Following, ...]
    playouts: int
    seconds: float
    greedy: str = ""
    judged: tuple[Opinion, ...] = ()
    planned: bool = False
    in_numbers: bool = False


class NoRulesError(Exception):
    """The game of a job, or its version of the rules, is not here."""


def rules_of(games: Games, key: str, rules: int | None) -> Game[Any]:
    """A game by its version of the rules; None: the newest. Raises NoRulesError."""
    newest = games.get(key)
    game = newest if newest is None or rules is None else newest.of_rules(rules)
    if game is None:
        raise NoRulesError(f"{key}, rules {rules}")
    return game


def answer(job: Job, games: Games, stopped: Callable[[], bool]) -> JobResult:
    """Think about a job by its view alone. Raises NoRulesError."""
    game = rules_of(games, job.game, job.rules)
    moves = [game.grammar.parse(line) for line in job.lines]
    view = game.read_view(job.view)
    thought = decide(
        level_of(job.level, game.thinker),
        game,
        view,
        Seat(job.seat),
        moves,
        budget=Seconds(job.seconds),
        chance=FastChance(job.seed),
        stopped=stopped,
    )
    return answer_of(game, view, thought)


def answer_of(game: Game[S], view: S, thought: SearchResult) -> JobResult:
    """A thought about a view in lines."""
    form = game.grammar.format
    after = tuple(
        Following(form(each.move), frozenset(map(form, each.moves))) for each in thought.after
    )
    judged = tuple(
        Opinion(
            form(each.move),
            each.chance,
            each.error,
            each.playouts,
            each.terms,
            "" if each.reply is None else form(each.reply),
        )
        for each in thought.judged
    )
    return JobResult(
        form(thought.best),
        after,
        thought.playouts,
        thought.seconds,
        form(thought.greedy),
        judged,
        thought.planned,
        in_numbers(game, view),
    )
