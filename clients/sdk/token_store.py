"""Where a person's token is kept: each return replaces it, for all who share it."""

from __future__ import annotations

from typing import Protocol


class Tokens(Protocol):
    """One person's token, also for the other clients that are the same person.

    A server makes a token void when the one that took its place is used. So a client asks for the
    newest before each hello, and keeps what each welcome tells, before it does anything else.
    """

    def recall(self) -> str | None:
        """The newest token; None for nobody yet."""

    def keep(self, token: str) -> None:
        """From now on this is the newest."""

    def forget(self) -> None:
        """The newest one is void: the person has logged out."""
