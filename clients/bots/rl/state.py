"""A game as a state that is advanced by numbered actions, in the shape of OpenSpiel's states.

Actions are numbers of the action space. Dice fall within an action, drawn from the state's own
chance: there is no chance player. Of seats that move at once the lowest acts first.
Players are counted from 0.

A verb with at most `LINES_MAX` lines is listed line by line, whether a position ever allows them or
not. For a verb with more lines, or with an argument that is a list, the numbers are ranks among the
sorted legal lines: `/bid ~0` is the lowest legal bid, `/bid ~1` the next. In each position every
legal line has a number of its own. The numbers are valid for one version of the rules.

A game may have its own vector of a view (`Game.observation`). In that of all other games the index
of a leaf of the view is a hash of its path (feature hashing). A number is stored as its
value, true as 1, a string as 1 at an index of its path and text. Seats are counted from the
observing seat. Leaves may collide; the vector is long enough that few do.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import cache, cached_property, lru_cache
from typing import Any, Final, TypeVar
from zlib import crc32

from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.core.conformance.case import Case
from bluebear.rules.core.game import Game, Outcome
from bluebear.rules.core.merge_patch import canonical
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.slots import by_number
from bluebear.rules.core.visibility import Seat

S = TypeVar("S")

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
        self.moves = 0
        """The number of actions applied."""
        self._lines: dict[int, str] | None = None

    @property
    def state(self) -> Any:  # Any: the game's own state class
        """The full state, including hidden data."""
        return self._outcome.state

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
            self._lines = action_space(self._game).indexes(self.sorted_lines())
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
        self.moves += 1
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
        eyes = frozenset({Seat(player + 1)})
        return canonical(self._game.tree.view(self.state, eyes)).decode()

    def observation_tensor(self, player: int) -> Sequence[int]:
        """All that a player sees, as a vector of numbers."""
        seat = Seat(player + 1)
        return observation(self._game, self._game.seen(self.state, frozenset({seat})), seat)

    def clone(self, seed: int | None = None) -> State:
        """A copy. Its later dice come from `seed`; without one, they equal the original's."""
        made = State.__new__(State)
        made._case, made._game, made._outcome = self._case, self._game, self._outcome
        made.moves, made._lines = self.moves, self._lines
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


LINES_MAX: Final = 4096
"""The most lines of one verb that are listed line by line."""

RANK: Final = "~"
"""The sign before a rank."""


class ActionSpace:
    """The numbered lines of a game's grammar; `action_space` has that of each game."""

    def __init__(self, game: Game[Any]) -> None:  # Any: each game has a state class of its own
        listed: list[str] = []
        ranked: set[str] = set()
        for verb in game.grammar.verbs.values():
            if verb.move.takes_back:
                continue  # a bot never chooses to take a move back
            if (lines := _lines(game, verb.name)) is None:
                ranked.add(verb.name)
                listed += [f"/{verb.name} {RANK}{rank}" for rank in range(game.info.legal_bound)]
            else:
                listed += lines
        self.lines: tuple[str, ...] = tuple(sorted(set(listed), key=by_number))
        self._ranked = frozenset(ranked)
        self._indexes = {line: index for index, line in enumerate(self.lines)}

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def digest(self) -> str:
        """16 hexadecimal digits that differ when any line has another number."""
        return hashlib.sha256("\n".join(self.lines).encode()).hexdigest()[:16]

    def indexes(self, lines: Iterable[str]) -> dict[int, str]:
        """The legal lines of a position by their numbers.

        `lines` must be all legal lines, since some numbers are ranks. Raises KeyError for a line of
        another version of the rules.
        """
        made: dict[int, str] = {}
        ranks = Counter[str]()
        for line in sorted(lines, key=by_number):
            name = line[1:].partition(" ")[0]
            listed = f"/{name} {RANK}{ranks[name]}" if name in self._ranked else line
            made[self._indexes[listed]] = line
            ranks[name] += 1
        return made


@cache  # bounded: the games
def action_space(game: Game[Any]) -> ActionSpace:  # Any: as above
    """The numbering of all lines of this version of the rules."""
    return ActionSpace(game)


def _lines(game: Game[Any], name: str) -> list[str] | None:
    """The canonical lines of a verb; None if they are too many to list."""
    verb = game.grammar.verbs[name]
    # A slot without values is a number with many; a greedy one is a list.
    if any(slot.greedy or not slot.values() for slot in verb.slots):
        return None
    if math.prod(len(list(slot.domain())) for slot in verb.slots) > LINES_MAX:
        return None
    made = []
    for line in map(game.grammar.format, verb.moves()):
        with suppress(Refusal):  # some arguments do not make a move together
            game.grammar.parse(line)
            made.append(line)
    return made


TENSOR_LENGTH: Final = 2048
"""The length of the vector; the largest views have some thousand leaves."""

VALUE_MAX: Final = 2**20
"""The largest absolute value in the vector."""


def observation(game: Game[S], view: S, seat: Seat) -> Sequence[int]:
    """A view as a vector of fixed length, up to `VALUE_MAX`, as this seat observes it."""
    if (vector := game.observation(view, seat)) is not None:
        return vector
    dumped, made = game.tree.dump(view), [0] * TENSOR_LENGTH
    seats = dumped.get("seats")
    count = len(seats) if isinstance(seats, Mapping) else 0
    ring = {str(each): f"seat{(each - seat) % count}" for each in range(1, count + 1)}
    _fill(made, dumped, "", ring)
    return made


def _fill(made: list[int], tree: Any, path: str, ring: Mapping[str, str]) -> None:  # Any: a part
    if isinstance(tree, dict):
        by_seat = bool(ring) and tree.keys() == ring.keys()
        for key, below in tree.items():
            _fill(made, below, f"{path}.{ring[key] if by_seat else key}", ring)
    elif isinstance(tree, str):
        made[_index(f"{path}={tree}")] += 1
    elif isinstance(tree, (list, tuple)):
        for at, below in enumerate(tree):
            _fill(made, below, f"{path}.{at}", ring)
    elif tree is not None:
        index = _index(path)
        made[index] = max(-VALUE_MAX, min(VALUE_MAX, made[index] + int(tree)))


@lru_cache(maxsize=2**16)
def _index(path: str) -> int:
    return crc32(path.encode()) % TENSOR_LENGTH
