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
        **dict(zip("авекмнорстухіјѕ", "abekmhopctyxljs", strict=True)),
        **dict(zip("αβεικνορτυχ", "abelkvoptux", strict=True)),
        **dict(zip("01|!iıł", "ollllll", strict=True)),
        **dict(zip("ー一ｰ‐", "----", strict=True)),
        **dict(zip("へべぺり二力工口卜夕八千才", "ヘベペリニカエロトタハチオ", strict=True)),
    }
)
"""What looks like another sign once case is folded: letters of other scripts, digits, strokes."""

_LOOK_ALIKE_CAPITALS: Final = str.maketrans("ΖΗΜΝΥ", "ZHMNY")
"""Greek capitals that look like another Latin letter than their small ones do."""

_WITH_LATIN: Final = frozenset(("LATIN", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "CJK"))
"""Scripts that one name may mix; letters of any other stand alone, so that none is slipped in."""

_UNSEEN: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters and marks that nobody sees."""

_MARKS_IN_A_ROW: Final = 2
"""Thai writes two over one letter; more is a flood."""


def clean_name(given: str) -> str:
    """The name as it is kept, in NFKC.

    Raises NotAllowed (name_bad) for what is no name: empty, too long, without a letter, with spaces
    or signs or what cannot be seen, of mixed scripts, or a word that the server needs for itself.
    """
    name = unicodedata.normalize("NFKC", given).strip()
    if not 1 <= len(name) <= NAME_MAX_CHARS or name_key(name) in _RESERVED_KEYS:
        raise NotAllowed("name_bad", most=NAME_MAX_CHARS)
    if not all(_may_stand(sign) for sign in name) or _too_many_marks(name) or _mixed(name):
        raise NotAllowed("name_bad", most=NAME_MAX_CHARS)
    if not any(unicodedata.category(sign).startswith("L") for sign in name):
        raise NotAllowed("name_bad", most=NAME_MAX_CHARS)
    return name


def _may_stand(sign: str) -> bool:
    # Letters, digits, and marks on letters, if they can be seen.
    category = unicodedata.category(sign)
    if sign in _UNSEEN or "VARIATION SELECTOR" in unicodedata.name(sign, ""):
        return False
    return category[0] in "LN" or category in ("Mn", "Mc") or sign in "_-."


def _mixed(name: str) -> bool:
    scripts = {
        unicodedata.name(sign, "").split(" ")[0]
        for sign in name
        if unicodedata.category(sign).startswith("L")
    }
    return len(scripts) > 1 and not scripts <= _WITH_LATIN


def _too_many_marks(name: str) -> bool:
    row = 0
    for sign in name:
        row = row + 1 if unicodedata.category(sign).startswith("M") else 0
        if row > _MARKS_IN_A_ROW:
            return True
    return unicodedata.category(name[0]).startswith("M")


def name_key(name: str) -> str:
    """What is equal for two names that a reader could take for each other."""
    shape = unicodedata.normalize("NFKC", name).translate(_LOOK_ALIKE_CAPITALS)
    return unicodedata.normalize("NFKC", shape.casefold()).translate(_LOOK_ALIKE)


_RESERVED_KEYS: Final = frozenset(name_key(word) for word in _RESERVED)
