"""The record of a game as values, and their canonical text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Final, NewType

from bluebear.rules.core.grammar import CONCEALED
from bluebear.rules.core.visibility import Seat

MAGIC: Final = "bluebear record 1"
HEAD_LINE: Final = 2
OPTIONS_LINE: Final = 4
ORDER_LINE: Final = 6
COMMIT_LINE: Final = 7
RULE_OFF: Final = "--"
"""The separator line between the head, the lines and the end."""

JOINED_LINES: Final = " ; "
"""The separator between the canonical lines of one entry."""

Hex = NewType("Hex", str)
"""Bytes as lower-case hexadecimal digits."""


class EndReason(Enum):
    """How a game ended."""

    SCORE = "score"
    RESIGNED = "resigned"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class ForkSection:
    """The input of the draws in a fork's beginning: another game's header and published seed.

    It is valid for the set-up and for the lines of this record before index `lines`, from 0.
    """

    id: str
    lines: int
    order: tuple[int, ...]
    secret: Hex
    seeds: tuple[tuple[int, Hex], ...] = ()


@dataclass(frozen=True, slots=True)
class Fork:
    """The origin of a game that continues game `id` after its move `move`, as a replay counts.

    `parts` are in order; a fork of a fork has several. They are missing while the game runs.
    """

    id: str
    move: int
    parts: tuple[ForkSection, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """Everything that is fixed at the start of a game.

    `options` has every option in canonical text, by name. `joined` has the names of the players in
    the order of joining, `order` the joined numbers of the final seats, `seeds` the players'
    contributions to the seed by joined number. A `fork` begins with the lines of another game.
    """

    game: str
    rules: int
    id: str
    options: tuple[tuple[str, str], ...]
    joined: tuple[str, ...]
    order: tuple[int, ...]
    commit: Hex
    seeds: tuple[tuple[int, Hex], ...] = ()
    fork: Fork | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the table, by seat."""
        return tuple(
            house_bot_name(name.removeprefix(RECORDED_BOT), Seat(seat))
            if (name := self.joined[number - 1]).startswith(RECORDED_BOT)
            else name
            for seat, number in enumerate(self.order, 1)
        )


@dataclass(frozen=True, slots=True)
class Moved:
    """An entry of a seat; with `by_clock` the server played it when time was up."""

    seat: Seat
    lines: tuple[str, ...]
    by_clock: bool = False

    @property
    def concealed(self) -> bool:
        """Whether a part of it is hidden from the eyes that the record was made for."""
        return any(CONCEALED in line.split(" ") for line in self.lines)


@dataclass(frozen=True, slots=True)
class Undone:
    """The newest `count` entries that were not undone before were undone."""

    count: int


@dataclass(frozen=True, slots=True)
class Seated:
    """From here on another person or bot, `occupant`, plays the seat."""

    seat: Seat
    occupant: str


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat resigned."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Peeked:
    """From here on the spectator `name` sees what a seat sees, for `minutes` minutes."""

    seat: Seat
    minutes: int
    name: str


@dataclass(frozen=True, slots=True)
class Hinted:
    """A seat requested a hint."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Digested:
    """The digest of the state after the lines before."""

    digest: Hex


LINES: Final[Mapping[type[RecordLine], str]] = {
    Undone: "@undo {count}",
    Seated: "@seat {seat} {occupant}",
    Resigned: "@resign {seat}",
    Peeked: "@peek {seat} {minutes} {name}",
    Hinted: "@hint {seat}",
    Digested: "= {digest}",
}
"""The text of each kind of line but `Moved`, with its fields."""

RecordLine = Moved | Undone | Seated | Resigned | Peeked | Hinted | Digested


@dataclass(frozen=True, slots=True)
class End:
    """The end of a game. `secret` is the server's seed, `sum` the hash of all bytes above it.

    Both may be missing in an edited record.
    """

    how: EndReason
    secret: Hex | None = None
    scores: tuple[tuple[Seat, int], ...] = ()
    sum: Hex | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a game. Without an end it is of a running game, made for some eyes."""

    head: Head
    lines: tuple[RecordLine, ...] = ()
    end: End | None = None

    def line_number(self, index: int) -> int:
        """The line number in the text, from 1, of a line of the game, from 0."""
        return len(list(_head_lines(self.head))) + 2 + index

    @property
    def end_number(self) -> int:
        """The line number in the text at which the end begins."""
        return self.line_number(len(self.lines)) + 1


def format_record(record: Record) -> str:
    """The text of a record, with a newline at its end."""
    return _text(record.head, map(format_line, record.lines), record.end)


def _text(head: Head, lines: Iterable[str], end: End | None) -> str:
    """The text of a record with these lines. Raises ValueError if a name has a space."""
    ended = () if end is None else (RULE_OFF, *_end_lines(end))
    return "".join(f"{line}\n" for line in (*_head_lines(head), RULE_OFF, *lines, *ended))


def format_line(line: RecordLine) -> str:
    """The text of one line of the game."""
    if isinstance(line, Moved):
        return f"{'@clock ' if line.by_clock else ''}{line.seat} {JOINED_LINES.join(line.lines)}"
    values = {each.name: _unspaced(str(getattr(line, each.name))) for each in fields(line)}
    return LINES[type(line)].format(**values)


def sealed_text(head: Head, lines: Iterable[str], end: End) -> str:
    """The text of a finished game's record, from the texts of its lines and an end without sum."""
    text = _text(head, lines, end)
    return f"{text}sum {hashlib.sha256(text.encode()).hexdigest()}\n"


def _head_lines(head: Head) -> Iterator[str]:
    yield MAGIC
    yield f"game {_unspaced(head.game)} rules {head.rules}"
    yield f"id {_unspaced(head.id)}"
    yield _listed("options", [f"{name}={value}" for name, value in head.options])
    yield _listed("joined", [f"{seat}={name}" for seat, name in enumerate(head.joined, 1)])
    yield _listed("order", [str(seat) for seat in head.order])
    yield f"commit {head.commit}"
    for seat, seed in head.seeds:
        yield f"seed {seat} {seed}"
    if head.fork is not None:
        yield f"fork {_unspaced(head.fork.id)} at {head.fork.move}"
        yield from map(_part_line, head.fork.parts)


def _part_line(part: ForkSection) -> str:
    order = " ".join(map(str, part.order))
    seeds = "".join(f" {seat}={seed}" for seat, seed in part.seeds)
    return f"chance {_unspaced(part.id)} lines {part.lines} S {part.secret} order {order}{seeds}"


def _end_lines(end: End) -> Iterator[str]:
    yield f"end {end.how.value}"
    if end.secret is not None:
        yield f"S {end.secret}"
    if end.scores:
        yield _listed("result", [f"{seat}={score}" for seat, score in end.scores])
    if end.sum is not None:
        yield f"sum {end.sum}"


def _listed(name: str, items: Sequence[str]) -> str:
    return " ".join([name, *map(_unspaced, items)])


def _unspaced(text: str) -> str:
    if text.split() != [text]:
        raise ValueError(f"{text!r} cannot stand in a record: it is not one word")
    return text


# Names of people and house bots, in records and at the table.

HOUSE_BOT_PREFIX: Final = "@"
"""The prefix of house bot names at the table."""
RECORDED_BOT: Final = "bot:"
"""The prefix of house bot names in records."""


def house_bot_name(strategy: str, seat: Seat) -> str:
    """The name of a house bot at the table.

    >>> house_bot_name("club", Seat(2))
    '@club2'
    """
    return f"{HOUSE_BOT_PREFIX}{strategy}{seat}"
