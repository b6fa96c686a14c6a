"""Secrets that are given out once and stored as hashes, and the hashes that name a body."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeAlias

from bluebear.protocol import Branch, canonical

FreshBytes: TypeAlias = Callable[[int], bytes]
"""Gives so many random bytes."""


def token_from(domain: str, fresh: bytes) -> str:
    """A secret of 128 bits, derived from fresh random bytes for one purpose."""
    return hashlib.sha256(domain.encode() + fresh).hexdigest()[:32]


def token_hash(token: str) -> str:
    """How a token is kept: 128 random bits need no salt and no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def body_hash(body: Branch) -> str:
    """A short name of a body (a catalogue, a game's data) that changes when the body does."""
    return hashlib.sha256(canonical(body)).hexdigest()[:16]
