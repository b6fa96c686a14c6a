"""What can be a person's name, and when two names look the same."""

from __future__ import annotations

import unicodedata
from typing import Final

from rules.core.refusal import NotAllowed
from server.limits import NAME_MAX_CHARS

_RESERVED: Final = frozenset(
    [
        "all",
        "admin",
        "anyone",
        "bluebear",
        "bot",
        "clock",
        "everybody",
        "everyone",
        "guest",
        "host",
        "house",
        "me",
        "moderator",
        "nobody",
        "none",
        "operator",
        "root",
        "seat",
        "server",
        "system",
        "you",
        "サーバー",
        "システム",
        "全員",
        "運営",
        "管理者",
    ]
)
_LOOK_ALIKE: Final = str.maketrans(
    {
        **dict(zip("авекмнорстухіјѕ", "abekmhopctyxijs", strict=True)),
        **dict(zip("αβεικνορτυχ", "abeikvoptux", strict=True)),
        **dict(zip("01|!", "olll", strict=True)),
        "l": "l",
        "ı": "i",
        "ー": "-",
        "一": "-",
        "ｰ": "-",
        "‐": "-",
    }
)
"""Letters of other scripts, and digits, that look like a Latin letter once case is folded."""

_MARKS_IN_A_ROW: Final = 1


def clean_name(given: str) -> str:
    """The name as it is kept: NFKC, without what cannot be seen.

    Raises NotAllowed (name_bad) for what is no name: empty, too long, without a letter, with spaces
    or signs, or a word that the server needs for itself.
    """
    name = unicodedata.normalize("NFKC", given).strip()
    if not 1 <= len(name) <= NAME_MAX_CHARS or name.casefold() in _RESERVED:
        raise NotAllowed("name_bad", most=NAME_MAX_CHARS)
    if not all(_may_stand(sign) for sign in name) or _too_many_marks(name):
        raise NotAllowed("name_bad", most=NAME_MAX_CHARS)
    if not any(unicodedata.category(sign).startswith("L") for sign in name):
        raise NotAllowed("name_bad", most=NAME_MAX_CHARS)
    return name


def _may_stand(sign: str) -> bool:
    # Letters, digits, marks on letters; U+115F and the like are letters that nobody sees.
    category = unicodedata.category(sign)
    if sign in "ᅟᅠㅤﾠ":
        return False
    return category[0] in "LN" or category in ("Mn", "Mc") or sign in "_-."


def _too_many_marks(name: str) -> bool:
    row = 0
    for sign in name:
        row = row + 1 if unicodedata.category(sign).startswith("M") else 0
        if row > _MARKS_IN_A_ROW:
            return True
    return unicodedata.category(name[0]).startswith("M")


def name_key(name: str) -> str:
    """What is equal for two names that a reader could take for each other."""
    return unicodedata.normalize("NFKC", name).casefold().translate(_LOOK_ALIKE)


__all__ = ["clean_name", "name_key"]
