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

_SCRIPTS: Final = (
    "HIRAGANA LETTER ",
    "KATAKANA LETTER ",
    "CJK UNIFIED IDEOGRAPH-",
    "HANGUL SYLLABLE ",
)
"""Scripts that names are written in beside Latin: of those who play here, and that are told apart.
Whatever else looks like one of their letters cannot stand in a name.
"""

_LATIN: Final = frozenset("ßæœøđðþłħŋ")
"""Latin letters that are no plain ones with something added, in small."""

_SIGNS: Final = frozenset("_-.・")
"""What may stand between letters."""

_JAPANESE_MARKS: Final = frozenset("ー々ゝゞヽヾ〆")
"""What stands for a sound or a sign before it, and 〆."""

_ALIKE_TOGETHER: Final = (("rn", "m"), ("vv", "w"))
"""Letters that look like one, where a word is reserved."""


def clean_name(given: str) -> str:
    """The name as it is kept, in NFKC.

    Raises NotAllowed (name_bad) for what is no name: empty, too long, without a letter, with spaces
    or signs or what cannot be seen, of other scripts than these, or like a word that the server
    needs for itself.
    """
    name = unicodedata.normalize("NFKC", given).strip()
    good = (
        1 <= len(name) <= NAME_MAX_CHARS
        and all(map(_may_stand, name))
        and any(map(str.isalpha, name))
        and name[0] != "・"
        and _bare(name) not in _RESERVED_KEYS
    )
    if not good:
        raise NotAllowed("name_bad", most=NAME_MAX_CHARS)
    return name


def _may_stand(sign: str) -> bool:
    if sign.isascii():
        return sign.isalnum() or sign in _SIGNS
    if sign in _SIGNS or sign in _JAPANESE_MARKS:
        return True
    return _is_latin(sign) or unicodedata.name(sign, "").startswith(_SCRIPTS)


def _is_latin(sign: str) -> bool:
    """Whether a letter is a plain Latin one with accents, or one of the few others."""
    parts = unicodedata.normalize("NFD", sign)
    base, marks = parts[0], parts[1:]
    plain = base.isascii() and base.isalpha() and all(map(unicodedata.combining, marks))
    return plain or base.lower() in _LATIN


def _bare(name: str) -> str:
    """What a reader takes a name for who looks for a word: without signs, letters as they look."""
    shape = "".join(sign for sign in name_key(name) if sign not in _SIGNS)
    for pair, single in _ALIKE_TOGETHER:
        shape = shape.replace(pair, single)
    return shape


def name_key(name: str) -> str:
    """What is equal for two names that a reader could take for each other."""
    shape = unicodedata.normalize("NFKC", name).translate(_LOOK_ALIKE_CAPITALS)
    return unicodedata.normalize("NFKC", shape.casefold()).translate(_LOOK_ALIKE)


_RESERVED_KEYS: Final = frozenset(_bare(word) for word in _RESERVED)
