"""What one process has of the server, in numbers: nothing of any one room, so it may be told."""

from __future__ import annotations

from msgspec import Struct


class NodeStats(Struct, array_like=True, frozen=True):
    """As the process counts it; `hours` is how long it has run, `troubles` are those of its health.

    `connections` count those of house bots; `rooms` are in memory, and in `games` of them people
    play; `entries` were written since its start.
    """

    version: str
    hours: int
    connections: int
    rooms: int
    games: int
    entries: int
    troubles: list[str]
