"""A game as a state that is moved by numbers, in the shape that OpenSpiel gives to its games.

Actions are numbers of the vocabulary (`Game.vocabulary`). Dice fall within an action, drawn from
the state's own chance: there is no chance player. Of seats that are to move at once the lowest is
asked first. Players are counted from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Final

from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.core.conformance import Case
from bluebear.rules.core.game import Game, Outcome
from bluebear.rules.core.merge_patch import canonical
from bluebear.rules.core.visibility import Seat

TERMINAL: Final = -4
"""What `current_player` is when the game is over, as in OpenSpiel."""

POINTS: Final = 100
"""A game for one returns its points by so many."""


class State:
    """A moment of a game. `apply_action` changes it, `clone` makes one that goes its own way."""

    def __init__(self, case: Case, seed: int) -> None:
        self._case = case
        self._game: Game[Any] = case.game  # Any: each game has a state class of its own
        self._chance: Chance = FastChance(seed)
        self._outcome: Outcome[Any] = self._game.setup(case.options, case.seats, self._chance)
        self._moves = 0
        self._lines: dict[int, str] | None = None

    @property
    def state(self) -> Any:  # Any: the game's own state class
        """The whole state, hidden things included."""
        return self._outcome.state

    @property
    def moves(self) -> int:
        """How many actions were applied."""
        return self._moves

    def num_players(self) -> int:
        """How many seats there are."""
        return self._case.seats

    def current_player(self) -> int:
        """Who is to act; TERMINAL when it is over."""
        return min(self._outcome.to_move) - 1 if self._outcome.to_move else TERMINAL

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return not self._outcome.to_move

    def lines(self) -> dict[int, str]:
        """The legal actions of who is to act, each with its line."""
        if self._lines is None:
            self._lines = self._game.vocabulary.indexes(self.sorted_lines())
        return self._lines

    def sorted_lines(self) -> tuple[str, ...]:
        """The legal lines of who is to act, as a server sends them."""
        player = self.current_player()
        moves = [] if player == TERMINAL else self._game.plain(self.state, Seat(player + 1))
        return tuple(map(self._game.grammar.format, moves))

    def legal_actions(self) -> list[int]:
        """The legal actions of who is to act, sorted."""
        return sorted(self.lines())

    def action_to_string(self, action: int) -> str:
        """The line of a legal action."""
        return self.lines()[action]

    def apply_action(self, action: int) -> None:
        """Do a legal action. KeyError for any other."""
        self.say(self.lines()[action])

    def say(self, line: str) -> None:
        """Do a legal line of who is to act. NotAllowed for any other."""
        seat = Seat(self.current_player() + 1)
        move = self._game.grammar.parse(line)
        self._outcome = self._game.play(self.state, seat, move, self._chance)
        self._moves += 1
        self._lines = None

    def returns(self) -> list[float]:
        """What each player has got: from 1 for the first to -1 for the last place, ties in the
        middle of theirs. A game for one returns its points by the hundred. 0 while it goes on.
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
            place = placed[Seat(seat)].place
            ties = sum(each.place == place for each in result.standings)
            made.append(1 - 2 * (place - 1 + (ties - 1) / 2) / (count - 1))
        return made

    def information_state_string(self, player: int) -> str:
        """All that a player sees, as one canonical text."""
        return canonical(self._view(player)).decode()

    def observation_tensor(self, player: int) -> Sequence[int]:
        """All that a player sees, as a row of numbers."""
        seat = Seat(player + 1)
        return self._game.tensor(self._game.seen(self.state, frozenset({seat})), seat)

    def clone(self, seed: int | None = None) -> State:
        """The same moment. Dice that fall later are a seed's; without one, the same as here."""
        made = State.__new__(State)
        made._case, made._game, made._outcome = self._case, self._game, self._outcome
        made._moves, made._lines = self._moves, self._lines
        made._chance = copy(self._chance) if seed is None else FastChance(seed)
        return made

    def resample_from_infostate(self, player: int, seed: int) -> State:
        """Another moment that this player cannot tell from the present one."""
        eyes = frozenset({Seat(player + 1)})
        made = self.clone(seed)
        view = self._game.seen(self.state, eyes)
        dealt = self._game.deal(view, eyes, made._chance)
        made._outcome = Outcome(dealt, (), self._game.to_move(dealt))
        made._lines = None
        return made

    def _view(self, player: int) -> Any:  # Any: a plain tree
        return self._game.tree.view(self.state, frozenset({Seat(player + 1)}))
