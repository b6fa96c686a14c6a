"""Playouts by the rules: a move, then greedy moves of all seats until the position is quiet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from bluebear.clients.bots.search.common_dice import Dice, mixed
from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.search_model import POINT, PlayoutEnd, SearchModel, best_of
from bluebear.rules.core.visibility import Eyes, Move, Seat

S = TypeVar("S")

_DICE: Final = 0
_POLICY: Final = 1
"""Separates the seeds of choices among equal moves from those of the dice."""
_BEYOND: Final = 2


class RulePlayouts(Generic[S]):
    """Playouts of one view by the rules; a `search_model.FastPlayouts`. Owned by one search.

    `has_budget` is polled before every move; if false, PlayoutCancelled is raised. `eyes` are those
    of the view, if it shows more than one seat's secrets.
    """

    def __init__(
        self,
        game: Game[S],
        thinker: SearchModel[S],
        view: S,
        seat: Seat,
        has_budget: Callable[[], bool] = lambda: True,
        *,
        eyes: Eyes = frozenset(),
    ) -> None:
        self._game = game
        self._thinker = thinker
        self._view = self._dealt = view
        self._seat = seat
        self._eyes = eyes or frozenset({seat})
        self._seed = 0
        self._has_budget = has_budget

    def deal(self, seed: int) -> None:
        """Deal another state that fits the view."""
        self._seed = seed
        self._dealt = self._game.determinize(self._view, self._eyes, FastChance(seed))

    def play_out(self, move: Move) -> PlayoutEnd:
        """The end of a playout of a move; raises PlayoutCancelled."""
        return self._play(self._seat, move, FastChance(mixed(self._seed, _POLICY)))

    def play_beyond(self, move: Move) -> PlayoutEnd:
        """The end of a playout after a move and its draws; raises PlayoutCancelled."""
        game = self._game
        dice = Dice(mixed(self._seed, _DICE))
        key = self._thinker.rolled_for(self._dealt, self._seat, move)
        if key is not None:
            dice.turn_to(key)
        outcome = game.play(self._dealt, self._seat, move, dice)
        if not outcome.to_move:
            return rest_of(game, self._thinker, outcome.state, None)
        # Later draws are independent of the draws of the move.
        self._seed = mixed(self._seed, _BEYOND)
        self._dealt = outcome.state
        return self.play_on()

    def play_on(self) -> PlayoutEnd:
        """The end of a playout of a running position; raises PlayoutCancelled."""
        policy = FastChance(mixed(self._seed, _POLICY))
        mover = min(self._game.to_move(self._dealt))
        legal = self._game.plain(self._dealt, mover)
        return self._play(
            mover, chosen_of(self._thinker, self._dealt, mover, legal, policy), policy
        )

    def _play(self, mover: Seat, move: Move, policy: Chance) -> PlayoutEnd:
        game, thinker, state = self._game, self._thinker, self._dealt
        dice = Dice(mixed(self._seed, _DICE))
        reply: Move | None = None
        for _ in range(game.info.longest):
            if not self._has_budget():
                raise PlayoutCancelled
            key = thinker.rolled_for(state, mover, move)
            if key is not None:
                dice.turn_to(key)
            outcome = game.play(state, mover, move, dice)
            state = outcome.state
            if not outcome.to_move:
                return rest_of(game, thinker, state, reply)
            if thinker.rests(state, self._dealt):
                break
            mover = min(outcome.to_move)
            legal = game.plain(state, mover)
            move = chosen_of(thinker, state, mover, legal, policy)
            if reply is None and mover != self._seat:
                reply = move
        return PlayoutEnd(tuple(thinker.terms(state)), thinker.spread(state), (), reply)


class PlayoutCancelled(Exception):
    """A playout was interrupted: its result is not needed any more."""


def chosen_of(
    thinker: SearchModel[S], state: S, seat: Seat, moves: Sequence[Move], chance: Chance
) -> Move:
    """The policy's choice: a move of the highest worth."""
    if len(moves) == 1:
        return moves[0]
    return best_of(moves, thinker.worths(state, seat, moves), chance)


def rest_of(game: Game[S], thinker: SearchModel[S], state: S, reply: Move | None) -> PlayoutEnd:
    """The end of a finished game."""
    result = game.result(state)
    standings = () if result is None else result.standings
    first = tuple(each.seat for each in standings if each.place == 1)
    return PlayoutEnd(tuple(thinker.terms(state)), thinker.spread(state), first, reply)


class UniformModel(SearchModel[S]):
    """The search model of a game without one: all moves are equal, playouts go to the end."""

    named = ("score",)
    sure = 130

    def __init__(self, game: Game[S]) -> None:
        self._game = game

    def worths(self, state: S, seat: Seat, moves: Sequence[Move]) -> Sequence[int]:
        return [0] * len(moves)

    def rests(self, state: S, since: S) -> bool:
        return False

    def terms(self, state: S) -> Sequence[tuple[int, ...]]:
        result = self._game.result(state)
        if result is None:
            return ()
        return [
            (POINT * each.score,) for each in sorted(result.standings, key=lambda one: one.seat)
        ]

    def spread(self, state: S) -> int:
        return 10 * POINT


def thinker_of(game: Game[S]) -> SearchModel[S]:
    """A game's search model, or `UniformModel`."""
    return game.thinker or UniformModel(game)
