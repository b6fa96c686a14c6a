"""The full-screen window: draws the state and handles the keys."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import has_completions
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import (
    BufferControl,
    CompletionsMenu,
    Dimension,
    Float,
    FloatContainer,
    HSplit,
    Layout,
    UIContent,
    UIControl,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from bluebear.clients.phrases import Texts
from bluebear.clients.terminal.arrival_text import title_of
from bluebear.clients.terminal.chat import ECHO, Conversation
from bluebear.clients.terminal.client_commands import ClientCommand, change_settings, client_command
from bluebear.clients.terminal.fullscreen.refresh import BoardRefresher, Size
from bluebear.clients.terminal.fullscreen.screen_layout import (
    ASCII,
    LINED,
    Row,
    ScreenState,
    board_room,
    left_columns,
    log_height,
    rows,
)
from bluebear.clients.terminal.fullscreen.seats import names_to_move, seats_of, ticks
from bluebear.clients.terminal.line_editor import (
    STILL_SECONDS,
    LineCompleter,
    PasswordMask,
    history_in,
)
from bluebear.clients.terminal.passwords import PasswordQuestion
from bluebear.clients.terminal.sanitize import printable
from bluebear.clients.terminal.secret_lines import lacks_password, masked

LOG_MAX: Final = 1_000
"""Maximum number of texts in the scrollable log: an evening; the game's record has the rest."""
_INPUT_LINES: Final = 3
_MENU_LINES: Final = 8
_TICK_SECONDS: Final = 1.0
_MARK: Final = "* "
_LONG: Final = 5
"""Texts with at least this many lines are shown on the whole screen; shorter ones in the log."""

STYLE: Final = Style.from_dict(
    {
        "bar": "reverse",
        "turn": "bold",
        "own": "bold",
        "hint": "ansibrightblack",
        "frame": "ansibrightblack",
        "seat1": "ansicyan",
        "seat2": "ansiyellow",
        "seat3": "ansimagenta",
        "seat4": "ansigreen",
        "seat5": "ansired",
        "seat6": "ansiblue",
    }
)
PLAIN_STYLE: Final = Style.from_dict({"bar": "reverse", "turn": "bold", "own": "bold"})


class Log:
    """The screen of a conversation: stores what is shown, newest last."""

    def __init__(self, *, ascii_only: bool) -> None:
        self._ascii_only = ascii_only
        self.texts: list[str] = []
        self.long: str | None = None
        """The newest long text, until the person has closed it."""
        self.ring: Callable[[], None] = lambda: None

    def show(self, text: str) -> None:
        shown = printable(text, ascii_only=self._ascii_only)
        self.texts.append(shown)
        del self.texts[:-LOG_MAX]
        if shown.count("\n") >= _LONG:
            self.long = shown

    def clear(self) -> None:
        """Delete all texts."""
        self.texts.clear()
        self.long = None

    def bell(self) -> None:
        self.ring()


class FullScreen:
    """A person's screen and keyboard. All its tasks end with `run`."""

    def __init__(
        self,
        conversation: Conversation,
        log: Log,
        texts: Texts,
        *,
        history: Path | None,
        ascii_only: bool = False,
        colours: bool = True,
        keyboard: Input | None = None,
        display: Output | None = None,
        now: Callable[[], float] = time.time,
        keep_settings: Callable[[], None] = lambda: None,
    ) -> None:
        self._conversation = conversation
        self._log = log
        self._texts = texts
        self._ascii_only = ascii_only
        self._now = now
        self._skew: float | None = None
        self._keep_settings = keep_settings
        self._back = 0
        self._read: str | None = None
        """The long text on the screen."""
        self._tasks = set[asyncio.Task[object]]()
        self._question = PasswordQuestion(conversation, texts, log.show, self._news)
        self._buffer = Buffer(
            history=history_in(history, self._question.is_open),
            completer=LineCompleter(
                conversation, still=STILL_SECONDS, hides=self._question.is_open
            ),
            complete_while_typing=True,
            multiline=False,
            accept_handler=self._accept,
        )
        self._app: Application[None] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=STYLE if colours else PLAIN_STYLE,
            color_depth=None if colours else ColorDepth.DEPTH_1_BIT,
            full_screen=True,
            input=keyboard,
            output=display,
            enable_page_navigation_bindings=False,
        )
        self._lookout = BoardRefresher(conversation, self._board_size, self._app.invalidate)
        conversation.watch = self._news
        conversation.full_screen = True
        log.ring = self._app.output.bell

    def offer(self, line: str) -> None:
        """Put a line into the input, unless the input has text."""
        if line and not self._buffer.text:
            self._buffer.text = line
            self._buffer.cursor_position = len(line)
            self._app.invalidate()

    async def run(self) -> None:
        """Show the screen until /quit or the end of input."""
        self._start(self._lookout.run())
        self._start(self._tick())
        self._lookout.look()
        try:
            await self._app.run_async()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _draw(self, width: int, height: int) -> list[Row]:
        self._lookout.look()  # the window may have been resized
        return rows(self.facts(width, height), width, height)

    def facts(self, width: int, height: int) -> ScreenState:
        """The state to draw in a window of this size."""
        conversation, texts = self._conversation, self._texts
        mirror = conversation.client.mirror
        room = None if conversation.room is None else mirror.rooms.get(conversation.room)
        title, hint = texts.say("lobby"), texts.say("in_lobby")
        if room is not None:
            # A running game is obvious; the seats need the columns.
            phase = texts.say(f"phase_{room.phase}") if room.phase not in ("", "playing") else ""
            late = texts.say("late", moves=room.late) if room.late else ""
            title = " ".join(filter(None, (title_of(room, mirror.games, texts), phase, late)))
        seats = [] if room is None else seats_of(room, self._server_ms())
        if room is not None:
            names = names_to_move(seats, texts.say("absent"))
            hint = texts.say("their_turn", names=names) if names else ""
            if names and self._lookout.undo is not None:
                hint = f"{hint}  {texts.say(f'undo_{self._lookout.undo}')}"
            if room.phase == "open":
                hint = texts.say("seated_in_open_room" if room.eyes else "in_open_room")
            elif room.phase == "over":
                hint = texts.say("game_over")
        is_turn = conversation.is_turn
        if is_turn:
            hint = texts.say("your_turn", verbs=self._lookout.verbs or "...")
        if not conversation.client.connected:
            hint, is_turn = texts.say("lost"), False
        board = () if self._log.long else self._lookout.board
        self._go_back(width, height - min(len(board), board_room(height)))
        older = texts.say("older") if self._back else ""
        return ScreenState(
            title=printable(title),
            hint=printable(hint),
            your_turn=is_turn,
            seats=seats,
            board=board,
            log=self._log.texts,
            back=self._back,
            bar_hint=texts.say("reading") if self._log.long else older,
            signs=ASCII if self._ascii_only else LINED,
        )

    def _server_ms(self) -> int:
        """The server's clock: the local clock plus the difference at the welcome."""
        welcome = self._conversation.client.mirror.welcome
        if self._skew is None and welcome is not None:
            self._skew = welcome.now - self._now() * 1000
        return round(self._now() * 1000 + (self._skew or 0))

    def _board_size(self) -> Size:
        size = self._app.output.get_size()
        return Size(left_columns(size.columns), max(4, board_room(size.rows - 1)))

    def _go_back(self, width: int, height: int) -> None:
        """Scroll to the beginning of a new text that is longer than the screen.

        At most to the start of the log, whose height is two lines less than the window's.
        """
        room, left, texts = height - 2, left_columns(width), self._log.texts
        if self._log.long is not None and self._log.long != self._read:
            at = max(at for at, text in enumerate(texts) if text is self._log.long)
            self._back = max(0, log_height(texts[at:], left) - room)
        self._read = self._log.long
        if self._back:
            self._back = min(self._back, max(0, log_height(texts, left) - room))

    def _news(self) -> None:
        self._lookout.look()
        self._app.invalidate()

    async def _tick(self) -> None:
        """Redraw once a second while a clock runs."""
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            at = self._conversation.room
            room = None if at is None else self._conversation.client.mirror.rooms.get(at)
            if room is not None and ticks(room):
                self._app.invalidate()

    def _layout(self) -> Layout:
        line = BufferControl(
            self._buffer,
            input_processors=[
                PasswordMask(self._question.is_open),
                BeforeInput(self._prompt, style="class:turn"),
            ],
        )
        typed = Window(
            line,
            height=Dimension(min=1, max=_INPUT_LINES),
            wrap_lines=True,
            dont_extend_height=True,
        )
        menu = Float(
            xcursor=True,
            ycursor=True,
            content=CompletionsMenu(max_height=_MENU_LINES, scroll_offset=1),
        )
        return Layout(FloatContainer(HSplit([Window(_Drawn(self._draw)), typed]), [menu]), typed)

    def _prompt(self) -> str:
        if self._question.is_open():
            return printable(self._question.text)
        mark = _MARK if self._conversation.is_turn else ""
        return printable(f"{mark}{self._conversation.room or self._texts.say('lobby')}> ")

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("enter")
        def _send(event: KeyPressEvent) -> None:
            self._enter_lines()

        @keys.add("tab")
        def _complete(event: KeyPressEvent) -> None:
            if self._buffer.complete_state:
                self._buffer.complete_next()
            else:
                self._buffer.start_completion(insert_common_part=True)

        @keys.add("s-tab", filter=has_completions)
        def _complete_back(event: KeyPressEvent) -> None:
            self._buffer.complete_previous()

        @keys.add("c-c")
        def _forget(event: KeyPressEvent) -> None:
            self._buffer.reset()
            self._question.drop()

        @keys.add("c-d")
        def _leave(event: KeyPressEvent) -> None:
            if not (self._buffer.text or self._question.drop()):
                event.app.exit()

        @keys.add("escape", eager=True, filter=~has_completions)
        def _back_to_the_board(event: KeyPressEvent) -> None:
            self._turn_away()

        @keys.add("c-l")
        def _draw_anew(event: KeyPressEvent) -> None:
            event.app.renderer.clear()

        @keys.add("pageup")
        def _older(event: KeyPressEvent) -> None:
            self._back += event.app.output.get_size().rows // 2

        @keys.add("pagedown")
        def _newer(event: KeyPressEvent) -> None:
            self._back = max(0, self._back - event.app.output.get_size().rows // 2)

        return keys

    def _enter_lines(self) -> None:
        """Accept the lines in the input one by one: a pasted text may have several."""
        for line in self._buffer.text.splitlines() or [""]:
            if not self._app.is_done:
                self._buffer.text = line
                self._buffer.validate_and_handle()

    def _turn_away(self) -> None:
        """Return to the board and to the end of the log."""
        self._back, self._log.long = 0, None

    def _accept(self, buffer: Buffer) -> bool:
        """Run or send the line in the input, and clear the input."""
        line = buffer.text.strip()
        self._turn_away()
        if self._question.is_open():
            buffer.reset()  # prompt_toolkit writes the history after this
            self._say(self._question.answer(line))
            return False
        match client_command(line):
            case ClientCommand.QUIT:
                self._app.exit()
            case ClientCommand.CLEAR:
                self._log.clear()
            case ClientCommand.SET:
                settings = self._conversation.settings
                self._log.show(change_settings(settings, line, self._texts))
                self._keep_settings()
            case None if lacks_password(line):
                self._question.ask(line)
            case None:
                self._say(line)
        return False

    def _say(self, line: str) -> None:
        """Show and send a line unless it is blank."""
        if line:
            self._log.show(f"{ECHO}{masked(line)}")
            self._start(self._conversation.type(line, echo=False, aimed=True))

    def _start(self, work: Coroutine[object, object, object]) -> None:
        task: asyncio.Task[object] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Drawn(UIControl):
    """The rows of the screen above the input line."""

    def __init__(self, draw: Callable[[int, int], list[Row]]) -> None:
        self._draw = draw

    def create_content(self, width: int, height: int) -> UIContent:
        """The rows for a window of this size."""
        drawn = self._draw(width, height)
        return UIContent(get_line=lambda at: list(drawn[at]), line_count=len(drawn))
