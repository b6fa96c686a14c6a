"""When a room wants to be woken, and what is due then. Pure: times are parameters.

Deadlines of clocks and votes are wall clock (ms, in the state); silence and absence are measured on
the loop's clock (seconds), since they are not state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

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
from bluebear.server.room.standins import owner_may_return
from bluebear.server.room.state import Chair, Phase, Room


@dataclass(frozen=True, slots=True)
class Watch:
    """What is known of the moment: both clocks, who is here, who is gone since when.

    `spared_until` is the loop time before which no clock of a seat rings.
    """

    now: int
    loop_now: float
    turn_since: float
    awake_since: float
    here: Mapping[str, str]
    absent_since: Mapping[str, float]
    asked_about: frozenset[str]
    spared_until: Mapping[Seat, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Alarm:
    """What is due: `clock`, `remove` or `peek` for a seat, `vote` with a number, `host`."""

    kind: Literal["clock", "remove", "peek", "vote", "host"]
    number: int


def _silence(room: Room, watch: Watch) -> Iterator[tuple[float, Alarm]]:
    """House bots to move, and owners away on their turn, with the time when it is too long."""
    if room.table.phase is not Phase.PLAYING:
        return
    clocked = clock_of(room.table) is not None
    for number in room.table.turn:
        chair = room.seats[Seat(number)]
        if chair.bot is not None:
            slowness = max(pace_of(room, chair), rest_of(room))
            patience = HOUSE_BOT_SECONDS + slowness + thinking_of(chair)
            yield watch.turn_since + patience, Alarm("clock", number)
        elif not clocked and _somebody_votes(room, watch, number):
            since = _away_since(chair, watch)
            if since is not None:
                yield max(since, watch.turn_since) + AWAY_SECONDS, Alarm("remove", number)


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
    """Whether a seat's deadline rings nobody: bots that are slowed down do not lose by it."""
    return chair.bot is not None and not by_days(room.table) and rest_of(room) > 0


def _deadlines(room: Room, watch: Watch) -> Iterator[tuple[float, Alarm]]:
    """When clocks run out, by the loop; not before a seat that had none has its least time."""
    if room.table.phase is not Phase.PLAYING:
        return
    for seat, chair in room.seats.items():
        if chair.deadline is not None and not has_no_clock(room, chair):
            end = watch.loop_now + (chair.deadline - watch.now) / 1000
            yield max(end, watch.spared_until.get(seat, end)), Alarm("clock", int(seat))


def thinking_of(chair: Chair) -> float:
    """The seconds that a house bot may think about a move."""
    return LEVEL_SECONDS if chair.bot in LEVELS else 0.0


def _somebody_votes(room: Room, watch: Watch, number: int) -> bool:
    """Whether anybody is here who can be asked about a seat."""
    return any(
        chair.human and chair.bot is None and chair.person in watch.here
        for seat, chair in room.seats.items()
        if seat != number
    )


def _away_since(chair: Chair, watch: Watch) -> float | None:
    """Since when an owner is gone; None while he is here or was asked about already."""
    person = chair.person
    if person is None or person in watch.here or person in watch.asked_about:
        return None
    return watch.absent_since.get(person, watch.turn_since)


def _host(room: Room, watch: Watch) -> Iterator[tuple[float, Alarm]]:
    host = require(room.table.host_person)
    if host not in watch.here and heir(room, watch.here) is not None:
        # Nobody counts as gone while the room sleeps.
        since = max(watch.absent_since.get(host, 0.0), watch.awake_since)
        yield since + AWAY_SECONDS, Alarm("host", 0)


def heir(room: Room, here: Mapping[str, str]) -> str | None:
    """Who runs the room while its host is gone: the first seated human who is here, else somebody
    who was once admitted. Nobody who only passes by.
    """
    seated = [c.person for c in room.seats.values() if c.human and c.person in here]
    admitted = require(room.table.admitted)
    return next(iter(seated), None) or min((p for p in here if p in admitted), default=None)


def calm(room: Room, here: Mapping[str, str]) -> bool:
    """Whether nothing can ring, whoever is to move: all play themselves, are here, and no clock or
    vote runs. Asked after every entry, because most rooms are like that most of the time.
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


def next_alarm(room: Room, watch: Watch) -> float | None:
    """The loop time at which something is due; None if nothing will be."""
    times = [time for time, _ in (*_silence(room, watch), *_host(room, watch))]
    ends = (chair.peek.until for chair in room.seats.values() if chair.peek is not None)
    times += [watch.loop_now + (end - watch.now) / 1000 for end in ends]
    # Who plays by days is woken by the store, asleep or awake.
    if not by_days(room.table):
        times += [time for time, _ in _deadlines(room, watch)]
        votes = (vote.deadline for vote in room.table.votes.values())
        times += [watch.loop_now + (end - watch.now) / 1000 for end in votes]
    return min(times, default=None)


def due(room: Room, watch: Watch) -> list[Alarm]:
    """What is due now."""
    made = [
        alarm
        for time, alarm in (*_silence(room, watch), *_host(room, watch))
        if time <= watch.loop_now
    ]
    for seat, chair in room.seats.items():
        if chair.peek is not None and chair.peek.until <= watch.now:
            made.append(Alarm("peek", int(seat)))
    for number, vote in room.table.votes.items():
        if vote.deadline <= watch.now:
            made.append(Alarm("vote", number))
    made += [alarm for time, alarm in _deadlines(room, watch) if time <= watch.loop_now]
    return list(dict.fromkeys(made))
