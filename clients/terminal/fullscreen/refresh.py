"""Keeps the board and the verbs of now on the screen: asks the server when something has changed.

One question is on its way at a time, and after each there is a pause, so that a game of bots costs
a few questions a second and not one for each of their moves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, cast

from bluebear.clients.sdk import AskRefused, ClientClosed, NotInRoomError, RoomId
from bluebear.clients.terminal.chat import Conversation
from bluebear.clients.terminal.legal_verbs import verbs_of_now
from bluebear.clients.terminal.sanitize import printable
from bluebear.protocol import Lang

PAUSE_SECONDS: Final = 0.4
"""Boards and verbs together stay below the four questions a second that a server allows."""

QUERY: Final = "/board short"


Undo = Literal["free", "asks"]
"""An undo takes the last move back at once, or asks the others first."""


class Size(NamedTuple):
    """The columns and lines that a board may have."""

    width: int
    lines: int


class _Seen(NamedTuple):
    """What the board on the screen was made for."""

    room: RoomId | None
    game: object
    size: Size
    turn: frozenset[int]
    lang: Lang
    sound: bool


class BoardRefresher:
    """Owned by the window. `run` has to run; `look` says that something may have changed."""

    def __init__(
        self,
        conversation: Conversation,
        size: Callable[[], Size],
        redraw: Callable[[], None],
        *,
        pause: float = PAUSE_SECONDS,
    ) -> None:
        self.board: tuple[str, ...] = ()
        self.verbs = ""
        self.undo: Undo | None = None
        self._conversation = conversation
        self._size = size
        self._redraw = redraw
        self._pause = pause
        self._news = asyncio.Event()
        self._seen: _Seen | None = None

    def look(self) -> None:
        """Something may have changed: the position, the room, the window."""
        self._news.set()

    async def run(self) -> None:
        """Keep board and verbs up to date, until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            now = self._now()
            if now == self._seen:
                continue
            self._seen = now
            await self._fetch(now)
            self._redraw()
            await asyncio.sleep(self._pause)

    def _now(self) -> _Seen:
        conversation = self._conversation
        client, room, lang = conversation.client, conversation.room, conversation.lang
        view = None if room is None else client.mirror.rooms.get(room)
        if view is None or not client.connected:
            return _Seen(room, None, self._size(), frozenset(), lang, sound=client.connected)
        game = _Same(view.view.get("game"))
        return _Seen(room, game, self._size(), view.own_turn, lang, sound=view.sound)

    async def _fetch(self, now: _Seen) -> None:
        if now.room is None:
            self.board, self.verbs, self.undo = (), "", None
            return
        if not now.sound:
            return  # what is known stays on the screen until the connection is back
        if cast(_Same, now.game).view is None:
            self.board, self.verbs, self.undo = (), "", None
            return
        args: dict[str, str | int] = {"text": QUERY, "width": now.size.width}
        try:
            told = await self._conversation.client.ask(
                "query", room=now.room, args={**args, "lines": now.size.lines}
            )
        except (AskRefused, ClientClosed, NotInRoomError):
            return
        self.board = tuple(printable(str(told.get("text", ""))).split("\n"))
        self.verbs = await verbs_of_now(self._conversation, now.room) if now.turn else ""
        self.undo = None if now.turn else await self._undo_ahead(now.room)

    async def _undo_ahead(self, room: RoomId) -> Undo | None:
        """What `/undo` would do, asked where the verbs are not, so that no more is asked."""
        client = self._conversation.client
        if not client.mirror.rooms[room].eyes:
            return None
        try:
            told = await client.ask("undo", room=room)
        except (AskRefused, ClientClosed, NotInRoomError):
            return None
        if told.get("can") is not True:
            return None
        return "asks" if told.get("asks") is True else "free"


class _Same:
    """Compares views by identity: an unchanged part of a view is the same object."""

    def __init__(self, view: Any) -> None:  # Any: a view is a plain tree
        self.view = view

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.view is self.view

    def __hash__(self) -> int:
        return id(self.view)
