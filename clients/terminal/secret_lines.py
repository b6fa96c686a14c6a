"""Which lines hold a password? Those are neither echoed nor kept in a history.

The server says what a command means, but a history is written before it answers: so this asks
too often rather than too seldom, and takes every prefix of a name for the name.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from typing import Final

SLASHES: Final = ("/", "・")
"""What a command begins with, after folding."""

_ALWAYS: Final = (
    "password",
    "合言葉",
    "あいことば",
    "ぱすわーど",
    "register",
    "登録",
    "とうろく",
    "notify",
    "通知",
    "つうち",
    "uninvite",
    "招待取消",
    "しょうたいとりけし",
)
"""Kana in hiragana, as the server reads names: so it finds kanji and katakana as well."""
_AFTER_ONE: Final = ("room", "部屋", "へや", "login", "ろぐいん")
"""A word that is no password stands before it."""
_LACKING: Final = {"login": 1, "ろぐいん": 1, "register": 0, "登録": 0, "とうろく": 0}
"""Whole names of commands that want a password after so many words. Of others, as of names that
are cut short, the server says that they lack it.
"""
_NEW_ROOM: Final = ("newroom", "新部屋", "しんへや", "部屋作成", "へやさくせい")
_PRIVACIES: Final = (
    *("public", "unlisted", "private", "公開", "限定公開", "非公開", "招待制"),
    *("こうかい", "げんていこうかい", "ひこうかい", "しょうたいせい"),
)
_HIRAGANA: Final = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
_MASK: Final = " ***"
_WORD: Final = re.compile(r"\S+")


def fold(text: str) -> str:
    """Full-width and capital letters as their plain twins."""
    return unicodedata.normalize("NFKC", text).casefold()


def is_secret(line: str) -> bool:
    """Whether a line may hold a password."""
    return _open_words(line) is not None


def lacks_password(line: str) -> bool:
    """Whether the password of a line is still to come."""
    folded = fold(line).strip()
    head, *words = folded[1:].split() or [""]
    return folded.startswith(SLASHES) and _LACKING.get(_hiragana(head)) == len(words)


def masked(line: str) -> str:
    """The line as it may be shown."""
    kept = _open_words(line)
    return line if kept is None else " ".join(line.split()[:kept]) + _MASK


def covered(line: str) -> str:
    """The line as long as it is, with an asterisk for every sign of a password."""
    kept = _open_words(line)
    if kept is None:
        return line
    at = 0
    for match in islice(_WORD.finditer(line), kept):
        at = match.end()
    return line[:at] + "".join(sign if sign.isspace() else "*" for sign in line[at:])


def _open_words(line: str) -> int | None:
    """How many words of a line with a password come before it; None if there is none."""
    folded = fold(line).strip()
    if not folded.startswith(SLASHES):
        return None
    head, *words = folded[1:].split()[:4] or [""]
    if not head or not words:
        return None
    if _names(head, _ALWAYS):
        return 1
    if _names(head, _NEW_ROOM):
        privacy = any(_names(word, _PRIVACIES) for word in words[1:2])
        kept = 3 if privacy else 2
        return kept if len(words) >= kept else None
    return 2 if _names(head, _AFTER_ONE) and len(words) > 1 else None


def _names(head: str, names: tuple[str, ...]) -> bool:
    return any(name.startswith(_hiragana(head)) for name in names)


def _hiragana(text: str) -> str:
    return text.translate(_HIRAGANA)
