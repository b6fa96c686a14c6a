"""Is a connection alive on which nothing comes? When to ask, and when to give it up; no I/O.

A connection whose other end is gone stays open for minutes: nothing says so but silence. Whatever
comes is a sign of life, also a piece of a long frame on a slow network. After silence a WebSocket
ping asks for one; the other end's protocol layer answers it, however long a room takes for a line.

A server whose loop is held up answers no ping either, and hundreds who come back at once do not
help it. So each time that a connection is given up while a line waits, the next one gets twice
the time, up to what an idle one gets, until a line is answered before anything had to be asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """How long nothing may come, in seconds: before a ping is sent, and after it."""

    idle: float = 15.0
    idle_answer: float = 8.0
    line: float = 1.0
    """While a line waits for its reply."""
    line_answer: float = 2.0


USUAL: Final = Silence()
"""A dead connection is given up after 3 s where a line waits, after 23 s elsewhere. A server cuts
who sends more than some 64 pings in 20 s: this is at most one in a second.
"""


class Act(Enum):
    """What silence leads to."""

    ASK = "ask"
    GIVE_UP = "give up"


class Heartbeat:
    """The life of one client's connections, by a clock of the caller's. Owned by the client."""

    def __init__(self, silence: Silence = USUAL) -> None:
        self._silence = silence
        self._answer = silence.line_answer
        self._heard = 0.0
        self._asked: float | None = None
        """When a ping was sent after what was heard last."""
        self._waits: float | None = None
        """Since when a line waits for its reply."""
        self._calm = True
        """Whether no ping was sent since then."""

    def begin(self, now: float) -> None:
        """A new connection, whose hello waits for its reply."""
        self._heard = self._waits = now
        self._asked = None
        self._calm = True

    def wait(self, now: float) -> None:
        """A line waits for its reply, perhaps beside others."""
        if self._waits is None:
            self._waits = now
            self._calm = self._asked is None

    def settle(self) -> None:
        """No line waits any more."""
        if self._waits is not None and self._calm:
            self._answer = self._silence.line_answer
        self._waits = None

    def hear(self, at: float) -> None:
        """Something came, perhaps known already."""
        if at > self._heard:
            self._heard = at
            self._asked = None

    def ask(self, now: float) -> None:
        """A ping is sent."""
        self._asked = now
        self._calm = False

    def give_up(self) -> None:
        """The connection was silent for too long."""
        if self._waits is not None:
            self._answer = min(2 * self._answer, self._silence.idle_answer)

    def next(self) -> tuple[Act, float]:
        """What is to be done, and when, if nothing comes before.

        The time for the other end runs from the ping: who asks late, having slept, waits longer.
        """
        silence = self._silence
        line = inf if self._waits is None else max(self._heard, self._waits) + silence.line
        if self._asked is None:
            return Act.ASK, min(self._heard + silence.idle, line)
        end = self._asked + silence.idle_answer
        return Act.GIVE_UP, min(end, max(self._asked, line) + self._answer)
