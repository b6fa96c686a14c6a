"""Plays a bot's seat: answers each request for a move until the game is over.

Each decision is a task, so a bot may compute for long: if the game moves on, a seat is taken back
or the connection ends, the task is cancelled.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from bluebear.clients.bots.strategies import tell_over
from bluebear.clients.bots.time_budget import SECONDS, clock_for
from bluebear.clients.sdk import (
    Chooser,
    Client,
    ClientClosed,
    Entered,
    Happening,
    Left,
    NotInRoomError,
    RoomId,
    RoomView,
    Seat,
    Synced,
    Updated,
    View,
    YourMove,
    answer_of,
)
from bluebear.protocol import Code

PATIENCE_SECONDS: Final = 0.5
"""Pause between attempts to send a line that the server could not handle."""

_PASSING: Final = frozenset({Code.BUSY, Code.NOT_SAVED, Code.TOO_MUCH})
"""Temporary refusals, which do not depend on the line."""

log = logging.getLogger(__name__)


class Player:
    """One bot at its seats in one room, on a client with `moves` in its `wants`.

    `pace` is the pause before each move and `seconds` the time for a decision without a clock, both
    in seconds. `hear` is called with every event before the player handles it.
    """

    def __init__(
        self,
        client: Client,
        bot: Chooser,
        *,
        pace: float = 0.0,
        seconds: float = SECONDS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        hear: Callable[[Happening], None] = lambda happening: None,
    ) -> None:
        self._client = client
        self._bot = bot
        self._pace = pace
        self._seconds = seconds
        self._sleep = sleep
        self._hear = hear
        self._thinking: dict[tuple[RoomId, Seat], tuple[YourMove, asyncio.Task[None]]] = {}
        self._playing: dict[RoomId, Seat] = {}
        """Rooms with a running game, and this bot's seat in each."""

    async def play(self, *, until_over: bool) -> None:
        """Answer the moves of all rooms until the client ends, or until a game is over."""
        async with asyncio.TaskGroup() as tasks:
            running = set[asyncio.Task[None]]()
            async for happening in self._client.happenings():
                self._hear(happening)
                match happening:
                    case YourMove():
                        task = tasks.create_task(self._move(happening))
                        running.add(task)
                        task.add_done_callback(running.discard)
                        self._think(happening, task)
                    case Entered(room=room) | Synced(room=room) | Updated(room=room):
                        self._look(room)
                        if until_over and self._is_over(room):
                            break
                    case Left(room=room):
                        self._look(room)
                    case _:
                        pass
            for task in running:
                task.cancel()

    def _think(self, moves: YourMove, task: asyncio.Task[None]) -> None:
        key = moves.room, moves.seat
        self._stop(key)
        self._thinking[key] = moves, task
        self._playing[moves.room] = moves.seat

    def _stop(self, key: tuple[RoomId, Seat]) -> None:
        if key in self._thinking:
            self._thinking.pop(key)[1].cancel()

    def _look(self, room: RoomId) -> None:
        """After a change: cancel decisions that are not needed any more."""
        for key, (moves, _) in list(self._thinking.items()):
            if key[0] == room and self._room_of(moves) is None:
                self._stop(key)
        if self._is_over(room) and room in self._playing:
            seat = self._playing.pop(room)
            tell_over(self._bot, view_of(self._client.mirror.rooms[room], seat))

    def _room_of(self, moves: YourMove) -> RoomView | None:
        """The room, if these are still the newest moves of their seat."""
        room = self._client.mirror.rooms.get(moves.room)
        return room if room is not None and room.moves.get(moves.seat) is moves else None

    async def _move(self, moves: YourMove) -> None:
        # A decision that is not needed any more is cancelled, with its pause.
        pause = asyncio.ensure_future(self._sleep(self._pace)) if self._pace else None
        try:
            room = self._room_of(moves)
            if room is None or not moves.lines:
                return
            clock = clock_for(room, moves.seat, self._client.server_ms, self._seconds)
            line = await answer_of(self._bot, view_of(room, moves.seat), moves.lines, clock)
            if pause is not None:
                await pause
        finally:
            if pause is not None:
                pause.cancel()
        # During the pause or a lost connection newer moves may have arrived.
        if self._room_of(moves) is None:
            return
        self._thinking.pop((moves.room, moves.seat), None)
        with suppress(ClientClosed, NotInRoomError):
            await self._say(line, moves)

    async def _say(self, line: str, moves: YourMove) -> None:
        while True:
            reply = await self._client.say(line, room=moves.room, at=moves.version)
            if reply.code not in _PASSING:
                break
            await self._sleep(PATIENCE_SECONDS)
        if not reply.ok and reply.code != Code.STALE:
            log.info("room %s, seat %d: %s refused: %s", moves.room, moves.seat, line, reply.code)

    def _is_over(self, room: RoomId) -> bool:
        view = self._client.mirror.rooms.get(room)
        return view is not None and view.phase == "over"


def view_of(room: RoomView, seat: Seat) -> View:
    """A bot's view of a mirrored room."""
    return View(
        game=room.game,
        seat=seat,
        version=room.version,
        tree=room.view,
        room_id=room.id,
        rules=room.rules,
    )
