"""The working copy of a room while one entry is folded, what the entry changed, and acts.

A room is played by the rules with which its game began. A quiet entry is a move that is visible to
its mover alone: it counts as no version for other viewers (`Room.version_for`) and is no line of
their record. Only moves that are hidden entirely can be quiet.

An act is what an entry can do in a room beside moves and talk, each declared once:

    class Kick(RoomAct, frozen=True):
        head = "/kick"
        name: str

        def fold(self, step: Step) -> None: ...

It is a value with typed fields. The journal stores its canonical line: the head, then the fields in
order (`/kick Ben`). Fields that are None are left out; a field in `named` is written as
`seed=VALUE`. Only the server and the clock send acts whose head begins with `@`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, Final, Self

from msgspec import Struct, convert

from bluebear.rules.core.event_text import event_view
from bluebear.rules.core.game import NO_CHANGES, Game
from bluebear.rules.core.record import Head
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.type_codecs import Changes
from bluebear.rules.core.visibility import Event, Seat, Visibility, but
from bluebear.server.limits import DIGEST_EVERY, LOG_LINES, UNDO_ENTRIES
from bluebear.server.room.state import (
    TABLE,
    Actor,
    Chair,
    Logged,
    Older,
    Past,
    Recorded,
    Room,
    Table,
    versions_for,
)
from bluebear.server.store import Entry

AnyGame = Game[Any]  # Any: each game, and each version of one, has a state class of its own
Games = Mapping[str, AnyGame]

_sight_of: Final = attrgetter("sight")
_name_of: Final = attrgetter("name")


def game_of(games: Games, room: Room) -> AnyGame | None:
    """The rules by which a room plays; None if the server does not have them."""
    return version_of(games, room.table.game, None if room.head is None else room.head.rules)


def shown_by(games: Games, room: Room) -> AnyGame | None:
    """The rules that show a room: its own version if the server has it, else the newest."""
    newest = games.get(room.table.game)
    if newest is None or room.head is None:
        return newest
    return newest.for_rules_version(room.head.rules) or newest


def version_of(games: Games, key: str, rules: int | None) -> AnyGame | None:
    """A game by its rules version (None: the newest); None if the server does not have it."""
    newest = games.get(key)
    return newest if newest is None or rules is None else newest.for_rules_version(rules)


class RoomChanges:
    """How a room differs from its previous version.

    `patches` are those of the entry's only move. Without them (several moves, undo) the two states
    of `game` are compared when `game` is first read.
    """

    def __init__(
        self,
        before: Room,
        after: Room,
        game: Game[Any] | None,  # Any: each game has a state class of its own
        table: Changes,
        patches: Changes | None,
    ) -> None:
        self.table = table
        self._before = before
        self._after = after
        self._game = game
        if patches is not None:
            self.game = patches

    @cached_property
    def game(self) -> Changes:
        """The changes of the game's state; none where the game starts or is cleared."""
        old, new = self._before.game, self._after.game
        if old is new or old is None or new is None:
            return NO_CHANGES
        return NO_CHANGES if self._game is None else self._game.tree.changes(old, new)


class Folded(Struct, frozen=True):
    """The room after an entry, its events and changes; the game's digest if one is due.

    `sent_out` is the id of the person that the entry removes from the room; "" is none.
    """

    room: Room
    events: tuple[Event, ...]
    changes: RoomChanges
    digest: str
    sent_out: str = ""


def is_private(events: tuple[Event, ...]) -> bool:
    """Whether no event is public."""
    return Visibility.PUBLIC not in map(_sight_of, map(type, events))


def append_events(
    room: Room, entry: Entry, events: tuple[Event, ...], seats: Mapping[Seat, Chair]
) -> tuple[tuple[Logged, ...], Older]:
    """A room's log and its hidden tail after an entry with these events, which led to `seats`."""
    if not events:
        return room.log, room.older
    names = tuple(zip(seats, map(_name_of, seats.values()), strict=True))
    if room.log and room.log[-1].names == names:
        names = room.log[-1].names  # one tuple for all entries of a game
    log = (*room.log[-(LOG_LINES - 1) :], Logged(entry.seq, entry.at, events, names))
    older = room.older
    if older.private or is_private(events):
        older = _older(room, log)
    return log, older


def _older(room: Room, log: tuple[Logged, ...]) -> Older:
    """As many public entries from before the log as the log has private ones."""
    private = sum(is_private(logged.events) for logged in log)
    dropped = room.log[: len(room.log) + 1 - len(log)]
    public = (*room.older.logged, *(each for each in dropped if not is_private(each.events)))
    return Older(public[-private:] if private else (), private)


def logged_for(room: Room) -> Iterator[Logged]:
    """The log, oldest first, after the public entries that private ones have displaced.

    A viewer who sees private entries gets a longer log than the others.
    """
    yield from room.older.logged
    yield from room.log


def marked(
    before: Room, room: Room, changes: RoomChanges, seat: Seat, events: tuple[Event, ...]
) -> Room:
    """The room after an entry of `seat`; a quiet entry is counted as quiet in the record."""
    if changes.table.public is not None or changes.table.private:
        return room
    game = changes.game
    if game.public is not None or not game.private.keys() <= {seat}:
        return room
    other_seats = frozenset(room.seats) - {seat}
    if any(event_view(event, other_seats) is not None for event in events):
        return room
    return but(room, recorded=_counted(room.recorded, before.recorded, seat, len(room.seats)))


def _counted(
    recorded: Recorded | None, until: Recorded | None, seat: Seat, seats: int
) -> Recorded | None:
    """The chain in which the lines after `until` (a move, maybe a digest) are quiet for a seat."""
    if recorded is None or recorded is until:
        return recorded
    counts = enumerate(recorded.quiet or (0,) * seats, 1)
    quiet = tuple(count + (each == seat) for each, count in counts)
    return but(recorded, before=_counted(recorded.before, until, seat, seats), quiet=quiet)


def quiet_seat(old: Room, new: Room) -> Seat | None:
    """The only seat that sees the entry between two rooms; None if the entry is not quiet."""
    if not new.quiet or new.recorded is old.recorded:
        return None
    before = old.quiet or (0,) * len(new.quiet)
    pairs = enumerate(zip(before, new.quiet, strict=True), 1)
    return next((Seat(seat) for seat, (was, now) in pairs if was != now), None)


def since_for(room: Room, seat: Seat | None) -> int:
    """The version, as a seat counts, before which its lines are stale; 0 without a seat."""
    if seat is None or seat > len(room.since):
        return 0
    return versions_for(room, frozenset((seat,)))(room.since[seat - 1])


class Step:
    """One entry being folded into a room; owned by the call of `fold` that created it."""

    def __init__(self, room: Room, entry: Entry, games: Games) -> None:
        self.before = room
        self.entry = entry
        self.actor = Actor(entry.actor)
        self.person = self.actor.person
        """The sender's id; "" for house bots, the clock and the server."""
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
        """The seat whose moves in this entry are hidden from all other seats."""
        self.sent_out = ""
        self.events: list[Event] = []

    @property
    def table(self) -> Table:
        """The writable draft of the table; opened when it is first read."""
        if self._draft is None:
            self._draft = TABLE.draft(self.before.table)
        return self._draft

    @property
    def current(self) -> Table:
        """The present table, for reading only: opens no draft."""
        return self.before.table if self._draft is None else self._draft

    @property
    def game(self) -> Game[Any]:
        """The rules of this room. Raises NotAllowed (version_gap) if the server lacks them."""
        return self.game_by(None if self.head is None else self.head.rules)

    def game_by(self, rules: int | None) -> Game[Any]:
        """The room's game by its rules version (None: the newest). Raises like `game`."""
        key = self.before.table.game
        game = version_of(self.games, key, rules)
        if game is None:
            raise NotAllowed("version_gap", given=key)
        return game

    def name_of(self, seat: int) -> str:
        """The present name of a seat."""
        return self.current.seats[Seat(seat)].name

    def tell(self, event: Event) -> None:
        """Add an event to the entry."""
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
        """A fact of the entry as text; "" if the entry does not have it."""
        return str(self.facts.get(name, ""))

    def chair(self, seat: Seat) -> Chair:
        """The chair of a seat. Raises NotAllowed (no_such_seat) if the seat is free."""
        seats = self.table.seats
        if seat not in seats:
            raise NotAllowed("no_such_seat", given=seat)
        return seats[seat]

    def seat(self) -> Seat:
        """The actor's seat. Raises NotAllowed (not_seated) if the actor has none."""
        seat = self.seat_or_none()
        if seat is None:
            raise NotAllowed("not_seated")
        return seat

    def seat_or_none(self) -> Seat | None:
        """The actor's seat; None if the actor has none."""
        return self.seat_of(self.person) if self.person else self.actor.house_seat

    def seat_of(self, person: str) -> Seat | None:
        """The seat that a person owns; None if they have none."""
        table = self.before.table if self._draft is None else self._draft
        if person:
            for seat, chair in table.seats.items():
                if chair.person == person:
                    return seat
        return None

    def actor_name(self, seat: Seat | None) -> str:
        """The actor's name; `seat` is the actor's seat."""
        chair = None if seat is None else self.current.seats.get(seat)
        return self.fact("name") if chair is None else chair.name

    def touch(self, seats: Iterable[Seat]) -> None:
        """Make lines that were sent for older versions stale for these seats."""
        self.since = touched(self.since, seats, self.version)

    def done(self) -> Folded:
        """Close the drafts; returns the room after the entry, its events and changes."""
        events = tuple(self.events)
        table, patches = self.before.table, NO_CHANGES
        if self._draft is not None:
            table, patches = TABLE.settle(self._draft, table)
        log, older = append_events(self.before, self.entry, events, table.seats)
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
        return Folded(room, events, changes, self.digest, self.sent_out)


def touched(since: tuple[int, ...], seats: Iterable[Seat], version: int) -> tuple[int, ...]:
    """`Room.since` after `version` made older lines of these seats stale."""
    versions = list(since)
    for seat in seats:
        versions[seat - 1] = version
    return tuple(versions)


def with_past(past: tuple[Past, ...], newest: Past) -> tuple[Past, ...]:
    """The undo positions (at most `UNDO_ENTRIES`, oldest first) with one more."""
    return (*past[-(UNDO_ENTRIES - 1) :], newest)


def digest_is_due(steps: int) -> bool:
    """Whether the record gets a digest after `steps` moves."""
    return steps > 0 and steps % DIGEST_EVERY == 0


# Acts.

ACTS: Final[dict[str, type[RoomAct]]] = {}
"""All subclasses of `RoomAct` by head, also those of features."""


class RoomAct(Struct, frozen=True):
    """Base of all acts."""

    head: ClassVar[str]
    named: ClassVar[frozenset[str]] = frozenset()
    makes_room: ClassVar[bool] = False
    """Whether the act is the first entry of a room; it can be no other entry."""

    def __init_subclass__(cls) -> None:
        """Register the act by its head. Raises ValueError if another act has this head."""
        super().__init_subclass__()
        if not cls.makes_room and ACTS.setdefault(cls.head, cls) is not cls:
            raise ValueError(f"{cls.head}: {cls.__name__}, {ACTS[cls.head].__name__}")

    def fold(self, step: Step) -> None:
        """Carry the act out in the room. Raises Refusal if it is not allowed."""
        raise NotImplementedError

    @property
    def line(self) -> str:
        """The canonical line."""
        texts = [self.head]
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None:
                text = str(value.value if isinstance(value, Enum) else value)
                texts.append(f"{name}={text}" if name in self.named else text)
        return " ".join(texts)

    @classmethod
    def read(cls, line: str) -> Self:
        """Parse a canonical line. Raises NotUnderstood (bad_line) for any other line."""
        texts = line.removeprefix(cls.head).split(" ")[1:]
        try:
            act = convert(_values(cls, texts), cls, strict=False)
        except ValueError:  # also of a lone surrogate
            raise NotUnderstood("bad_line", given=line) from None
        if "" in texts or act.line != line:
            raise NotUnderstood("bad_line", given=line)
        return act


def _values(act: type[RoomAct], texts: list[str]) -> dict[str, str]:
    """The texts of the fields: `name=value` where one is named, the others by position.

    Surplus texts belong to the last field, joined with spaces.
    """
    named = {name: text for name, _, text in (each.partition("=") for each in texts)}
    values = {name: named[name] for name in act.named if name in named}
    rest = [each for each in texts if each.partition("=")[0] not in values]
    positional = [name for name in act.__struct_fields__ if name not in act.named]
    last = len(positional) - 1
    if len(rest) > last >= 0:
        rest = [*rest[:last], " ".join(rest[last:])]
    return {**values, **dict(zip(positional, rest, strict=False))}
