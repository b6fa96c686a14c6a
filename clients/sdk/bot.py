"""What is a bot? A class that chooses one of the lines that are legal for its seat.

    class First(Bot):
        def choose(self, view, lines, clock):
            return lines[0]

The same class plays in a room, offline and in matches (docs/bots.md). It gets what came over the
wire for its seat, and nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from bluebear.clients.sdk.client_events import RoomId, Seat
from bluebear.protocol import Branch, Version


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A room at a version, as a seat sees it. `tree` is what came: `{"room": ..., "game": ...}`.

    `rules` is the version of the rules by which this game is played; None: the newest.
    """

    game: str
    seat: Seat
    version: Version
    tree: Branch
    room_id: RoomId
    rules: int | None = None

    @property
    def state(self) -> Branch:
        """The game as the seat sees it: hidden things are not in it."""
        return _below(self.tree, "game")

    @property
    def room(self) -> Branch:
        """The table: who sits where, options, clocks."""
        return _below(self.tree, "room")

    @property
    def names(self) -> Mapping[Seat, str]:
        """Who sits where."""
        chairs = cast("Mapping[str, Branch]", self.room.get("seats", {}))
        return {Seat(int(seat)): str(chair.get("name", "")) for seat, chair in chairs.items()}


@dataclass(frozen=True, slots=True)
class MoveClock:
    """The time of a decision, in seconds. `move`: an answer is wanted by then, never 0.

    `left`: what the seat's clock shows; None: the table has no clock, or none that counts seconds.
    """

    move: float
    left: float | None = None


class Chooser(Protocol):
    """Whatever chooses lines. Any object of this shape is a bot."""

    def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str | Awaitable[str]:
        """One of the lines, or an awaitable that has one; there is at least one line.

        When the game moves on while an awaitable is waited for, it is cancelled.
        """


class Bot:
    """A chooser to begin from. `random` draws what a seed says, so games can be played again."""

    def __init__(self, seed: int | None = None) -> None:
        self.random = random.Random(seed)

    def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str | Awaitable[str]:
        """One of the lines; this class takes any."""
        return self.random.choice(lines)


async def answer_of(bot: Chooser, view: View, lines: Sequence[str], clock: MoveClock) -> str:
    """What a bot chooses, waited for where it is to be."""
    chosen = bot.choose(view, lines, clock)
    return chosen if isinstance(chosen, str) else await chosen


def _below(tree: Branch, key: str) -> Branch:
    return cast(Branch, tree.get(key, {}))
