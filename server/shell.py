"""What a live room needs of the app around it; the app is one, a test may bring another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from protocol import Error
from protocol import Game as GameData
from rules.core.refusal import Refusal
from rules.core.vision import Seat
from server.caller import Caller
from server.clock import Clock
from server.commands.acts import Act
from server.commands.scene import World
from server.journal import Entry, GroupWriter
from server.room.step import Games

if TYPE_CHECKING:
    from server.engine.live import LiveRoom


class House(Protocol):
    """Who sends house bots to seats."""

    def want(self, room: str, seats: Mapping[Seat, str]) -> None:
        """The seats of a room that house bots play now, with their strategies."""


class Shell(Protocol):
    """What a live room needs of the app around it."""

    @property
    def games(self) -> Games:
        """All games by key."""

    @property
    def clock(self) -> Clock:
        """The time of day."""

    @property
    def fresh(self) -> Callable[[int], bytes]:
        """So many bytes that nobody can foresee."""

    @property
    def writer(self) -> GroupWriter:
        """Where entries are written."""

    @property
    def world(self) -> World:
        """What commands may look up."""

    @property
    def house(self) -> House:
        """Who sends house bots to seats."""

    def perform(self, caller: Caller, live: LiveRoom | None, act: Act, say_id: str) -> None:
        """Carry out an act that is no entry of the room."""

    def changed(self, live: LiveRoom, entry: Entry, *, summary: bool) -> None:
        """An entry of the room is committed."""

    def refuse(self, caller: Caller, say_id: str, refusal: Refusal) -> None:
        """Answer a line that is about no room that is live here."""

    def look_up(self, caller: Caller, say_id: str, otherwise: Error, *, go_in: bool) -> None:
        """Answer a line by its entry, if the journal has one; else by the refusal."""

    def answer_again(
        self, caller: Caller, say_id: str, stream: str, seq: int, *, go_in: bool
    ) -> None:
        """Answer a line that is entry `seq` of a stream already; `go_in`: it led into the room."""

    def hash_password(self, password: str, then: Callable[[str], None]) -> None:
        """Hash a password in a thread."""

    def lost(self, live: LiveRoom) -> None:
        """The room's state is not known any more: forget it and load it again when wanted."""

    def game_data(self, game: str) -> GameData | None:
        """A game's unchanging data, with its hash; None for a game that the server has not."""
