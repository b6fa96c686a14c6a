"""The timer of one room: what it waits for, and what it does when it is woken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.commands.acts import Write
from bluebear.server.limits import (
    ALARM_RETRY_SECONDS,
    ALARM_SECONDS_MAX,
    STAND_IN_PACE_SECONDS,
    TURN_LEAST_MS,
)
from bluebear.server.room.actor import CLOCK_ACTOR, SERVER_ACTOR, Actor
from bluebear.server.room.clocks import next_deadline
from bluebear.server.room.game_flow import fallback_lines
from bluebear.server.room.hosting import HostIsGone
from bluebear.server.room.options import by_days
from bluebear.server.room.spectators import PeekOver
from bluebear.server.room.state import Phase, Room
from bluebear.server.room.system_acts import TimeOut, Vacation, Wake
from bluebear.server.room.votes import EndVote, RemoveAbsent
from bluebear.server.rooms.active_room import ActiveRoom
from bluebear.server.rooms.house_bots import BotSetting
from bluebear.server.rooms.leases import HandoverState
from bluebear.server.rooms.timers import (
    Deadline,
    TimerInputs,
    calm,
    due,
    has_no_clock,
    heir,
    next_alarm,
    pace_of,
    rest_of,
)
from bluebear.server.store import Json


class RoomTimer:
    """The timer of one live room; owned by it.

    While nobody but house bots is connected the room sleeps: no alarm is set, and the deadlines
    move by that time when somebody comes. A room that is played by days does not: its clocks go on,
    and the engine rings when the store says that one has run out.
    """

    def __init__(
        self,
        live: ActiveRoom,
        act: Callable[[Actor, Callable[[], Write]], None],
        asleep_since: int | None,
    ) -> None:
        self._live = live
        self._act = act
        self._clock = live.services.clock
        self._timers = live.services.timers
        self.turn_since = 0.0
        """Since when (loop time) the seats that are to move have their full time."""
        self._awake_since = 0.0
        self._asked_about: set[str] = set()
        self._asleep_since = asleep_since
        self._helped = False
        self.is_calm = False
        """Whether moves set no timer and want no bot, until another kind of entry is written."""
        self._rest_until = 0.0
        """Until when (loop time) the house's bots rest where an owner may return."""
        self._spared_until: dict[Seat, float] = {}
        self._carried_at: float | None = None
        """Since when (loop time) what was carried along stands still: until somebody is here."""

    def carried(self) -> HandoverState:
        """What the next engine goes on with."""
        now, present = asyncio.get_running_loop().time(), self._live.present
        return HandoverState(
            turn=now - self.turn_since,
            awake=now - self._awake_since,
            absent={person: now - since for person, since in present.absent_since.items()},
            here=list(present.here),
            asked_about=list(self._asked_about),
            asleep_at=None if present.awake else self._asleep_since,
            at=self._clock.now(),
        )

    def carry_on(self, carried: HandoverState) -> None:
        """Go on with what another engine has left; nobody is here yet.

        Who was in the room is on his way back, and counts as gone from now on only.
        """
        now, absent = asyncio.get_running_loop().time(), self._live.present.absent_since
        self.turn_since, self._awake_since = now - carried.turn, now - carried.awake
        absent.update({person: now - span for person, span in carried.absent.items()})
        absent.update(dict.fromkeys(carried.here, now))
        self._asked_about.update(carried.asked_about)
        self._asleep_since = carried.at if carried.asleep_at is None else carried.asleep_at
        if carried.asleep_at is None:
            self._carried_at = now

    def went_on(self, old: Room | None, new: Room) -> None:
        """An entry is committed; if the game goes on by it, whoever is to move has his full time.

        It does when something was played, when a pause is over, or when a bot comes or goes.
        """
        bots_changed = False
        if old is not None and old.seats is not new.seats:
            before, after = ([chair.bot for chair in room.seats.values()] for room in (old, new))
            bots_changed = before != after
        same_phase = old is not None and old.table.phase is new.table.phase
        if old is None or bots_changed or old.game is not new.game or not same_phase:
            self.turn_since = asyncio.get_running_loop().time()
        if old is not None and bots_changed:
            self._slow_down(old, new)

    def _slow_down(self, old: Room, new: Room) -> None:
        """A bot has come or gone: the next move takes its time, and a clock that stood goes on."""
        now = asyncio.get_running_loop().time()
        self._rest_until = now + rest_of(new)
        for seat, chair in new.seats.items():
            before = old.seats.get(seat)
            if before and has_no_clock(old, before) and not has_no_clock(new, chair):
                self._spared_until[seat] = now + TURN_LEAST_MS / 1000

    def bots_rest(self) -> float:
        """The seconds that the house's bots have still to wait with a move, 0 if one may come."""
        if not rest_of(self._live.room):
            return 0.0
        return max(0.0, self._rest_until - asyncio.get_running_loop().time())

    def bot_moved(self) -> None:
        """A house bot has moved: where an owner may return, the next move comes later."""
        self._rest_until = asyncio.get_running_loop().time() + STAND_IN_PACE_SECONDS

    def was_here(self, away: int | None) -> None:
        """Somebody who comes was here until so long ago (ms), while another engine had the room.

        Of an engine that was killed nobody else knows until when its rooms were awake; without
        that they would have slept since their newest entry, and whoever thinks be given that time.
        """
        if away is not None and self._asleep_since is not None:
            self._asleep_since = max(self._asleep_since, self._clock.now() - away)

    def came(self, person: str, *, was_awake: bool) -> None:
        """Somebody has come in; with the first one the room wakes."""
        self._asked_about.discard(person)
        if was_awake:
            return
        since, self._asleep_since = self._asleep_since, None
        now, absent = asyncio.get_running_loop().time(), self._live.present.absent_since
        if self._carried_at is None:
            self.turn_since = self._awake_since = now
        else:  # no member was here since then: no time has passed for any of them
            gap, self._carried_at = now - self._carried_at, None
            self.turn_since += gap
            self._awake_since += gap
            absent.update({person: at + gap for person, at in absent.items()})
        slept = 0 if since is None else self._clock.now() - since
        room = self._live.room
        if slept > 0 and next_deadline(room) is not None and not by_days(room.table):
            self._act(SERVER_ACTOR, lambda: Write.of(Wake(slept)))

    def waited(self) -> Mapping[Seat, int]:
        """The seconds that the table has waited for each seat that is to move."""
        room = self._live.room
        if room.table.phase is not Phase.PLAYING or not self._live.present.awake:
            return {}
        now, absent = asyncio.get_running_loop().time(), self._live.present.absent_since
        made = {}
        for seat in map(Seat, room.table.turn):
            person = room.seats[seat].person
            gone = self.turn_since if person is None else absent.get(person, self.turn_since)
            made[seat] = int(now - max(gone, self.turn_since))
        return made

    def left(self) -> None:
        """Somebody has gone; with the last one the room falls asleep."""
        if not self._live.present.awake and self._asleep_since is None:
            self._asleep_since = self._clock.now()

    def tend(self) -> None:
        """Set the next alarm, and say which seats the house's bots should play."""
        live = self._live
        if not live.exists or live.closed:
            return
        self._timers.cancel(live.id)
        room = live.room
        self.is_calm = not self._helped and calm(room, live.present.here)
        if self.is_calm:
            return
        seats = self._parts()
        live.services.want_bots(live.id, seats)
        self._helped = bool(seats)
        if live.present.awake or seats:
            when = next_alarm(room, self._watch())
            if when is not None:
                latest = asyncio.get_running_loop().time() + ALARM_SECONDS_MAX
                self._timers.set(live.id, min(when, latest), self.ring)

    def _parts(self) -> Mapping[Seat, BotSetting]:
        """The seats that house bots play now: all while somebody is here, by days those to move."""
        room, awake = self._live.room, self._live.present.awake
        if room.table.phase is not Phase.PLAYING or not (awake or by_days(room.table)):
            return {}
        return {
            seat: BotSetting(chair.bot, int(pace_of(room, chair) * 1000))
            for seat, chair in room.seats.items()
            if chair.bot is not None and (awake or seat in room.table.turn)
        }

    def tend_again(self) -> None:
        """What was due is not any more, or could not be saved; look again, but not at once."""
        if not self._live.closed:
            now = asyncio.get_running_loop().time()
            self._timers.set(self._live.id, now + ALARM_RETRY_SECONDS, self.tend)

    def _watch(self) -> TimerInputs:
        present = self._live.present
        return TimerInputs(
            now=self._clock.now(),
            loop_now=asyncio.get_running_loop().time(),
            turn_since=self.turn_since,
            awake_since=self._awake_since,
            here=present.here,
            absent_since=present.absent_since,
            asked_about=frozenset(self._asked_about),
            spared_until=self._spared_until,
        )

    def ring(self) -> None:
        """Do what is due; then set the next alarm."""
        self._timers.cancel(self._live.id)
        alarms = due(self._live.room, self._watch())
        for alarm in alarms:
            by_clock = alarm.kind in ("clock", "vote", "peek")
            actor = CLOCK_ACTOR if by_clock else SERVER_ACTOR
            self._act(actor, partial(self._answer, alarm))
        if not alarms:
            self.tend()

    def _answer(self, alarm: Deadline) -> Write:
        """What an alarm leads to, decided when its turn comes: it may have been answered by then.

        NotAllowed (stale) if it is not due any more.
        """
        room = self._live.room
        if alarm not in due(room, self._watch()):
            raise NotAllowed("stale")
        seat = Seat(alarm.number)
        match alarm.kind:
            case "clock":
                if room.seats[seat].bot is not None:
                    self.bot_moved()
                return self._fallback(seat)
            case "vote":
                return Write.of(EndVote(alarm.number))
            case "remove":
                self._asked_about.add(room.seats[seat].person or "")
                voters = self._live.present.voters(room)
                return Write.of(RemoveAbsent(seat), {"voters": voters, "spares": True})
            case "peek":
                return Write.of(PeekOver(seat))
            case "host":
                return self._hand_over()

    def _fallback(self, seat: Seat) -> Write:
        room, game = self._live.room, self._live.game
        if game is None:
            raise NotAllowed("version_gap", given=room.table.game)
        present = room.seats[seat].person in self._live.present.here
        facts: dict[str, Json] = {"present": True, "spares": True} if present else {}
        return Write.of(TimeOut(seat), facts, moves=fallback_lines(room, game, seat))

    def _hand_over(self) -> Write:
        """The host is gone: his heir has the role until he is back."""
        here, table = self._live.present.here, self._live.room.table
        person = heir(self._live.room, here)
        if person is None:
            raise NotAllowed("stale")
        owner = table.owner or require(table.host_person)
        return Write.of(HostIsGone(here[person]), {"whom": person, "owner": owner})

    def be_away(self, person: str, until: int) -> None:
        """Somebody who plays by days is on vacation until then, or back."""
        seat = self._live.room.seat_of(person)
        if seat is not None and self._live.room.seats[seat].away_until != (until or None):
            self._act(SERVER_ACTOR, lambda: Write.of(Vacation(seat, until)))

    def give_back_host(self, person: str) -> Write:
        """Who owns the role of the host is back; NotAllowed (stale) if that has changed."""
        present = self._live.present.here
        if self._live.room.table.owner != person or person not in present:
            raise NotAllowed("stale")
        return Write.of(HostIsGone(present[person]), {"whom": person})

    def close(self) -> None:
        """No alarm rings any more."""
        self._timers.cancel(self._live.id)
