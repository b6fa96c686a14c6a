"""The conversation of one person: prints the client's events and sends typed lines.

It uses neither terminal nor pipe: it prints to a `Screen`, and the reader of the keyboard or the
pipe calls `type`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import (
    Client,
    ClientClosed,
    Entered,
    Happening,
    Left,
    Lost,
    Missed,
    Noted,
    Present,
    Replied,
    Reply,
    RoomId,
    RoomView,
    Synced,
    Updated,
    Welcomed,
    YourTurn,
)
from bluebear.clients.terminal.arrival_text import EVENTS, absent_names, head_of, newcomers
from bluebear.clients.terminal.downloads import save_download
from bluebear.clients.terminal.error_marker import marked
from bluebear.clients.terminal.secret_lines import SLASHES, fold, is_secret, masked
from bluebear.protocol import Bye, Code, Lang, Logged, Version

ENDED: Final = frozenset({"over", "frozen"})
"""Phases in which a game does not continue by itself."""

JOINS: Final = ("join", "参加")
SEED_BYTES: Final = 16
"""Bytes that a seat contributes to the verifiable dice."""

ECHO: Final = "> "
"""Before each line that the client sends on its own."""


class Screen(Protocol):
    """The output of a conversation."""

    def show(self, text: str) -> None:
        """Print lines of text, after sanitizing them."""

    def bell(self) -> None:
        """Alert the person that it is their turn."""


@dataclass(slots=True)
class Settings:
    """The values of `/set`. Owned by the conversation."""

    board: bool = True
    bell: bool = True


def settings_of(stored: Mapping[str, bool]) -> Settings:
    """The stored settings, with defaults for the rest."""
    return Settings(**{name: stored[name] for name in ("board", "bell") if name in stored})


@dataclass(slots=True)
class _Shown:
    """What was printed of a room. Owned by the conversation."""

    version: int = 0
    phase: str = ""
    away: tuple[str, ...] = field(default_factory=tuple)
    here: tuple[str, ...] | None = None
    """None until the members were received."""


class Conversation:
    """One person's chat. `listen` must run during all other calls.

    Callbacks: `turn` when it becomes the person's turn, `watch` after each event, `asks` to prompt
    for a password that a line lacks. `remember` gets the room that the person joined, and an empty
    one when its game has ended. Records and minutes become files in the folder `downloads`; without
    one they are printed. With `greets`, for people and not for scripts, it prints the room's
    summary on joining, arrivals, and what to do after a game.
    """

    def __init__(
        self,
        client: Client,
        texts: Texts,
        screen: Screen,
        *,
        remember: Callable[[str], None] = lambda _: None,
        downloads: Path | None = None,
        fresh: Callable[[int], bytes] = os.urandom,
        greets: bool = False,
    ) -> None:
        self.settings = Settings()
        self.room: RoomId | None = None
        self.turn: Callable[[RoomId], None] = lambda _: None
        self.watch: Callable[[], None] = lambda: None
        self.asks: Callable[[str], None] | None = None
        self.greets = greets
        self.full_screen = False
        """Whether a status line shows what to do next, and the wrong word of a line is marked."""
        self.client = client
        self._texts = texts
        self._screen = screen
        self._remember = remember
        self._downloads = downloads
        self._fresh = fresh
        self._shown: dict[RoomId, _Shown] = {}
        self._undoing: dict[RoomId, RoomView] = {}
        self._met: set[str] = set()
        self._waiting: dict[str, asyncio.Event] = {}
        self._ended = asyncio.Event()
        self._saying = asyncio.Lock()
        self._expects_password = False
        """Whether the next line may be a password that the last line lacked."""
        self._lost = False
        self._remembered: str | None = None

    @property
    def lang(self) -> Lang:
        """The language of the person."""
        return self._texts.lang

    @property
    def is_turn(self) -> bool:
        """Whether a seat of the person is to move in the current room."""
        room = self.client.mirror.rooms.get(self.room) if self.room is not None else None
        return room is not None and bool(room.deciding_seats)

    async def listen(self) -> ClientClosed:
        """Print all events until the client has ended; returns the reason."""
        async for happening in self.client.happenings():
            self._hear(happening)
            self.watch()
        return await self.client.closed()

    async def type(self, line: str, *, echo: bool = True, aimed: bool = False) -> Reply:
        """Send a line to the current room, and wait until all its effects are printed.

        Earlier lines get their replies first, so pasted lines are sent in order. `echo` shows the
        line first. `aimed` lines refer to the position on the screen, and are refused if it has
        changed. Text after a line that lacked its password is not sent.
        """
        async with self._saying:
            if self._expects_password and not fold(line).lstrip().startswith(SLASHES):
                self._expects_password = False
                self._screen.show(self._texts.say("held_back"))
                return Reply(id="", ok=False)
            if is_secret(line):
                self._expects_password = False
            reply = await self._type(line, echo=echo, aimed=aimed)
            if reply.code in (Code.ACCOUNT_PASSWORD, Code.PASSWORD_WANTED):
                self._expects_password = True
                # `/hook` leads to locked rooms, too, but takes no password.
                if self.asks is not None and is_secret(f"{line} -"):
                    self.asks(line)
        return reply

    async def type_lines(self, key: str, **params: object) -> bool:
        """Send the client's own lines until one is refused; whether all were accepted."""
        for line in self._texts.say(key, **params).splitlines():
            if not (await self.type(line)).ok:
                return False
        return True

    def expect_no_password(self) -> None:
        """The person cancelled the password prompt: the next text is talk."""
        self._expects_password = False

    async def _type(self, line: str, *, echo: bool, aimed: bool) -> Reply:
        room = self.room if self.room in self.client.mirror.rooms else None
        line = self._with_seed(line)
        if echo:
            self._screen.show(f"{ECHO}{masked(line)}")
        at = None
        if aimed and room is not None and fold(line).startswith(SLASHES):
            at = self.client.room(room).version
        try:
            reply = await self.client.say(line, room=room, at=at)
        except ClientClosed as closed:
            return Reply(id="", ok=False, code=closed.code, text=closed.text)
        await self._printed(reply.id)
        if reply.ok and reply.room not in (None, room, self.room):
            self._come_back(reply.room)
        mark = marked(line, reply) if self.full_screen else ""
        if mark:
            self._screen.show(mark)
        return reply

    def _with_seed(self, line: str) -> str:
        """`/join` with random bytes of this client, so that no other party sets the game's dice."""
        head, *given = fold(line).split() or [""]
        joins = head.startswith(SLASHES) and head[1:] in JOINS and self._phase() == "open"
        if not joins or any(each.startswith("seed=") for each in given):
            return line
        return f"{line} seed={self._fresh(SEED_BYTES).hex()}"

    async def game_ended(self) -> str:
        """Wait until the game of the current room has ended; returns its phase."""
        while (phase := self._phase()) not in ENDED:
            self._ended.clear()
            await self._ended.wait()
        return phase

    def _phase(self) -> str:
        return "" if self.room is None else self._phase_of(self.room)

    def _phase_of(self, room: RoomId) -> str:
        view = self.client.mirror.rooms.get(room)
        return "" if view is None else view.phase

    async def _printed(self, line: str) -> None:
        if line in self._met:
            self._met.discard(line)
            return
        waiting = self._waiting[line] = asyncio.Event()
        await waiting.wait()

    def _hear(self, happening: Happening) -> None:
        match happening:
            case Updated(room, version, text):
                self._shown_of(room).version = version
                for sentence in text:
                    self._say_in(room, sentence)
                self._note_end(room)
                self._look_after_undo(self.client.mirror.rooms[room])
                self._look_around()
            case Entered(room, version, log) | Synced(room, version, log):
                if isinstance(happening, Entered):
                    self._go(room)
                    log = self._introduce(room, log)
                self._catch_up(room, version, log)
                self._shown_of(room).phase = self._phase_of(room)
                self._look_around()
            case Left(room, text):
                self._screen.show(text)
                self._shown.pop(room, None)
                if room == self.room:
                    self._go(None)
            case YourTurn(room):
                if self.settings.bell:
                    self._screen.bell()
                self.turn(room)
            case Present(room, here, away):
                self._show_arrivals(room, here, away)
                self._show_absence(room, away)
            case Noted():
                self._note(happening)
            case Replied(reply):
                self._answer(reply)
            case _:
                self._hear_of_connection(happening)

    def _look_after_undo(self, room: RoomView) -> None:
        """Show the board to the person who requested an undo, when it was accepted.

        If it becomes the person's turn by that, the board is shown anyway.
        """
        before = self._undoing.pop(room.id, None)
        if any(kind == "undo" and by == self.client.name for kind, by in room.votes):
            self._undoing[room.id] = room
        elif before is not None and before.view.get("game") != room.view.get("game"):
            if before.deciding_seats & room.deciding_seats:
                self.turn(room.id)

    def _hear_of_connection(self, happening: Happening) -> None:
        match happening:
            case Welcomed(name, again):
                self._lost = False
                self._screen.show(self._texts.say("back" if again else "you_are", name=name))
            case Lost():
                if not self._lost:
                    self._screen.show(self._texts.say("lost"))
                self._lost = True
            case Bye(text=text, retry_ms=int()):
                self._screen.show(text)
            case Missed(count):
                self._screen.show(self._texts.say("missed", count=count))
            case _:
                pass

    def _save_note(self, code: str, text: str) -> str:
        """The text for a note: for a record or minutes, the file that it was saved in."""
        if self._downloads is None:
            return text
        try:
            path = save_download(self._downloads, code, text)
        except OSError as problem:
            return f"{text}\n{self._texts.say('not_written', reason=problem.strerror or '')}"
        return text if path is None else self._texts.say("written", path=path)

    def _answer(self, reply: Reply) -> None:
        if not reply.ok and not (reply.code == Code.ACCOUNT_PASSWORD and self.asks is not None):
            self._screen.show(reply.text)
        waiting = self._waiting.pop(reply.id, None)
        if waiting is None:
            self._met.add(reply.id)
        else:
            waiting.set()

    def _catch_up(self, room: RoomId, version: Version, log: tuple[Logged, ...]) -> None:
        """Print the sentences of the log that were not printed yet."""
        shown = self._shown_of(room)
        for logged in log:
            if logged.version > shown.version:
                self._say_in(room, logged.text)
        shown.version = version

    def _come_back(self, room: RoomId) -> None:
        """Switch to a room joined earlier: its events were printed meanwhile."""
        if room in self.client.mirror.rooms:
            self._go(room)
            self._introduce(room, ())
            self.watch()

    def _note(self, note: Noted) -> None:
        if note.code == "lang":
            self._texts.turn_to(note.said)
        self._say_in(note.room, self._save_note(note.code, note.text))

    def _introduce(self, room: RoomId, log: tuple[Logged, ...]) -> tuple[Logged, ...]:
        """Print the room's summary; returns the newest sentences of the log, to be printed next."""
        if not self.greets:
            return log
        mirror = self.client.mirror
        for line in head_of(mirror.rooms[room], mirror.games, self._texts):
            self._say_in(room, line)
        return log[-EVENTS:]

    def _note_end(self, room: RoomId) -> None:
        """Print what to do next if a game has just ended, and no status line shows it."""
        shown, phase = self._shown_of(room), self._phase_of(room)
        ended = phase == "over" != shown.phase
        shown.phase = phase
        if self.greets and ended and not self.full_screen:
            self._say_in(room, self._texts.say("game_over"))

    def _show_arrivals(self, room: RoomId, here: tuple[str, ...], away: tuple[str, ...]) -> None:
        """Print who joined and left; seated players count as away and back."""
        shown = self._shown_of(room)
        before, shown.here = shown.here, here
        if before is None or not self.greets:
            return
        for key, names in (
            ("came", newcomers(before, here, but=(*shown.away, self.client.name))),
            ("went", newcomers(here, before, but=away)),
        ):
            if names:
                self._say_in(room, self._texts.say(key, names=", ".join(names)))

    def _show_absence(self, room: RoomId, away: tuple[str, ...]) -> None:
        shown = self._shown_of(room)
        if away == shown.away:
            return
        shown.away = away
        names = absent_names(self.client.room(room), away, self._texts)
        self._say_in(room, self._texts.say("away" if away else "all_here", names=names))

    def _shown_of(self, room: RoomId) -> _Shown:
        return self._shown.setdefault(room, _Shown())

    def _say_in(self, room: RoomId | None, text: str) -> None:
        in_other_room = room is not None and room != self.room
        self._screen.show(f"[{room}] {text}" if in_other_room else text)

    def _go(self, room: RoomId | None) -> None:
        self.room = room
        self._look_around()

    def _look_around(self) -> None:
        """Update the stored room, and whether its game has ended."""
        if self.room is None:
            return
        ended = self._phase() in ENDED
        room = "" if ended else self.room
        if room != self._remembered:
            self._remembered = room
            self._remember(room)
        if ended:
            self._ended.set()
