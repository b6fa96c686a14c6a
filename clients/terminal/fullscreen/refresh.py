"""Refreshes the board and the legal verbs after each change, one query at a time.

A pause follows each query, so that a game of bots costs a few queries a second, not one a move.
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
"""Keeps queries for boards and verbs below the server's limit of four a second."""

QUERY: Final = "/board short"

Undo = Literal["free", "asks"]
"""Whether an undo takes effect at once, or needs the consent of the other players."""


class Size(NamedTuple):
    """The maximum columns and lines of a board."""

    width: int
    lines: int


class _Seen(NamedTuple):
    """The inputs of the board on the screen."""

    room: RoomId | None
    game: object
    size: Size
    turn: frozenset[int]
    lang: Lang
    sound: bool


class BoardRefresher:
    """Refreshes board and verbs in `run`; `look` reports a possible change. Owned by the window."""

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
        """Report a possible change of the position, the room or the window."""
        self._news.set()

    async def run(self) -> None:
        """Refresh board and verbs until cancelled."""
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
        return _Seen(room, game, self._size(), view.deciding_seats, lang, sound=view.sound)

    async def _fetch(self, now: _Seen) -> None:
        if now.room is not None and not now.sound:
            return  # the last state stays on the screen until the client has reconnected
        if now.room is None or cast(_Same, now.game).view is None:
            self.board, self.verbs, self.undo = (), "", None
            return
        args: dict[str, str | int] = {"text": QUERY, "width": now.size.width}
        try:
            catalogue = await self._conversation.client.ask(
                "query", room=now.room, args={**args, "lines": now.size.lines}
            )
        except (AskRefused, ClientClosed, NotInRoomError):
            return
        self.board = tuple(printable(str(catalogue.get("text", ""))).split("\n"))
        self.verbs = await verbs_of_now(self._conversation, now.room) if now.turn else ""
        self.undo = None if now.turn else await self._undo_ahead(now.room)

    async def _undo_ahead(self, room: RoomId) -> Undo | None:
        """What `/undo` would do; queried only if the verbs are not, to limit the load."""
        client = self._conversation.client
        if not client.mirror.rooms[room].eyes:
            return None
        try:
            catalogue = await client.ask("undo", room=room)
        except (AskRefused, ClientClosed, NotInRoomError):
            return None
        if catalogue.get("can") is not True:
            return None
        return "asks" if catalogue.get("asks") is True else "free"


class _Same:
    """Compares views by identity: an unchanged branch of a view is the same object."""

    def __init__(self, view: Any) -> None:  # Any: a view is a plain tree
        self.view = view

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.view is self.view

    def __hash__(self) -> int:
        return id(self.view)
