"""Homes of an account: marks of the networks from which its owner has come in.

A mark shows again that a network is the same; it does not tell which one. It is so short that one
network in 65,536 has the same, and it is made with the person's id, so that the marks of two people
cannot be compared: the store and its backups hold no address. A stranger's network may have the
mark of a home by chance, so what a mark allows is bounded for each mark
(`bluebear.server.features.accounts`).
"""

from __future__ import annotations

import hashlib
from typing import Final

from bluebear.server.limits import HOMES_PER_PERSON

_SIGNS: Final = 4
"""Hexadecimal ones: 16 bits."""


def home_mark(person: str, network: str) -> str:
    """The mark of a network for one person; "" for the house's own, which is none."""
    if not network:
        return ""
    return hashlib.sha256(f"home\0{person}\0{network}".encode()).hexdigest()[:_SIGNS]


def with_home(homes: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """With one more, if it is one; of too many, the one that was noted first goes."""
    if not mark or mark in homes:
        return homes
    return (*homes, mark)[-HOMES_PER_PERSON:]
