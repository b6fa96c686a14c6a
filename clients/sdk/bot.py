"""The interface of a bot: a class that chooses one of the legal lines of its seat.

    class First(Bot):
        def choose(self, view, lines, clock):
            return lines[0]

The same class plays in a room, offline and in the arena (docs/bots.md). Its only input is what the
server sends to its seat.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from bluebear.clients.sdk.client_events import RoomId, Seat
from bluebear.clients.sdk.mirror import branch
from bluebear.protocol import Branch, Version


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A room at a version, as a seat sees it. `tree` is all of it: `{"room": ..., "game": ...}`.

    `rules` is the version of the game's rules; None means the newest.
    """

    game: str
    seat: Seat
    version: Version
    tree: Branch
    room_id: RoomId
    rules: int | None = None

    @property
    def state(self) -> Branch:
        """The game's view for the seat, without hidden data."""
        return branch(self.tree, "game")

    @property
    def room(self) -> Branch:
        """The table's view: seats, options, clocks."""
        return branch(self.tree, "room")

    @property
    def names(self) -> Mapping[Seat, str]:
        """The names of the seated players by seat."""
        chairs = cast("Mapping[str, Branch]", self.room.get("seats", {}))
        return {Seat(int(seat)): str(chair.get("name", "")) for seat, chair in chairs.items()}


@dataclass(frozen=True, slots=True)
class MoveClock:
    """The time for one decision, in seconds. `move` is the time limit of the reply, never 0.

    `left` is the time on the seat's clock; None if the table has no clock that counts seconds.
    """

    move: float
    left: float | None = None


class Chooser(Protocol):
    """A bot: any object with this method."""

    def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str | Awaitable[str]:
        """Choose one of `lines` (at least one), or return an awaitable of the choice.

        The awaitable is cancelled when the game moves on.
        """


class Bot:
    """Base class of bots. `random` is seeded with `seed`, so a game can be repeated."""

    def __init__(self, seed: int | None = None) -> None:
        self.random = random.Random(seed)

    def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str | Awaitable[str]:
        """Choose one of `lines`; the base class chooses at random."""
        return self.random.choice(lines)


async def answer_of(bot: Chooser, view: View, lines: Sequence[str], clock: MoveClock) -> str:
    """Call the bot's `choose`, and await the result if it is awaitable."""
    chosen = bot.choose(view, lines, clock)
    return chosen if isinstance(chosen, str) else await chosen
