"""The record of a game as values, and the one text that each of them has."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NewType, assert_never

from bluebear.rules.core.grammar import CONCEALED
from bluebear.rules.core.visibility import Seat

FORMAT: Final = 1
MAGIC: Final = f"bluebear record {FORMAT}"
RULE_OFF: Final = "--"
"""What parts the head, the lines and the end."""

JOINED_LINES: Final = " ; "
"""Between canonical lines that were one entry."""

Hex = NewType("Hex", str)
"""Bytes as small hexadecimal digits."""


class EndReason(Enum):
    """How a game ended."""

    SCORE = "score"
    RESIGNED = "resigned"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class ForkSection:
    """What the draws of a fork's beginning hang on: another game's chance, by its published seed.

    It holds for the lines of this record before number `lines`, counted from 0, and for the set-up.
    """

    id: str
    lines: int
    order: tuple[int, ...]
    secret: Hex
    seeds: tuple[tuple[int, Hex], ...] = ()


@dataclass(frozen=True, slots=True)
class Fork:
    """Says that a game goes on from another one, after a move as a replay of that one counts them.

    `parts` follow each other: there are several where a fork was forked. They are missing while
    the game runs.
    """

    id: str
    move: int
    parts: tuple[ForkSection, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """Everything that was fixed at the start.

    `options` hold every option in canonical text, by name. `joined` has who took which seat,
    `order` the joined numbers of the final seats, `seeds` the parts of the seed by joined number.
    A `fork` begins with the lines of another game.
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


@dataclass(frozen=True, slots=True)
class Moved:
    """An entry of a seat; `by_clock`: the server made it when time was up."""

    seat: Seat
    lines: tuple[str, ...]
    by_clock: bool = False

    @property
    def concealed(self) -> bool:
        """Whether something of it was hidden from those for whom the record was made."""
        return any(CONCEALED in line.split(" ") for line in self.lines)


@dataclass(frozen=True, slots=True)
class Undone:
    """The newest `count` entries that still stood were taken back."""

    count: int


@dataclass(frozen=True, slots=True)
class Seated:
    """From here on somebody else plays a seat."""

    seat: Seat
    occupant: str


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat gave up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Peeked:
    """From here on somebody who does not play sees what a seat sees, for so many minutes."""

    seat: Seat
    minutes: int
    name: str


@dataclass(frozen=True, slots=True)
class Hinted:
    """A seat asked what a program would play."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Digested:
    """The digest of the state at this place."""

    digest: Hex


RecordLine = Moved | Undone | Seated | Resigned | Peeked | Hinted | Digested


@dataclass(frozen=True, slots=True)
class End:
    """How it ended. `secret` is the server's seed, `sum` the hash of all bytes above it.

    Both may be missing in a record that somebody has edited.
    """

    how: EndReason
    secret: Hex | None = None
    scores: tuple[tuple[Seat, int], ...] = ()
    sum: Hex | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A game as text. Without an end it is that of a running game, made for some eyes."""

    head: Head
    lines: tuple[RecordLine, ...] = ()
    end: End | None = None

    def line_number(self, index: int) -> int:
        """Where a line of the game, counted from 0, stands in the text, counted from 1."""
        return len(list(_head_lines(self.head))) + 2 + index

    @property
    def end_number(self) -> int:
        """Where the end begins in the text."""
        return self.line_number(len(self.lines)) + 1


def format_record(record: Record) -> str:
    """The text of a record, with a newline at its end."""
    return "".join(f"{line}\n" for line in record_lines(record))


def record_lines(record: Record) -> Iterator[str]:
    """The lines of the text of a record. ValueError if a name in it has a space."""
    yield from _head_lines(record.head)
    yield RULE_OFF
    yield from map(format_line, record.lines)
    if record.end is not None:
        yield RULE_OFF
        yield from _end_lines(record.end)


def format_line(line: RecordLine) -> str:
    """The text of one line of the game."""
    match line:
        case Moved(seat=seat, lines=lines, by_clock=by_clock):
            return f"{'@clock ' if by_clock else ''}{seat} {JOINED_LINES.join(lines)}"
        case Undone(count=count):
            return f"@undo {count}"
        case Seated(seat=seat, occupant=occupant):
            return f"@seat {seat} {_word(occupant)}"
        case Resigned(seat=seat):
            return f"@resign {seat}"
        case Peeked(seat=seat, minutes=minutes, name=name):
            return f"@peek {seat} {minutes} {_word(name)}"
        case Hinted(seat=seat):
            return f"@hint {seat}"
        case Digested(digest=digest):
            return f"= {digest}"
        case _:
            assert_never(line)


def sealed(record: Record) -> Record:
    """The record of a finished game with the sum over its text. ValueError if it has no end."""
    if record.end is None:
        raise ValueError("a running game has no sum")
    bare = replace(record, end=replace(record.end, sum=None))
    return replace(record, end=replace(record.end, sum=sum_of(bare)))


def sum_of(record: Record) -> Hex:
    """The hash over the text of a record whose end has no sum."""
    return Hex(hashlib.sha256(format_record(record).encode()).hexdigest())


def _head_lines(head: Head) -> Iterator[str]:
    yield MAGIC
    yield f"game {_word(head.game)} rules {head.rules}"
    yield f"id {_word(head.id)}"
    yield _listed("options", [f"{name}={value}" for name, value in head.options])
    yield _listed("joined", [f"{seat}={name}" for seat, name in enumerate(head.joined, 1)])
    yield _listed("order", [str(seat) for seat in head.order])
    yield f"commit {head.commit}"
    for seat, seed in head.seeds:
        yield f"seed {seat} {seed}"
    if head.fork is not None:
        yield f"fork {_word(head.fork.id)} at {head.fork.move}"
        yield from map(_part_line, head.fork.parts)


def _part_line(part: ForkSection) -> str:
    order = " ".join(map(str, part.order))
    seeds = "".join(f" {seat}={seed}" for seat, seed in part.seeds)
    return f"chance {_word(part.id)} lines {part.lines} S {part.secret} order {order}{seeds}"


def _end_lines(end: End) -> Iterator[str]:
    yield f"end {end.how.value}"
    if end.secret is not None:
        yield f"S {end.secret}"
    if end.scores:
        yield _listed("result", [f"{seat}={score}" for seat, score in end.scores])
    if end.sum is not None:
        yield f"sum {end.sum}"


def _listed(name: str, words: Sequence[str]) -> str:
    return " ".join([name, *map(_word, words)])


def _word(text: str) -> str:
    if text.split() != [text]:
        raise ValueError(f"{text!r} cannot stand in a record: it is not one word")
    return text
