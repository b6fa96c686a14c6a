"""Parser of command lines: arguments, switches, and named values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


class UsageError(Exception):
    """The command line is not understood; `key` names the phrase, `given` is the wrong argument."""

    def __init__(self, key: str, given: str) -> None:
        super().__init__(f"{key}: {given}")
        self.key = key
        self.given = given


@dataclass(frozen=True, slots=True)
class Arguments:
    """A parsed command line."""

    positional: tuple[str, ...]
    values: Mapping[str, str]
    switches: frozenset[str]


def read_arguments(
    argv: Sequence[str], *, values: frozenset[str], switches: frozenset[str], most: int
) -> Arguments:
    """Parse a command line. Raises UsageError.

    >>> read_arguments(["--name=Ayu", "x"], values={"name"}, switches=set(), most=1).values
    {'name': 'Ayu'}
    """
    positional: list[str] = []
    options: dict[str, str] = {}
    switched: set[str] = set()
    left = list(argv)
    while left:
        each = left.pop(0)
        if not each.startswith("--"):
            positional.append(each)
            continue
        name, equals, value = each.removeprefix("--").partition("=")
        if name in switches and not equals:
            switched.add(name)
        elif name not in values:
            raise UsageError("unknown_switch", each)
        elif equals:
            options[name] = value
        elif left:
            options[name] = left.pop(0)
        else:
            raise UsageError("missing_value", each)
    if len(positional) > most:
        raise UsageError("extra_word", positional[most])
    return Arguments(tuple(positional), options, frozenset(switched))


def read_number(arguments: Arguments, name: str, default: int, *, low: int, high: int) -> int:
    """The value of an option that must be a number from `low` to `high`. Raises UsageError."""
    given = arguments.values.get(name)
    if given is None:
        return default
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 20 else -1
    if not low <= number <= high:
        raise UsageError("bad_number", given)
    return number
