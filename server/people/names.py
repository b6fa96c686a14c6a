"""What can be a person's name, and when two names look the same: they have one key.

The key is a skeleton by Unicode's confusables, taken in both cases, with what readers of Latin and
Japanese mix up beyond that. Signs that look alike in different scripts are the same: カ (katakana)
and 力 (a kanji), ー and 一. A name may have any of them; one that differs from it in these alone is
its look-alike.

Keys are stored: a change of what they are made of is a new layout of the journal, whose step gives
every name its new key.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.limits import NAME_MAX_CHARS
from bluebear.server.people.confusables import ALIKE, skeleton

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
"""Before anything else: Unicode has it look like a Greek letter, readers read it as two."""

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


def readable_part(given: str) -> str | None:
    """What of a text may stand in a name, cut to its length.

    None where that is no name, or a word that the server needs for itself.
    """
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
    """Whether a letter is a plain Latin one with accents, or one of the few others."""
    parts = unicodedata.normalize("NFD", sign)
    base, marks = parts[0], parts[1:]
    plain = base.isascii() and base.isalpha() and all(map(unicodedata.combining, marks))
    return plain or base.lower() in _LATIN


def name_key(name: str) -> str:
    """What is equal for two names that a reader could take for each other."""
    shape = skeleton(unicodedata.normalize("NFKC", name).translate(_SPELT_OUT))
    # Case is folded in the middle: capitals look like others than their small letters do.
    shape = skeleton(shape.casefold()).translate(ALIKE)
    return unicodedata.normalize("NFC", shape)


def _bare(name: str) -> str:
    """What a reader takes a name for who looks for a word: without signs, letters as they look."""
    return "".join(sign for sign in name_key(name) if sign not in _SIGNS)


_RESERVED_KEYS: Final = frozenset(_bare(word) for word in _RESERVED)
