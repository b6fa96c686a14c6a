"""Parses records: the inverse of `format_record`, strict to the last byte; and what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import CORE, Lang
from bluebear.rules.core.record import model
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import Seat


class RecordError(Exception):
    """A record is wrong at a line; `code` is the key `record.CODE` of the core's phrases.

    `refusal` is the game's refusal, if a rule forbids the line.
    """

    def __init__(
        self,
        line: int,
        code: str,
        *,
        refusal: Refusal | None = None,
        **params: Any,  # Any: whatever the phrase of this code names
    ) -> None:
        super().__init__(f"line {line}: {code} {params}")
        self.line = line
        self.code = code
        self.refusal = refusal
        self.params = params


def explain(error: RecordError, lang: Lang, game: Game[Any] | None = None) -> str:
    """The error as a sentence; if `game` is given, with the sentence of its refusal."""
    sentence = CORE.say(f"record.{error.code}", lang, {"line": error.line, **error.params})
    if game is None or error.refusal is None:
        return sentence
    why = game.phrases.say(f"refusal.{error.refusal.code}", lang, error.refusal.params)
    return f"{sentence} {why}"


_NUMBER: Final = r"[1-9][0-9]{0,8}"
_COUNT: Final = rf"(?:0|{_NUMBER})"
_HEX: Final = r"[0-9a-f]+"
_REASONS: Final = "|".join(how.value for how in model.EndReason)
_FORK: Final = rf"fork (?P<id>\S+) at (?P<move>{_COUNT})\n"
_PART: Final = (
    rf"chance (?P<id>\S+) lines (?P<lines>{_COUNT}) S (?P<secret>{_HEX})"
    rf" order(?P<order>(?: {_NUMBER})+)(?P<seeds>(?: {_NUMBER}={_HEX})*)\n"
)
_NAME: Final = re.compile(r"\?P<\w+>")
_HEAD: Final = (
    (rf"game (?P<game>\S+) rules (?P<rules>{_NUMBER})\n", "game KEY rules N"),
    (r"id (?P<id>\S+)\n", "id ID"),
    (r"options(?P<options>(?: [^\s=]+=\S+)*)\n", "options NAME=VALUE ..."),
    (rf"joined(?P<joined>(?: {_NUMBER}=\S+)+)\n", "joined 1=NAME ..."),
    (rf"order(?P<order>(?: {_NUMBER})+)\n", "order SEAT ..."),
    (rf"commit (?P<commit>{_HEX})\n", "commit HEX"),
    (rf"(?P<seeds>(?:seed {_NUMBER} {_HEX}\n)*)", ""),
    (rf"(?P<fork>{_NAME.sub('?:', _FORK)}(?:{_NAME.sub('?:', _PART)})*)?", ""),
    (rf"{model.RULE_OFF}\n", model.RULE_OFF),
)
"""The patterns of a head, and the line that an error says is expected."""
_END: Final = (
    (rf"end (?P<how>{_REASONS})\n", f"end {_REASONS}"),
    (rf"(?:S (?P<secret>{_HEX})\n)?", ""),
    (rf"(?:result(?P<scores>(?: {_NUMBER}=-?[0-9]+)+)\n)?", ""),
    (rf"(?:sum (?P<sum>{_HEX})\n)?", ""),
    (r"\Z", "S, result, sum"),
)
_PATTERNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("count", "minutes", "seat"), _NUMBER),
    **dict.fromkeys(("occupant", "name"), r"\S+"),
    "digest": _HEX,
}
"""The patterns of the fields of `LINES`."""
_LINES: Final = [
    (kind, text.format(**{name: f"(?P<{name}>{each})" for name, each in _PATTERNS.items()}))
    for kind, text in model.LINES.items()
]
_MOVED: Final = rf"(?P<clock>@clock )?(?P<seat>{_NUMBER}) (?P<lines>[/?].*)"


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, _, value in (e.partition("=") for e in text.split()))


_READ: Final[Mapping[str, Callable[[str], Any]]] = {
    **dict.fromkeys(("rules", "move", "lines", "count", "minutes", "seat"), int),
    "options": _pairs,
    "joined": lambda text: tuple(name for _, name in _pairs(text)),
    "order": lambda text: tuple(map(int, text.split())),
    "seeds": lambda text: tuple(
        (int(seat), seed) for seat, seed in re.findall(rf"({_NUMBER})[ =]({_HEX})", text)
    ),
    "scores": lambda text: tuple((int(seat), int(score)) for seat, score in _pairs(text)),
    "how": model.EndReason,
    "fork": lambda text: model.Fork(
        **_values(re.match(_FORK, text)),
        parts=tuple(model.ForkSection(**_values(part)) for part in re.finditer(_PART, text)),
    ),
}
"""How fields are read; all others are texts."""


def _values(match: re.Match[str] | None) -> dict[str, Any]:
    """The fields of a match that are there."""
    found = {} if match is None else match.groupdict()
    return {n: _READ.get(n, str)(text) for n, text in found.items() if text is not None}


def _read(rows: Sequence[tuple[str, str]], text: str, start: int) -> tuple[dict[str, Any], int]:
    """The fields of a part of a text that begins at an index, and the index of its end."""
    values: dict[str, Any] = {}
    for pattern, expected in rows:
        if (match := re.compile(pattern).match(text, start)) is None:
            number = text.count("\n", 0, start) + 1
            if start == len(text):
                raise RecordError(number, "cut_short")
            raise RecordError(number, "bad_record_line", expected=expected)
        values |= _values(match)
        start = match.end()
    return values, start


def parse_record(text: str) -> model.Record:
    """The record of a text. Raises RecordError at the first wrong line.

    Every record has exactly one text, so a line in another than the canonical form is an error,
    too. Only the newline after the last line may be missing.
    """
    text = text.removesuffix("\n") + "\n"
    if not text.startswith(f"{model.MAGIC}\n"):
        raise RecordError(1, "no_record", expected=model.MAGIC)
    values, start = _read(_HEAD, text, len(model.MAGIC) + 1)
    head, number = model.Head(**values), text.count("\n", 0, start)
    if sorted(head.order) != list(range(1, len(head.joined) + 1)):
        raise RecordError(model.ORDER_LINE, "bad_order", seats=len(head.joined))
    played, end = list[model.RecordLine](), None
    for line in text[start:].split("\n")[:-1]:
        start += len(line) + 1
        if line == model.RULE_OFF:
            end = model.End(**_read(_END, text, start)[0])
            break
        played.append(parse_line(line, number + len(played) + 1))
    record = model.Record(head, tuple(played), end)
    lines = zip(text.split("\n"), model.format_record(record).split("\n"), strict=False)
    for number, (line, written) in enumerate(lines, 1):
        if line != written:
            raise RecordError(number, "bad_record_line", expected=written)
    return record


def parse_line(line: str, number: int = 1) -> model.RecordLine:
    """Parse a line as `format_line` writes it. RecordError (of this number) for any other text."""
    if match := re.fullmatch(_MOVED, line):
        moves = tuple(match["lines"].split(model.JOINED_LINES))
        return model.Moved(Seat(int(match["seat"])), moves, by_clock=match["clock"] is not None)
    for kind, pattern in _LINES:
        if match := re.fullmatch(pattern, line):
            return kind(**_values(match))
    raise RecordError(number, "bad_record_line", expected="SEAT /LINE")
