"""Parses records: the inverse of `format_record`, strict to the last byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from bluebear.rules.core.record import model
from bluebear.rules.core.record.error import RecordError
from bluebear.rules.core.visibility import Seat

_NUMBER: Final = r"[1-9][0-9]{0,8}"
_COUNT: Final = rf"0|{_NUMBER}"
_HEX: Final = r"[0-9a-f]+"
_PART: Final = (
    rf"chance (?P<id>\S+) lines (?P<lines>{_COUNT}) S (?P<secret>{_HEX})"
    rf" order(?P<order>(?: {_NUMBER})+)(?P<seeds>(?: {_NUMBER}={_HEX})*)"
)
_MOVED: Final = re.compile(rf"(?P<clock>@clock )?(?P<seat>{_NUMBER}) (?P<lines>[/?].*)")
_FIELDS: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = {
    **dict.fromkeys(("count", "minutes"), (_NUMBER, int)),
    **dict.fromkeys(("occupant", "name"), (r"\S+", str)),
    "seat": (_NUMBER, lambda text: Seat(int(text))),
    "digest": (_HEX, model.Hex),
}
"""The pattern of each field of `LINES`, and how it is read."""
_LINES: Final = [
    (kind, re.compile(text.format(**{name: f"(?P<{name}>{_FIELDS[name][0]})" for name in _FIELDS})))
    for kind, text in model.LINES.items()
]


class _Lines:
    """The lines of a text and the current line number. Owned by a call of `parse_record`."""

    def __init__(self, text: str) -> None:
        self._lines = text.removesuffix("\n").split("\n")
        self.number = 0

    def matches(self, pattern: str) -> re.Match[str] | None:
        """Consume the next line if it matches a pattern; else return None."""
        found = None
        if self.number < len(self._lines):
            found = re.fullmatch(pattern, self._lines[self.number])
        self.number += found is not None
        return found

    def match(self, pattern: str, expected: str) -> re.Match[str]:
        """Consume the next line, which must match a pattern."""
        found = self.matches(pattern)
        if found is None:
            if self.number == len(self._lines):
                raise RecordError(self.number + 1, "cut_short")
            raise RecordError(self.number + 1, "bad_record_line", expected=expected)
        return found


def parse_record(text: str) -> model.Record:
    """The record of a text. Raises RecordError at the first wrong line.

    Every record has exactly one text, so a line in another than the canonical form is an error,
    too. Only the newline after the last line may be missing.
    """
    lines = _Lines(text)
    if lines.matches(model.MAGIC) is None:
        raise RecordError(1, "no_record", expected=model.MAGIC)
    head = _head(lines)
    played: list[model.RecordLine] = []
    end = None
    while end is None and (found := lines.matches(".*")):
        if found[0] == model.RULE_OFF:
            end = _end(lines)
        else:
            played.append(_line(found[0], lines.number))
    record = model.Record(head, tuple(played), end)
    _check_same(text, record)
    return record


def parse_line(line: str) -> model.RecordLine:
    """Parse one line as `format_line` writes it. RecordError (line 1) for any other text."""
    return _line(line, 1)


def _line(line: str, number: int) -> model.RecordLine:
    if found := _MOVED.fullmatch(line):
        moves = tuple(found["lines"].split(model.JOINED_LINES))
        return model.Moved(Seat(int(found["seat"])), moves, by_clock=found["clock"] is not None)
    for kind, pattern in _LINES:
        if found := pattern.fullmatch(line):
            return kind(
                **{name: _FIELDS[name][1](text) for name, text in found.groupdict().items()}
            )
    raise RecordError(number, "bad_record_line", expected="SEAT /LINE")


def _head(lines: _Lines) -> model.Head:
    game = lines.match(rf"game (\S+) rules ({_NUMBER})", "game KEY rules N")
    identity = lines.match(r"id (\S+)", "id ID")
    options = lines.match(r"options((?: [^\s=]+=\S+)*)", "options NAME=VALUE ...")
    joined = lines.match(rf"joined((?: {_NUMBER}=\S+)+)", "joined 1=NAME ...")
    order = lines.match(rf"order((?: {_NUMBER})+)", "order SEAT ...")
    number = lines.number
    commit = lines.match(rf"commit ({_HEX})", "commit HEX")
    seeds = []
    while found := lines.matches(rf"seed ({_NUMBER}) ({_HEX})"):
        seeds.append((int(found[1]), model.Hex(found[2])))
    fork = _fork(lines)
    lines.match(model.RULE_OFF, model.RULE_OFF)
    made = model.Head(
        game=game[1],
        rules=int(game[2]),
        id=identity[1],
        options=tuple(_pair(each) for each in options[1].split()),
        joined=tuple(_pair(each)[1] for each in joined[1].split()),
        order=tuple(map(int, order[1].split())),
        commit=model.Hex(commit[1]),
        seeds=tuple(seeds),
        fork=fork,
    )
    if sorted(made.order) != list(range(1, len(made.joined) + 1)):
        raise RecordError(number, "bad_order", seats=len(made.joined))
    return made


def _fork(lines: _Lines) -> model.Fork | None:
    if (found := lines.matches(rf"fork (\S+) at ({_COUNT})")) is None:
        return None
    parts = []
    while part := lines.matches(_PART):
        parts.append(
            model.ForkSection(
                id=part["id"],
                lines=int(part["lines"]),
                order=tuple(map(int, part["order"].split())),
                secret=model.Hex(part["secret"]),
                seeds=tuple(
                    (int(seat), model.Hex(seed)) for seat, seed in map(_pair, part["seeds"].split())
                ),
            )
        )
    return model.Fork(id=found[1], move=int(found[2]), parts=tuple(parts))


def _end(lines: _Lines) -> model.End:
    ways = [how.value for how in model.EndReason]
    how = lines.match(f"end ({'|'.join(ways)})", f"end {'|'.join(ways)}")
    secret = lines.matches(rf"S ({_HEX})")
    scores = lines.matches(rf"result((?: {_NUMBER}=-?[0-9]+)+)")
    total = lines.matches(rf"sum ({_HEX})")
    if lines.matches(".*"):
        raise RecordError(lines.number, "bad_record_line", expected="S, result, sum")
    pairs = [] if scores is None else [_pair(each) for each in scores[1].split()]
    return model.End(
        how=model.EndReason(how[1]),
        secret=None if secret is None else model.Hex(secret[1]),
        scores=tuple((Seat(int(seat)), int(score)) for seat, score in pairs),
        sum=None if total is None else model.Hex(total[1]),
    )


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def _check_same(text: str, record: model.Record) -> None:
    """Raise RecordError unless formatting the record gives the same text."""
    given = text.removesuffix("\n").split("\n")
    for number, (line, written) in enumerate(
        zip(given, model.record_lines(record), strict=True), 1
    ):
        if line != written:
            raise RecordError(number, "bad_record_line", expected=written)
