"""Thinking about a move: what a seat sees goes in, a move and what speaks for it come out."""

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

KEPT_RESTS: Final = 256
"""Of so many playouts of each candidate it is remembered how they went, to speak about them."""
LEAST_TRIALS: Final = 8
"""Where the budget is for fewer trials of each candidate, fewer candidates are compared."""
FIRST_WIDTH: Final = 4
"""A plan is first made this wide, which also shows how long it takes."""
WIDTH_MAX: Final = 400
"""Beyond it a wider plan found nothing more."""


@dataclass(frozen=True, slots=True)
class EvaluatedMove:
    """One candidate: the chance that it gives, the error of that, and why.

    `terms` are in points, by name: what the seat is promised more than the best of the others.
    """

    move: Move
    chance: float
    error: float
    playouts: int
    terms: tuple[tuple[str, float], ...] = ()
    reply: Move | None = None


class Planned(NamedTuple):
    """A move that belongs to a plan: it holds as long as the legal moves are those foreseen."""

    move: Move
    moves: frozenset[Move]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What came of thinking: the best move, and `greedy`, what looked best at first sight.

    `after` are the moves that belong to `best` and follow it. `judged` are the candidates, best
    first; there are none where nothing was compared.
    """

    best: Move
    greedy: Move
    playouts: int
    seconds: float
    judged: tuple[EvaluatedMove, ...] = ()
    after: tuple[Planned, ...] = ()
    planned: bool = False
    """Whether `best` is the first move of a plan of the game's own."""

    @property
    def judgement(self) -> EvaluatedMove | None:
        """What came of the best move, if it was compared with others."""
        return next((each for each in self.judged if each.move == self.best), None)


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
) -> SearchResult:
    """The best of a seat's plain legal moves, by its view alone.

    At most `most` candidates are compared; for `patience` see `SearchModel.insights`. A plan is
    made with no more than so many `drafts` of it in mind. `stopped` is asked between the moves of
    playouts; what was found until then is answered. Equal views, seeds and numbers of playouts give
    equal thoughts.
    """
    purse = SearchBudget(budget, clock, stopped)
    thinker = thinker_of(game)
    ordered = _ordered(
        thinker, view, seat, moves, chance, patience=patience, goes_on=purse.is_wanted
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
    goes_on: Callable[[], bool],
) -> list[Move]:
    """The moves by their worth, equals in an order by chance."""
    mixed_up = chance.shuffle(moves)
    worths = thinker.insights(view, seat, mixed_up, patience=patience, goes_on=goes_on)
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
    """A plan of the game's own, as wide as the budget allows, or with so many drafts in mind."""
    if drafts is not None:
        wanted = purse.is_wanted
        return thinker.plan(view, seat, drafts, wanted, in_all=True, patience=patience) or None
    if isinstance(purse.budget, Playouts):
        return thinker.plan(view, seat, purse.budget.number, purse.goes_on) or None
    # However little time there is, a narrow plan is better than none.
    plan = thinker.plan(view, seat, FIRST_WIDTH, purse.is_wanted)
    took = purse.spent
    if plan is None or took <= 0:
        return plan or None
    width = min(WIDTH_MAX, int(FIRST_WIDTH * (1 - took) / took))
    if width > FIRST_WIDTH:
        plan = thinker.plan(view, seat, width, purse.goes_on) or plan
    return plan or None


def foreseen(
    game: Game[S], view: S, seat: Seat, plan: Sequence[Move], chance: Chance
) -> tuple[Planned, ...]:
    """What follows the first move of a plan, up to where dice or others come in."""
    state = game.deal(view, frozenset({seat}), chance)
    made: list[Planned] = []
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
    """Tries candidates on deals of a view. Owner: one call of `think`."""

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
            game, thinker, view, seat, purse.goes_on
        )
        self._seat = seat
        self._candidates = candidates
        self._seed = chance.pick(2**32)
        self._purse = purse
        self._rests: list[list[PlayoutEnd]] = [[] for _ in candidates]
        self._chances = [0.0] * len(candidates)

    def affordable(self, number: int) -> int:
        """How many candidates the budget can tell apart, two at least."""
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
        """What a first playout has shown but how long it takes."""
        self._purse.playouts = 0
        self._chances = [0.0] * len(self._candidates)
        self._rests = [[] for _ in self._candidates]

    def play(self, batch: int, left: Sequence[int]) -> list[float] | None:
        """One deal, one seed of dice, and each candidate that is left on it."""
        self._core.deal(mixed(self._seed, batch))
        made: list[PlayoutEnd] = []
        for candidate in left:
            if not self._purse.goes_on():
                return None
            try:
                made.append(self._core.play_out(self._candidates[candidate]))
            except PlayoutCancelled:
                return None
        self._purse.playouts += len(made)
        for candidate, rest in zip(left, made, strict=True):
            self._chances[candidate] += chance_of(rest, self._seat)
            if batch < KEPT_RESTS:
                self._rests[candidate].append(rest)
        return [value_of(rest, self._seat) for rest in made]

    def judged(self, candidate: int, ran: Race) -> EvaluatedMove:
        """What came of a candidate."""
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
        """By each term, how much more the seat is promised than the best of the others."""
        rests = self._rests[candidate]
        if not rests:
            return ()
        sums = [0] * len(self._thinker.named)
        for rest in rests:
            own = rest.terms[self._seat - 1]
            others = [terms for at, terms in enumerate(rest.terms, start=1) if at != self._seat]
            best = max(others, key=sum, default=(0,) * len(own))
            sums = [so_far + mine - his for so_far, mine, his in zip(sums, own, best, strict=True)]
        return tuple(
            (name, total / 100 / len(rests))
            for name, total in zip(self._thinker.named, sums, strict=True)
        )
