"""A fixed numbering of a game's lines: the index of a learner's policy.

A verb with at most `LINES_MAX` lines is listed line by line, whether a position ever allows them or
not. For a verb with more lines, or with an argument that is a list, the numbers are ranks among the
sorted legal lines: `/bid ~0` is the lowest legal bid, `/bid ~1` the next. In each position every
legal line has a number of its own. The numbers are valid for one version of the rules.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from bluebear.rules.core.grammar import Grammar, Verb
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.slots import Slot, by_number

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
            lines = _lines(grammar, verb)
            if lines is None:
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
        of_verb: dict[str, list[str]] = {}
        for line in lines:
            name = line[1:].partition(" ")[0]
            if name in self._ranked:
                of_verb.setdefault(name, []).append(line)
            else:
                found[self._indexes[line]] = line
        for name, several in of_verb.items():
            for rank, line in enumerate(sorted(several, key=by_number)):
                found[self._indexes[f"/{name} {RANK}{rank}"]] = line
        return found


def _lines(grammar: Grammar, verb: Verb) -> list[str] | None:
    """The canonical lines of a verb; None if they are too many to list."""
    domains: list[Sequence[Any]] = []  # Any: values of slots
    count = 1
    for slot in verb.slots:
        domain = _domain(slot)
        if domain is None:
            return None
        domains.append(domain)
        count *= len(domain)
        if count > LINES_MAX:
            return None
    names = [slot.name for slot in verb.slots]
    return list(_canonical(grammar, verb, names, itertools.product(*domains)))


def _canonical(
    grammar: Grammar, verb: Verb, names: Sequence[str], values: Iterable[Sequence[Any]]
) -> Iterator[str]:
    for each in values:
        line = grammar.format(verb.move(**dict(zip(names, each, strict=True))))
        try:
            grammar.parse(line)
        except Refusal:
            continue  # these arguments do not make a move together
        yield line


def _domain(slot: Slot) -> Sequence[Any] | None:
    """The values of a slot; None for a number with many values and for a list of values."""
    if slot.greedy or not slot.values():
        return None
    return list(slot.domain())
