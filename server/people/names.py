"""Checks people's names, and computes the key that is equal for names that look the same.

The key is a skeleton by Unicode's confusables, taken in both cases, with the signs that readers of
Latin and Japanese confuse beyond that. Signs that look alike in different scripts have one key: カ
(katakana) and 力 (a kanji), ー and 一.

Keys are stored: a change of their computation needs a migration that computes all keys again.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from importlib import resources
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.limits import NAME_MAX_CHARS

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


_LOOKALIKES_OF_LATIN: Final = {
    # Small i and l meet in their capitals: I looks like l.
    "i": "l",
    # Small ð looks like this sign, which no name has; its capital looks like that of đ.
    "∂": "d",
    "w": "vv",
    "þ": "p",
    "ŋ": "n",
    # Strokes through a letter, as in Ø, dots above and whatever hangs below: hard to see in small.
    **dict.fromkeys("\u0335\u0336\u0337\u0338", ""),
    **dict.fromkeys("\u0307\u0323\u0324\u0325\u0326\u0327\u0328\u032d\u032e\u0330\u0331", ""),
    # Seen last between letters, and not at all at the end of a sentence. ・ is the third by then.
    **dict.fromkeys("._\u00b7", ""),
}


def _lines(file: str) -> list[str]:
    text = resources.files("bluebear.server.people").joinpath(file).read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def _pairs(file: str) -> Iterator[tuple[str, str]]:
    """Of each line `TARGET < SOURCES` its sources, each with the target that it looks like."""
    for line in _lines(file):
        target, _, sources = line.partition(" < ")
        yield from ((source, target) for source in sources.split())


_PROTOTYPES: Final = {
    int(source, 16): "".join(chr(int(number, 16)) for number in target.split("+"))
    for source, target in _pairs("confusables.txt")
}
"""Unicode's confusables (UTS 39): few of them differ by a dot or by the length of a stroke."""

_LOOKALIKES: Final = str.maketrans(dict(_pairs("lookalikes.txt")) | _LOOKALIKES_OF_LATIN)
"""From a sign to the sign that readers of Latin and Japanese take it for, beyond Unicode's."""


def _skeleton(text: str) -> str:
    """The NFD form that is equal for texts whose letters look alike; case-sensitive."""
    shape = unicodedata.normalize("NFD", text).translate(_PROTOTYPES)
    return unicodedata.normalize("NFD", shape)


def name_key(name: str) -> str:
    """The key that is equal for two names that readers could confuse."""
    shape = _skeleton(unicodedata.normalize("NFKC", name).translate(_SPELT_OUT))
    # Case is folded in the middle, since capitals look like other letters than small ones do.
    shape = _skeleton(shape.casefold()).translate(_LOOKALIKES)
    return unicodedata.normalize("NFC", shape)


def _bare(name: str) -> str:
    """The key of a name without signs, by which reserved names are recognized."""
    return "".join(sign for sign in name_key(name) if sign not in _SIGNS)


_RESERVED_KEYS: Final = frozenset(map(_bare, _lines("reserved.txt")))
