"""The working copy while one entry is folded: what has changed so far, and what was told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.game import Game
from rules.core.phrases import Namer
from rules.core.record import Head
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Seat, but
from server.journal import Entry
from server.limits import LOG_LINES
from server.room.actor import Actor
from server.room.state import Chair, Logged, Past, Recorded, Room, Table

Games = Mapping[str, Game[Any]]  # Any: each game has a state class of its own


class Step:
    """One entry being folded into a room; owned by the call of `fold` that made it."""

    def __init__(self, room: Room, entry: Entry, games: Games) -> None:
        self.before = room
        self.entry = entry
        self.actor = Actor(entry.actor)
        self.now = entry.at
        self.version = entry.seq
        self.facts = entry.facts
        self.games = games
        self.table: Table = room.table
        self.state: Any = room.game  # Any: the state of whatever game is played
        self.counter = room.counter
        self.key = room.key
        self.since = room.since
        self.past: tuple[Past, ...] = room.past
        self.head: Head | None = room.head
        self.recorded: Recorded | None = room.recorded
        self.steps = room.steps
        self.digest = ""
        self.events: list[Event] = []

    @property
    def game(self) -> Game[Any]:
        """The rules of this room; NotAllowed (version_gap) if the server does not have them."""
        found = self.games.get(self.table.game)
        if found is None:
            raise NotAllowed("version_gap", given=self.table.game)
        return found

    @property
    def name_of(self) -> Namer:
        """What seats are called at this moment."""
        seats = self.table.seats
        return lambda seat: seats[Seat(seat)].name

    def tell(self, event: Event) -> None:
        """Something happened."""
        self.events.append(event)

    def record(self, line: str) -> None:
        """Add a line to the record of the game."""
        self.recorded = Recorded(self.recorded, line)

    def record_digest(self) -> None:
        """Add the digest of the game's state to the record."""
        self.digest = self.game.tree.digest(self.state)
        self.record(f"= {self.digest}")

    def fact(self, name: str) -> str:
        """A fact of the entry that is a text; empty where there is none."""
        return str(self.facts.get(name, ""))

    def chair(self, seat: Seat) -> Chair:
        """The chair of a seat; NotAllowed (no_such_seat) if nobody has it."""
        found = self.table.seats.get(seat)
        if found is None:
            raise NotAllowed("no_such_seat", given=seat)
        return found

    def set_chair(self, seat: Seat, chair: Chair) -> None:
        """Replace what is known of a seat."""
        self.table = but(self.table, seats=self.table.seats.put(seat, chair))

    def seat(self) -> Seat:
        """The seat of the actor; NotAllowed (not_seated) if he has none."""
        found = self.seat_or_none()
        if found is None:
            raise NotAllowed("not_seated")
        return found

    def seat_or_none(self) -> Seat | None:
        """The seat of the actor."""
        house = self.actor.house_seat
        return self.seat_of(self.actor.person) if house is None else house

    def seat_of(self, person: str) -> Seat | None:
        """The seat that a person owns."""
        if person:
            for seat, chair in self.table.seats.items():
                if chair.person == person:
                    return seat
        return None

    def actor_name(self) -> str:
        """What the actor is called."""
        seat = self.seat_or_none()
        if seat is not None and seat in self.table.seats:
            return self.table.seats[seat].name
        return self.fact("name")

    def touch(self, seats: frozenset[Seat] | tuple[Seat, ...]) -> None:
        """Note that lines meant for older versions are stale for these seats."""
        made = list(self.since)
        for seat in seats:
            made[seat - 1] = self.version
        self.since = tuple(made)

    def done(self) -> Room:
        """The next room."""
        log = self.before.log
        if self.events:
            told = Logged(self.version, self.now, tuple(self.events))
            log = (*log[-(LOG_LINES - 1) :], told)
        return but(
            self.before,
            table=self.table,
            game=self.state,
            version=self.version,
            at=self.now,
            counter=self.counter,
            key=self.key,
            since=self.since,
            past=self.past,
            head=self.head,
            recorded=self.recorded,
            steps=self.steps,
            log=log,
        )
