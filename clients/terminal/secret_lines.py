"""Detects lines that contain a password: these are neither echoed nor stored in a history.

Only the server can interpret a command, but the history is written before its reply. So the check
errs towards secrecy, and takes every prefix of a name for the name.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from typing import Final

SLASHES: Final = ("/", "・")
"""The first characters of a command, after folding."""

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
"""Kana in hiragana, as the server folds names: this also matches katakana."""
_AFTER_ONE: Final = ("room", "部屋", "へや", "login", "ろぐいん")
"""Commands whose first argument is not a password."""
_NEW: Final = ("register", "登録", "とうろく", "password", "合言葉", "あいことば", "ぱすわーど")
_LACKING: Final = {"login": 1, "ろぐいん": 1, **dict.fromkeys(_NEW, 0)}
"""Full command names that need a password after this many arguments. For other commands, and for
abbreviated names, the server reports that the password is missing.
"""
_NEW_ROOM: Final = ("newroom", "新部屋", "しんへや", "部屋作成", "へやさくせい")
_PRIVACIES: Final = (
    *("public", "unlisted", "private", "公開", "限定公開", "非公開", "招待制"),
    *("こうかい", "げんていこうかい", "ひこうかい", "しょうたいせい"),
)
_HIRAGANA: Final = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
_MASK: Final = " ***"
_ARGUMENT: Final = re.compile(r"\S+")


def fold(text: str) -> str:
    """The text with full-width and capital letters as plain lowercase letters."""
    return unicodedata.normalize("NFKC", text).casefold()


def is_secret(line: str) -> bool:
    """Whether a line may contain a password."""
    return _public_arguments(line) is not None


def lacks_password(line: str) -> bool:
    """Whether a line still lacks its password."""
    folded = fold(line).strip()
    head, *arguments = folded[1:].split() or [""]
    return folded.startswith(SLASHES) and _LACKING.get(_hiragana(head)) == len(arguments)


def masked(line: str) -> str:
    """The line in the form that may be shown."""
    index = _public_arguments(line)
    return line if index is None else " ".join(line.split()[:index]) + _MASK


def covered(line: str) -> str:
    """The line with an asterisk for each character of a password, so of equal length."""
    index = _public_arguments(line)
    if index is None:
        return line
    at = 0
    for match in islice(_ARGUMENT.finditer(line), index):
        at = match.end()
    return line[:at] + "".join(sign if sign.isspace() else "*" for sign in line[at:])


def _public_arguments(line: str) -> int | None:
    """The number of words before the password of a line; None if it has no password."""
    folded = fold(line).strip()
    if not folded.startswith(SLASHES):
        return None
    head, *arguments = folded[1:].split()[:4] or [""]
    if not head or not arguments:
        return None
    if _names(head, _ALWAYS):
        return 1
    if _names(head, _NEW_ROOM):
        privacy = any(_names(argument, _PRIVACIES) for argument in arguments[1:2])
        index = 3 if privacy else 2
        return index if len(arguments) >= index else None
    return 2 if _names(head, _AFTER_ONE) and len(arguments) > 1 else None


def _names(head: str, names: tuple[str, ...]) -> bool:
    return any(name.startswith(_hiragana(head)) for name in names)


def _hiragana(text: str) -> str:
    return text.translate(_HIRAGANA)
