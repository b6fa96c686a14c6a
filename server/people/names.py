"""Checks people's names, and computes the key that is equal for names that look the same.

The key is a skeleton by Unicode's confusables, taken in both cases, with the signs that readers of
Latin and Japanese confuse beyond that. Signs that look alike in different scripts have one key: カ
(katakana) and 力 (a kanji), ー and 一.

Keys are stored: a change of their computation needs a migration that computes all keys again.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.limits import NAME_MAX_CHARS
from bluebear.server.people.confusables import CONFUSABLE, skeleton

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
_SPELT_OUT: Final = str.maketrans({"ß": "ss", "ẞ": "ss"})
"""Replaced first: Unicode's data take ß for a Greek letter, readers read it as two letters."""

_SCRIPTS: Final = (
    "HIRAGANA LETTER ",
    "KATAKANA LETTER ",
    "CJK UNIFIED IDEOGRAPH-",
    "HANGUL SYLLABLE ",
)
"""The scripts of names besides Latin. Other scripts have letters that look like these."""

_LATIN: Final = frozenset("ßæœøđðþłħŋ")
"""Small Latin letters that do not decompose into a plain letter and marks."""

_SIGNS: Final = frozenset("_-.・")
"""Signs that names may contain besides letters and digits."""

_JAPANESE_MARKS: Final = frozenset("ー々ゝゞヽヾ〆")
"""Japanese repetition and length marks, and 〆."""


def clean_name(given: str) -> str:
    """The name as it is stored, in NFKC.

    Raises NotAllowed (name_bad) if it is empty, too long or reserved, has no letter, or has spaces,
    signs, invisible characters or letters of other scripts.
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


def usable_name(given: str) -> str | None:
    """A name from the characters of a text that names may contain; None if that is no name."""
    signs = filter(_may_stand, unicodedata.normalize("NFKC", given))
    try:
        return clean_name("".join(signs).lstrip("・")[:NAME_MAX_CHARS])
    except NotAllowed:
        return None


def _may_stand(sign: str) -> bool:
    if sign.isascii():
        return sign.isalnum() or sign in _SIGNS
    if sign in _SIGNS or sign in _JAPANESE_MARKS:
        return True
    return _is_latin(sign) or unicodedata.name(sign, "").startswith(_SCRIPTS)


def _is_latin(sign: str) -> bool:
    """Whether a sign is a plain Latin letter with accents, or one of `_LATIN`."""
    parts = unicodedata.normalize("NFD", sign)
    base, marks = parts[0], parts[1:]
    plain = base.isascii() and base.isalpha() and all(map(unicodedata.combining, marks))
    return plain or base.lower() in _LATIN


def name_key(name: str) -> str:
    """The key that is equal for two names that readers could confuse."""
    shape = skeleton(unicodedata.normalize("NFKC", name).translate(_SPELT_OUT))
    # Case is folded in the middle, since capitals look like other letters than small ones do.
    shape = skeleton(shape.casefold()).translate(CONFUSABLE)
    return unicodedata.normalize("NFC", shape)


def _bare(name: str) -> str:
    """The key of a name without signs, by which reserved names are recognized."""
    return "".join(sign for sign in name_key(name) if sign not in _SIGNS)


_RESERVED_KEYS: Final = frozenset(map(_bare, _RESERVED))
