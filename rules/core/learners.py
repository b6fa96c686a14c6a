"""What learners get: lines as numbers (the index of a policy) and views as vectors.

A verb with at most `LINES_MAX` lines is listed line by line, whether a position ever allows them or
not. For a verb with more lines, or with an argument that is a list, the numbers are ranks among the
sorted legal lines: `/bid ~0` is the lowest legal bid, `/bid ~1` the next. In each position every
legal line has a number of its own. The numbers are valid for one version of the rules.

The index of a leaf of a view is a hash of its path (feature hashing). A number is stored as its
value, true as 1, a string as 1 at an index of its path and text. Seats are counted from the
observing seat. Leaves may collide; the vector is long enough that few do.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from typing import Any, Final, Generic, TypeVar
from zlib import crc32

from bluebear.rules.core.game_info import GameInfo
from bluebear.rules.core.grammar import Grammar, Verb
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.slots import by_number
from bluebear.rules.core.tree import StateTree
from bluebear.rules.core.visibility import Seat

S = TypeVar("S")

LINES_MAX: Final = 4096
"""The most lines of one verb that are listed line by line."""

RANK: Final = "~"
"""The sign before a rank."""


class ActionSpace:
    """The numbered lines of a grammar; at most `legal_bound` are legal in one position."""

    def __init__(self, grammar: Grammar, legal_bound: int) -> None:
        listed: list[str] = []
        ranked: set[str] = set()
        for verb in grammar.verbs.values():
            if verb.move.takes_back:
                continue  # a bot never chooses to take a move back
            if (lines := _lines(grammar, verb)) is None:
                ranked.add(verb.name)
                listed += [f"/{verb.name} {RANK}{rank}" for rank in range(legal_bound)]
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
        found: dict[int, str] = {}
        ranks = Counter[str]()
        for line in sorted(lines, key=by_number):
            name = line[1:].partition(" ")[0]
            listed = f"/{name} {RANK}{ranks[name]}" if name in self._ranked else line
            found[self._indexes[listed]] = line
            ranks[name] += 1
        return found


def _lines(grammar: Grammar, verb: Verb) -> list[str] | None:
    """The canonical lines of a verb; None if they are too many to list."""
    # A slot without values is a number with many; a greedy one is a list.
    if any(slot.greedy or not slot.values() for slot in verb.slots):
        return None
    if math.prod(len(list(slot.domain())) for slot in verb.slots) > LINES_MAX:
        return None
    made = []
    for line in map(grammar.format, verb.moves()):
        with suppress(Refusal):  # some arguments do not make a move together
            grammar.parse(line)
            made.append(line)
    return made


TENSOR_LENGTH: Final = 2048
"""The length of the vector; the largest views have some thousand leaves."""

VALUE_MAX: Final = 2**20
"""The largest absolute value in the vector."""


class Learner(Generic[S]):
    """What learners get of one game; a game may bring its own as `Game.learners`."""

    def __init__(self, grammar: Grammar, info: GameInfo, tree: StateTree[S]) -> None:
        self._grammar, self._info, self._tree = grammar, info, tree

    @cached_property
    def action_space(self) -> ActionSpace:
        """The numbering of all lines of this version of the rules."""
        return ActionSpace(self._grammar, self._info.legal_bound)

    def observation(self, view: S, seat: Seat) -> Sequence[int]:
        """A view as a vector of fixed length, up to `VALUE_MAX`, as this seat observes it."""
        dumped, made = self._tree.dump(view), [0] * TENSOR_LENGTH
        seats = dumped.get("seats")
        count = len(seats) if isinstance(seats, Mapping) else 0
        ring = {str(each): f"seat{(each - seat) % count}" for each in range(1, count + 1)}
        _fill(made, dumped, "", ring)
        return made


def _fill(made: list[int], tree: Any, path: str, ring: Mapping[str, str]) -> None:  # Any: a part
    if isinstance(tree, Mapping):
        by_seat = bool(ring) and tree.keys() == ring.keys()
        for key, below in tree.items():
            _fill(made, below, f"{path}.{ring[key] if by_seat else key}", ring)
    elif isinstance(tree, str):
        made[_place(f"{path}={tree}")] += 1
    elif isinstance(tree, Sequence):
        for index, below in enumerate(tree):
            _fill(made, below, f"{path}.{index}", ring)
    elif tree is not None:
        place = _place(path)
        made[place] = max(-VALUE_MAX, min(VALUE_MAX, made[place] + int(tree)))


@lru_cache(maxsize=2**16)
def _place(path: str) -> int:
    return crc32(path.encode()) % TENSOR_LENGTH
