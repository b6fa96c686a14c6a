"""The server put together: the only place where all parts meet.

`App` knows no sockets: connections come as links, frames as bytes, so the same app runs behind
`transport` and in a simulation with fake ones.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from typing import Any, Final

from protocol import Done, Error, Lobby, Note, Version
from protocol import Game as GameData
from rules.core.game import Game
from rules.core.refusal import Refusal
from server.caller import Caller
from server.clock import Clock
from server.commands.acts import Act, Enter
from server.commands.scene import RoomLine
from server.config import Config
from server.directory import Directory, LobbyFeed, line_of, room_line
from server.edge.reception import Reception
from server.engine.house import HouseDesk
from server.engine.live import LiveRoom
from server.engine.rooms import Rooms, is_stale
from server.inquiries import Inquiries
from server.journal import Entry, GroupWriter, Journal, JournalError
from server.limits import DISK_RETRY_SECONDS, LOBBY_SECONDS
from server.observe import count, log
from server.people.passwords import hash_password
from server.registry import Registry, Tasks
from server.room.records import record_of
from server.sentences import say

_SWEEP_SECONDS: Final = 60.0
_RETRY_MS: Final = 3_000


class _World:
    """What commands may look up, read from the app."""

    def __init__(self, app: App) -> None:
        self._app = app

    def games(self) -> Mapping[str, Game[Any]]:
        return self._app.games

    def rooms(self) -> Sequence[RoomLine]:
        return [self._fresh(line) for line in self._app.directory]

    def _fresh(self, line: RoomLine) -> RoomLine:
        """The line of a live room, whose turn changes without a summary."""
        live = self._app.rooms.live.get(line.id)
        if live is None or not live.exists:
            return line
        return room_line(live.room, self._app.games)

    def room(self, room: str) -> RoomLine | None:
        return self._app.directory.get(room)

    def awake(self, room: str) -> bool:
        live = self._app.rooms.live.get(room)
        return live is not None and live.present.awake

    def room_of_invite(self, hashed: str) -> RoomLine | None:
        return self._app.directory.of_invite(hashed)

    def person_named(self, name: str) -> tuple[str, str] | None:
        person = self._app.registry.people.by_name(name, self._app.clock.now())
        return None if person is None else (person.id, person.name)

    def online(self) -> Mapping[str, str]:
        return self._app.reception.online()

    def invite_link(self, token: str) -> str:
        return f"{self._app.public_url}/r/{token}"


class App:
    """One server. `open` it before connections come, `close` it at the end."""

    def __init__(
        self,
        config: Config,
        journal: Journal,
        games: Mapping[str, Game[Any]],
        clock: Clock,
        fresh: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.config = config
        self.games = games
        self.clock = clock
        self.fresh = fresh
        self.journal = journal
        self.public_url = config.public_url or f"http://{config.host}:{config.port}"
        self.version = f"bluebear {_version()}"
        self.writer = GroupWriter(journal, self._writer_bug)
        self.registry = Registry(journal, self.writer, games, clock)
        self.tasks = Tasks()
        self.house = HouseDesk(fresh)
        self.directory = Directory(self._lobby_changed)
        self.lobby = LobbyFeed()
        self.rooms = Rooms(self)
        self.reception = Reception(self)
        self.inquiries = Inquiries(self)
        self.world = _World(self)
        self._lobby_timer: asyncio.TimerHandle | None = None
        self._sweep_timer: asyncio.TimerHandle | None = None

    @property
    def healthy(self) -> bool:
        """Whether lines can be accepted: what was said last could be saved."""
        return not self.writer.failing

    async def open(self) -> None:
        """Read people and room summaries from the journal. Raises NotRead."""
        await self.registry.load_people()
        now = self.clock.now()
        for summary in await self.journal.summaries():
            line = line_of(summary)
            self.directory.put(line)
            if is_stale(line, now):
                self.directory.drop(line.id)
        self._lobby_now()
        self._sweep_timer = asyncio.get_running_loop().call_later(_SWEEP_SECONDS, self._sweep)

    async def close(self) -> None:
        """Say goodbye, finish what is being written, and let go of everything."""
        self.reception.say_goodbye(_RETRY_MS)
        for timer in (self._lobby_timer, self._sweep_timer):
            if timer is not None:
                timer.cancel()
        # Nothing begins any more; what has begun is still written, with what it leads to.
        for live in list(self.rooms.live.values()):
            live.close()
        await self.tasks.close()
        await self.writer.drain()
        await self.writer.close()
        for live in list(self.rooms.live.values()):
            if live.exists:
                await self.registry.save_room(live.room)
        await self.tasks.close()
        await self.registry.close()
        await self.journal.close()

    def live(self, room_id: str) -> LiveRoom | None:
        """A room that is in memory."""
        found = self.rooms.live.get(room_id)
        return found if found is not None and found.exists else None

    # What live rooms ask for.

    def perform(self, caller: Caller, live: LiveRoom | None, act: Act, say_id: str) -> None:
        """Carry out an act that is no entry of a room."""
        self.reception.perform(caller, live, act, say_id)

    def changed(self, live: LiveRoom, entry: Entry, *, summary: bool) -> None:
        """An entry of a room is committed."""
        room = live.room
        if summary:
            self.directory.put(room_line(room, self.games))
        if live.wants_snapshot():
            self.tasks.start(self.registry.save_room(room))
        guest = entry.facts.get("guest")
        if isinstance(guest, str):
            self._notify_guest(live, guest, entry)
        if summary:
            self._keep_record(live)

    def loaded(self, live: LiveRoom) -> None:
        """A room is back in memory. A server that died with its last entry kept no record of it."""
        self._keep_record(live)

    def _keep_record(self, live: LiveRoom) -> None:
        """Keep the record of a game that has ended; a second one of the same game is fenced off."""
        room, game = live.room, live.game
        if room.table.ending is None or live.recorded == room.table.game_id:
            return
        live.recorded = room.table.game_id
        if game is not None and room.head is not None:
            text = record_of(room, game, frozenset())
            self.tasks.start(self.registry.save_record(room.table.game_id, room, text))

    def _notify_guest(self, live: LiveRoom, guest: str, entry: Entry) -> None:
        host = str(entry.facts.get("name", live.room.table.host))
        for caller in self.reception.of_person(guest):
            text = say("note.invited", caller.lang, name=host, line=f"/room {live.id}")
            caller.send(Note(code="invited", text=text))

    def refuse(self, caller: Caller, say_id: str, refusal: Refusal) -> None:
        """Answer a line that is about no room that is live here."""
        self.reception.refuse(caller, say_id, refusal)

    def look_up(self, caller: Caller, say_id: str, otherwise: Error, *, go_in: bool) -> None:
        """Was a line written? Asked where it would be refused, and where nobody can tell."""
        self.tasks.start(self._look_up(caller, say_id, otherwise, go_in=go_in))

    async def _look_up(self, caller: Caller, say_id: str, otherwise: Error, *, go_in: bool) -> None:
        try:
            found = await self.journal.find(caller.speaker.actor.text, say_id)
        except JournalError as problem:
            log(logging.ERROR, "line not looked up", why=str(problem))
            await asyncio.sleep(DISK_RETRY_SECONDS)
            self.look_up(caller, say_id, otherwise, go_in=go_in)
            return
        if found is None:
            caller.answer(otherwise)
        else:
            self.answer_again(caller, say_id, *found, go_in=go_in)

    def answer_again(
        self, caller: Caller, say_id: str, stream: str, seq: int, *, go_in: bool
    ) -> None:
        """Answer a line that is entry `seq` of a stream already.

        `go_in`: it was `/newroom` or spent an invite, and the answer got lost. Who said it is not
        in the room yet, and goes in.
        """
        live = self.live(stream)
        number = None if live is None else live.number_of(caller)
        if number is None and go_in:
            self.rooms.enter(caller, Enter(stream), say_id)
        else:
            caller.answer(Done(id=say_id, room=number, version=Version(seq)))

    def hash_password(self, password: str, then: Callable[[str], None]) -> None:
        """Hash a password in a thread."""
        self.tasks.start(self._hash_password(password, then))

    async def _hash_password(self, password: str, then: Callable[[str], None]) -> None:
        then(await hash_password(password))

    def lost(self, live: LiveRoom) -> None:
        """A room's state is not known any more: load it again."""
        count("rooms.lost")
        self.rooms.forget(live)

    def game_data(self, game: str) -> GameData | None:
        """A game's unchanging data, with its hash."""
        return self.inquiries.game_data(game)

    # Lobby and sweeping.

    def lobby_snapshot(self) -> Lobby:
        """The whole lobby."""
        return Lobby(version=Version(self.lobby.version), full=True, patch=self.lobby.sent)

    def _lobby_changed(self) -> None:
        if self._lobby_timer is None:
            loop = asyncio.get_running_loop()
            self._lobby_timer = loop.call_later(LOBBY_SECONDS, self._lobby_now)

    def _lobby_now(self) -> None:
        self._lobby_timer = None
        patch = self.lobby.step(self.directory.tree())
        if patch is not None:
            self.reception.send_lobby(Lobby(version=Version(self.lobby.version), patch=patch))

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        self._sweep_timer = loop.call_later(_SWEEP_SECONDS, self._sweep)
        self.tasks.start(self.rooms.sweep())
        if self.registry.people_snapshot_due:
            self.tasks.start(self.registry.save_people())

    def _writer_bug(self, bug: Exception) -> None:
        count("bugs")
        logging.getLogger("bluebear").error("journal writer", exc_info=bug)


def _version() -> str:
    try:
        return metadata.version("bluebear")
    except metadata.PackageNotFoundError:
        return "0"
