"""Watches the time for one live room: clocks, votes, silent bots, people who are gone, sleep."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from rules.core.refusal import NotAllowed
from rules.core.vision import Seat
from server.alarms import Alarm, Watch, due, next_alarm
from server.commands.acts import Write
from server.room.actor import CLOCK, SERVER, Actor
from server.room.clocks import next_deadline
from server.room.fallback import fallback_lines
from server.room.state import Phase

if TYPE_CHECKING:
    from server.live import LiveRoom

CLOCK_ACTOR: Final = Actor(CLOCK)
SERVER_ACTOR: Final = Actor(SERVER)


class Vigil:
    """The timer of one live room; owned by it.

    While nobody but house bots is connected the room sleeps: no alarm is set, and the deadlines
    move by that time when somebody comes.
    """

    def __init__(self, live: LiveRoom, asleep_since: int | None) -> None:
        self._live = live
        self._timer: asyncio.TimerHandle | None = None
        self._turn_since = 0.0
        self._asked_about: set[str] = set()
        self._asleep_since = asleep_since

    def turned(self) -> None:
        """The game has gone on: whoever is to move has the full time again."""
        self._turn_since = asyncio.get_running_loop().time()

    def came(self, person: str, *, was_awake: bool) -> None:
        """Somebody has come in; with the first one the room wakes."""
        self._asked_about.discard(person)
        if was_awake:
            return
        since, self._asleep_since = self._asleep_since, None
        self._turn_since = asyncio.get_running_loop().time()
        slept = 0 if since is None else self._live.shell.clock.now() - since
        if slept > 0 and next_deadline(self._live.room) is not None:
            self._act(SERVER_ACTOR, lambda: Write((f"@wake {slept}",)))

    def left(self) -> None:
        """Somebody has gone; with the last one the room falls asleep."""
        if not self._live.present.awake and self._asleep_since is None:
            self._asleep_since = self._live.shell.clock.now()

    def tend(self) -> None:
        """Set the next alarm, and say which seats the house's bots should play."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        live = self._live
        if not live.exists or live.closed:
            return
        room = live.room
        seats: dict[Seat, str] = {}
        if live.present.awake and room.table.phase is Phase.PLAYING:
            seats = {seat: c.bot for seat, c in room.seats.items() if c.bot is not None}
        live.shell.house.want(live.id, seats)
        if live.present.awake:
            when = next_alarm(room, self._watch())
            if when is not None:
                self._timer = asyncio.get_running_loop().call_at(when, self._ring)

    def tend_again(self) -> None:
        """What was due is not any more; look again after a full turn's time."""
        self._turn_since = asyncio.get_running_loop().time()
        self.tend()

    def _watch(self) -> Watch:
        present = self._live.present
        return Watch(
            now=self._live.shell.clock.now(),
            loop_now=asyncio.get_running_loop().time(),
            turn_since=self._turn_since,
            here=present.here,
            absent_since=present.absent_since,
            asked_about=frozenset(self._asked_about),
        )

    def _ring(self) -> None:
        self._timer = None
        alarms = due(self._live.room, self._watch())
        for alarm in alarms:
            self._handle(alarm)
        if not alarms:
            self.tend()

    def _handle(self, alarm: Alarm) -> None:
        seat = Seat(alarm.number)
        if alarm.kind == "clock":
            self._turn_since = asyncio.get_running_loop().time()
            self._act(CLOCK_ACTOR, lambda: self._fallback(seat))
        elif alarm.kind == "vote":
            self._act(CLOCK_ACTOR, lambda: Write((f"@vote {alarm.number}",)))
        elif alarm.kind == "remove":
            self._asked_about.add(self._live.room.seats[seat].person or "")
            voters = self._live.present.voters(self._live.room)
            self._act(SERVER_ACTOR, lambda: Write((f"@remove {seat}",), {"voters": voters}))
        else:
            self._hand_over()

    def _act(self, actor: Actor, make: Callable[[], Write]) -> None:
        self._live.act(actor, make)

    def _fallback(self, seat: Seat) -> Write:
        room, game = self._live.room, self._live.game
        if game is None:
            raise NotAllowed("version_gap", given=room.table.game)
        return Write((f"@clock {seat}", *fallback_lines(room, game, seat)))

    def _hand_over(self) -> None:
        """The host is gone: the first seated human who is here takes over, else anybody."""
        here = self._live.present.here
        seats = self._live.room.seats
        seated = [c.person for c in seats.values() if c.human and c.person in here]
        person = next(iter(seated or sorted(here)), None)
        if person is not None:
            line, facts = f"@host {here[person]}", {"whom": person}
            self._act(SERVER_ACTOR, lambda: Write((line,), facts))

    def close(self) -> None:
        """No alarm rings any more."""
        if self._timer is not None:
            self._timer.cancel()


__all__ = ["CLOCK_ACTOR", "SERVER_ACTOR", "Vigil"]
