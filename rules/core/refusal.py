"""The three refusals (not understood, not allowed, ambiguous), and the question before a move.

A refusal is raised as an exception and sent as data: a stable code, the paragraph of the rules
that is its reason, parameters, and candidates that would be right. Its sentence is the phrase
`refusal.CODE` of the game's catalogue, or of the server's if the server raised it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Refusal(Exception):
    """Base of the three; never raised itself."""

    def __init__(
        self,
        code: str,
        *,
        rule: str | None = None,
        candidates: Sequence[str] = (),
        **params: Any,  # Any: whatever the phrase of this code names
    ) -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.candidates = tuple(candidates)
        self.params = params
        self.span: tuple[int, int] | None = None
        """Start and end of the wrong text in the typed line; set by the code that has the line."""


class NotUnderstood(Refusal):
    """The text is no line: unknown command, missing or superfluous argument, invalid value."""


class NotAllowed(Refusal):
    """The line is understood, but a rule or a permission forbids it now."""


class Ambiguous(Refusal):
    """The text could mean several lines; the candidates say which."""


class Confirmation(NamedTuple):
    """Why a legal move may be a mistake: a phrase `confirm.NAME` and its parameters."""

    phrase: str
    params: Mapping[str, Any]  # Any: numbers and words, as in every phrase
