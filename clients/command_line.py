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

    words: tuple[str, ...]
    values: Mapping[str, str]
    switches: frozenset[str]


def read_arguments(
    argv: Sequence[str], *, values: frozenset[str], switches: frozenset[str], words_max: int
) -> Arguments:
    """Parse a command line. Raises UsageError.

    >>> read_arguments(["--name=Ayu", "x"], values={"name"}, switches=set(), words_max=1).values
    {'name': 'Ayu'}
    """
    words: list[str] = []
    found: dict[str, str] = {}
    switched: set[str] = set()
    left = list(argv)
    while left:
        word = left.pop(0)
        if not word.startswith("--"):
            words.append(word)
            continue
        name, equals, value = word.removeprefix("--").partition("=")
        if name in switches and not equals:
            switched.add(name)
        elif name not in values:
            raise UsageError("unknown_switch", word)
        elif equals:
            found[name] = value
        elif left:
            found[name] = left.pop(0)
        else:
            raise UsageError("missing_value", word)
    if len(words) > words_max:
        raise UsageError("extra_word", words[words_max])
    return Arguments(tuple(words), found, frozenset(switched))


def whole_number(arguments: Arguments, name: str, default: int, *, low: int, high: int) -> int:
    """The value of an option that must be a number from `low` to `high`. Raises UsageError."""
    given = arguments.values.get(name)
    if given is None:
        return default
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 20 else -1
    if not low <= number <= high:
        raise UsageError("bad_number", given)
    return number
