"""Where in a typed line a refused word stands, and what its candidates may stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.slots import InputToken, fold, tokens_of
from bluebear.server.commands.words import SLASHES, WHISPERS

Offers = Literal["line", "word", "range"]
"""What candidates are: whole lines, words for the marked place, or bounds to be read."""

_LEFT_OUT: Final = frozenset(("missing_argument", "command_missing"))
_HEADS: Final = frozenset(("unknown_command", "ambiguous_command", "whole_word", "nobody_here"))
"""What is wrong with the first word of a line, its slash or semicolon included."""
_RANGE: Final = re.compile(r"(n?\d+-n?\d+|[A-Z]\d-[A-Z]\d)")
_MARKS: Final = "".join((*SLASHES, *WHISPERS))
_QUOTES: Final = '"＂'


def locate(refusal: Refusal, text: str) -> None:
    """Note in a refusal where the refused word of a line is."""
    refusal.place = place_of(refusal, text)


def place_of(refusal: Refusal, text: str) -> tuple[int, int] | None:
    """From where to where, in code points, the refused word stands; None where none is meant.

    What was left out has its place at the end.
    """
    if refusal.code in _LEFT_OUT:
        return len(text), len(text)
    given = refusal.params.get("given")
    if not isinstance(given, str) or not given:
        return None
    words = tokens_of(text)
    if refusal.code in _HEADS and words and words[0].lstrip(_MARKS) == fold(given):
        return _span(words[:1])
    told = _told(given, text) if isinstance(given, InputToken) else None
    return told or _last(words[1:], tokens_of(given))


def _told(given: InputToken, text: str) -> tuple[int, int] | None:
    """The place that a word itself knows, counted behind the first word of the line."""
    behind = re.match(r"\s*\S+\s*", text)
    start = 0 if behind is None else behind.end()
    start, end = start + given.start, start + given.end
    # A short form is read as the line that it stands for, whose places are not those of the text.
    same = tokens_of(text[start:end]) == tokens_of(given)
    return (start, end) if same else None


def _last(words: Sequence[str], given: Sequence[str]) -> tuple[int, int] | None:
    """Where the same words stand for the last time: those before were read without complaint."""
    plain = [word.strip(_QUOTES) for word in words]
    wanted = [word.strip(_QUOTES) for word in given]
    for at in range(len(words) - len(wanted), -1, -1):
        if plain[at : at + len(wanted)] == wanted:
            return _span(words[at : at + len(wanted)])
    return None


def _span(words: Sequence[str]) -> tuple[int, int] | None:
    found = [word for word in words if isinstance(word, InputToken)]
    return (found[0].start, found[-1].end) if found else None


def offers_of(refusal: Refusal) -> Offers | None:
    """What the candidates of a refusal are; None where there are none."""
    if not refusal.candidates:
        return None
    if all(_RANGE.fullmatch(each) for each in refusal.candidates):
        return "range"
    lines = all(fold(each).startswith((*SLASHES, *WHISPERS)) for each in refusal.candidates)
    return "line" if lines and refusal.code not in _HEADS else "word"
