"""What a game asks a person about before a plain move of his is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Confirmation(NamedTuple):
    """Why a legal move may be a slip: a phrase `confirm.NAME`, and what its braces say."""

    phrase: str
    params: Mapping[str, Any]  # Any: numbers and words, as in every phrase
