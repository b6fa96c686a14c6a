"""A game step by step: what each entry changed, for which viewers, and its events."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any, Final

from msgspec import Struct

from bluebear.rules.core.game import Game
from bluebear.rules.core.merge_patch import Branch, Shaped, merged
from bluebear.rules.core.record import HOUSE_BOT_PREFIX
from bluebear.rules.core.visibility import Event, Eyes, Seat
from bluebear.server.room.state import TABLE, Quiet, Table, unknown_to

NO_OWNS: Final[Mapping[Seat, Branch]] = {}


class Station(Struct, frozen=True):
    """The table and the game after one entry, and how they differ from those before.

    `table_patch` and `game_patch` are what all viewers see of that, None where it is nothing;
    `owns` has what only one seat sees, `quiet` how many entries so far only one seat knows of.
    """

    version: int
    at: int
    table: Table
    state: Any  # Any: the state of whatever game is played
    events: tuple[Event, ...]
    table_patch: Branch | None = None
    game_patch: Branch | None = None
    owns: Mapping[Seat, Branch] = NO_OWNS
    quiet: Quiet = ()

    def is_step(self, eyes: Eyes) -> bool:
        """Whether these eyes see anything else than before."""
        if self.table_patch is not None or self.game_patch is not None:
            return True
        return not self.owns.keys().isdisjoint(eyes)

    def version_for(self, eyes: Eyes) -> int:
        """Its version as these eyes count."""
        return self.version - unknown_to(eyes, self.quiet)

    def patch(self, eyes: Eyes) -> Shaped:
        """The merge patch from the view before to this one."""
        parts = [] if self.game_patch is None else [self.game_patch]
        parts += [self.owns[seat] for seat in sorted(eyes) if seat in self.owns]
        made: Shaped = {}
        if self.table_patch is not None:
            made["room"] = self.table_patch
        if parts:
            made["game"] = reduce(merged, parts)
        return made

    def name_of(self, seat: int) -> str:
        """What a seat was called then."""
        chair = self.table.seats.get(Seat(seat))
        return f"{HOUSE_BOT_PREFIX}{seat}" if chair is None else chair.name


class Course:
    """One game from the moment after its set-up; its maker adds to it."""

    def __init__(self, game: Game[Any], game_id: str) -> None:
        # Any: each game has a state class of its own.
        self.game = game
        self.game_id = game_id
        self.stations: list[Station] = []

    @property
    def length(self) -> int:
        """How many stations it has."""
        return len(self.stations)

    def until(self, version: int) -> Course:
        """The course as it was up to a version; itself where it has not come further."""
        if not self.stations or self.stations[-1].version <= version:
            return self
        made = Course(self.game, self.game_id)
        made.stations = [each for each in self.stations if each.version <= version]
        return made

    def steps(self, eyes: Eyes) -> list[Station]:
        """The beginning, and every station at which these eyes saw something new."""
        return [
            station
            for number, station in enumerate(self.stations)
            if number == 0 or station.is_step(eyes)
        ]

    def view(self, station: Station, eyes: Eyes) -> Shaped:
        """The whole view of a station, as it was sent then."""
        return {
            "room": TABLE.public(station.table),
            "game": self.game.tree.view(station.state, eyes),
        }
