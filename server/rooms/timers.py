"""Timers: one heap a node with one wake-up, when a room wants to be woken, and what is due then.

Deadlines of clocks and votes are wall clock (ms, in the state); silence and absence are measured on
the loop's clock (seconds), since they are not state.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import inf
from typing import Literal, Protocol

from bluebear.rules.core.search_model import LEVELS
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.limits import (
    AWAY_SECONDS,
    BOT_PACE_SECONDS,
    HOUSE_BOT_SECONDS,
    LEVEL_SECONDS,
    STAND_IN_PACE_SECONDS,
)
from bluebear.server.room.clocks import clock_of
from bluebear.server.room.options import by_days
from bluebear.server.room.stand_ins import owner_may_return
from bluebear.server.room.state import Chair, Phase, Room


class Sleeper(Protocol):
    """What a timer wakes: a room."""

    def ring(self) -> None:
        """Do what is due, and set the next timer."""


class TimerHeap:
    """One alarm for each room of a node, with one wake-up for the earliest; owned by the registry.

    What is put off or cancelled stays in the heap until its first time comes: most rooms set their
    alarm anew with each entry, a little later than before.
    """

    def __init__(self) -> None:
        self._alarms: dict[str, tuple[float, Sleeper]] = {}
        self._heap: list[tuple[float, str]] = []
        self._looked_at: dict[str, float] = {}
        """By room: the earliest time at which the heap comes to it."""
        self._wake_up: asyncio.TimerHandle | None = None

    def set(self, room: str, when: float, sleeper: Sleeper) -> None:
        """Ring at this loop time, and at what was set before for the room no more."""
        self._alarms[room] = when, sleeper
        if when < self._looked_at.get(room, inf):
            self._push(room, when)

    def cancel(self, room: str) -> None:
        """Nothing is called for a room any more."""
        self._alarms.pop(room, None)

    def _push(self, room: str, when: float) -> None:
        self._looked_at[room] = when
        heappush(self._heap, (when, room))
        if self._heap[0] == (when, room):
            self._schedule()

    def _schedule(self) -> None:
        if self._wake_up is not None:
            self._wake_up.cancel()
        loop = asyncio.get_running_loop()
        self._wake_up = loop.call_at(self._heap[0][0], self._ring) if self._heap else None

    def _ring(self) -> None:
        now = asyncio.get_running_loop().time()
        try:
            while self._heap and self._heap[0][0] <= now:
                seen, room = heappop(self._heap)
                if self._looked_at.get(room) != seen:
                    continue
                del self._looked_at[room]
                when, sleeper = self._alarms.get(room, (0.0, None))
                if when > now:
                    self._push(room, when)
                elif sleeper is not None:
                    del self._alarms[room]
                    sleeper.ring()
        finally:
            self._schedule()


@dataclass(frozen=True, slots=True)
class TimerInputs:
    """What is known of the moment: both clocks, who is here, who is gone since when.

    `spared_until` is the loop time before which no clock of a seat rings.
    """

    now: int
    loop_now: float
    turn_since: float
    awake_since: float
    here: Mapping[str, str]
    absent_since: Mapping[str, float]
    voted_about: frozenset[str]
    spared_until: Mapping[Seat, float] = field(default_factory=dict)

    def loop_time(self, at: int) -> float:
        """The loop time of a moment of the wall clock (ms)."""
        return self.loop_now + (at - self.now) / 1000


@dataclass(frozen=True, slots=True)
class Deadline:
    """What is due: `clock`, `remove` or `peek` for a seat, `vote` with a number; `host` when the
    host is away, `owner` when the owner of that role is back.
    """

    kind: Literal["clock", "remove", "peek", "vote", "host", "owner"]
    number: int = 0


def _silence(room: Room, watch: TimerInputs) -> Iterator[tuple[float, Deadline]]:
    """House bots to move, and owners away on their turn, with the time when it is too long."""
    if room.table.phase is not Phase.PLAYING:
        return
    clocked = clock_of(room.table) is not None
    for number in room.table.turn:
        chair = room.seats[Seat(number)]
        if chair.bot is not None:
            slowness = max(pace_of(room, chair), rest_of(room))
            thinking = LEVEL_SECONDS if chair.bot in LEVELS else 0.0
            patience = HOUSE_BOT_SECONDS + slowness + thinking
            yield watch.turn_since + patience, Deadline("clock", number)
        elif not clocked and _has_voter(room, watch, number):
            since = _away_since(chair, watch)
            if since is not None:
                yield max(since, watch.turn_since) + AWAY_SECONDS, Deadline("remove", number)


def pace_of(room: Room, chair: Chair) -> float:
    """The seconds that a house bot waits before each move, so that people can follow.

    A person's seat is played slowly; bots among themselves do not wait.
    """
    if chair.person is not None:
        return STAND_IN_PACE_SECONDS
    if chair.bot not in LEVELS or not any(each.person for each in room.seats.values()):
        return 0.0
    return BOT_PACE_SECONDS


def rest_of(room: Room) -> float:
    """The seconds between two moves of all house bots of a room: 0 unless an owner may return."""
    return STAND_IN_PACE_SECONDS if owner_may_return(room.table) else 0.0


def has_no_clock(room: Room, chair: Chair) -> bool:
    """Whether a seat's deadline has no effect: bots that are slowed down do not lose by it."""
    return chair.bot is not None and not by_days(room.table) and rest_of(room) > 0


def _clocks(room: Room, watch: TimerInputs) -> Iterator[tuple[float, Deadline]]:
    """When clocks run out, by the loop; not before a seat that had none has its least time."""
    if room.table.phase is not Phase.PLAYING:
        return
    for seat, chair in room.seats.items():
        if chair.deadline is not None and not has_no_clock(room, chair):
            end = watch.loop_time(chair.deadline)
            yield max(end, watch.spared_until.get(seat, end)), Deadline("clock", int(seat))


def _has_voter(room: Room, watch: TimerInputs, number: int) -> bool:
    """Whether any player is here who can be asked about a seat."""
    return any(
        chair.human and chair.bot is None and chair.person in watch.here
        for seat, chair in room.seats.items()
        if seat != number
    )


def _away_since(chair: Chair, watch: TimerInputs) -> float | None:
    """Since when an owner is absent; None if present, or if a vote about that was held."""
    person = chair.person
    if person is None or person in watch.here or person in watch.voted_about:
        return None
    return watch.absent_since.get(person, watch.turn_since)


def _host(room: Room, watch: TimerInputs) -> Iterator[tuple[float, Deadline]]:
    host = require(room.table.host_person)
    if host not in watch.here and heir(room, watch.here) is not None:
        # No member counts as absent while the room sleeps.
        since = max(watch.absent_since.get(host, 0.0), watch.awake_since)
        yield since + AWAY_SECONDS, Deadline("host")


def heir(room: Room, here: Mapping[str, str]) -> str | None:
    """Who hosts the room while its host is absent: the first seated human who is here, else a
    person who was once admitted; never a mere spectator.
    """
    seated = [c.person for c in room.seats.values() if c.human and c.person in here]
    admitted = require(room.table.admitted)
    return next(iter(seated), None) or min((p for p in here if p in admitted), default=None)


def calm(room: Room, here: Mapping[str, str]) -> bool:
    """Whether no timer is needed: all owners play and are here, and no clock or vote runs.

    Checked after every entry, because most rooms are like that most of the time.
    """
    table = room.table
    if table.votes or table.host_person not in here:
        return False
    for chair in table.seats.values():
        if chair.bot is not None or chair.deadline is not None or chair.person not in here:
            return False
        if chair.peek is not None:
            return False
    return True


def next_alarm(room: Room, watch: TimerInputs) -> float | None:
    """The loop time at which something is due; None if nothing will be.

    The store wakes those who play by days when a clock or a vote ends, asleep or awake.
    """
    times = [time for time, _ in _deadlines(room, watch, stored=not by_days(room.table))]
    return min(times, default=None)


def due(room: Room, watch: TimerInputs) -> list[Deadline]:
    """What is due now."""
    deadlines = _deadlines(room, watch, stored=True)
    return list(dict.fromkeys(each for time, each in deadlines if time <= watch.loop_now))


def _deadlines(room: Room, watch: TimerInputs, *, stored: bool) -> Iterator[tuple[float, Deadline]]:
    """All that will be due, with its loop time; `stored`: also what the row of the room has."""
    yield from _silence(room, watch)
    yield from _host(room, watch)
    for seat, chair in room.seats.items():
        if chair.peek is not None:
            yield watch.loop_time(chair.peek.until), Deadline("peek", int(seat))
    if not stored:
        return
    for number, vote in room.table.votes.items():
        yield watch.loop_time(vote.deadline), Deadline("vote", number)
    yield from _clocks(room, watch)
