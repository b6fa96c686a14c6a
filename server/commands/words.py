"""Reading typed text: heads, arguments, quotes, full-width characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bluebear.rules.core.slots import fold

SLASHES: Final = ("/", "／", "・")
"""What a command may begin with: a Japanese keyboard gives ・ where others have /."""
WHISPERS: Final = (";", "；")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Signs that move the cursor, break the line or turn its direction on other people's screens."""
_JOINERS: Final = "\u200c\u200d"
"""The only unseen signs with a meaning in talk: Persian needs one, emoji the other."""
_MARKS_IN_A_ROW: Final = 4
"""More marks on one letter are a flood that runs over the lines above and below."""
_WORD: Final = re.compile(r'["＂]([^"＂]*)["＂]|(\S+)')
UNTOLD: Final = "..."
"""Stands for a word of a line that may hold a password."""


class Form(Enum):
    """What a text is, by its first characters."""

    COMMAND = "command"
    WHISPER = "whisper"
    TALK = "talk"


@dataclass(frozen=True, slots=True)
class Typed:
    """A typed text, taken apart.

    `head` is the word after the slash, or whom a whisper is for. `text` is what follows, as it was
    typed; `rest` is the same without the `!` at its end that confirms a move.
    """

    form: Form
    head: str
    text: str
    rest: str
    confirmed: bool = False


def form_of(text: str) -> Form:
    """What a text is; nothing of it is normalised for that."""
    return _form(_cleaned(text))


def _cleaned(text: str) -> str:
    return _CONTROL.sub(" ", text).strip()


def _form(clean: str) -> Form:
    if clean.startswith(WHISPERS):
        return Form.WHISPER
    if not clean.startswith(SLASHES) or clean.startswith("・・") or clean[1:2] in ("/", "／"):
        return Form.TALK
    return Form.COMMAND


def take_apart(text: str) -> Typed:
    """What a text is. `//text` is talk that begins with a slash, and so is `・・・`."""
    clean = _cleaned(text)
    match _form(clean):
        case Form.WHISPER:
            return _whisper(clean[1:])
        case Form.TALK:
            begins_with_slash = clean.startswith(SLASHES) and not clean.startswith("・・")
            return _talk("/" + clean[2:] if begins_with_slash else clean)
        case Form.COMMAND:
            return _command(clean)


def _command(clean: str) -> Typed:
    head, said = _split(clean[1:])
    folded, rest = fold(head), said
    confirmed = clean.endswith(("!", "！"))
    if confirmed and said:
        rest = said[:-1].rstrip()
    elif confirmed:
        folded = folded.removesuffix("!")
    return Typed(Form.COMMAND, folded, said, rest, confirmed=confirmed)


def _talk(text: str) -> Typed:
    said = seen(text)
    return Typed(Form.TALK, "", said, said)


def seen(text: str) -> str:
    """What others see of a text: without unseen signs, with few marks on each letter."""
    return text if text.isascii() else "".join(_seen(text)).strip()


def _seen(text: str) -> Iterator[str]:
    marks, before = 0, " "
    for sign in text:
        category = unicodedata.category(sign)
        marks = marks + 1 if category.startswith("M") else 0
        joins = sign in _JOINERS and not before.isspace() and before not in _JOINERS
        if marks <= _MARKS_IN_A_ROW and (category != "Cf" or joins):
            before = sign
            yield sign


def _whisper(text: str) -> Typed:
    match = _WORD.match(text.lstrip())
    if match is None:
        return Typed(Form.WHISPER, "", "", "")
    said = seen(text.lstrip()[match.end() :].strip())
    return Typed(Form.WHISPER, _plain(match), said, said)


def _split(text: str) -> tuple[str, str]:
    parts = text.split(maxsplit=1)
    return (parts[0] if parts else ""), (parts[1] if len(parts) > 1 else "")


def _plain(match: re.Match[str]) -> str:
    """The word without its quotes, in half-width characters."""
    word = match[2] if match[1] is None else match[1]
    return unicodedata.normalize("NFKC", word)


def take_words(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text with the place where each ends; quotes hold a word together."""
    return ((_plain(match), match.end()) for match in _WORD.finditer(text))
