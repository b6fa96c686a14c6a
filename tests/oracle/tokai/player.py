"""What belongs to one seat of Tokai."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Player:
    """One seat: money in thousands of yen."""

    seat: int
    cash: int = 0
    has_ticket: bool = False
    is_in: bool = True
    at: str = ""
    origin: str = ""
    destination: str | None = None
    visited: set[str] = field(default_factory=set)
    through: set[str] = field(default_factory=set)
    """Lines ridden for 1 that belong to others (Rule: tokai 11.6)."""
