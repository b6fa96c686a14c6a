"""The search for a move: from a seat's view to a move and its evaluation."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Generic, NamedTuple, TypeVar

from bluebear.clients.bots.search.budget import Budget, Playouts, SearchBudget
from bluebear.clients.bots.search.common_dice import mixed
from bluebear.clients.bots.search.halving import Race, race
from bluebear.clients.bots.search.playouts import PlayoutCancelled, RulePlayouts, thinker_of
from bluebear.clients.bots.search.win_probability import chance_of, value_of
from bluebear.rules.core.chance import Chance, NoChance, WouldDraw
from bluebear.rules.core.game import Game
from bluebear.rules.core.search_model import FastPlayouts, PlayoutEnd, SearchModel
from bluebear.rules.core.visibility import Move, Seat

S = TypeVar("S")
M = TypeVar("M")
"""A move, or its line between processes."""

STORED_ENDS: Final = 256
"""Number of playout ends stored for each candidate, to explain the choice."""
LEAST_TRIALS: Final = 8
"""If the budget allows fewer trials of each candidate, fewer candidates are compared."""
FIRST_WIDTH: Final = 4
"""The width of the first plan, which also measures the time that a plan takes."""
WIDTH_MAX: Final = 400
"""Wider plans were not better."""


@dataclass(frozen=True, slots=True)
class EvaluatedMove(Generic[M]):
    """An evaluated candidate: its chance, the error of the chance, and the reasons.

    `terms` are in points, by name: the seat's expectation minus the best opponent's.
    """

    move: M
    chance: float
    error: float
    playouts: int
    terms: tuple[tuple[str, float], ...] = ()
    reply: M | None = None


class Planned(NamedTuple, Generic[M]):
    """A move of a plan: it is valid if the legal moves are the predicted ones."""

    move: M
    moves: frozenset[M]


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[M]):
    """The result of a search: the `best` move, and `greedy`, the choice without a search.

    `after` are the moves of a plan that follow `best`. `judged` are the candidates, best first;
    empty if none were compared.
    """

    best: M
    greedy: M
    playouts: int
    seconds: float
    judged: tuple[EvaluatedMove[M], ...] = ()
    after: tuple[Planned[M], ...] = ()
    planned: bool = False
    """Whether `best` is the first move of a plan made by the game's search model."""
    in_numbers: bool = False
    """Of lines for people: whether this stage of the game may show chances as numbers."""


def think(
    game: Game[S],
    view: S,
    seat: Seat,
    moves: Sequence[Move],
    *,
    budget: Budget,
    chance: Chance,
    most: int | None = None,
    patience: int = 100,
    drafts: int | None = None,
    clock: Callable[[], float] = time.monotonic,
    stopped: Callable[[], bool] = lambda: False,
) -> SearchResult[Move]:
    """Choose the best of a seat's legal moves, by its view alone.

    Compares at most `most` candidates; for `patience` see `SearchModel.insights`. A plan considers
    at most `drafts` drafts. `stopped` is polled between the moves of playouts; if true, the result
    so far is returned. Equal views, seeds and numbers of playouts give equal results.
    """
    purse = SearchBudget(budget, clock, stopped)
    thinker = thinker_of(game)
    ordered = _ordered(
        thinker, view, seat, moves, chance, patience=patience, has_budget=purse.is_wanted
    )
    plan = _planned(thinker, view, seat, purse, drafts, patience) if len(moves) > 1 else None
    if plan is not None and plan[0] in moves:
        after = foreseen(game, view, seat, plan, chance)
        return SearchResult(plan[0], ordered[0], 0, purse.seconds, after=after, planned=True)
    number = thinker.candidates(view, seat)
    number = min(number, len(moves), number if most is None else most)
    if number < 2:
        return SearchResult(ordered[0], ordered[0], 0, purse.seconds)
    trial = _Trial(game, thinker, view, seat, ordered[:number], chance, purse)
    number = trial.affordable(number)
    ran = race(number, trial.play, purse)
    judged = [trial.judged(each, ran) for each in range(number)]
    best = judged[ran.chosen(thinker.sure / 100)].move
    judged.sort(key=lambda each: -each.chance)
    return SearchResult(best, ordered[0], purse.playouts, purse.seconds, tuple(judged))


def _ordered(
    thinker: SearchModel[S],
    view: S,
    seat: Seat,
    moves: Sequence[Move],
    chance: Chance,
    *,
    patience: int,
    has_budget: Callable[[], bool],
) -> list[Move]:
    """The moves by their worth; equal ones in random order."""
    mixed_up = chance.shuffle(moves)
    worths = thinker.insights(view, seat, mixed_up, patience=patience, has_time=has_budget)
    order = sorted(range(len(mixed_up)), key=lambda at: -worths[at])
    return [mixed_up[at] for at in order]


def _planned(
    thinker: SearchModel[S],
    view: S,
    seat: Seat,
    purse: SearchBudget,
    drafts: int | None,
    patience: int,
) -> Sequence[Move] | None:
    """A plan made by the game's search model, as wide as the budget or `drafts` allow."""
    if drafts is not None:
        wanted = purse.is_wanted
        return thinker.plan(view, seat, drafts, wanted, in_all=True, patience=patience) or None
    if isinstance(purse.budget, Playouts):
        return thinker.plan(view, seat, purse.budget.number, purse.has_budget) or None
    # Even with little time, a narrow plan is better than none.
    plan = thinker.plan(view, seat, FIRST_WIDTH, purse.is_wanted)
    took = purse.spent
    if plan is None or took <= 0:
        return plan or None
    width = min(WIDTH_MAX, int(FIRST_WIDTH * (1 - took) / took))
    if width > FIRST_WIDTH:
        plan = thinker.plan(view, seat, width, purse.has_budget) or plan
    return plan or None


def foreseen(
    game: Game[S], view: S, seat: Seat, plan: Sequence[Move], chance: Chance
) -> tuple[Planned[Move], ...]:
    """The moves after the first of a plan, up to the next dice or opponent's move."""
    state = game.determinize(view, frozenset({seat}), chance)
    made: list[Planned[Move]] = []
    for move, following in pairwise(plan):
        try:
            outcome = game.play(state, seat, move, NoChance())
        except WouldDraw:
            break
        state = outcome.state
        moves = frozenset(game.plain(state, seat))
        if following not in moves:
            break
        made.append(Planned(following, moves))
    return tuple(made)


class _Trial(Generic[S]):
    """Tries candidates on deals of a view. Owned by one call of `think`."""

    def __init__(
        self,
        game: Game[S],
        thinker: SearchModel[S],
        view: S,
        seat: Seat,
        candidates: Sequence[Move],
        chance: Chance,
        purse: SearchBudget,
    ) -> None:
        self._thinker = thinker
        self._core: FastPlayouts = thinker.core(view, seat) or RulePlayouts(
            game, thinker, view, seat, purse.has_budget
        )
        self._seat = seat
        self._candidates = candidates
        self._seed = chance.pick(2**32)
        self._purse = purse
        self._forget()

    def affordable(self, number: int) -> int:
        """The number of candidates that the budget can distinguish, at least two."""
        purse = self._purse
        if isinstance(purse.budget, Playouts):
            playouts = purse.budget.number
        else:
            before = purse.seconds
            if self.play(0, [0]) is None:
                return 2
            playouts = int(purse.budget.seconds / max(1e-6, purse.seconds - before))
            self._forget()
        return max(2, min(number, playouts // LEAST_TRIALS))

    def _forget(self) -> None:
        """Drop all results: the first playout only measures the time."""
        self._purse.playouts = 0
        self._chances = [0.0] * len(self._candidates)
        self._rests: list[list[PlayoutEnd]] = [[] for _ in self._candidates]

    def play(self, batch: int, left: Sequence[int]) -> list[float] | None:
        """Play one deal with one seed of dice for each candidate in `left`."""
        self._core.deal(mixed(self._seed, batch))
        made: list[PlayoutEnd] = []
        for candidate in left:
            if not self._purse.has_budget():
                return None
            try:
                made.append(self._core.play_out(self._candidates[candidate]))
            except PlayoutCancelled:
                return None
        self._purse.playouts += len(made)
        for candidate, rest in zip(left, made, strict=True):
            self._chances[candidate] += chance_of(rest, self._seat)
            if batch < STORED_ENDS:
                self._rests[candidate].append(rest)
        return [value_of(rest, self._seat) for rest in made]

    def judged(self, candidate: int, ran: Race) -> EvaluatedMove[Move]:
        """The evaluation of a candidate."""
        number = len(ran.values[candidate])
        replies = Counter(
            each.reply for each in self._rests[candidate] if each.reply is not None
        ).most_common(1)
        return EvaluatedMove(
            self._candidates[candidate],
            self._chances[candidate] / max(1, number),
            ran.error(candidate),
            number,
            self._terms(candidate),
            replies[0][0] if replies else None,
        )

    def _terms(self, candidate: int) -> tuple[tuple[str, float], ...]:
        """For each term, the seat's expectation minus the best opponent's."""
        rests = self._rests[candidate]
        if not rests:
            return ()
        sums = [0] * len(self._thinker.named)
        for rest in rests:
            ours = rest.terms[self._seat - 1]
            rivals = [terms for at, terms in enumerate(rest.terms, start=1) if at != self._seat]
            best = max(rivals, key=sum, default=(0,) * len(ours))
            sums = [total + us - rival for total, us, rival in zip(sums, ours, best, strict=True)]
        return tuple(
            (name, total / 100 / len(rests))
            for name, total in zip(self._thinker.named, sums, strict=True)
        )
