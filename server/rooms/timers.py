"""Timers of a room: when it wants to be woken, what is due then, and the acts that this becomes.

Deadlines of clocks and votes are wall clock (ms, in the state); silence and absence are measured on
the loop's clock (seconds), since they are not state.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import LEVELS
from bluebear.rules.core.visibility import Seat, require
from bluebear.server import limits
from bluebear.server.commands.acts import Write
from bluebear.server.room.game_flow import clock_of, fallback_lines
from bluebear.server.room.hosting import HostAway
from bluebear.server.room.spectators import PeekOver
from bluebear.server.room.stand_ins import owner_may_return
from bluebear.server.room.state import Chair, Phase, Room, by_days, next_deadline
from bluebear.server.room.system_acts import TimeOut, Wake
from bluebear.server.room.votes import EndVote, RemoveAbsent
from bluebear.server.rooms.house_bots import BotAssignment
from bluebear.server.rooms.views import Members
from bluebear.server.runtime import Clock
from bluebear.server.store import Json


class Deadline(Struct, frozen=True):
    """What is due: `clock`, `remove` or `peek` for a seat, `vote` with a number; `host` when the
    host is away, `owner` when the owner of that role is back.
    """

    kind: Literal["clock", "remove", "peek", "vote", "host", "owner"]
    number: int = 0


def pace_of(room: Room, chair: Chair) -> float:
    """The seconds that a house bot waits before each move, so that people can follow.

    A person's seat is played slowly; bots among themselves do not wait.
    """
    if chair.person is not None:
        return limits.STAND_IN_PACE_SECONDS
    if chair.bot not in LEVELS or not any(each.person for each in room.seats.values()):
        return 0.0
    return limits.BOT_PACE_SECONDS


def rest_of(room: Room) -> float:
    """The seconds between two moves of all house bots of a room: 0 unless an owner may return."""
    return limits.STAND_IN_PACE_SECONDS if owner_may_return(room.table) else 0.0


def has_no_clock(room: Room, chair: Chair) -> bool:
    """Whether a seat's deadline has no effect: bots that are slowed down do not lose by it."""
    return chair.bot is not None and not by_days(room.table) and rest_of(room) > 0


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


class HandoverState(Struct, array_like=True, frozen=True):
    """For how many seconds the turn runs, the room is awake, and each absent person is absent.

    `here` are the people who were in the room, `voted_about` the absent ones about which a
    vote was held. `asleep_at` is since when (ms) the room was empty; None: it was not, up to `at`.
    """

    turn: float
    awake: float
    absent: dict[str, float]
    here: list[str]
    voted_about: list[str]
    asleep_at: int | None
    at: int


_DECODER: Final = msgspec.msgpack.Decoder(HandoverState)


def pack_handover(state: HandoverState) -> bytes:
    """As it is handed along."""
    return msgspec.msgpack.encode(state)


def handover_of(body: bytes) -> HandoverState | None:
    """The same, read; None where another version has written what this one cannot read."""
    try:
        return _DECODER.decode(body) if body else None
    except msgspec.DecodeError:
        return None


class RoomTimer:
    """Owned by a room actor, which hands it the room.

    While no member but house bots is connected the room sleeps: no timer is set, and the deadlines
    move by that time when a person joins. A room that is played by days does not: its clocks go on,
    and the registry wakes it when the store says that one has run out.
    """

    def __init__(self, clock: Clock, present: Members, asleep_since: int | None) -> None:
        self._clock = clock
        self._present = present
        self.turn_since = 0.0
        """Since when (loop time) the seats that are to move have their full time."""
        self.awake_since = 0.0
        """Since when (loop time) the room is awake."""
        self.voted_about: set[str] = set()
        """The absent people that had a vote about them."""
        self._asleep_since = asleep_since
        self._rest_until = 0.0
        """Until when (loop time) the house bots rest where an owner may return."""
        self.spared_until: dict[Seat, float] = {}
        """The loop times before which no clock of these seats rings."""
        self._handover_at: float | None = None
        """Since when (loop time) what was handed over is stopped: until a member is here."""

    # Handover.

    def handover_state(self) -> HandoverState:
        """What the next node goes on with."""
        now, present = asyncio.get_running_loop().time(), self._present
        return HandoverState(
            turn=now - self.turn_since,
            awake=now - self.awake_since,
            absent={person: now - since for person, since in present.absent_since.items()},
            here=list(present.here),
            voted_about=list(self.voted_about),
            asleep_at=None if present.awake else self._asleep_since,
            at=self._clock.now(),
        )

    def carry_on(self, state: HandoverState) -> None:
        """Go on with what another node has left; no member is here yet.

        The people who were in the room are on their way back, and count as absent from now on only.
        """
        now, absent = asyncio.get_running_loop().time(), self._present.absent_since
        self.turn_since, self.awake_since = now - state.turn, now - state.awake
        absent.update({person: now - span for person, span in state.absent.items()})
        absent.update(dict.fromkeys(state.here, now))
        self.voted_about.update(state.voted_about)
        self._asleep_since = state.at if state.asleep_at is None else state.asleep_at
        if state.asleep_at is None:
            self._handover_at = now

    def was_here(self, away: int | None) -> None:
        """A person who joins was here until so long ago (ms), while another node had the room.

        A node that was killed leaves no word of how long its rooms were awake; without this they
        would have slept since their newest entry, and the seats to move be given that time.
        """
        if away is not None and self._asleep_since is not None:
            self._asleep_since = max(self._asleep_since, self._clock.now() - away)

    # What happens in the room.

    def on_entry(self, old: Room | None, new: Room, *, by_bot: bool) -> None:
        """An entry is committed; if the game goes on by it, the seats to move have their full time.

        It does when something was played (maybe by a house bot), when a pause is over, or when a
        bot sits down or leaves.
        """
        if new.table.phase is Phase.OPEN:
            return  # its start changes the phase
        bots_changed = False
        if old is not None and old.table.seats is not new.table.seats:
            before, after = ([chair.bot for chair in room.seats.values()] for room in (old, new))
            bots_changed = before != after
        same_phase = old is not None and old.table.phase is new.table.phase
        if old is None or bots_changed or old.game is not new.game or not same_phase:
            self.turn_since = asyncio.get_running_loop().time()
        if old is not None and bots_changed:
            self._slow_down(old, new)
        if by_bot:
            self.bot_moved()

    def _slow_down(self, old: Room, new: Room) -> None:
        """A bot sits down or leaves: the next move is slow, and a clock that was stopped runs."""
        now = asyncio.get_running_loop().time()
        self._rest_until = now + rest_of(new)
        for seat, chair in new.seats.items():
            before = old.seats.get(seat)
            if before and has_no_clock(old, before) and not has_no_clock(new, chair):
                self.spared_until[seat] = now + limits.TURN_LEAST_MS / 1000

    def bots_rest(self, room: Room) -> float:
        """The seconds that house bots have still to wait with a move, 0 if one may be made."""
        if not rest_of(room):
            return 0.0
        return max(0.0, self._rest_until - asyncio.get_running_loop().time())

    def bot_moved(self) -> None:
        """A house bot has moved: where an owner may return, the next move is made later."""
        self._rest_until = asyncio.get_running_loop().time() + limits.STAND_IN_PACE_SECONDS

    def joined(self, room: Room, person: str, *, was_awake: bool) -> Write | None:
        """A person is here; with the first one the room wakes, and its deadlines may move."""
        self.voted_about.discard(person)
        if was_awake:
            return None
        since, self._asleep_since = self._asleep_since, None
        now, absent = asyncio.get_running_loop().time(), self._present.absent_since
        if self._handover_at is None:
            self.turn_since = self.awake_since = now
        else:  # no member was here since then: no time has passed for any of them
            gap, self._handover_at = now - self._handover_at, None
            self.turn_since += gap
            self.awake_since += gap
            absent.update({person: at + gap for person, at in absent.items()})
        slept = 0 if since is None else self._clock.now() - since
        if slept > 0 and next_deadline(room) is not None and not by_days(room.table):
            return Write.of(Wake(slept))
        return None

    def left(self) -> None:
        """A person has left; with the last one the room falls asleep."""
        if not self._present.awake and self._asleep_since is None:
            self._asleep_since = self._clock.now()

    # What is waited for.

    def waited(self, room: Room) -> Mapping[Seat, int]:
        """The seconds that the table has waited for each seat that is to move."""
        if room.table.phase is not Phase.PLAYING or not self._present.awake:
            return {}
        now, absent = asyncio.get_running_loop().time(), self._present.absent_since
        made = {}
        for seat in map(Seat, room.table.turn):
            person = room.seats[seat].person
            since = self.turn_since if person is None else absent.get(person, self.turn_since)
            made[seat] = int(now - max(since, self.turn_since))
        return made

    def bots_wanted(self, room: Room) -> Mapping[Seat, BotAssignment]:
        """The seats that house bots play now: all while a person is here, by days those to move."""
        awake = self._present.awake
        if room.table.phase is not Phase.PLAYING or not (awake or by_days(room.table)):
            return {}
        return {
            seat: BotAssignment(room.table.id, seat, chair.bot, int(pace_of(room, chair) * 1000))
            for seat, chair in room.seats.items()
            if chair.bot is not None and (awake or seat in room.table.turn)
        }

    def next_alarm(self, room: Room, loop_now: float) -> float | None:
        """The loop time at which to look again; None if nothing will be due.

        The store wakes those who play by days when a clock or a vote ends, asleep or awake.
        """
        stored = not by_days(room.table)
        times = [time for time, _ in self._deadlines(room, loop_now, stored=stored)]
        return min(*times, loop_now + limits.ALARM_SECONDS_MAX) if times else None

    def due(self, room: Room, loop_now: float) -> list[Deadline]:
        """What is due now."""
        deadlines = self._deadlines(room, loop_now, stored=True)
        return list(dict.fromkeys(each for time, each in deadlines if time <= loop_now))

    def _deadlines(
        self, room: Room, loop_now: float, *, stored: bool
    ) -> Iterator[tuple[float, Deadline]]:
        """All that will be due, with its loop time; `stored`: also what the row of the room has."""
        yield from self._silence(room)
        yield from self._host(room)
        now = self._clock.now()
        for seat, chair in room.seats.items():
            if chair.peek is not None:
                yield loop_now + (chair.peek.until - now) / 1000, Deadline("peek", int(seat))
        if not stored:
            return
        for number, vote in room.table.votes.items():
            yield loop_now + (vote.deadline - now) / 1000, Deadline("vote", number)
        if room.table.phase is not Phase.PLAYING:
            return
        for seat, chair in room.seats.items():
            if chair.deadline is not None and not has_no_clock(room, chair):
                # Not before a seat that had no clock has its least time.
                end = loop_now + (chair.deadline - now) / 1000
                yield max(end, self.spared_until.get(seat, end)), Deadline("clock", int(seat))

    def _silence(self, room: Room) -> Iterator[tuple[float, Deadline]]:
        """House bots to move, and owners away on their turn, with the time when it is too long."""
        if room.table.phase is not Phase.PLAYING:
            return
        here = self._present.here
        for number in room.table.turn:
            chair = room.seats[Seat(number)]
            if chair.bot is not None:
                slowness = max(pace_of(room, chair), rest_of(room))
                thinking = limits.LEVEL_SECONDS if chair.bot in LEVELS else 0.0
                patience = limits.HOUSE_BOT_SECONDS + slowness + thinking
                yield self.turn_since + patience, Deadline("clock", number)
            elif clock_of(room.table) is None and any(
                each.human and each.bot is None and each.person in here
                for seat, each in room.seats.items()
                if seat != number
            ):
                # A player is here who can be asked about the seat.
                since = self._away_since(chair)
                if since is not None:
                    yield (
                        max(since, self.turn_since) + limits.AWAY_SECONDS,
                        Deadline("remove", number),
                    )

    def _away_since(self, chair: Chair) -> float | None:
        """Since when an owner is absent; None if present, or if a vote about that was held."""
        person = chair.person
        if person is None or person in self._present.here or person in self.voted_about:
            return None
        return self._present.absent_since.get(person, self.turn_since)

    def _host(self, room: Room) -> Iterator[tuple[float, Deadline]]:
        host, present = require(room.table.host_person), self._present
        if host not in present.here and heir(room, present.here) is not None:
            # No member counts as absent while the room sleeps.
            since = max(present.absent_since.get(host, 0.0), self.awake_since)
            yield since + limits.AWAY_SECONDS, Deadline("host")

    def act_of(
        self, deadline: Deadline, room: Room, game: Game[Any] | None
    ) -> Write:  # Any: each game has a state class of its own
        """What a deadline becomes, decided when its turn comes: it may be met meanwhile.

        Raises NotAllowed (stale) if it is not due any more.
        """
        if deadline.kind == "owner":
            return self._give_back_host(room)
        if deadline not in self.due(room, asyncio.get_running_loop().time()):
            raise NotAllowed("stale")
        seat = Seat(deadline.number)
        match deadline.kind:
            case "clock":
                if room.seats[seat].bot is not None:
                    self.bot_moved()
                return self._fallback(room, game, seat)
            case "vote":
                return Write.of(EndVote(deadline.number))
            case "remove":
                self.voted_about.add(room.seats[seat].person or "")
                voters = self._present.voters(room)
                return Write.of(RemoveAbsent(seat), {"voters": voters, "spares": True})
            case "peek":
                return Write.of(PeekOver(seat))
            case "host":
                return self._hand_over(room)

    def _fallback(
        self, room: Room, game: Game[Any] | None, seat: Seat
    ) -> Write:  # Any: as in `act_of`
        if game is None:
            raise NotAllowed("version_gap", given=room.table.game)
        present = room.seats[seat].person in self._present.here
        facts: dict[str, Json] = {"present": True, "spares": True} if present else {}
        return Write.of(TimeOut(seat), facts, moves=fallback_lines(room, game, seat))

    def _hand_over(self, room: Room) -> Write:
        """The host is away: their heir has the role until they are back."""
        here, table = self._present.here, room.table
        person = heir(room, here)
        if person is None:
            raise NotAllowed("stale")
        owner = table.owner or require(table.host_person)
        return Write.of(HostAway(here[person]), {"whom": person, "owner": owner})

    def _give_back_host(self, room: Room) -> Write:
        """The person who owns the role of the host is back."""
        owner, here = room.table.owner, self._present.here
        if owner is None or owner not in here:
            raise NotAllowed("stale")
        return Write.of(HostAway(here[owner]), {"whom": owner})
