"""The three refusals: not understood, not allowed, ambiguous.

A refusal is an exception inside one call and data outside it: a stable code, the rule that it
rests on, parameters, and candidates that would be right. Its sentence is the phrase
`refusal.CODE` of the catalogue of whoever raised it (a game's, or the server's).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


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
        self.place: tuple[int, int] | None = None
        """Where in the typed line it is wrong, for whoever knows the line."""


class NotUnderstood(Refusal):
    """The text is not a line: unknown word, missing or superfluous argument, absurd value."""


class NotAllowed(Refusal):
    """The line is clear, and a rule or a permission forbids it now."""


class Ambiguous(Refusal):
    """The text could mean several lines; the candidates say which."""
