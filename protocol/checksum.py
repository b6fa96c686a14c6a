"""The check sum of a view, by which a client checks its copy."""

import zlib
from collections.abc import Mapping

from bluebear.rules.core.merge_patch import Tree, canonical


def crc(view: Tree) -> int:
    """The check sum that `room` and `update` carry: CRC-32 of the canonical text.

    >>> crc({})
    2745614147
    """
    return zlib.crc32(canonical(view))


def crc_of_members(texts: Mapping[str, bytes]) -> int:
    """The check sum of an object, from the canonical texts of its members.

    >>> crc_of_members({"b": b"1", "a": canonical([])}) == crc({"a": [], "b": 1})
    True
    """
    members = (canonical(key) + b":" + texts[key] for key in sorted(texts))
    return zlib.crc32(b"{" + b",".join(members) + b"}")
