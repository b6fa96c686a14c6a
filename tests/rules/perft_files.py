"""Files of perft counts, `perft.txt`: how many sequences of lines games begin with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bluebear.rules.core.conformance.case import Case, read_case
from bluebear.rules.core.game import Game


@dataclass(frozen=True, slots=True)
class Perft:
    """One line of a perft file: a case and the expected counts."""

    line: str
    case: Case
    seed: int
    counts: tuple[int, ...]


def read_perft(text: str, games: Mapping[str, Game[Any]]) -> Iterator[Perft]:
    """The lines of a perft file. Raises ValueError or KeyError for a wrong line.

    `sealed seats=2 rounds=3 seed=1: 12 102  # comment` counts the sequences of one and two moves.
    """
    for full in text.splitlines():
        line = full.partition("#")[0].strip()
        if not line:
            continue
        played, _, counted = line.partition(":")
        key, *given = played.split()
        seeds = [int(each.removeprefix("seed=")) for each in given if each.startswith("seed=")]
        case = read_case(games[key], [each for each in given if not each.startswith("seed=")])
        counts = tuple(map(int, counted.split()))
        yield Perft(line=line, case=case, seed=seeds[0] if seeds else 1, counts=counts)
