"""The contract between a game and the search, which is the same for all games.

The search (`clients/bots/search`) samples what a seat does not see, plays a few candidate moves on
the same samples and dice, each continued by the greedy policy, and compares the results. A game
says what moves and positions are worth (`SearchModel`), and may bring its own search (`plan`) or
faster playouts (`core`).

Numbers are whole, as everywhere in the rules. Terms and spreads are in hundredths of a point;
each game chooses the unit of its worths.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
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
"""The levels of house bots in a game that has a thinker, weakest first."""

POINT: Final = 100
"""A point in the unit of terms and spreads."""

Terms = tuple[int, ...]
"""The estimated values of a position for one seat, in the order of `SearchModel.named`."""


class PlayoutEnd(NamedTuple):
    """The position in which a playout has stopped.

    `terms` are those of each seat, seat 1 first. `first` has the winning seats of a finished game,
    none while it is played. `reply` is the next move of another seat.
    """

    terms: tuple[Terms, ...]
    spread: int
    first: tuple[Seat, ...] = ()
    reply: Move | None = None


class Stage(NamedTuple):
    """The progress of a game, from public information: `percent` played, from 0 to 99."""

    seats: int
    percent: int


class FastPlayouts(Protocol):
    """Playouts of one view: faster than by the rules, with the same results."""

    def deal(self, seed: int) -> None:
        """Sample what the seat does not see, by a seed; later playouts draw by the same seed."""

    def play_out(self, move: Move) -> PlayoutEnd:
        """Play on from a move of the searching seat, on the present sample."""


class SearchModel(ABC, Generic[S]):
    """A game's part of the search; stateless, and pure as all rules are."""

    named: ClassVar[tuple[str, ...]]
    """The names of the terms; each is the phrase `term.NAME` of the game."""
    sure: ClassVar[int] = 70
    """Hundredths of a standard error by which a move must beat the greedy move to be chosen."""

    near: ClassVar[int] = 0
    """A beginner accepts moves that look worse than the best by at most this, in worths."""

    planned: ClassVar[bool] = False
    """Whether all moves of a seat until it waits are one decision, made by `plan`, since no other
    seat moves in between."""

    @abstractmethod
    def worths(self, state: S, seat: Seat, moves: Sequence[Move]) -> Sequence[int]:
        """Quick values of some moves, by which `greedy` plays.

        It reads only what the seat may see: the result is equal for the view and each sample.
        """

    def beginner_worths(self, state: S, seat: Seat, moves: Sequence[Move]) -> Sequence[int]:
        """Values of moves for a beginner, who looks less ahead and less at the other seats."""
        return self.worths(state, seat, moves)

    def insights(
        self,
        state: S,
        seat: Seat,
        moves: Sequence[Move],
        *,
        patience: int,
        has_time: Callable[[], bool] = lambda: True,
    ) -> Sequence[int]:
        """Careful values of some moves, which order the candidates of a search. The search plays
        the first candidate unless another is clearly better.

        It may take some milliseconds, and reads only what the seat may see. `patience`, from 0 to
        100, weighs what pays later. A call of more than 10 ms checks `has_time` in between; once
        that is False the result is not used, and any values may be returned.
        """
        return self.worths(state, seat, moves)

    def candidates(self, state: S, seat: Seat) -> int:
        """How many moves to search here; 0 plays the greedy move without a search."""
        return 8

    @abstractmethod
    def rests(self, state: S, since: S) -> bool:
        """Whether a playout that started at `since` may stop: at a scoring, a turn's start."""

    @abstractmethod
    def terms(self, state: S) -> Sequence[Terms]:
        """The estimated values for each seat, seat 1 first; for a finished game the scores."""

    @abstractmethod
    def spread(self, state: S) -> int:
        """The usual error of the sum of the terms against the final score, at least 1."""

    def stage(self, state: S) -> Stage | None:
        """How far the game has come; the same for a state and each of its views.

        Win probabilities are shown as numbers in some stages only (`docs/search.md`), and never if
        this is None.
        """
        return None

    def rolled_for(self, state: S, seat: Seat, move: Move) -> tuple[int, ...] | None:
        """The purpose of a move's draws (a seat, a turn, a kind of roll), as whole numbers.

        Draws for one purpose are equal in all playouts of a sample, whatever was drawn before. If
        None, the draws depend on their order.
        """
        return None

    def core(self, view: S, seat: Seat) -> FastPlayouts | None:
        """Faster playouts for a seat from its view; None if playouts use the rules."""
        return None

    def plan(
        self,
        view: S,
        seat: Seat,
        width: int,
        has_time: Callable[[], bool],
        *,
        in_all: bool = False,
        patience: int = 100,
    ) -> Sequence[Move] | None:
        """A search by the game itself: the seat's next moves, several if they are one decision.

        A larger `width` is better and slower; with `in_all` it bounds all drafts together, not
        those of each kind. None if the game has no search here, or if `has_time` became False.
        """
        return None


def stage_of(seats: int, done: int, total: int) -> Stage:
    """The stage in which `done` of `total` is played, in any unit."""
    return Stage(seats, max(0, min(99, 100 * done // max(1, total))))


def greedy_of(
    thinker: SearchModel[S],
) -> Callable[[S, Seat, Sequence[Move], Chance], Move]:
    """The house bot that plays a move of the highest worth, chosen at random among equals."""

    def greedy(view: S, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
        return best_of(moves, thinker.worths(view, seat, moves), chance)

    return greedy


def best_of(moves: Sequence[Move], worths: Sequence[int], chance: Chance) -> Move:
    """A move of the highest worth, chosen among equals in one draw."""
    highest = max(worths)
    best = [move for move, worth in zip(moves, worths, strict=True) if worth == highest]
    return best[chance.pick(len(best))]
