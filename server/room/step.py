"""The working copy while one entry is folded: what has changed so far, and what was told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bluebear.rules.core.game import NO_CHANGES, Game
from bluebear.rules.core.record import Head
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.type_codecs import Changes
from bluebear.rules.core.visibility import Event, Seat
from bluebear.server.journal import Entry
from bluebear.server.room.actor import Actor
from bluebear.server.room.changes import RoomChanges
from bluebear.server.room.log import with_told
from bluebear.server.room.quiet import marked
from bluebear.server.room.state import TABLE, Chair, Past, Recorded, Room, Table
from bluebear.server.room.versions import shown_by, version_of

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
        self._draft: Table | None = None
        self.state: Any = room.game  # Any: the state of whatever game is played
        self.counter = room.counter
        self.key = room.key
        self.since = room.since
        self.past: tuple[Past, ...] = room.past
        self.head: Head | None = room.head
        self.recorded: Recorded | None = room.recorded
        self.steps = room.steps
        self.patches: Changes | None = None  # of the one move of the entry
        self.digest = ""
        self.hidden_by: Seat | None = None
        """Who has made moves in this entry of which nobody else sees what they are."""
        self.sent_out = ""
        self.events: list[Event] = []

    @property
    def table(self) -> Table:
        """The draft of the table, to be written to; opened when it is first asked for."""
        if self._draft is None:
            self._draft = TABLE.draft(self.before.table)
        return self._draft

    @property
    def current(self) -> Table:
        """The table as it is now, for reading only: that opens no draft."""
        return self.before.table if self._draft is None else self._draft

    @property
    def game(self) -> Game[Any]:
        """The rules of this room; NotAllowed (version_gap) if the server does not have them."""
        return self.game_by(None if self.head is None else self.head.rules)

    def game_by(self, rules: int | None) -> Game[Any]:
        """The room's game by the rules of a number (None: the newest), as `game`."""
        key = self.before.table.game
        found = version_of(self.games, key, rules)
        if found is None:
            raise NotAllowed("version_gap", given=key)
        return found

    def name_of(self, seat: Seat) -> str:
        """What a seat is called at this moment."""
        return self.current.seats[seat].name

    def tell(self, event: Event) -> None:
        """Something happened."""
        self.events.append(event)

    def record(self, line: str) -> None:
        """Add a line to the record of the game."""
        quiet = () if self.recorded is None else self.recorded.quiet
        self.recorded = Recorded(self.recorded, line, self.version, self.now, quiet)

    def record_digest(self) -> None:
        """Add the digest of the game's state to the record, if the server has its rules."""
        rules = None if self.head is None else self.head.rules
        game = version_of(self.games, self.before.table.game, rules)
        if game is None:
            return
        self.digest = game.tree.digest(self.state)
        self.record(f"= {self.digest}")

    def fact(self, name: str) -> str:
        """A fact of the entry that is a text; empty where there is none."""
        return str(self.facts.get(name, ""))

    def chair(self, seat: Seat) -> Chair:
        """The chair of a seat; NotAllowed (no_such_seat) if nobody has it."""
        seats = self.table.seats
        if seat not in seats:
            raise NotAllowed("no_such_seat", given=seat)
        return seats[seat]

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
            for seat, chair in self.current.seats.items():
                if chair.person == person:
                    return seat
        return None

    def actor_name(self) -> str:
        """What the actor is called."""
        seat = self.seat_or_none()
        chair = None if seat is None else self.current.seats.get(seat)
        return self.fact("name") if chair is None else chair.name

    def touch(self, seats: Iterable[Seat]) -> None:
        """Note that lines meant for older versions are stale for these seats."""
        self.since = touched(self.since, seats, self.version)

    def done(self) -> tuple[Room, RoomChanges]:
        """The next room, and how it differs."""
        events = tuple(self.events)
        log, older = with_told(self.before, self.entry, events)
        table, patches = self.before.table, NO_CHANGES
        if self._draft is not None:
            table, patches = TABLE.settle(self._draft, table)
        room = Room(
            table=table,
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
            older=older,
            made=self.before.made,
            origin=self.before.origin,
        )
        game = shown_by(self.games, room)
        changes = RoomChanges(self.before, room, game, patches, self.patches)
        if self.hidden_by is not None:
            room = marked(self.before, room, changes, self.hidden_by, events)
        return room, changes


def touched(since: tuple[int, ...], seats: Iterable[Seat], version: int) -> tuple[int, ...]:
    """`since` of a room in which lines meant for older versions are stale for these seats."""
    made = list(since)
    for seat in seats:
        made[seat - 1] = version
    return tuple(made)
