"""A game as a state that is advanced by numbered actions, in the shape of OpenSpiel's states.

Actions are numbers of the action space (`core.learners`). Dice fall within an action, drawn from
the state's own chance: there is no chance player. Of seats that move at once the lowest acts first.
Players are counted from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Final

from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.core.conformance.case import Case
from bluebear.rules.core.game import Game, Outcome
from bluebear.rules.core.merge_patch import canonical
from bluebear.rules.core.visibility import Seat

TERMINAL: Final = -4
"""The `current_player` of a finished game, as in OpenSpiel."""

POINTS: Final = 100
"""The returns of a game for one are its points divided by this number."""


class State:
    """A position of a game. `apply_action` changes it, `clone` copies it."""

    def __init__(self, case: Case, seed: int) -> None:
        self._case = case
        self._game: Game[Any] = case.game  # Any: each game has a state class of its own
        self._chance: Chance = FastChance(seed)
        self._outcome: Outcome[Any] = self._game.setup(case.options, case.seats, self._chance)
        self._moves = 0
        self._lines: dict[int, str] | None = None

    @property
    def state(self) -> Any:  # Any: the game's own state class
        """The full state, including hidden data."""
        return self._outcome.state

    @property
    def moves(self) -> int:
        """The number of actions applied."""
        return self._moves

    def num_players(self) -> int:
        """The number of seats."""
        return self._case.seats

    def current_player(self) -> int:
        """The player to act; TERMINAL if the game is over."""
        return min(self._outcome.to_move) - 1 if self._outcome.to_move else TERMINAL

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self._outcome.to_move

    def lines(self) -> dict[int, str]:
        """The legal actions of the current player, each with its line."""
        if self._lines is None:
            self._lines = self._game.learner.action_space.indexes(self.sorted_lines())
        return self._lines

    def sorted_lines(self) -> tuple[str, ...]:
        """The legal lines of the current player, as a server sends them."""
        player = self.current_player()
        moves = [] if player == TERMINAL else self._game.plain(self.state, Seat(player + 1))
        return tuple(map(self._game.grammar.format, moves))

    def legal_actions(self) -> list[int]:
        """The legal actions of the current player, sorted."""
        return sorted(self.lines())

    def action_to_string(self, action: int) -> str:
        """The line of a legal action."""
        return self.lines()[action]

    def apply_action(self, action: int) -> None:
        """Apply a legal action. KeyError for any other."""
        self.say(self.lines()[action])

    def say(self, line: str) -> None:
        """Apply a legal line of the current player. NotAllowed for any other."""
        seat = Seat(self.current_player() + 1)
        move = self._game.grammar.parse(line)
        self._outcome = self._game.play(self.state, seat, move, self._chance)
        self._moves += 1
        self._lines = None

    def returns(self) -> list[float]:
        """Each player's return: from 1 for the first to -1 for the last rank, ties in the middle of
        theirs. A game for one returns its points divided by 100. 0 while the game runs.
        """
        result = self._game.result(self.state)
        count = self._case.seats
        if result is None:
            return [0.0] * count
        placed = {each.seat: each for each in result.standings}
        if count == 1:
            return [placed[Seat(1)].score / POINTS]
        made = []
        for seat in range(1, count + 1):
            rank = placed[Seat(seat)].place
            ties = sum(each.place == rank for each in result.standings)
            made.append(1 - 2 * (rank - 1 + (ties - 1) / 2) / (count - 1))
        return made

    def information_state_string(self, player: int) -> str:
        """All that a player sees, as canonical text."""
        return canonical(self._view(player)).decode()

    def observation_tensor(self, player: int) -> Sequence[int]:
        """All that a player sees, as a vector of numbers."""
        seat = Seat(player + 1)
        return self._game.learner.observation(self._game.seen(self.state, frozenset({seat})), seat)

    def clone(self, seed: int | None = None) -> State:
        """A copy. Its later dice come from `seed`; without one, they equal the original's."""
        made = State.__new__(State)
        made._case, made._game, made._outcome = self._case, self._game, self._outcome
        made._moves, made._lines = self._moves, self._lines
        made._chance = copy(self._chance) if seed is None else FastChance(seed)
        return made

    def resample_from_infostate(self, player: int, seed: int) -> State:
        """Another state that this player cannot distinguish from the current one."""
        eyes = frozenset({Seat(player + 1)})
        made = self.clone(seed)
        view = self._game.seen(self.state, eyes)
        dealt = self._game.determinize(view, eyes, made._chance)
        made._outcome = Outcome(dealt, (), self._game.to_move(dealt))
        made._lines = None
        return made

    def _view(self, player: int) -> Any:  # Any: a plain tree
        return self._game.tree.view(self.state, frozenset({Seat(player + 1)}))
