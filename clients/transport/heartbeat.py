"""Decides when to ping a silent connection and when to close it; without I/O.

A connection whose peer has vanished stays open for minutes: silence is the only symptom. Any
received bytes are a sign of life, also fragments of a long frame. After silence a WebSocket ping
requests one; the peer's protocol layer answers it, however long a room takes for a line.

A server whose event loop is blocked answers no ping either, and hundreds of reconnecting clients
make that worse. So each time a connection is closed while a line waits, the limit for the next one
doubles, at most to that of an idle one. A reply without a ping resets it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """The longest silences, in seconds: before a ping is sent, and after the ping."""

    idle: float = 15.0
    idle_answer: float = 8.0
    line: float = 1.0
    """The silence before a ping while a line waits for its reply."""
    line_answer: float = 2.0


USUAL: Final = Silence()
"""Closes a dead connection after 3 s while a line waits, else after 23 s. A server disconnects a
client that sends more than about 64 pings in 20 s; this sends at most one a second.
"""


class Act(Enum):
    """The action that follows from silence."""

    ASK = "ask"
    GIVE_UP = "give up"


class Heartbeat:
    """The silence timer of a client's connections; callers pass the time. Owned by the client."""

    def __init__(self, silence: Silence = USUAL) -> None:
        self._silence = silence
        self._answer = silence.line_answer
        self._received = 0.0
        self._pinged: float | None = None
        """When the ping was sent, if nothing was received after it."""
        self._waits: float | None = None
        """Since when a line has been waiting for its reply."""
        self._unpinged = True
        """Whether no ping was sent since then."""

    def begin(self, now: float) -> None:
        """Start a new connection, whose hello waits for its reply."""
        self._received = self._waits = now
        self._pinged = None
        self._unpinged = True

    def wait(self, now: float) -> None:
        """Note that a line waits for its reply, perhaps besides other lines."""
        if self._waits is None:
            self._waits = now
            self._unpinged = self._pinged is None

    def settle(self) -> None:
        """Note that no line waits any more."""
        if self._waits is not None and self._unpinged:
            self._answer = self._silence.line_answer
        self._waits = None

    def hear(self, at: float) -> None:
        """Note that bytes were received at `at`; earlier times than the last are ignored."""
        if at > self._received:
            self._received = at
            self._pinged = None

    def ask(self, now: float) -> None:
        """Note that a ping is sent."""
        self._pinged = now
        self._unpinged = False

    def give_up(self) -> None:
        """Note that the connection was silent for too long."""
        if self._waits is not None:
            self._answer = min(2 * self._answer, self._silence.idle_answer)

    def next(self) -> tuple[Act, float]:
        """The next action and its time, if nothing is received before.

        The peer's time runs from the ping: a client that pings late, after sleeping, waits longer.
        """
        silence = self._silence
        line = inf if self._waits is None else max(self._received, self._waits) + silence.line
        if self._pinged is None:
            return Act.ASK, min(self._received + silence.idle, line)
        end = self._pinged + silence.idle_answer
        return Act.GIVE_UP, min(end, max(self._pinged, line) + self._answer)
