"""A question to a person before a plain move that may be a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Confirmation(NamedTuple):
    """Why a legal move may be a mistake: a phrase `confirm.NAME` and its parameters."""

    phrase: str
    params: Mapping[str, Any]  # Any: numbers and words, as in every phrase
