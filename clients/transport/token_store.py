"""Interface of the store of a person's token, which each return replaces, for all their clients."""

from __future__ import annotations

from typing import Protocol


class Tokens(Protocol):
    """The token of one person, shared by all clients of that person.

    A server revokes a token when its successor is used. So a client reads the newest token before
    each hello, and stores the token of each welcome before it does anything else.
    """

    def recall(self) -> str | None:
        """The newest token; None if the person is new."""

    def keep(self, token: str) -> None:
        """Store the newest token."""

    def forget(self) -> None:
        """Delete the newest token: the person has logged out."""
