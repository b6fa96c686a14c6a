"""The list of rooms: each connection in the lobby sees one page of it, and its changes.

However many rooms there are, a new connection gets one page. All who look at the same page share a
view; it is read again when rooms have changed, and they get the difference.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar, Final

from bluebear.protocol import Ask, Branch, Lobby, Version, diff
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.arguments import game_named
from bluebear.server.features.feature import Context, Feature, Question, Services
from bluebear.server.limits import LISTING_SIZE, LOBBY_SECONDS
from bluebear.server.lookups import ServerInfo
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.loading import LobbyRow, lobby_row
from bluebear.server.rooms.views import GameBody
from bluebear.server.store import Window

_START: Final = Window()
_PAGES_MAX: Final = 100_000
"""Pages of the list that can be requested; those behind the last one are empty."""


class _View:
    """One page of the list, and the connections that look at it."""

    def __init__(self) -> None:
        self.version = 0
        self.tree: Branch | None = None
        self.reading = False
        self.watchers: dict[Connection, int] = {}
        """The version that each connection has; 0: nothing yet."""

    def show(self, connection: Connection) -> None:
        """Send a connection the whole page."""
        if self.tree is not None:
            self.watchers[connection] = self.version
            message = Lobby(version=Version(self.version), full=True, patch=self.tree)
            connection.send(message)


class RoomList(Feature):
    """The list of rooms as the connections of this node see it."""

    name = "room_list"
    answers: ClassVar = {"lobby": LobbyRow, "about": ServerInfo, "body": GameBody}

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._look_ups = services.look_ups
        self._start = services.tasks.start
        self._views: dict[Window, _View] = {}
        self._looks: dict[Connection, Window] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._stale = False
        self._reading = False
        self._filling = asyncio.Lock()

    def entered_lobby(self, connection: Connection) -> None:
        """Hook: it looks at the page that it had, else at the first."""
        self._open(connection)

    @Question("lobby")
    async def open_page(self, ctx: Context, query: Ask) -> Branch:
        """Which page the connection looks at from now on; `lobby` frames show it."""
        given = query.args
        game, number = str(given.get("game", "")), str(given.get("page", 1))
        page = int(number) if number.isascii() and number.isdigit() else 0
        if not 1 <= page <= _PAGES_MAX:
            raise NotAllowed("bad_message")
        window = Window(
            game=game_named(self.services.games, game) if game else "",
            free=given.get("only") == "free",
            running=given.get("only") == "running",
            page=page - 1,
        )
        self._open(ctx.connection, window)
        return {"page": page}

    def _open(self, connection: Connection, window: Window | None = None) -> None:
        page = window or self._looks.get(connection, _START)
        self._leave(connection)
        self._looks[connection] = page
        view = self._views.setdefault(page, _View())
        view.watchers[connection] = 0
        if view.tree is not None:
            view.show(connection)
        elif not view.reading:
            view.reading = True
            self._start(self._fill(page, view))

    def closed(self, connection: Connection) -> None:
        """Hook: a connection has ended."""
        self._leave(connection)
        self._looks.pop(connection, None)

    def _leave(self, connection: Connection) -> None:
        window = self._looks.get(connection)
        view = None if window is None else self._views.get(window)
        if window is None or view is None:
            return
        view.watchers.pop(connection, None)
        if not view.watchers:
            del self._views[window]

    def rooms_changed(self) -> None:
        """Hook: rows of rooms have changed: those who look at them get the difference soon."""
        self._stale = True
        if self._timer is None and not self._reading and self._views:
            self._timer = asyncio.get_running_loop().call_later(LOBBY_SECONDS, self._refresh)

    def close(self) -> None:
        """Hook: the server stops."""
        if self._timer is not None:
            self._timer.cancel()
        self._views.clear()

    def _refresh(self) -> None:
        self._timer = None
        self._start(self._refresh_all())

    async def _refresh_all(self) -> None:
        """Read each page that is looked at; the next time waits for the end of this one."""
        self._reading = True
        self._stale = False
        try:
            for window, view in list(self._views.items()):
                # Members of rooms look at boards; they get the page whole when they come back.
                if all(each.rooms for each in view.watchers):
                    view.tree = None
                elif view.tree is None:
                    await self._fill(window, view)
                else:
                    await self._step(window, view)
        finally:
            self._reading = False
        if self._stale:
            self.rooms_changed()

    async def _step(self, window: Window, view: _View) -> None:
        tree = await self._tree(window)
        if tree is None or view.tree is None:
            return
        patch = diff(view.tree, tree)
        if not patch:
            return
        before, view.tree = view.version, tree
        view.version += 1
        message = Lobby(version=Version(view.version), patch=patch)
        frames: dict[str, bytes] = {}
        for connection, has in view.watchers.items():
            if connection.rooms:
                continue
            if has != before:
                view.show(connection)
                continue
            view.watchers[connection] = view.version
            codec = connection.codec
            if codec.name not in frames:
                frames[codec.name] = codec.encode(message)
            connection.push(frames[codec.name])

    async def _fill(self, window: Window, view: _View) -> None:
        """Read a page that was not looked at, and send it to all who still wait for it."""
        async with self._filling:
            if self._views.get(window) is not view:
                return
            tree = await self._tree(window)
        view.reading = False
        if tree is None or view.tree is not None:
            return
        view.tree = tree
        view.version += 1
        for connection, has in list(view.watchers.items()):
            if not has:
                view.show(connection)

    async def _tree(self, window: Window) -> Branch | None:
        try:
            page = await self._look_ups.page(window)
        except NotAllowed:
            self.rooms_changed()
            return None
        lines = await self._look_ups.lines(page.rows)
        # Any: plain trees.
        rooms: dict[str, Any] = {str(line.id): lobby_row(line) for line in lines}
        return {
            "rooms": rooms,
            "order": [str(line.id) for line in lines],
            "page": window.page + 1,
            "pages": max(1, -(-page.total // LISTING_SIZE)),
            "total": page.total,
        }
