"""Secrets that are given out once and kept as hashes: resume tokens, invites, tickets."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeAlias

FreshBytes: TypeAlias = Callable[[int], bytes]
"""Gives so many random bytes."""


def token_from(domain: str, fresh: bytes) -> str:
    """A secret of 128 bits, derived from fresh random bytes for one purpose."""
    return hashlib.sha256(domain.encode() + fresh).hexdigest()[:32]


def token_hash(token: str) -> str:
    """How a token is kept: 128 random bits need no salt and no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()
