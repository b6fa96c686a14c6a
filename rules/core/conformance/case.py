"""A case of a conformance run (a game, its options, its seats), and the error of a failed check."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bluebear.rules.core.chance import HmacChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import RULES_OPTION, Option, Options, OptionValue

MANY_CASES = 64
"""The most option sets that are all played; if there are more, each value is played once."""

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
        listed = self.game.info.options
        chosen = [
            f"{name}={listed[name].write(value)}"
            for name, value in self.options.items()
            if name in listed
        ]
        return [f"seats={self.seats}", *chosen]

    def chance(self, seed: int, counter: int = 0) -> HmacChance:
        """The draws of a run, made as in a real game, after draw number `counter`."""
        key = hashlib.sha256(f"{self} {seed}".encode()).digest()
        return HmacChance(key, counter)

    def fault(self, sentence: str, seed: int | None = None) -> ConformanceError:
        """The error to raise, with the command that reproduces it."""
        again = _command(self.game, self.arguments())
        first = "" if seed is None else f" --first-seed {seed} --games 1"
        return ConformanceError(f"{self}: {sentence}\n  again: {again}{first}")


def game_fault(game: Game[Any], sentence: str) -> ConformanceError:
    """The error to raise for a fault in all cases of a game together."""
    return ConformanceError(f"{game.info.key}: {sentence}\n  again: {_command(game, [])}")


def _command(game: Game[Any], arguments: Sequence[str]) -> str:
    """The command that checks a game, or one case of it."""
    package = game.package.rpartition(".")[0] or game.package
    place = [] if package == "bluebear.rules" else ["--package", package]
    return " ".join(
        ["python -m bluebear.rules.core.conformance check", game.info.key, *arguments, *place]
    )


def read_case(game: Game[Any], arguments: Sequence[str]) -> Case:
    """The case of arguments like `seats=2 rounds=3 rules=1`; other options have their defaults.

    Raises ValueError for an unknown name or value.
    """
    seats = game.info.min_seats
    chosen: dict[str, OptionValue] = {}
    for argument in arguments:
        name, _, text = argument.partition("=")
        if name == "seats":
            seats = int(text)
            continue
        if name == RULES_OPTION and text.isdigit() and int(text) in game.info.playable_rules:
            chosen[name] = int(text)
            continue
        option = game.info.options.get(name)
        value = None if option is None else option.read(text)
        if value is None:
            raise ValueError(f"{game.info.key} has no option {argument}")
        chosen[name] = value
    return Case(game, game.info.complete(chosen), seats)


def cases(game: Game[Any]) -> Iterator[Case]:
    """All cases of a game: every option set, or each value once if there are many, by seats."""
    for chosen in _option_sets(list(game.info.options.values())):
        for version in game.info.playable_rules:
            options = game.info.complete({**chosen, RULES_OPTION: version})
            for seats in seat_numbers(game.info.min_seats, game.info.max_seats):
                yield Case(game, options, seats)


def seat_numbers(low: int, high: int) -> list[int]:
    """Every number of seats, or the lowest ones and the highest if there are many."""
    listed = list(range(low, high + 1))
    return listed if len(listed) <= MANY_SEATS else [*listed[: MANY_SEATS - 1], high]


def _option_sets(options: Sequence[Option]) -> Iterator[dict[str, OptionValue]]:
    values = {option.name: _values_to_play(option) for option in options}
    count = 1
    for each in values.values():
        count *= len(each)
    if count <= MANY_CASES:
        for chosen in itertools.product(*values.values()):
            yield dict(zip(values, chosen, strict=True))
        return
    yield {}
    for name, each in values.items():
        yield from ({name: value} for value in each[1:])


def _values_to_play(option: Option) -> list[OptionValue]:
    """The default first, then every other value; of a number its bounds and `off`."""
    match option.kind:
        case "switch":
            found: list[OptionValue] = [False, True]
        case "number":
            found = [option.low, option.high, *([0] if option.off else [])]
        case _:
            found = list(option.choices)
    return [option.default, *(value for value in found if value != option.default)]
