"""What a game knows about thinking: what a search asks it, which is one for all games.

The search (`clients/bots/search`) deals what a seat does not see, plays a few candidates on the
same deals and dice, everybody going on by the greedy policy, and compares where this leads. It asks
    insights(state, seat, moves) the order of candidates, and what is played without a doubt
    worths(state, seat, moves)   the greedy judgement: by its maximum the policy of playouts
    candidates(state, seat)      how many moves are worth thinking about here
    rests(state, since)          whether a playout may stop here
    terms(state)                 what a resting position promises each seat
    spread(state)                by how much that is usually wrong
    stage(state)                 how far the game has come
and, where a game does better by itself: `plan`, a search of its own; `core`, quicker playouts.

Numbers are whole, as everywhere in the rules. Terms and spreads are in hundredths of a point,
worths in a unit of the game's own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.visibility import Move, Seat

S = TypeVar("S")

PUPIL: Final = "pupil"
CASUAL: Final = "casual"
CLUB: Final = "club"
STRONG: Final = "strong"
MASTER: Final = "master"
LEVELS: Final = (PUPIL, CASUAL, CLUB, STRONG, MASTER)
"""The names of the levels at which a house bot plays a game that has a thinker, weakest first."""

POINT: Final = 100
"""A point in the unit of terms and spreads."""

Terms = tuple[int, ...]
"""What one seat is promised, in the order of `SearchModel.named`."""


class PlayoutEnd(NamedTuple):
    """Where a playout has stopped.

    `terms` are those of each seat, seat 1 first. `first` is who is first when the game is over,
    several when they share it; while it goes on nobody is. `reply` is what the next other seat did.
    """

    terms: tuple[Terms, ...]
    spread: int
    first: tuple[Seat, ...] = ()
    reply: Move | None = None


class Stage(NamedTuple):
    """How far a game has come, by what all seats see: `percent` from 0 to 99 of it is played."""

    seats: int
    percent: int


class ArenaResult(NamedTuple):
    """How strong a level was in the arena: of 100 games so many were won, of so many played."""

    share: int
    against: str
    games: int


class SearchHorizon(NamedTuple):
    """How far a level looks in one game: see `bluebear.clients.bots.search.levels.Level`."""

    milliseconds: int
    most: int | None = None
    patience: int = 100
    drafts: int | None = None


class FastPlayouts(Protocol):
    """Playouts of one view, quicker than by the rules and true to them."""

    def deal(self, seed: int) -> None:
        """Deal what the seat does not see, by a seed; playouts on it draw by the same seed."""

    def play_out(self, move: Move) -> PlayoutEnd:
        """Where a move of the seat that thinks leads on the present deal."""


class SearchModel(ABC, Generic[S]):
    """What one game knows about thinking; stateless, and pure as all rules are."""

    named: ClassVar[tuple[str, ...]]
    """The names of the terms; each is the phrase `term.NAME` of the game."""
    sure: ClassVar[int] = 70
    """By how many hundredths of a standard error a move must beat the greedy one to be chosen."""

    near: ClassVar[int] = 0
    """By how much a move may look worse to a beginner and still do, in the unit of worths."""

    sights: ClassVar[Mapping[str, SearchHorizon]] = {}
    """The levels that look otherwise here than in most games, by the steps that the arena found."""

    planned: ClassVar[bool] = False
    """Whether all that a seat does until it waits is one decision: `plan` makes it as a whole, and
    nobody answers in between."""

    measured: ClassVar[Mapping[str, ArenaResult]] = {}
    """What the arena has said of levels, for two seats."""

    @abstractmethod
    def worths(self, state: S, seat: Seat, moves: Sequence[Move]) -> Sequence[int]:
        """How much each of some moves is worth at first sight: what `greedy` plays by.

        It reads only what the seat may see, so it does the same on its view and on every deal.
        """

    def own_worths(self, state: S, seat: Seat, moves: Sequence[Move]) -> Sequence[int]:
        """The same with less of a look at others and ahead: what a beginner plays by."""
        return self.worths(state, seat, moves)

    def insights(
        self,
        state: S,
        seat: Seat,
        moves: Sequence[Move],
        *,
        patience: int,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> Sequence[int]:
        """How much each move is worth to who thinks: the order of candidates of a search, which
        plays the first one unless another is better beyond doubt.

        It may cost some milliseconds, and reads only what the seat may see. `patience` is how much
        something counts that has to be waited for, from 0 to 100. What costs more than ten asks
        `goes_on` in between: once that says no nobody waits any more, and any worths will do.
        """
        return self.worths(state, seat, moves)

    def candidates(self, state: S, seat: Seat) -> int:
        """How many moves are worth thinking about here; 0 leaves it to the greedy judgement."""
        return 8

    @abstractmethod
    def rests(self, state: S, since: S) -> bool:
        """Whether a playout that began at `since` may stop: a scoring, a turn's beginning."""

    @abstractmethod
    def terms(self, state: S) -> Sequence[Terms]:
        """What a position promises each seat, seat 1 first; of a game that is over its score."""

    @abstractmethod
    def spread(self, state: S) -> int:
        """By how much the sum of the terms is usually wrong about the end, at least 1."""

    def stage(self, state: S) -> Stage | None:
        """How far the game has come: chances are worth a number in some stages only.

        The same for a state and for each of its views. None: there are never numbers. See
        `bluebear.rules.core.calibration`.
        """
        return None

    def rolled_for(self, state: S, seat: Seat, move: Move) -> tuple[int, ...] | None:
        """What the draws of a move are for (a seat, a turn, a kind of roll), as whole numbers.

        Draws for the same thing are the same in all playouts of one deal, whatever was drawn before
        it. None: they go by their order.
        """
        return None

    def core(self, view: S, seat: Seat) -> FastPlayouts | None:
        """Quicker playouts for a seat from its view; None: the rules play them."""
        return None

    def plan(
        self,
        view: S,
        seat: Seat,
        width: int,
        goes_on: Callable[[], bool],
        *,
        in_all: bool = False,
        patience: int = 100,
    ) -> Sequence[Move] | None:
        """A search of the game's own: what the seat does next, several moves where they belong
        together; the wider, the better and the longer. `in_all` makes it much narrower: so many
        drafts of it are kept in mind in all, not of each kind; for `patience` see `insights`.
        None: there is none here, or `goes_on` said no on the way.
        """
        return None


def stage_of(seats: int, done: int, whole: int) -> Stage:
    """The stage in which `done` of `whole` is played, whatever a game counts that by."""
    return Stage(seats, max(0, min(99, 100 * done // max(1, whole))))


def greedy_of(
    thinker: SearchModel[S],
) -> Callable[[S, Seat, Sequence[Move], Chance], Move]:
    """The house bot that plays by the worths alone; equals are decided by chance."""

    def greedy(view: S, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
        return best_of(moves, thinker.worths(view, seat, moves), chance)

    return greedy


def best_of(moves: Sequence[Move], worths: Sequence[int], chance: Chance) -> Move:
    """A move of the highest worth; equals are decided by chance, in one draw."""
    highest = max(worths)
    best = [move for move, worth in zip(moves, worths, strict=True) if worth == highest]
    return best[chance.pick(len(best))]


def sums_of(rest: PlayoutEnd) -> Mapping[Seat, int]:
    """What each seat is promised in all."""
    return {Seat(at): sum(terms) for at, terms in enumerate(rest.terms, start=1)}
