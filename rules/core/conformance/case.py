"""A case of a conformance run (a game, its options, its seats), and the error of a failed check."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bluebear.rules.core.chance import HmacChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import RULES_OPTION, Option, Options, OptionValue
from bluebear.rules.core.package_data import line_of

MANY_SEATS = 5
"""The most numbers of seats that are played, the lowest ones and the highest."""


class ConformanceError(Exception):
    """A game breaks its contract; the text says where, and which command reproduces it."""


@dataclass(frozen=True, slots=True)
class Case:
    """One set-up of a game."""

    game: Game[Any]  # Any: each game has a state class of its own
    options: Options
    seats: int

    def __str__(self) -> str:
        return f"{self.game.info.key} {' '.join(self.arguments())}"

    def arguments(self) -> list[str]:
        """The case as arguments, `seats=2 rounds=3`; `read_case` is the inverse."""
        chosen = sorted(self.game.info.texts_of(self.options))
        return [f"seats={self.seats}", *(f"{name}={text}" for name, text in chosen)]

    def chance(self, seed: int, counter: int = 0) -> HmacChance:
        """The draws of a run, made as in a real game, after draw number `counter`."""
        return HmacChance(hashlib.sha256(f"{self} {seed}".encode()).digest(), counter)

    def fault(self, sentence: str, seed: int | None = None) -> ConformanceError:
        """The error to raise for a fault of this case."""
        return game_fault(self.game, sentence, self.arguments(), seed)


def game_fault(
    game: Game[Any], sentence: str, arguments: Sequence[str] = (), seed: int | None = None
) -> ConformanceError:
    """The error to raise for a fault of a game, with the command that reproduces it."""
    what = " ".join([game.info.key, *arguments])
    package = game.package.rpartition(".")[0] or game.package
    place = "" if package == "bluebear.rules" else f" --package {package}"
    first = "" if seed is None else f" --first-seed {seed} --games 1"
    again = f"python -m bluebear.rules.core.conformance check {what}{place}{first}"
    return ConformanceError(f"{what}: {sentence}\n  again: {again}")


@contextmanager
def crashes(game: Game[Any], fault: Callable[[str], ConformanceError]) -> Iterator[None]:
    """Report any exception of a game's code as a fault: its line in the package, and its text."""
    try:
        yield
    except ConformanceError:
        raise
    except Exception as problem:
        raise fault(line_of(problem, game.package)) from problem


def read_case(game: Game[Any], arguments: Sequence[str]) -> Case:
    """The case of arguments like `seats=2 rounds=3 rules=1`; other options have their defaults.

    Raises ValueError for an unknown name or value.
    """
    seats = game.info.seats.min
    chosen: dict[str, OptionValue] = {}
    for argument in arguments:
        name, _, text = argument.partition("=")
        option = game.info.options.get(name)
        if name == "seats":
            seats = int(text)
        elif name == RULES_OPTION and text.isdigit() and int(text) in game.info.playable_rules:
            chosen[name] = int(text)
        elif option is not None and (value := option.read(text)) is not None:
            chosen[name] = value
        else:
            raise ValueError(f"{game.info.key} has no option {argument}")
    return Case(game, game.info.complete(chosen), seats)


def cases(game: Game[Any]) -> Iterator[Case]:
    """Set-ups in which every two values of two options meet, and each value all seats."""
    seats = seat_numbers(game.info.seats.min, game.info.seats.max)
    values = {name: _values_to_play(option) for name, option in game.info.options.items()}
    values[RULES_OPTION] = list(game.info.playable_rules)
    for *row, last in pairwise([*map(len, values.values()), len(seats)]):
        chosen = {name: values[name][at] for name, at in zip(values, row, strict=True)}
        yield Case(game, game.info.complete(chosen), seats[last])


def pairwise(counts: Sequence[int]) -> list[tuple[int, ...]]:
    """Few rows, in order, in which every two choices of two places occur; one has all first ones.

    The choices of each place are the numbers below its count.
    """
    choices = [[(place, choice) for choice in range(count)] for place, count in enumerate(counts)]
    pairs = itertools.combinations(choices, 2)
    missing = {pair for first, second in pairs for pair in itertools.product(first, second)}
    rows = [(0,) * len(counts)]
    while missing := missing.difference(itertools.combinations(enumerate(rows[-1]), 2)):
        row = dict(min(missing))
        # What has the most choices is the hardest to bring together, and comes first.
        for options in sorted(choices, key=len, reverse=True):
            if options[0][0] not in row:
                met = [sum(tuple(sorted((o, e))) in missing for e in row.items()) for o in options]
                row.update([options[met.index(max(met))]])
        rows.append(tuple(row[place] for place in range(len(counts))))
    return sorted(rows)


def seat_numbers(low: int, high: int) -> list[int]:
    """Every number of seats, or the lowest ones and the highest if there are many."""
    listed = list(range(low, high + 1))
    return listed if len(listed) <= MANY_SEATS else [*listed[: MANY_SEATS - 1], high]


def _values_to_play(option: Option) -> list[OptionValue]:
    """The default first, then every other value; of a number its bounds and `off`."""
    bounds = [option.low, option.high, *([0] if option.off else [])]
    values: dict[str, Sequence[OptionValue]] = {"switch": (False, True), "number": bounds}
    listed = values.get(option.kind, option.choices)
    return [option.default, *(value for value in listed if value != option.default)]
