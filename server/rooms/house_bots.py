"""House bots: which seats they should play, and who comes to play them.

The bots are ordinary protocol clients. The child's control connection hears `wanted` with a ticket
for each seat; the ticket admits one connection to that seat, and to nothing else.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from bluebear.protocol import Close, Think, Wanted
from bluebear.rules.core.visibility import Seat
from bluebear.server import limits
from bluebear.server.net.rate_limits import TokenBucket
from bluebear.server.room.state import Room
from bluebear.server.rooms.connection import Connection
from bluebear.server.runtime import FreshBytes, count, log, token_hash

_SECRET_BYTES: Final = 16
ANALYSED: Final = "/analysed"
"""The head of lines that answer in parts: each begins with `+`, the last one with `.`."""


@dataclass(frozen=True, slots=True)
class BotAssignment:
    """A seat that a house bot plays, and how."""

    room: str
    seat: Seat
    strategy: str
    pace_ms: int = 0
    """How long the bot waits before each move."""


class NoReply(Exception):
    """The child has no answer: it is gone, or too slow, or says too much."""


@dataclass(slots=True)
class _Question:
    """One question to the child, and the parts of its answer so far."""

    think: Think
    answer: asyncio.Future[str]
    patience: asyncio.TimerHandle
    parts: list[str] = field(default_factory=list)


class BotDispatcher:
    """Sends bots to the seats that want one; owned by the app."""

    def __init__(self, fresh: FreshBytes) -> None:
        self._fresh = fresh
        self.token = fresh(_SECRET_BYTES).hex()
        self._wanted: dict[tuple[str, Seat], BotAssignment] = {}
        self._tickets: dict[str, BotAssignment] = {}
        self._playing: dict[tuple[str, Seat], Connection] = {}
        self._control: Connection | None = None
        self._questions: dict[int, _Question] = {}
        self._count = 0
        self.is_started = False
        """Whether there is a child, or one will be."""

    @property
    def has_child(self) -> bool:
        """Whether the child is connected."""
        return self._control is not None

    def is_control(self, token: str) -> bool:
        """Whether a token is the one that the child was given."""
        return secrets.compare_digest(token.encode(), self.token.encode())

    def take_ticket(self, token: str) -> BotAssignment | None:
        """The seat that a ticket admits to; a ticket is good once."""
        return self._tickets.pop(token_hash(token), None)

    def want(self, room: str, seats: Mapping[Seat, BotAssignment]) -> None:
        """The seats of a room that house bots play now, and how."""
        for key in [key for key in self._wanted if key[0] == room and key[1] not in seats]:
            del self._wanted[key]
            self._dismiss(key)
        for seat, assignment in seats.items():
            key = (room, seat)
            if self._wanted.get(key) == assignment:
                continue
            if key in self._wanted:
                self._dismiss(key)
            self._wanted[key] = assignment
            self._send(assignment)

    def _dismiss(self, key: tuple[str, Seat]) -> None:
        client = self._playing.pop(key, None)
        if client is not None:
            client.close(Close.BYE, "not wanted any more")

    def _send(self, assignment: BotAssignment) -> None:
        if self._control is None:
            return
        for hashed in [h for h, issued in self._tickets.items() if issued == assignment]:
            del self._tickets[hashed]
        ticket = self._fresh(_SECRET_BYTES).hex()
        self._tickets[token_hash(ticket)] = assignment
        self._control.send(
            Wanted(
                room=assignment.room,
                seat=int(assignment.seat),
                strategy=assignment.strategy,
                ticket=ticket,
                pace_ms=assignment.pace_ms or None,
            )
        )

    def think(self, question: Think, seconds: float) -> asyncio.Future[str]:
        """Ask the child, once it is connected; its answer, which may take so long.

        NoReply where none comes. Where the future is cancelled, the child need not think on.
        """
        self._count = number = self._count + 1
        loop, question = asyncio.get_running_loop(), replace(question, number=number)
        answer: asyncio.Future[str] = loop.create_future()
        patience = loop.call_later(seconds, _give_up, answer)
        self._questions[number] = _Question(question, answer, patience)
        answer.add_done_callback(partial(self._ended, number))
        if self._control is not None:
            self._control.send(question)
        elif not self.is_started:
            answer.set_exception(NoReply)
        return answer

    def _ended(self, number: int, answer: asyncio.Future[str]) -> None:
        self._questions.pop(number).patience.cancel()
        has_failed = answer.cancelled() or answer.exception() is not None
        if has_failed and self._control is not None:
            self._control.send(Think(number=number))

    def on_line(self, text: str) -> None:
        """The child has sent a line; one that comes too late is ignored."""
        head, _, text = text.partition(" ")
        number, _, fragment = text.partition(" ")
        question = self._questions.get(int(number)) if number.isdecimal() else None
        if question is None or question.answer.done():
            return
        sign = ""
        if head == ANALYSED:
            sign, _, fragment = fragment.partition(" ")
        question.parts.append(fragment)
        if sum(map(len, question.parts)) > limits.ANALYSIS_MAX_CHARACTERS:
            question.answer.set_exception(NoReply)
        elif sign != "+":
            question.answer.set_result("".join(question.parts))

    def control(self, client: Connection) -> None:
        """The child's control connection is there: send it to all seats that want a bot, and what
        was asked before.
        """
        self._control = client
        for question in self._questions.values():
            client.send(question.think)
        for key, assignment in self._wanted.items():
            if key not in self._playing:
                self._send(assignment)

    def seated(self, client: Connection, assignment: BotAssignment) -> bool:
        """A bot has come to its seat; False if it is not wanted there any more."""
        key = (assignment.room, assignment.seat)
        if self._wanted.get(key) != assignment:
            return False
        self._dismiss(key)
        self._playing[key] = client
        return True

    def on_disconnect(self, client: Connection) -> None:
        """The connection of a house bot has ended: its seat needs a bot again."""
        if client is self._control:
            self._control = None
            for question in self._questions.values():
                _give_up(question.answer)
            return
        for key, player in list(self._playing.items()):
            if player is client:
                del self._playing[key]
                if key in self._wanted:
                    self._send(self._wanted[key])


def _give_up(answer: asyncio.Future[str]) -> None:
    if not answer.done():
        answer.set_exception(NoReply)


class BotRateLimit:
    """Owned by the engine."""

    def __init__(self) -> None:
        self._moves = TokenBucket(limits.HOUSE_BURST, limits.HOUSE_PER_SECOND, 0.0)
        self._shows = TokenBucket(limits.SHOW_BURST, limits.SHOWS_PER_SECOND, 0.0)

    def wait(self, room: Room, now: float) -> float:
        """The seconds that a line of a house bot in a room has to wait; 0: none."""
        alone = all(chair.bot is not None for chair in room.seats.values())
        buckets = (self._moves, self._shows) if alone else (self._moves,)
        wait = max(bucket.wait(now, 1.0) for bucket in buckets)
        for bucket in buckets:
            bucket.charge(now, 1.0)
        if wait > 0:
            count("lines.paced")
        return wait


_BACK_OFF_SECONDS: Final = (0.2, 1.0, 5.0, 30.0)
"""Waits before a child that has died is started again."""
_LOOK_SECONDS: Final = 5.0
"""How often the child is looked at."""
_SILENT_LOOKS: Final = 12
"""So many looks in a row without its connection, and it is taken for stuck: it beats more often."""


async def run_child(url: str, house: BotDispatcher) -> None:
    """Keep the child process running until cancelled; start it again when it dies or is stuck."""
    tries, house.is_started = 0, True
    while True:
        loop = asyncio.get_running_loop()
        began = loop.time()
        code = await _run_once(url, house)
        count("house.restarts")
        tries = 0 if loop.time() - began > 60 else tries + 1
        wait = _BACK_OFF_SECONDS[min(tries, len(_BACK_OFF_SECONDS)) - 1]
        log(logging.WARNING, "house bots ended", code=code, wait=wait)
        await asyncio.sleep(wait)


async def _run_once(url: str, house: BotDispatcher) -> int:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bluebear.clients.bots",
        "--house",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        if child.stdin is not None:
            child.stdin.write(json.dumps({"url": url, "token": house.token}).encode() + b"\n")
        return await _watch(child, house)
    finally:
        # The child ends when its standard input closes; it is ours, so we see to it.
        if child.stdin is not None:
            child.stdin.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(2.0):
                await child.wait()
        _kill(child)
        await child.wait()


async def _watch(child: asyncio.subprocess.Process, house: BotDispatcher) -> int:
    """Wait for the child's end; one that is not connected for long (it was stopped) is killed."""
    silent = 0
    while True:
        try:
            # Not wait_for: that of Python 3.11 drops a cancellation if the child ends just then.
            async with asyncio.timeout(_LOOK_SECONDS):
                return await child.wait()
        except TimeoutError:
            silent = 0 if house.has_child else silent + 1
            if silent >= _SILENT_LOOKS:
                log(logging.WARNING, "house bots are stuck")
                _kill(child)


def _kill(child: asyncio.subprocess.Process) -> None:
    """It may have ended by itself a moment ago."""
    with suppress(ProcessLookupError):
        child.kill()
